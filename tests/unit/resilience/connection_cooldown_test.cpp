#include "resilience/connection_cooldown.h"

#include "program/test_program.h"
#include "unit/resilience/cooldown_fixture.h"

#include <QTest>

#include <chrono>

using namespace omni;
using namespace std::chrono_literals;

class ConnectionCooldownTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tenAtOnceAreOne()
    {
        // Row 148.
        CooldownBench bench;
        QVERIFY(bench.apply(ladder(3s, 1)));
        const ConnectionHealth marked = bench.health();
        for (int i = 1; i < 10; ++i) {
            bench.clock.advance(100ms);
            QVERIFY(!bench.apply(ladder(3s, 1), true));
            QCOMPARE(bench.last.cooldown, 3'000ms - i * 100ms);
        }
        QVERIFY(bench.health() == marked);
    }

    void longerWins_data()
    {
        QTest::addColumn<qint64>("firstMs");
        QTest::addColumn<qint64>("secondMs");
        QTest::addColumn<bool>("ladder");
        QTest::addColumn<qint64>("leftMs");
        QTest::newRow("F20 a longer one that is stated") << qint64(10'000) << qint64(600'000) << false << qint64(600'000);
        QTest::newRow("F20 a shorter one") << qint64(600'000) << qint64(10'000) << false << qint64(600'000);
        QTest::newRow("as long, told again") << qint64(10'000) << qint64(10'500) << false << qint64(10'000);
        QTest::newRow("a longer one that is guessed") << qint64(10'000) << qint64(96'000) << true << qint64(10'000);
    }

    void longerWins()
    {
        QFETCH(qint64, firstMs);
        QFETCH(qint64, secondMs);
        QFETCH(bool, ladder);
        QFETCH(qint64, leftMs);
        for (const bool outdated : {false, true}) {
            CooldownBench bench;
            bench.apply(stated(Millis(firstMs)));
            bench.apply(ladder ? omni::ladder(Millis(secondMs), 6) : stated(Millis(secondMs)), outdated);
            QCOMPARE(bench.left().count(), leftMs);
            QCOMPARE(bench.last.cooldown.count(), leftMs);
            QCOMPARE(bench.health().backoffLevel, 0);
        }
    }

    void quotaReset_data()
    {
        QTest::addColumn<qint64>("cooldownMs");
        QTest::addColumn<qint64>("resetMs");
        QTest::addColumn<qint64>("heldMs");
        QTest::newRow("H08 no longer than the reset that is declared") << qint64(3'600'000) << qint64(1'200'000) << qint64(1'205'000);
        QTest::newRow("as long as it") << qint64(1'200'000) << qint64(1'200'000) << qint64(1'200'000);
        QTest::newRow("some spread is left") << qint64(1'204'999) << qint64(1'200'000) << qint64(1'204'999);
        QTest::newRow("a reset that is far does not prolong") << qint64(5'000) << qint64(592'044'000) << qint64(5'000);
    }

    void quotaReset()
    {
        QFETCH(qint64, cooldownMs);
        QFETCH(qint64, resetMs);
        QFETCH(qint64, heldMs);
        CooldownBench bench;
        Judgement judgement = stated(Millis(cooldownMs), FailureReason::QuotaExhausted);
        judgement.quotaReset = Millis(resetMs);
        bench.apply(judgement);
        QCOMPARE(bench.left().count(), heldMs);
        QCOMPARE(bench.last.rule != "a header", heldMs != cooldownMs);
    }

    void knownResetBoundsTheLadder()
    {
        // The reset told some failures ago is remembered until the connection is well again.
        CooldownBench bench;
        Judgement judgement = ladder(5s, 1, FailureReason::QuotaExhausted);
        judgement.quotaReset = 10min;
        bench.apply(judgement);
        bench.clock.advance(9min);
        bench.apply(ladder(640s, 8));
        QVERIFY2(bench.left() == Millis(640s), "not of the quota");
        bench.connection.clearTransient();

        bench.apply(judgement);
        bench.clock.advance(9min);
        bench.apply(ladder(640s, 8, FailureReason::QuotaExhausted));
        QCOMPARE(bench.left(), Millis(65s));
        bench.clock.advance(65s);
        bench.apply(ladder(640s, 8, FailureReason::QuotaExhausted));
        QVERIFY2(bench.left() == Millis(640s), "the known reset is past");
        bench.connection.clearTransient();

        bench.apply(judgement);
        bench.clock.advance(9min);
        bench.apply(stated(1h, FailureReason::QuotaExhausted));
        QVERIFY2(bench.left() == Millis(1h), "this answer names a time of its own");
    }

    void terminalStays_data()
    {
        QTest::addColumn<int>("state");
        QTest::newRow("149 banned") << int(TerminalState::Banned);
        QTest::newRow("149 expired") << int(TerminalState::Expired);
        QTest::newRow("149 credits exhausted") << int(TerminalState::CreditsExhausted);
    }

    void terminalStays()
    {
        QFETCH(int, state);
        const auto given = static_cast<TerminalState>(state);
        CooldownBench bench;
        bench.apply(stated(1h));
        QVERIFY(bench.apply(terminal(given)));
        QCOMPARE(bench.last.permanent, given == TerminalState::Banned);
        QVERIFY(!bench.connection.cooling());
        const ConnectionHealth marked = bench.health();

        Judgement refusal;
        refusal.requestRejected = true;
        for (const Judgement& next : {stated(1h), ladder(3s, 1), keyRefused(), refusal, terminal(TerminalState::Banned)}) {
            QVERIFY(!bench.apply(next));
            QCOMPARE(bench.last.cooldown, Millis(0));
            QVERIFY2(!bench.last.permanent, "it was not banned by this failure");
        }
        bench.connection.recordSuccess(false, bench.now());
        bench.clock.advance(24h * 365);
        ConnectionHealth later = bench.health();
        later.lastUsedAt.reset();
        QVERIFY(later == marked);
        // Row 169: the operator's clearing passes it over.
        QVERIFY(!bench.connection.clearTransient());
        QVERIFY(bench.connection.clearAll());
        QVERIFY(bench.connection.healthy());
    }

    void outdatedBanIsNone()
    {
        CooldownBench bench;
        QVERIFY(!bench.apply(terminal(TerminalState::Banned), true));
        QVERIFY(!bench.last.permanent);
        QCOMPARE(named(bench.last.terminal), named(TerminalState::None));
        QVERIFY(bench.connection.healthy());
    }

    void coolingDisabled()
    {
        // Row 158: only the transient hold is left out.
        CooldownBench bench;
        bench.coolingDisabled = true;
        QVERIFY(bench.apply(ladder(3s, 1)));
        QVERIFY(!bench.connection.cooling());
        QCOMPARE(bench.health().backoffLevel, 1);
        QCOMPARE(bench.health().errorCode, 502);
        QCOMPARE(bench.health().lastError, std::string("bad gateway"));
        bench.apply(stated(1h));
        QVERIFY(!bench.connection.cooling());
        bench.apply(keyRefused());
        QVERIFY2(bench.connection.awaitingKeyRetry(), "the retries of a refused key are no cooldown");
        bench.connection.clearTransient();
        bench.apply(terminal(TerminalState::CreditsExhausted));
        QCOMPARE(named(bench.health().terminal), QByteArray("credits_exhausted"));
    }

    void refusedKey()
    {
        // Row 159 as ruled: tried again after 5, 10 and 20 minutes, then never.
        CooldownBench bench;
        for (const std::chrono::minutes wait : {5min, 10min, 20min}) {
            bench.apply(keyRefused());
            QCOMPARE(bench.left(), Millis(wait));
            bench.clock.advance(wait - 1ms);
            bench.connection.refresh(bench.now());
            QVERIFY(bench.connection.awaitingKeyRetry());
            bench.clock.advance(1ms);
            bench.connection.refresh(bench.now());
            QVERIFY(!bench.connection.cooling());
        }
        bench.apply(keyRefused());
        QCOMPARE(named(bench.health().terminal), QByteArray("expired"));
        QVERIFY2(!bench.last.permanent, "expired is not banned");
    }

    void successClearsEverything()
    {
        // Row 160.
        CooldownBench bench;
        bench.apply(ladder(3s, 1));
        bench.clock.advance(3s);
        bench.apply(keyRefused());
        QVERIFY(bench.connection.recordSuccess(false, bench.now()));
        ConnectionHealth expected;
        expected.id = ConnectionId("c1");
        expected.lastUsedAt = bench.clock.wall();
        QVERIFY(bench.health() == expected);
        QVERIFY(bench.connection.healthy());
        QVERIFY(!bench.connection.recordSuccess(false, bench.now()));
    }

    void shouldDisable_data()
    {
        QTest::addColumn<bool>("enabled");
        QTest::addColumn<int>("scope");
        QTest::addColumn<int>("providerClass");
        QTest::addColumn<bool>("disables");
        const auto row = [](const char* tag, bool enabled, AutoDisableScope scope, ProviderClass providerClass, bool disables) {
            QTest::newRow(tag) << enabled << int(scope) << int(providerClass) << disables;
        };
        row("off", false, AutoDisableScope::All, ProviderClass::OAuth, false);
        row("all: API key", true, AutoDisableScope::All, ProviderClass::ApiKey, true);
        row("all: OAuth", true, AutoDisableScope::All, ProviderClass::OAuth, true);
        row("subscription: OAuth", true, AutoDisableScope::Subscription, ProviderClass::OAuth, true);
        row("subscription: API key", true, AutoDisableScope::Subscription, ProviderClass::ApiKey, false);
        row("subscription: local", true, AutoDisableScope::Subscription, ProviderClass::Local, false);
    }

    void shouldDisable()
    {
        QFETCH(bool, enabled);
        QFETCH(int, scope);
        QFETCH(int, providerClass);
        QFETCH(bool, disables);
        QCOMPARE(omni::shouldDisable({enabled, static_cast<AutoDisableScope>(scope)}, static_cast<ProviderClass>(providerClass)), disables);
    }

    void clocks_data()
    {
        QTest::addColumn<qint64>("advanceMs");
        QTest::addColumn<qint64>("jumpMs");
        QTest::addColumn<qint64>("leftMs");
        const auto row = [](const char* tag, Millis advance, Millis jump, Millis left) {
            QTest::newRow(tag) << qint64(advance.count()) << qint64(jump.count()) << qint64(left.count());
        };
        row("no jump", 100s, 0s, 200s);
        row("I01 asleep for eight hours", 8h, 0s, 0s);
        row("I02 six hours back", 100s, -6h, 200s);
        row("I02 back before it began", 0s, -6h, 300s);
        row("set forward by a minute", 100s, 60s, 140s);
        row("set forward past the end", 1s, 1h, 0s);
    }

    void clocks()
    {
        QFETCH(qint64, advanceMs);
        QFETCH(qint64, jumpMs);
        QFETCH(qint64, leftMs);
        for (const bool key : {false, true}) {
            CooldownBench bench;
            bench.apply(key ? keyRefused() : stated(300s));
            bench.clock.advance(Millis(advanceMs));
            bench.clock.jumpWall(Millis(jumpMs));
            QCOMPARE(bench.left().count(), leftMs);
            const ConnectionHealth health = bench.health();
            QCOMPARE(health.coolingUntil.has_value(), leftMs > 0);
            if (leftMs == 0)
                continue;
            QCOMPARE(*health.coolingUntil, bench.clock.wall() + Millis(leftMs));

            // And a restart in the middle adds nothing.
            CooldownBench later;
            later.clock.jumpWall(bench.clock.wall() - later.clock.wall());
            later.connection.restore(health, later.now());
            QCOMPARE(later.left().count(), leftMs);
            QCOMPARE(later.connection.awaitingKeyRetry(), key);
            later.clock.advance(Millis(leftMs));
            later.connection.refresh(later.now());
            QVERIFY(!later.connection.cooling());
        }
    }

    void knownResetUnderClocks()
    {
        Judgement known = ladder(5s, 1, FailureReason::QuotaExhausted);
        known.quotaReset = 10min;
        CooldownBench asleep;
        asleep.apply(known);
        asleep.clock.advance(8h);
        asleep.apply(ladder(640s, 8, FailureReason::QuotaExhausted));
        QCOMPARE(asleep.left(), Millis(640s));
        CooldownBench setBack;
        setBack.apply(known);
        setBack.clock.advance(5min);
        setBack.clock.jumpWall(-6h);
        setBack.apply(ladder(640s, 8, FailureReason::QuotaExhausted));
        QCOMPARE(setBack.left(), Millis(305s));
    }
};

OMNI_TEST(ConnectionCooldownTest)
#include "connection_cooldown_test.moc"
