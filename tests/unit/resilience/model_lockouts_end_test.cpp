#include "resilience/model_lockouts.h"

#include "program/test_program.h"
#include "unit/resilience/lockouts_fixture.h"

#include <QTest>

#include <chrono>

using namespace omni;
using namespace std::chrono_literals;

class ModelLockoutsEndTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void longerWins()
    {
        LockoutBench bench;
        ModelLockouts::FailureEvent event = bench.event("gpt-4o", 500);
        event.exactLength = 60s;
        event.evidence.emplace().rule = "first";
        const auto first = bench.lockouts.recordFailure(event, bench.now());
        bench.clock.advance(1s);
        event.exactLength = 10s;
        event.reason = FailureReason::Overloaded;
        event.evidence.emplace().rule = "second";
        const auto second = bench.lockouts.recordFailure(event, bench.now());
        QVERIFY(second->until == first->until);
        QVERIFY(second->lockedAt == first->lockedAt);
        QCOMPARE(second->failureCount, 2);
        QVERIFY(second->reason == FailureReason::ServerError && second->evidence->rule == "first");
        // A lower count is not merged: the window of the second (30 s + 10 s) has passed.
        bench.clock.advance(41s);
        event.exactLength = 1s;
        QCOMPARE(bench.lockouts.recordFailure(event, bench.now())->failureCount, 2);
        QCOMPARE(bench.remaining("gpt-4o"), Millis(18s));
        event.exactLength = 19s;
        QVERIFY(bench.lockouts.recordFailure(event, bench.now())->reason == FailureReason::Overloaded);
        QCOMPARE(bench.remaining("gpt-4o"), Millis(19s));
    }

    void endIsInclusive()
    {
        LockoutBench bench;
        bench.lockFor(60s);
        bench.clock.advance(60s);
        QVERIFY(bench.locked("gpt-4o"));
        QCOMPARE(bench.remaining("gpt-4o"), Millis(1));  // 0 would say "no known end"
        QCOMPARE(bench.lockouts.list(bench.now()).size(), std::size_t(1));
        QVERIFY(bench.lockouts.nextEnd(bench.now()) == Millis(1));
        QVERIFY(bench.lockouts.takeExpired(bench.now()).empty());
        bench.clock.advance(1ms);
        QVERIFY(!bench.locked("gpt-4o"));
        QVERIFY(bench.lockouts.list(bench.now()).empty());
        QVERIFY(bench.lockouts.nextEnd(bench.now()) == Millis(0));
        const auto ended = bench.lockouts.takeExpired(bench.now());
        QCOMPARE(ended.size(), std::size_t(1));
        QCOMPARE(text(lockoutKey(ended[0])), QByteArray("openai:c1:exact:gpt-4o"));
        QVERIFY(ended[0].remaining == Millis(0) && ended[0].until == bench.now().wall - 1ms);
        QVERIFY(!bench.lockouts.nextEnd(bench.now()));
        QVERIFY(bench.lockouts.empty());
        QVERIFY2(bench.lockouts.takeExpired(bench.now()).empty(), "told once");
    }

    void decay()
    {
        LockoutBench bench;
        for (int i = 0; i < 4; ++i)
            bench.fail("gpt-4o", 500);
        auto decayed = bench.succeed("gpt-4o");
        QVERIFY(!decayed.cleared && decayed.ended.empty());
        QCOMPARE(decayed.failureCount, 2);
        QCOMPARE(decayed.changed.size(), std::size_t(1));
        QCOMPARE(decayed.changed[0].failureCount, 2);
        QVERIFY2(bench.locked("gpt-4o"), "the lock runs on while anything is counted");
        decayed = bench.succeed("gpt-4o");
        QVERIFY(!decayed.cleared);
        QCOMPARE(decayed.failureCount, 1);
        decayed = bench.succeed("gpt-4o");
        QVERIFY(decayed.cleared && decayed.changed.empty());
        QCOMPARE(decayed.failureCount, 0);
        QCOMPARE(decayed.ended.size(), std::size_t(1));
        QVERIFY(!bench.locked("gpt-4o"));
        QVERIFY(bench.lockouts.empty());
        QCOMPARE(bench.lockouts.size(), std::size_t(0));
        QVERIFY2(bench.lockouts.takeExpired(bench.now()).empty(), "told by the decay already");
        // The ladder begins anew.
        QCOMPARE(bench.fail("gpt-4o", 500)->failureCount, 1);
    }

    void decayOfNothing()
    {
        LockoutBench bench;
        auto decayed = bench.succeed("gpt-4o");
        QVERIFY(!decayed.cleared && decayed.failureCount == 0);
        bench.fail("other", 500);
        decayed = bench.succeed("gpt-4o");
        QVERIFY(!decayed.cleared && decayed.failureCount == 0 && decayed.changed.empty());
        // One whose window has passed counts for nothing either.
        bench.clock.advance(1h);
        decayed = bench.succeed("other");
        QVERIFY(!decayed.cleared && decayed.failureCount == 0 && decayed.ended.empty());
    }

    void decayReachesAllThreeKeys()
    {
        LockoutBench bench;
        bench.provider = ProviderId("codex");
        bench.fail("gpt-5.6-luna", 429);
        bench.fail("gpt-5.6-luna", 404);
        bench.fail("gpt-5.6-luna", 502);
        bench.fail("gpt-5.6-luna", 502);
        bench.fail("gpt-5.6-sol", 502);
        QCOMPARE(bench.lockouts.list(bench.now()).size(), std::size_t(4));
        auto decayed = bench.succeed("gpt-5.6-luna");
        QVERIFY(decayed.cleared);
        QCOMPARE(decayed.failureCount, 1);
        QCOMPARE(decayed.ended.size(), std::size_t(2));
        QCOMPARE(decayed.changed.size(), std::size_t(1));
        QVERIFY(bench.locked("gpt-5.6-luna"));
        QVERIFY(bench.locked("gpt-5.6-sol"));
        QVERIFY2(!bench.locked("gpt-5.3-codex"), "the family is free");
        QVERIFY(bench.succeed("gpt-5.6-luna").cleared);
        QVERIFY(!bench.locked("gpt-5.6-luna"));
    }

    void countWithoutLockDecays()
    {
        LockoutBench bench;
        bench.fail("gpt-4o", 500);
        bench.fail("gpt-4o", 500);
        bench.clock.advance(240s + 1ms);
        QVERIFY(!bench.locked("gpt-4o"));
        const auto decayed = bench.succeed("gpt-4o");
        QVERIFY(!decayed.cleared && decayed.changed.empty() && decayed.failureCount == 1);
        const auto last = bench.succeed("gpt-4o");
        QVERIFY(last.cleared && last.ended.empty());
    }

    /// Requests that were under way when the lock was made: neither their success ends it nor do their failures climb its ladder.
    void whatBeganBefore()
    {
        LockoutBench bench;
        const std::uint64_t before = bench.lockouts.episode();
        ModelLockouts::FailureEvent event = bench.event("gpt-4o", 502);
        event.asOf = before;
        const auto first = bench.lockouts.recordFailure(event, bench.now());
        QCOMPARE(first->failureCount, 1);
        for (int i = 0; i < 9; ++i) {
            bench.clock.advance(100ms);
            const auto again = bench.lockouts.recordFailure(event, bench.now());
            QCOMPARE(again->failureCount, 1);
            QVERIFY(again->until == first->until);
        }
        const auto decayed = bench.lockouts.decayOnSuccess(bench.provider, bench.connection, "gpt-4o", bench.now(), before);
        QVERIFY(!decayed.cleared && decayed.failureCount == 1);
        QVERIFY(bench.locked("gpt-4o"));
        // An exact length among them prolongs, without a step.
        event.exactLength = 10min;
        const auto longer = bench.lockouts.recordFailure(event, bench.now());
        QVERIFY(longer->until == bench.now().wall + 10min);
        QCOMPARE(longer->failureCount, 1);
        // When the lock is over a late one does not bring it back.
        event.exactLength.reset();
        bench.clock.advance(10min + 1ms);
        QVERIFY(!bench.lockouts.recordFailure(event, bench.now()));
        QVERIFY(!bench.locked("gpt-4o"));
        // One that began afterwards counts, and so does its success.
        event.asOf = bench.lockouts.episode();
        QCOMPARE(bench.lockouts.recordFailure(event, bench.now())->failureCount, 2);
        event.asOf = bench.lockouts.episode();
        QCOMPARE(bench.lockouts.decayOnSuccess(bench.provider, bench.connection, "gpt-4o", bench.now(), event.asOf).failureCount, 1);
        QVERIFY(bench.lockouts.decayOnSuccess(bench.provider, bench.connection, "gpt-4o", bench.now(), event.asOf).cleared);
    }

    void clearByWhatTheListShows_data()
    {
        QTest::addColumn<QString>("provider");
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("prefix");
        QTest::newRow("a family") << "antigravity" << "claude-opus-4" << 429 << "";
        QTest::newRow("the other family") << "antigravity" << "gemini-3" << 429 << "";
        QTest::newRow("spark") << "codex" << "bengalfox" << 429 << "";
        QTest::newRow("codex") << "codex" << "gpt-5" << 429 << "";
        QTest::newRow("exact") << "openai" << "GPT-4o" << 500 << "";
        QTest::newRow("exact with its prefix") << "openai" << "GPT-4o" << 500 << "exact:";
        QTest::newRow("missing") << "openai" << "GPT-4o" << 404 << "";
    }

    void clearByWhatTheListShows()
    {
        QFETCH(QString, provider);
        QFETCH(QString, model);
        QFETCH(int, status);
        QFETCH(QString, prefix);
        for (const bool everyConnection : {false, true}) {
            LockoutBench bench;
            bench.provider = ProviderId(provider.toStdString());
            bench.fail(model.toStdString(), status);
            const auto listed = bench.lockouts.list(bench.now());
            QCOMPARE(listed.size(), std::size_t(1));
            const std::string shown = prefix.toStdString() + listed[0].model;
            const ConnectionId connection = everyConnection ? ConnectionId() : listed[0].connection;
            QCOMPARE(bench.lockouts.clear(listed[0].provider, connection, shown, bench.now()).size(), std::size_t(1));
            QCOMPARE(bench.lockouts.size(), std::size_t(0));
        }
    }

    void clearWider()
    {
        LockoutBench bench;
        const auto fill = [&] {
            for (const char* id : {"c1", "c2", "c3"}) {
                bench.connection = ConnectionId(id);
                bench.fail("gpt-4o", 500);
                bench.fail("gpt-4o-mini", 500);
            }
            bench.connection = ConnectionId("c1");
        };
        fill();
        QCOMPARE(bench.lockouts.clear(bench.provider, {}, "gpt-4o", bench.now()).size(), std::size_t(3));
        QCOMPARE(bench.lockouts.list(bench.now()).size(), std::size_t(3));
        QCOMPARE(bench.lockouts.clearConnection(ConnectionId("c2"), bench.now()).size(), std::size_t(1));
        QVERIFY(bench.lockouts.clearConnection(ConnectionId("c2"), bench.now()).empty());
        QVERIFY(bench.lockouts.clearConnection({}, bench.now()).empty());
        QCOMPARE(bench.lockouts.clearAll(bench.now()).size(), std::size_t(2));
        QVERIFY(bench.lockouts.empty());

        fill();
        bench.lockouts.forgetConnection(ConnectionId("c1"));
        QCOMPARE(bench.lockouts.list(bench.now()).size(), std::size_t(4));
        bench.clock.advance(1h);
        QCOMPARE(bench.lockouts.clearAll(bench.now()).size(), std::size_t(0));  // over by themselves
        bench.lockouts.forgetConnection(ConnectionId("c3"));
        const auto ended = bench.lockouts.takeExpired(bench.now());
        QCOMPARE(ended.size(), std::size_t(2));
        QVERIFY(ended[0].connection == ConnectionId("c2") && ended[1].connection == ConnectionId("c2"));
    }
};

OMNI_TEST(ModelLockoutsEndTest)
#include "model_lockouts_end_test.moc"
