#include "resilience/provider_cooldown.h"

#include "program/test_program.h"
#include "unit/resilience/provider_cooldown_fixture.h"

#include <QTest>

#include <chrono>

using namespace omni;
using namespace std::chrono_literals;

class ProviderCooldownTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void window_data()
    {
        QTest::addColumn<int>("providerClass");
        QTest::addColumn<int>("failures");
        QTest::addColumn<qint64>("spanMs");  ///< from the first failure to the last
        QTest::addColumn<qint64>("leftMs");
        const auto row = [](const char* tag, ProviderClass providerClass, int failures, Millis span, Millis left) {
            QTest::newRow(tag) << int(providerClass) << failures << qint64(span.count()) << qint64(left.count());
        };
        row("164 OAuth: 9 failures in 15 min", ProviderClass::OAuth, 9, 15min, 0min);
        row("164 OAuth: 10 failures in 15 min", ProviderClass::OAuth, 10, 15min, 5min);
        row("OAuth: 10 failures in more than 15 min", ProviderClass::OAuth, 10, 15min + 9ms, 0min);
        row("OAuth: 10 failures at once", ProviderClass::OAuth, 10, 0min, 5min);
        row("API key: 14 failures in 30 min", ProviderClass::ApiKey, 14, 30min, 0min);
        row("API key: 15 failures in 30 min", ProviderClass::ApiKey, 15, 30min, 10min);
        row("165 API key: the 15th failure 31 min after the first", ProviderClass::ApiKey, 15, 31min, 0min);
        row("local: 1 failure", ProviderClass::Local, 1, 0min, 0min);
        row("local: 2 failures in 5 min", ProviderClass::Local, 2, 5min, 1min);
        row("local: 2 failures in more than 5 min", ProviderClass::Local, 2, 5min + 1ms, 0min);
    }

    void window()
    {
        QFETCH(int, providerClass);
        QFETCH(int, failures);
        QFETCH(qint64, spanMs);
        QFETCH(qint64, leftMs);
        ProviderBench bench{static_cast<ProviderClass>(providerClass)};
        for (int i = 0; i < failures; ++i) {
            QCOMPARE(bench.providerLeft(), Millis(0));
            bench.fail();
            if (i < failures - 1)
                bench.clock.advance(Millis(spanMs / (failures - 1) + (i < spanMs % (failures - 1) ? 1 : 0)));
        }
        QCOMPARE(bench.providerLeft().count(), leftMs);
        QCOMPARE(bench.tracker.list(bench.now()).size(), std::size_t(leftMs > 0 ? 1 : 0));
        if (leftMs == 0)
            return;
        const ProviderCooldownStatus status = bench.tracker.list(bench.now()).front();
        QVERIFY(status.connection.empty());
        QCOMPARE(status.failureCount, failures);
        QCOMPARE(status.until, bench.clock.wall() + Millis(leftMs));
        QVERIFY(bench.tracker.cooling(bench.provider, {}, bench.now())->wholeProvider);
        // Cooling while less than the length has passed.
        bench.clock.advance(Millis(leftMs - 1));
        QCOMPARE(bench.providerLeft(), Millis(1));
        bench.clock.advance(1ms);
        QCOMPARE(bench.providerLeft(), Millis(0));
    }

    void connectionLadder()
    {
        // Row 166, spec 1-core §7: 5, 10, 20, 40, 80, 160, 300, 300 s from the last failure.
        ProviderBench bench;
        for (const int seconds : {5, 10, 20, 40, 80, 160, 300, 300}) {
            bench.fail("c1");
            QCOMPARE(bench.left("c1"), Millis(seconds * 1000));
            QCOMPARE(bench.left("c2"), Millis(0));
            bench.clock.advance(1ms);
        }
        bench.clock.advance(300s - 2ms);
        QVERIFY(!bench.tracker.cooling(bench.provider, ConnectionId("c1"), bench.now())->wholeProvider);
        bench.clock.advance(1ms);
        QCOMPARE(bench.left("c1"), Millis(0));
    }

    void successEndsEverything()
    {
        // Row 167: 9 failures, success, 1 failure.
        ProviderBench bench;
        for (int i = 0; i < 9; ++i)
            bench.fail("c1");
        bench.succeed("c1");
        QCOMPARE(bench.left("c1"), Millis(0));
        bench.fail("c1");
        QCOMPARE(bench.providerLeft(), Millis(0));
        QCOMPARE(bench.left("c1"), Millis(5'000));
        // Another connection's success says the provider is well, and nothing of this one.
        for (int i = 0; i < 10; ++i)
            bench.fail();
        QVERIFY(bench.providerLeft() > Millis(0));
        bench.succeed("c2");
        QCOMPARE(bench.providerLeft(), Millis(0));
        QCOMPARE(bench.left("c1"), Millis(5'000));
    }

    void switchedOff()
    {
        // Row 168.
        ProviderBench bench(ProviderClass::Local, {});
        for (int i = 0; i < 50; ++i)
            bench.fail("c1");
        QCOMPARE(bench.left("c1"), Millis(0));
        QVERIFY(bench.tracker.list(bench.now()).empty());
        QVERIFY(!bench.tracker.nextEnd(bench.now()));
        // Switching it off forgets; switching it on again begins with nothing.
        bench.tracker.applySettings(switchedOn());
        bench.fail("c1");
        bench.fail("c1");
        QVERIFY(bench.left("c1") > Millis(0));
        bench.tracker.applySettings({});
        QCOMPARE(bench.left("c1"), Millis(0));
        bench.tracker.applySettings(switchedOn());
        QCOMPARE(bench.left("c1"), Millis(0));
    }

    void failuresWhileCoolingDoNotProlong()
    {
        ProviderBench bench;
        for (int i = 0; i < 10; ++i)
            bench.fail();
        for (int i = 0; i < 4; ++i) {
            bench.clock.advance(1min);
            bench.fail();
        }
        QCOMPARE(bench.providerLeft(), Millis(1min));
        // Still failing when it is over: there are ten within the window, so it cools again at once.
        bench.clock.advance(1min);
        QCOMPARE(bench.providerLeft(), Millis(0));
        bench.fail();
        QCOMPARE(bench.providerLeft(), Millis(5min));
    }

    void theLaterEndIsTold()
    {
        ProviderBench bench(ProviderClass::Local);
        bench.fail("c1");
        bench.fail("c1");
        const auto both = bench.tracker.cooling(bench.provider, ConnectionId("c1"), bench.now());
        QVERIFY(both == (ProviderCooldown::Cooling{Millis(1min), true}));
        for (int i = 0; i < 5; ++i)
            bench.fail("c1");
        const auto own = bench.tracker.cooling(bench.provider, ConnectionId("c1"), bench.now());
        QVERIFY(own == (ProviderCooldown::Cooling{Millis(5min), false}));
        QVERIFY(bench.tracker.nextEnd(bench.now()) == std::optional<Millis>(1min));
        const auto all = bench.tracker.list(bench.now());
        QCOMPARE(all.size(), std::size_t(2));
        QVERIFY(all[0].connection.empty() && all[1].connection == ConnectionId("c1"));
        QCOMPARE(all[1].failureCount, 7);
    }

    void nameless()
    {
        ProviderBench bench(ProviderClass::Local);
        for (const char* name : {"", "unknown"}) {
            bench.provider = ProviderId(name);
            bench.fail("c1");
            bench.fail("c1");
            QCOMPARE(bench.left("c1"), Millis(0));
        }
        bench.provider = ProviderId("p");
        bench.fail();
        QVERIFY2(bench.tracker.list(bench.now()).empty(), "no connection, no entry for one");
    }

    void aConnectionBelongsToItsProvider()
    {
        ProviderBench bench;
        bench.fail("c1");
        bench.fail("c1");
        bench.provider = ProviderId("q");
        QCOMPARE(bench.left("c1"), Millis(0));
        bench.fail("c1");
        QCOMPARE(bench.left("c1"), Millis(5'000));
    }

    void operatorClears()
    {
        ProviderBench bench(ProviderClass::Local);
        for (int i = 0; i < 2; ++i) {
            bench.fail("c1");
            bench.fail("c2");
        }
        QVERIFY(bench.tracker.clearConnection(ConnectionId("c1")));
        QVERIFY(!bench.tracker.clearConnection(ConnectionId("c1")));
        QVERIFY2(bench.tracker.cooling(bench.provider, ConnectionId("c1"), bench.now())->wholeProvider, "the provider cools on");
        QCOMPARE(bench.tracker.clear(bench.provider), std::size_t(2));
        QCOMPARE(bench.left("c2"), Millis(0));
        QCOMPARE(bench.tracker.clear(bench.provider), std::size_t(0));
    }

    void settingsApplyToWhatCools()
    {
        ProviderBench bench;
        for (int i = 0; i < 10; ++i)
            bench.fail("c1");
        ProviderCooldownSettings settings = switchedOn();
        settings.oauth.cooldown = 1min;
        settings.minRetryCooldown = 0ms;
        bench.tracker.applySettings(settings);
        QCOMPARE(bench.left("c1"), Millis(1min));
        settings.minRetryCooldown = 1h;
        settings.maxRetryCooldown = 24h;
        bench.tracker.applySettings(settings);
        QCOMPARE(bench.left("c1"), Millis(24h));
        QVERIFY(!bench.tracker.cooling(bench.provider, ConnectionId("c1"), bench.now())->wholeProvider);
    }

    void longQuietForgets()
    {
        // Retention: max(30 min, the longest cooldown).
        ProviderBench bench;
        for (int i = 0; i < 6; ++i)
            bench.fail("c1");
        bench.clock.advance(30min);
        bench.fail("c1");
        QCOMPARE(bench.left("c1"), Millis(300'000));
        bench.clock.advance(30min + 1ms);
        bench.fail("c1");
        QCOMPARE(bench.left("c1"), Millis(5'000));
    }

    void longWindowsAreKept()
    {
        ProviderCooldownSettings settings = switchedOn();
        settings.oauth = {2, 4h, 10min};
        ProviderBench bench(ProviderClass::OAuth, settings);
        bench.fail();
        bench.clock.advance(3h);
        bench.fail();
        QCOMPARE(bench.providerLeft(), Millis(10min));
    }

    void oddSettings()
    {
        ProviderCooldownSettings settings = switchedOn();
        settings.oauth = {0, 0ms, 1min};
        settings.minRetryCooldown = settings.maxRetryCooldown = 0ms;
        ProviderBench bench(ProviderClass::OAuth, settings);
        QCOMPARE(bench.providerLeft(), Millis(0));
        bench.fail("c1");
        QCOMPARE(bench.providerLeft(), Millis(1min));
        QCOMPARE(bench.left("c1"), Millis(1min));
    }

    void clocks_data()
    {
        QTest::addColumn<qint64>("advanceMs");
        QTest::addColumn<qint64>("jumpMs");
        QTest::addColumn<qint64>("leftMs");
        const auto row = [](const char* tag, Millis advance, Millis jump, Millis left) {
            QTest::newRow(tag) << qint64(advance.count()) << qint64(jump.count()) << qint64(left.count());
        };
        row("no jump", 2min, 0ms, 3min);
        row("I01 asleep for eight hours", 8h, 0ms, 0ms);
        row("I01 asleep for two minutes", 2min, 0ms, 3min);
        row("I02 six hours back", 2min, -6h, 3min);
        row("I02 back before it began", 0ms, -6h, 5min);
        row("set forward by a minute", 2min, 1min, 2min);
        row("set forward past the end", 1s, 1h, 0ms);
    }

    void clocks()
    {
        QFETCH(qint64, advanceMs);
        QFETCH(qint64, jumpMs);
        QFETCH(qint64, leftMs);
        ProviderBench bench;
        for (int i = 0; i < 10; ++i)
            bench.fail(i < 7 ? "c1" : "");
        QCOMPARE(bench.providerLeft(), Millis(5min));
        QCOMPARE(bench.left("c1"), Millis(5min));
        bench.clock.advance(Millis(advanceMs));
        bench.clock.jumpWall(Millis(jumpMs));
        QCOMPARE(bench.providerLeft().count(), leftMs);
        QCOMPARE(bench.left("c1").count(), leftMs);
        QCOMPARE(bench.tracker.nextEnd(bench.now()).value_or(Millis(0)).count(), leftMs);
        for (const ProviderCooldownStatus& status : bench.tracker.list(bench.now()))
            QCOMPARE(status.until, bench.clock.wall() + Millis(leftMs));
        bench.clock.advance(Millis(leftMs));
        QCOMPARE(bench.providerLeft(), Millis(0));
    }

    void restartBeginsWithNothing()
    {
        // spec 4-surfaces §1.13: in memory only.
        ProviderBench before;
        for (int i = 0; i < 10; ++i)
            before.fail("c1");
        QVERIFY(before.left("c1") > Millis(0));
        ProviderBench after;
        QCOMPARE(after.left("c1"), Millis(0));
        after.fail("c1");
        QCOMPARE(after.left("c1"), Millis(5'000));
    }
};

OMNI_TEST(ProviderCooldownTest)
#include "provider_cooldown_test.moc"
