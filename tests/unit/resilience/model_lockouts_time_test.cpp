#include "resilience/model_lockouts.h"

#include "program/test_program.h"
#include "unit/resilience/lockouts_fixture.h"

#include <QTest>

#include <chrono>

using namespace omni;
using namespace std::chrono_literals;

class ModelLockoutsTimeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void listIsSorted()
    {
        LockoutBench bench;
        for (const char* provider : {"openai", "azure"}) {
            for (const char* id : {"c2", "c1"}) {
                bench.provider = ProviderId(provider);
                bench.connection = ConnectionId(id);
                bench.fail("b", 500);
                bench.fail("a", 500);
                bench.fail("a", 404);
            }
        }
        const auto all = bench.lockouts.list(bench.now());
        QCOMPARE(all.size(), std::size_t(12));
        QByteArray order;
        for (const ModelLockout& lockout : all)
            order += text(lockoutKey(lockout)) + ' ';
        QCOMPARE(order, QByteArray("azure:c1:a azure:c1:exact:a azure:c1:exact:b azure:c2:a azure:c2:exact:a azure:c2:exact:b "
                                   "openai:c1:a openai:c1:exact:a openai:c1:exact:b openai:c2:a openai:c2:exact:a openai:c2:exact:b "));
        QCOMPARE(bench.lockouts.list(bench.now(), ConnectionId("c2")).size(), std::size_t(6));
        QVERIFY(bench.lockouts.list(bench.now(), ConnectionId("c9")).empty());
        QVERIFY(bench.lockouts.concerns(ConnectionId("c1")) && !bench.lockouts.concerns(ConnectionId("c9")));
    }

    void clockJumps_data()
    {
        QTest::addColumn<qint64>("advance");  ///< both clocks
        QTest::addColumn<qint64>("jump");     ///< the wall clock alone
        QTest::addColumn<qint64>("remaining");
        // A lock of 60 s.
        QTest::newRow("none") << qint64(20'000) << qint64(0) << qint64(40'000);
        QTest::newRow("set back an hour") << qint64(20'000) << qint64(-3'600'000) << qint64(40'000);
        QTest::newRow("set back a little") << qint64(20'000) << qint64(-500) << qint64(40'000);
        QTest::newRow("set back years") << qint64(0) << qint64(-100'000'000'000) << qint64(60'000);
        QTest::newRow("set back, and then over") << qint64(60'001) << qint64(-3'600'000) << qint64(0);
        QTest::newRow("set forward within") << qint64(20'000) << qint64(30'000) << qint64(10'000);
        QTest::newRow("set forward beyond") << qint64(20'000) << qint64(40'001) << qint64(0);
        QTest::newRow("set forward to the end") << qint64(20'000) << qint64(40'000) << qint64(1);
        QTest::newRow("slept through it") << qint64(28'800'000) << qint64(0) << qint64(0);
    }

    void clockJumps()
    {
        QFETCH(qint64, advance);
        QFETCH(qint64, jump);
        QFETCH(qint64, remaining);
        LockoutBench bench;
        bench.lockFor(60s);
        bench.clock.advance(Millis(advance));
        bench.clock.jumpWall(Millis(jump));
        QCOMPARE(qint64(bench.remaining("gpt-4o").count()), remaining);
        const auto listed = bench.lockouts.list(bench.now());
        QCOMPARE(listed.size(), std::size_t(remaining > 0 ? 1 : 0));
        QCOMPARE(bench.lockouts.nextEnd(bench.now()) == Millis(0), remaining == 0);
        if (!listed.empty()) {
            // What is shown agrees with what is left.
            const Millis shown = listed[0].until - bench.now().wall;
            QVERIFY(shown >= Millis(remaining) - 1ms && shown <= Millis(remaining) + 1s);
            QCOMPARE(listed[0].until - listed[0].lockedAt, Millis(60s));
        }
        QCOMPARE(bench.lockouts.takeExpired(bench.now()).size(), std::size_t(remaining > 0 ? 0 : 1));
        // Once told as over it never comes back.
        bench.clock.jumpWall(Millis(-jump));
        if (remaining == 0)
            QVERIFY(!bench.locked("gpt-4o"));
    }

    void windowSurvivesClockJumps()
    {
        LockoutBench bench;
        bench.fail("gpt-4o", 500);
        bench.clock.jumpWall(-24h);
        bench.clock.advance(150s);
        QCOMPARE(bench.fail("gpt-4o", 500)->failureCount, 2);
        bench.clock.advance(270s + 1ms);
        QCOMPARE(bench.fail("gpt-4o", 500)->failureCount, 1);
    }

    void sweepForgets()
    {
        LockoutBench bench;
        bench.fail("gpt-4o", 500);
        bench.clock.advance(120s + 1ms);
        bench.lockouts.takeExpired(bench.now());
        QVERIFY(bench.lockouts.empty());
        QCOMPARE(bench.lockouts.size(), std::size_t(1));
        bench.clock.advance(30s - 1ms);
        bench.lockouts.sweep(bench.now());
        QCOMPARE(bench.lockouts.size(), std::size_t(1));  // the window is inclusive
        bench.clock.advance(1ms);
        bench.lockouts.sweep(bench.now());
        QCOMPARE(bench.lockouts.size(), std::size_t(1));  // swept a moment ago
        bench.clock.advance(15s);
        bench.lockouts.sweep(bench.now());
        QCOMPARE(bench.lockouts.size(), std::size_t(0));
    }

    void sweepKeepsWhatEnded()
    {
        LockoutBench bench;
        bench.fail("gpt-4o", 500);
        bench.clock.advance(1h);
        bench.lockouts.sweep(bench.now());
        QCOMPARE(bench.lockouts.size(), std::size_t(0));
        QCOMPARE(bench.lockouts.takeExpired(bench.now()).size(), std::size_t(1));
    }

    void roomIsMadeByTheLeast()
    {
        LockoutBench bench;
        const std::size_t capacity = LockoutTable::kCapacity;
        bench.lockFor(48h, "first");
        bench.lockFor(5s, "idle");
        bench.clock.advance(5s + 1ms);  // its count is still kept
        for (std::size_t i = 0; i + 2 < capacity; ++i)
            bench.lockFor(10min + Millis(i), "m" + std::to_string(i));
        QCOMPARE(bench.lockouts.size(), capacity);
        QCOMPARE(bench.lockouts.takeExpired(bench.now()).size(), std::size_t(1));  // "idle", by itself
        bench.lockFor(20min, "new-0");  // takes the place of the count
        QCOMPARE(bench.lockouts.size(), capacity);
        QVERIFY(bench.lockouts.takeExpired(bench.now()).empty());
        QVERIFY(bench.locked("m0"));
        bench.lockFor(1s, "new-1");  // takes the place of the lock that ends first
        QVERIFY(!bench.locked("m0") && bench.locked("m1") && bench.locked("new-1"));
        bench.lockFor(2s, "new-2");
        QVERIFY(!bench.locked("new-1") && bench.locked("m1") && bench.locked("new-2"));
        const auto ended = bench.lockouts.takeExpired(bench.now());
        QCOMPARE(ended.size(), std::size_t(2));
        QCOMPARE(text(ended[0].model), QByteArray("m0"));
        QCOMPARE(text(ended[1].model), QByteArray("new-1"));
        QCOMPARE(bench.lockouts.size(), capacity);
        QCOMPARE(bench.lockouts.list(bench.now()).size(), capacity);
        QVERIFY(bench.locked("first"));
        // One that is known needs no room.
        bench.lockFor(3s, "new-2");
        QVERIFY(bench.lockouts.takeExpired(bench.now()).empty());
    }
};

OMNI_TEST(ModelLockoutsTimeTest)
#include "model_lockouts_time_test.moc"
