#include "control/request_feed.h"

#include "program/test_program.h"

#include <QTest>

using namespace omni;

class RequestFeedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void logGoesInBatches();
    void logGoesAfterAQuarterSecond();
    void whatIsLeftGoesToTheLogAtTheEnd();
    void showsTheNewest200FourTimesASecond();
    void costsNothingUnwatched();
    void throttleRunsSoonAndNotTooOften();

private:
    static RequestRecord record(int number)
    {
        RequestRecord made;
        made.id = RequestId(std::to_string(number));
        return made;
    }

    SimulatedClock m_clock;
    std::unique_ptr<SimulatedScheduler> m_scheduler;
    std::unique_ptr<RequestFeed> m_feed;
    std::vector<std::vector<RequestRecord>> m_logged;
    std::vector<QList<RequestRecord>> m_shown;
    bool m_watched = true;
};

void RequestFeedTest::init()
{
    m_feed.reset();
    m_logged.clear();
    m_shown.clear();
    m_watched = true;
    m_scheduler = std::make_unique<SimulatedScheduler>(m_clock);
    m_feed = std::make_unique<RequestFeed>(
        *m_scheduler,
        RequestFeed::Sinks{[this](std::vector<RequestRecord> records) { m_logged.push_back(std::move(records)); },
                           [this] { return m_watched; }, [this](const QList<RequestRecord>& records) { m_shown.push_back(records); }});
}

void RequestFeedTest::logGoesInBatches()
{
    for (int i = 0; i < 250; ++i)
        m_feed->add(record(i));
    QCOMPARE(m_logged.size(), std::size_t{2});
    QCOMPARE(m_logged[0].size(), std::size_t{100});
    QCOMPARE(m_logged[1].front().id.str(), std::string("100"));
    m_scheduler->advance(Millis(250));
    QCOMPARE(m_logged.size(), std::size_t{3});
    QCOMPARE(m_logged[2].size(), std::size_t{50});
}

void RequestFeedTest::logGoesAfterAQuarterSecond()
{
    m_feed->add(record(1));
    m_scheduler->advance(Millis(200));
    m_feed->add(record(2));
    m_scheduler->advance(Millis(49));
    QVERIFY(m_logged.empty());
    m_scheduler->advance(Millis(1));
    QCOMPARE(m_logged.size(), std::size_t{1});
    QCOMPARE(m_logged[0].size(), std::size_t{2});
    m_scheduler->advance(Millis(10'000));
    QCOMPARE(m_logged.size(), std::size_t{1});
}

void RequestFeedTest::whatIsLeftGoesToTheLogAtTheEnd()
{
    m_feed->add(record(1));
    m_feed.reset();
    QCOMPARE(m_logged.size(), std::size_t{1});
}

void RequestFeedTest::showsTheNewest200FourTimesASecond()
{
    for (int turn = 0; turn < 100; ++turn) {  // 10 ms each: one second, 1,000 requests
        for (int i = 0; i < 10; ++i)
            m_feed->add(record(turn * 10 + i));
        m_scheduler->advance(Millis(10));
    }
    m_scheduler->advance(Millis(250));
    QVERIFY2(m_shown.size() >= 4 && m_shown.size() <= 5, std::to_string(m_shown.size()).c_str());
    for (const QList<RequestRecord>& shown : m_shown)
        QVERIFY(shown.size() <= 200);
    const QList<RequestRecord>& second = m_shown[1];  // 250 came, the newest 200 are shown, newest last
    QCOMPARE(second.size(), qsizetype{200});
    for (qsizetype i = 1; i < second.size(); ++i)
        QCOMPARE(std::stoi(second[i].id.str()), std::stoi(second[i - 1].id.str()) + 1);
    QCOMPARE(m_shown.back().back().id.str(), std::string("999"));
}

void RequestFeedTest::costsNothingUnwatched()
{
    m_watched = false;
    for (int i = 0; i < 10; ++i)
        m_feed->add(record(i));
    m_scheduler->advance(Millis(1'000));
    QVERIFY(m_shown.empty());
    QCOMPARE(m_logged.size(), std::size_t{1});
}

void RequestFeedTest::throttleRunsSoonAndNotTooOften()
{
    int runs = 0;
    Throttle throttle(*m_scheduler, Millis(100), [&] { ++runs; });
    throttle.poke();
    throttle.poke();
    QCOMPARE(runs, 0);  // never from inside the poke
    m_scheduler->advance(Micros(0));
    QCOMPARE(runs, 1);
    for (int i = 0; i < 1'000; ++i) {
        throttle.poke();
        m_scheduler->advance(Millis(1));
    }
    QCOMPARE(runs, 11);
    m_scheduler->advance(Millis(5'000));
    QCOMPARE(runs, 11);
    throttle.poke();
    m_scheduler->advance(Micros(0));
    QCOMPARE(runs, 12);
}

OMNI_TEST(RequestFeedTest)
#include "request_feed_test.moc"
