#include "base/random.h"
#include "base/scheduler.h"

#include "program/test_program.h"

#include <QTest>

#include <memory>

using namespace omni;

class SchedulerTest : public QObject {
    Q_OBJECT

    SimulatedClock m_clock;
    std::unique_ptr<SimulatedScheduler> m_scheduler;

private Q_SLOTS:
    void init() { m_scheduler = std::make_unique<SimulatedScheduler>(m_clock); }

    void firesInOrderOfDeadlineThenOfStart()
    {
        std::vector<int> fired;
        Timer a(*m_scheduler, [&] { fired.push_back(1); });
        Timer b(*m_scheduler, [&] { fired.push_back(2); });
        Timer c(*m_scheduler, [&] { fired.push_back(3); });
        b.start(Millis(20));
        c.start(Millis(10));
        a.start(Millis(20));
        m_scheduler->advance(Millis(19));
        QCOMPARE(fired, std::vector<int>{3});
        m_scheduler->advance(Millis(1));
        QCOMPARE(fired, (std::vector<int>{3, 2, 1}));
        QVERIFY(!a.active());
    }

    void startingAnewPutsOff()
    {
        int fired = 0;
        Timer timer(*m_scheduler, [&] { ++fired; });
        timer.start(Millis(10));
        m_scheduler->advance(Millis(9));
        timer.start(Millis(10));
        m_scheduler->advance(Millis(9));
        QCOMPARE(fired, 0);
        m_scheduler->advance(Millis(1));
        QCOMPARE(fired, 1);
    }

    void aCallbackMayDestroyItsTimerAndStartOthers()
    {
        int later = 0;
        Timer next(*m_scheduler, [&] { ++later; });
        std::unique_ptr<Timer> self;
        self = std::make_unique<Timer>(*m_scheduler, [&] {
            next.start(Millis(0));
            self.reset();
        });
        self->start(Millis(5));
        m_scheduler->advance(Millis(5));
        QVERIFY(!self);
        m_scheduler->advance(Millis(0));
        QCOMPARE(later, 1);
    }

    void whatCameDueInSleepFiresOnWaking()
    {
        int fired = 0;
        Timer timer(*m_scheduler, [&] { ++fired; });
        timer.start(std::chrono::minutes(10));
        m_scheduler->sleepThrough(std::chrono::hours(8));
        QCOMPARE(fired, 1);
    }

    void aJumpOfTheWallClockMovesNoTimer()
    {
        int fired = 0;
        Timer timer(*m_scheduler, [&] { ++fired; });
        timer.start(Millis(1000));
        m_clock.jumpWall(std::chrono::hours(6));
        m_scheduler->advance(Millis(999));
        QCOMPARE(fired, 0);
        m_clock.jumpWall(-std::chrono::hours(12));
        m_scheduler->advance(Millis(1));
        QCOMPARE(fired, 1);
    }

    void randomHistoriesFireExactlyWhatIsDue()
    {
        SimulatedRandom random(3);
        std::vector<std::unique_ptr<Timer>> timers;
        std::vector<MonoTime> due(64, MonoTime::max());
        int wrong = 0;
        for (std::size_t i = 0; i < due.size(); ++i)
            timers.push_back(std::make_unique<Timer>(*m_scheduler, [&, i] {
                wrong += due[i] != m_clock.mono();
                due[i] = MonoTime::max();
            }));
        for (int step = 0; step < 20'000; ++step) {
            const std::size_t i = random.below(due.size());
            switch (random.below(3)) {
            case 0:
                due[i] = m_clock.mono() + Micros(1 + random.below(5000));
                timers[i]->start(due[i] - m_clock.mono());
                break;
            case 1:
                timers[i]->stop();
                due[i] = MonoTime::max();
                break;
            default: m_scheduler->advance(Micros(random.below(2000))); break;
            }
            for (const MonoTime deadline : due)
                wrong += deadline < m_clock.mono();
        }
        QCOMPARE(wrong, 0);
    }

    void theQtSchedulerFollowsTheLoop()
    {
        SystemClock clock;
        QtScheduler scheduler(clock);
        std::vector<int> fired;
        Timer slow(scheduler, [&] { fired.push_back(2); });
        Timer quick(scheduler, [&] { fired.push_back(1); });
        Timer never(scheduler, [&] { fired.push_back(3); });
        slow.start(Millis(30));
        quick.start(Millis(5));
        never.start(Millis(15));
        never.stop();
        QTRY_COMPARE(fired, (std::vector<int>{1, 2}));
    }
};

OMNI_TEST(SchedulerTest)
#include "scheduler_test.moc"
