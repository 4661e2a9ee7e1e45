#include "resilience/request_rejected_streak.h"

#include "program/test_program.h"
#include "resilience/connection_cooldown.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

#include <chrono>

using namespace omni;
using namespace std::chrono_literals;

namespace {

using Step = RequestRejectedStreak::Step;

/// What the judge makes of an OAuth 403 "Request not allowed".
Judgement refusal()
{
    Judgement judgement;
    judgement.reason = FailureReason::RequestRejected;
    judgement.requestRejected = true;
    judgement.rule = "HTTP 403: the request was not allowed";
    judgement.message = "Request not allowed";
    return judgement;
}

/// One connection that is refused.
struct Bench {
    Instant now() const { return Instant::of(clock); }
    Judgement refuse(bool outdated = false)
    {
        Judgement judgement = refusal();
        Failure failure;
        failure.status = 403;
        connection.apply(judgement, failure, coolingDisabled, outdated, now());
        return judgement;
    }
    QByteArray terminal() const { return named(connection.health().terminal); }
    Millis left() const { return connection.remaining(now()); }

    SimulatedClock clock;
    ConnectionCooldown connection{ConnectionId("c1")};
    bool coolingDisabled = false;
};

}  // namespace

/// spec 1-core §8.3: the streak of refusals that name no reason.
class RequestRejectedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thirdIsABan()
    {
        // Row 152 with the ruling's rungs: cooling for 60 s, for 300 s, then banned.
        Bench bench;
        for (const std::chrono::seconds rung : {60s, 300s}) {
            const Judgement judgement = bench.refuse();
            QCOMPARE(judgement.cooldown, Millis(rung));
            QVERIFY(!judgement.permanent);
            QCOMPARE(bench.left(), Millis(rung));
            QCOMPARE(bench.terminal(), QByteArray(""));
            QCOMPARE(named(bench.connection.health().reason), QByteArray("request_rejected"));
            QVERIFY(!bench.connection.awaitingKeyRetry());
            QCOMPARE(bench.connection.health().evidence->length, Millis(rung));
            bench.clock.advance(rung - 1ms);
            QVERIFY(bench.left() > Millis(0));
            bench.clock.advance(1ms);
            bench.connection.refresh(bench.now());
            QVERIFY(!bench.connection.cooling());
        }
        const Judgement last = bench.refuse();
        QVERIFY(last.permanent);
        QCOMPARE(named(last.terminal), QByteArray("banned"));
        QCOMPARE(bench.terminal(), QByteArray("banned"));
        QVERIFY(!bench.connection.cooling());
        // Never overwritten, and not banned anew.
        QVERIFY(!bench.refuse().permanent);
        bench.clock.advance(24h * 400);
        bench.connection.refresh(bench.now());
        QCOMPARE(bench.terminal(), QByteArray("banned"));
    }

    void sameEpisodeIsNotCounted()
    {
        // Row 153: refusals 2 and 3 arrive while the first one cools.
        Bench bench;
        bench.refuse();
        bench.clock.advance(20s);
        QCOMPARE(bench.refuse().cooldown, Millis(40s));
        bench.clock.advance(20s);
        QCOMPARE(bench.refuse(true).cooldown, Millis(20s));
        QCOMPARE(bench.left(), Millis(20s));
        bench.clock.advance(20s);
        QCOMPARE(bench.refuse().cooldown, Millis(300s));
    }

    void slowOneOfTheHerdIsNotCounted()
    {
        // It began before the first refusal and is refused long after that one's cooldown.
        Bench bench;
        bench.refuse();
        bench.clock.advance(10min);
        QCOMPARE(bench.refuse(true).cooldown, Millis(0));
        QCOMPARE(bench.refuse().cooldown, Millis(300s));
    }

    void aDayBetweenBeginsAnew()
    {
        // Row 154.
        Bench bench;
        for (int i = 0; i < 5; ++i) {
            bench.clock.advance(24h);
            QCOMPARE(bench.refuse().cooldown, Millis(60s));
        }
        bench.clock.advance(24h - 1ms);
        QCOMPARE(bench.refuse().cooldown, Millis(300s));
    }

    void cleared_data()
    {
        QTest::addColumn<int>("by");
        QTest::newRow("a success") << 0;
        QTest::newRow("a successful test") << 1;
        QTest::newRow("the operator") << 2;
        QTest::newRow("new credentials") << 3;
    }

    void cleared()
    {
        QFETCH(int, by);
        Bench bench;
        bench.refuse();
        bench.clock.advance(60s);
        bench.refuse();
        bench.clock.advance(300s);
        switch (by) {
        case 0: bench.connection.recordSuccess(false, bench.now()); break;
        case 1: bench.connection.recordTestSuccess(bench.now()); break;
        case 2: bench.connection.clearTransient(); break;
        default: bench.connection.clearAll(); break;
        }
        QVERIFY(bench.connection.healthy());
        QCOMPARE(bench.refuse().cooldown, Millis(60s));
    }

    void oldSuccessDoesNotClear()
    {
        Bench bench;
        bench.refuse();
        bench.clock.advance(30s);
        bench.connection.recordSuccess(true, bench.now());
        QCOMPARE(bench.left(), Millis(30s));
        bench.clock.advance(30s);
        QCOMPARE(bench.refuse().cooldown, Millis(300s));
    }

    void withoutCooling()
    {
        // disableCooling takes the hold away, and neither the streak nor the ban.
        Bench bench;
        bench.coolingDisabled = true;
        for (const std::chrono::seconds rung : {60s, 300s}) {
            QCOMPARE(bench.refuse().cooldown, Millis(0));
            QVERIFY(!bench.connection.cooling());
            bench.clock.advance(rung - 1ms);
            bench.refuse();
            QCOMPARE(bench.terminal(), QByteArray(""));
            bench.clock.advance(1ms);
        }
        bench.refuse();
        QCOMPARE(bench.terminal(), QByteArray("banned"));
    }

    void aLongerHoldGoesOn()
    {
        Bench bench;
        Judgement limit;
        limit.reason = FailureReason::RateLimitExceeded;
        limit.cooldown = 10min;
        limit.source = HintSource::Header;
        bench.connection.apply(limit, Failure(), false, false, bench.now());
        QCOMPARE(bench.refuse().cooldown, Millis(10min));
        bench.clock.advance(10min);
        QCOMPARE(bench.refuse().cooldown, Millis(300s));
    }

    void anotherFailureBetweenLeavesTheStreak()
    {
        Bench bench;
        bench.refuse();
        bench.clock.advance(60s);
        Judgement broken;
        broken.reason = FailureReason::ServerError;
        broken.cooldown = 3s;
        broken.ladder = true;
        broken.newLevel = 1;
        bench.connection.apply(broken, Failure(), false, false, bench.now());
        bench.clock.advance(3s);
        QCOMPARE(bench.refuse().cooldown, Millis(300s));
        QCOMPARE(bench.connection.health().backoffLevel, 1);
    }

    void restart_data()
    {
        QTest::addColumn<int>("refusals");
        QTest::addColumn<qint64>("downMs");
        QTest::addColumn<qint64>("leftMs");
        QTest::addColumn<qint64>("nextMs");  ///< the cooldown of the next one that counts
        const auto row = [](const char* tag, int refusals, Millis down, Millis left, Millis next) {
            QTest::newRow(tag) << refusals << qint64(down.count()) << qint64(left.count()) << qint64(next.count());
        };
        row("one, in the middle of its cooldown", 1, 20s, 40s, 300s);
        row("one, after its cooldown", 1, 1h, 0s, 300s);
        row("one, a day ago", 1, 24h, 0s, 60s);
        row("one, nearly a day ago", 1, 24h - 1ms, 0s, 300s);
        row("two count as one", 2, 1h, 0s, 300s);
        row("I02 clock set back meanwhile", 1, -6h, 60s, 300s);
        row("none", 0, 1h, 0s, 60s);
    }

    void restart()
    {
        QFETCH(int, refusals);
        QFETCH(qint64, downMs);
        QFETCH(qint64, leftMs);
        QFETCH(qint64, nextMs);
        Bench before;
        for (int i = 0; i < refusals; ++i) {
            before.clock.advance(i == 0 ? 0s : 60s);
            before.refuse();
        }
        Bench after;
        after.clock.jumpWall(before.clock.wall() + Millis(downMs) - after.clock.wall());
        after.connection.restore(before.connection.health(), after.now());
        QCOMPARE(after.left().count(), leftMs);
        if (leftMs > 0) {
            QCOMPARE(after.refuse().cooldown.count(), leftMs);
            after.clock.advance(Millis(leftMs));
        }
        QCOMPARE(after.refuse().cooldown.count(), nextMs);
        QCOMPARE(after.terminal(), QByteArray(""));
    }

    void testsOfTheUserDoNotCount()
    {
        Bench before;
        before.connection.noteFailedTest(refusal(), 403, before.now());
        QCOMPARE(before.refuse().cooldown, Millis(60s));

        Bench noted;
        noted.connection.noteFailedTest(refusal(), 403, noted.now());
        Bench after;
        after.connection.restore(noted.connection.health(), after.now());
        QCOMPARE(after.refuse().cooldown, Millis(60s));
    }

    void clocks_data()
    {
        QTest::addColumn<qint64>("advanceMs");
        QTest::addColumn<qint64>("jumpMs");
        QTest::addColumn<qint64>("leftMs");
        QTest::addColumn<qint64>("nextMs");
        const auto row = [](const char* tag, Millis advance, Millis jump, Millis left, Millis next) {
            QTest::newRow(tag) << qint64(advance.count()) << qint64(jump.count()) << qint64(left.count()) << qint64(next.count());
        };
        row("I01 asleep for eight hours", 8h, 0s, 0s, 300s);
        row("I01 asleep for two days", 48h, 0s, 0s, 60s);
        row("I02 six hours back", 20s, -6h, 40s, 300s);
        row("I02 two days back", 61s, -48h, 0s, 300s);
        row("set forward past the end", 1s, 10min, 0s, 300s);
        row("set forward by a day", 1s, 24h, 0s, 60s);
    }

    void clocks()
    {
        QFETCH(qint64, advanceMs);
        QFETCH(qint64, jumpMs);
        QFETCH(qint64, leftMs);
        QFETCH(qint64, nextMs);
        Bench bench;
        bench.refuse();
        bench.clock.advance(Millis(advanceMs));
        bench.clock.jumpWall(Millis(jumpMs));
        bench.connection.refresh(bench.now());
        QCOMPARE(bench.left().count(), leftMs);
        if (leftMs > 0) {
            QCOMPARE(*bench.connection.health().coolingUntil, bench.clock.wall() + Millis(leftMs));
            QCOMPARE(bench.refuse().cooldown.count(), leftMs);
            bench.clock.advance(Millis(leftMs));
        }
        QCOMPARE(bench.refuse().cooldown.count(), nextMs);
    }

    void randomHistories_data()
    {
        QTest::addColumn<quint64>("seed");
        for (const quint64 seed : {21U, 22U, 23U})
            QTest::addRow("seed %d", int(seed)) << seed;
    }

    /// A ban takes three counted refusals, each less than a day after the one before and none while the last one's cooldown ran.
    void randomHistories()
    {
        QFETCH(quint64, seed);
        SimulatedRandom chance(seed);
        SimulatedClock clock;
        RequestRejectedStreak streak;
        std::vector<MonoTime> counted;
        int bans = 0;
        for (int event = 0; event < 100'000; ++event) {
            if (chance.below(3) != 0) {
                clock.advance(Millis(chance.below(chance.below(20) == 0 ? 100'000'000 : 200'000)));
                continue;
            }
            if (chance.below(10) == 0) {
                streak.clear();
                counted.clear();
                continue;
            }
            const MonoTime now = clock.mono();
            const bool running = !counted.empty() && now - counted.back() < (counted.size() == 1 ? 60s : 300s);
            if (!counted.empty() && now - counted.back() >= 24h)
                counted.clear();
            const Step step = streak.refuse(Instant::of(clock));
            if (running) {
                QVERIFY(step == Step::SameEpisode);
            } else if (counted.size() == 2) {
                QVERIFY(step == Step::Ban);
                QCOMPARE(streak.count(), 0);
                counted.clear();
                ++bans;
            } else {
                QVERIFY(step == Step::Cool);
                counted.push_back(now);
                QCOMPARE(streak.length(), counted.size() == 1 ? Millis(60s) : Millis(300s));
            }
        }
        QVERIFY(bans > 100);
    }
};

OMNI_TEST(RequestRejectedTest)
#include "request_rejected_test.moc"
