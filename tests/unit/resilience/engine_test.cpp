#include "resilience/engine.h"

#include "program/test_program.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

#include <chrono>

using namespace omni;
using namespace std::chrono_literals;

class EngineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void herdGuard()
    {
        // Row 148, guide §2: ten parallel 429s are one failure.
        EngineBench bench;
        std::vector<Permit> permits;
        for (int i = 0; i < 10; ++i)
            permits.push_back(bench.engine.acquire(bench.target()));
        const Verdict first = bench.engine.recordFailure(bench.target(), permits[0], bench.failure(429));
        QCOMPARE(first.cooldown, Millis(3'000));
        const ConnectionHealth marked = bench.health();
        bench.observer.clear();
        for (std::size_t i = 1; i < permits.size(); ++i) {
            bench.advance(100ms);
            const Verdict verdict = bench.engine.recordFailure(bench.target(), permits[i], bench.failure(429));
            QVERIFY(verdict.tryNextTarget);
            QCOMPARE(verdict.cooldown, 3'000ms - Millis(100 * static_cast<int>(i)));
        }
        QCOMPARE(bench.observer.calls(), std::size_t(0));
        QCOMPARE(bench.health().coolingUntil, marked.coolingUntil);
        QCOMPARE(bench.health().backoffLevel, 1);
    }

    void herdGuardOutlivesTheCooldown()
    {
        // A slow one of the same herd fails when the short cooldown is long over: still the same episode.
        EngineBench bench;
        const Permit first = bench.engine.acquire(bench.target());
        const Permit slow = bench.engine.acquire(bench.target());
        bench.engine.recordFailure(bench.target(), first, bench.failure(502));
        bench.advance(10s);
        bench.engine.recordFailure(bench.target(), slow, bench.failure(502));
        QCOMPARE(bench.health().backoffLevel, 1);
        QVERIFY(bool(bench.engine.eligible(bench.target())));
        QCOMPARE(bench.fail(502).cooldown, Millis(6'000));
    }

    void longerWins()
    {
        // field-faults F20 and the ruling.
        EngineBench bench;
        const Permit one = bench.engine.acquire(bench.target());
        const Permit two = bench.engine.acquire(bench.target());
        const Permit three = bench.engine.acquire(bench.target());
        bench.headers = {{"retry-after", "10"}};
        bench.engine.recordFailure(bench.target(), one, bench.failure(429));
        bench.headers = {{"retry-after", "600"}};
        QCOMPARE(bench.engine.recordFailure(bench.target(), two, bench.failure(429)).cooldown, Millis(600'000));
        bench.headers = {{"retry-after", "5"}};
        QCOMPARE(bench.engine.recordFailure(bench.target(), three, bench.failure(429)).cooldown, Millis(600'000));
        QCOMPARE(*bench.health().coolingUntil - bench.clock.wall(), Millis(600'000));
    }

    void ladderClimbsUntilSuccess()
    {
        // The ruling on D4: an expired cooldown does not reset the level; a success does (row 160).
        EngineBench bench;
        for (const int seconds : {3, 6, 12, 24, 48, 96, 96}) {
            QCOMPARE(bench.fail(502).cooldown, Millis(seconds * 1000));
            QVERIFY(!bench.engine.eligible(bench.target()));
            bench.advance(std::chrono::seconds(seconds) - 1ms);
            QVERIFY(!bench.engine.eligible(bench.target()));
            bench.advance(1ms);
            QVERIFY(bool(bench.engine.eligible(bench.target())));
        }
        bench.engine.recordSuccess(bench.target(), bench.engine.acquire(bench.target()));
        QCOMPARE(bench.health().backoffLevel, 0);
        QCOMPARE(bench.fail(502).cooldown, Millis(3'000));
    }

    void successClearsEverything()
    {
        // Row 160.
        EngineBench bench;
        bench.fail(502, "bad gateway");
        QVERIFY(bench.health().evidence.has_value());
        bench.observer.clear();
        bench.engine.recordSuccess(bench.target(), {});
        const ConnectionHealth health = bench.health();
        QVERIFY(!health.coolingUntil && !health.coolingSince && !health.lastErrorAt && !health.evidence);
        QCOMPARE(health.backoffLevel, 0);
        QCOMPARE(health.errorCode, 0);
        QVERIFY(health.lastError.empty());
        QCOMPARE(named(health.reason), named(FailureReason::Unknown));
        QCOMPARE(bench.observer.healths.size(), std::size_t(1));
    }

    void oldSuccessDoesNotEndAYoungHold()
    {
        EngineBench bench;
        const Permit stream = bench.engine.acquire(bench.target());
        bench.headers = {{"retry-after", "600"}};
        bench.fail(429);
        bench.advance(1s);
        bench.engine.recordSuccess(bench.target(), stream);
        QVERIFY2(!bench.engine.eligible(bench.target()), "a stream that began before the refusal proves nothing about it");
    }

    void brokenAfterCommit_data()
    {
        QTest::addColumn<bool>("markedBefore");
        QTest::newRow("healthy before") << false;
        QTest::newRow("marked before") << true;
    }

    /// A success is told at the first frame; when the same stream breaks, it counts.
    void brokenAfterCommit()
    {
        QFETCH(bool, markedBefore);
        EngineBench bench;
        if (markedBefore) {
            bench.fail(429);
            bench.advance(3s);
        }
        const Permit permit = bench.engine.acquire(bench.target());
        bench.engine.recordSuccess(bench.target(), permit);
        bench.advance(5s);
        QCOMPARE(bench.engine.recordFailure(bench.target(), permit, bench.transport(TransportFailure::Reset, true)).cooldown,
                 Millis(3'000));
        QCOMPARE(bench.breaker().failureCount, 1);
    }

    void failureUnderOldCredentials_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("refused") << 401 << QByteArray();
        QTest::newRow("not paid") << 402 << QByteArray();
        QTest::newRow("banned") << 403 << QByteArray("account has been disabled");
    }

    void failureUnderOldCredentials()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        EngineBench bench;
        const Permit old = bench.engine.acquire(bench.target());
        bench.fail(429);
        bench.engine.credentialChanged(bench.connection.id);
        bench.engine.recordFailure(bench.target(), old, bench.failure(status, body.toStdString()));
        QVERIFY2(bool(bench.engine.eligible(bench.target())), "the refused key is no longer in use");
    }

    void terminalStates_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<QByteArray>("exclusion");
        QTest::newRow("73 banned") << 403 << QByteArray("Your account has been suspended") << QByteArray("banned") << QByteArray("banned");
        QTest::newRow("157 payment") << 402 << QByteArray() << QByteArray("credits_exhausted") << QByteArray("credits_exhausted");
        QTest::newRow("F14 quota") << 429 << QByteArray("insufficient_quota") << QByteArray("credits_exhausted")
                                   << QByteArray("credits_exhausted");
    }

    void terminalStates()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, state);
        QFETCH(QByteArray, exclusion);
        EngineBench bench;
        const Permit parallel = bench.engine.acquire(bench.target());
        const Verdict verdict = bench.fail(status, body.toStdString());
        QCOMPARE(named(verdict.terminal), state);
        const ConnectionHealth marked = bench.health();
        QCOMPARE(named(marked.terminal), state);
        QVERIFY(!marked.coolingUntil);
        bench.advance(24h * 400);
        const Eligibility no = bench.engine.eligible(bench.target());
        QCOMPARE(named(no.reason), exclusion);
        QCOMPARE(no.remaining, Millis(0));

        // Row 149: nothing transient overwrites it, nor does a late success.
        bench.observer.clear();
        bench.engine.recordFailure(bench.target(), parallel, bench.failure(429));
        bench.engine.recordSuccess(bench.target(), parallel);
        QCOMPARE(bench.observer.healths.size(), std::size_t(0));
        QCOMPARE(named(bench.health().terminal), state);

        // Row 169.
        const Engine::Cleared cleared = bench.engine.clearCooldowns({bench.connection.id});
        QCOMPARE(cleared.skippedTerminal, 1);
        QCOMPARE(cleared.cleared, 0);
        QCOMPARE(named(bench.health().terminal), state);

        bench.engine.credentialChanged(bench.connection.id);
        QVERIFY(bool(bench.engine.eligible(bench.target())));
        QVERIFY(!bench.health().evidence);
    }

    void refusedKeyIsRetriedThreeTimes()
    {
        // Rows 155 and 159 as ruled: after 5, 10 and 20 minutes, then never.
        EngineBench bench;
        for (const std::chrono::minutes wait : {5min, 10min, 20min}) {
            const Permit parallel = bench.engine.acquire(bench.target());
            const Verdict verdict = bench.fail(401, "unauthorized");
            QVERIFY(verdict.tryNextTarget);
            QCOMPARE(named(verdict.terminal), named(TerminalState::None));
            QCOMPARE(verdict.cooldown, Millis(wait));
            bench.engine.recordFailure(bench.target(), parallel, bench.failure(401));  // counts once
            const Eligibility no = bench.engine.eligible(bench.target());
            QCOMPARE(named(no.reason), named(Exclusion::Expired));
            QCOMPARE(no.remaining, Millis(wait));
            bench.advance(wait - 1ms);
            QVERIFY(!bench.engine.eligible(bench.target()));
            bench.advance(1ms);
            QVERIFY(bool(bench.engine.eligible(bench.target())));
        }
        const Verdict last = bench.fail(401);
        QCOMPARE(named(last.terminal), named(TerminalState::Expired));
        bench.advance(24h * 365);
        QCOMPARE(named(bench.engine.eligible(bench.target()).reason), named(Exclusion::Expired));
    }

    void refusedKeyHealsItself()
    {
        EngineBench bench;
        bench.fail(401);
        bench.advance(5min);
        bench.engine.recordSuccess(bench.target(), bench.engine.acquire(bench.target()));
        QCOMPARE(bench.fail(401).cooldown, Millis(5min));
    }

    void disabledCooling()
    {
        // Row 158.
        EngineBench bench;
        bench.connection.disableCooling = true;
        const Verdict verdict = bench.fail(502, "bad gateway");
        QCOMPARE(verdict.cooldown, Millis(0));
        QVERIFY(bool(bench.engine.eligible(bench.target())));
        QCOMPARE(bench.health().backoffLevel, 1);
        QCOMPARE(bench.health().errorCode, 502);
        QVERIFY(!bench.health().coolingUntil);
        bench.fail(402);
        QCOMPARE(named(bench.engine.eligible(bench.target()).reason), named(Exclusion::CreditsExhausted));
    }

    void stall()
    {
        // Row 150.
        EngineBench bench;
        bench.fail(bench.transport(TransportFailure::IdleTimeout, true));
        QVERIFY(bool(bench.engine.eligible(bench.target())));
        QVERIFY(!bench.health().lastError.empty());
        QCOMPARE(bench.health().backoffLevel, 0);
        ResilienceSettings settings;
        settings.streamStallCooldown = true;
        bench.engine.applySettings(settings);
        bench.fail(bench.transport(TransportFailure::IdleTimeout, true));
        QCOMPARE(named(bench.engine.eligible(bench.target()).reason), named(Exclusion::ConnectionCooldown));

        EngineBench named;
        named.fail(504, "Stream content stall: no content for 120 s");
        QVERIFY(bool(named.engine.eligible(named.target())));
        QCOMPARE(named.health().errorCode, 504);
        QCOMPARE(named.breaker().failureCount, 0);
    }

    void concurrencyLeavesTheLevel()
    {
        // Row 151.
        EngineBench bench;
        for (int i = 0; i < 3; ++i) {
            bench.fail(502);
            bench.advance(2min);
        }
        QCOMPARE(bench.health().backoffLevel, 3);
        const int failures = bench.breaker().failureCount;
        QCOMPARE(bench.fail(429, "too many concurrent requests").cooldown, Millis(1'000));
        QCOMPARE(bench.health().backoffLevel, 3);
        QCOMPARE(bench.breaker().failureCount, failures);
        QCOMPARE(named(bench.health().reason), named(FailureReason::ConcurrencyLimited));
    }

    void clientFaultsTouchNothing_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        for (const auto& [status, body] : std::vector<std::pair<int, const char*>>{
                 {400, "bad request payload"}, {422, "unprocessable"}, {400, "prompt is too long"}, {415, ""}})
            QTest::addRow("H05 %d %s", status, body) << status << QByteArray(body);
    }

    void clientFaultsTouchNothing()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        EngineBench bench;
        for (int i = 0; i < 20; ++i) {
            bench.fail(status, body.toStdString());
            bench.advance(6s);
        }
        QCOMPARE(bench.observer.calls(), std::size_t(0));
        QVERIFY(bool(bench.engine.eligible(bench.target())));
        QCOMPARE(bench.breaker().failureCount, 0);
    }

    void evidence()
    {
        EngineBench bench;
        bench.headers = {{"retry-after", "120"}};
        const std::string body =
            "{\"error\":{\"message\":\"Rate limit for key sk-live-abcdefghijklmnopqrstuvwx reached\"}}" + std::string(2000, 'x');
        bench.fail(429, body);
        const ConnectionHealth health = bench.health();
        QVERIFY(health.evidence.has_value());
        QCOMPARE(health.evidence->status, 429);
        QCOMPARE(health.evidence->header, std::string("Retry-After: 120"));
        QCOMPARE(health.evidence->length, Millis(120'000));
        QCOMPARE(named(health.evidence->source), named(HintSource::Header));
        QCOMPARE(health.evidence->request, RequestId("00112233445566aa"));
        QCOMPARE(health.evidence->at, bench.clock.wall());
        QVERIFY(!health.evidence->rule.empty());
        QVERIFY(health.evidence->bodyFragment.size() <= 300 && !health.evidence->bodyFragment.empty());
        for (const std::string& shown : {health.evidence->bodyFragment, health.lastError, health.evidence->rule})
            QVERIFY(shown.find("abcdefghijklmnop") == std::string::npos);
        QCOMPARE(*health.coolingUntil, bench.clock.wall() + 120s);
    }

    void verdictTellsTheHintEvenWhenNotObeyed()
    {
        EngineBench bench;
        bench.providerClass = ProviderClass::OAuth;
        bench.headers = {{"retry-after", "120"}};
        const Verdict verdict = bench.fail(429);
        QCOMPARE(verdict.cooldown, Millis(5'000));
        QCOMPARE(verdict.retryAfter, std::optional<Millis>(120s));
        QCOMPARE(named(verdict.hintSource), named(HintSource::Header));
    }

    void operatorClears()
    {
        EngineBench bench;
        bench.fail(502);
        bench.advance(3s);
        bench.fail(502);
        Connection well = bench.connection;
        well.id = ConnectionId("well");
        bench.engine.recordSuccess(bench.targetOf(well), {});
        const Engine::Cleared cleared = bench.engine.clearCooldowns({bench.connection.id, well.id, ConnectionId("unknown")});
        QCOMPARE(cleared.cleared, 1);
        QCOMPARE(cleared.unchanged, 2);
        QCOMPARE(cleared.skippedTerminal, 0);
        QVERIFY(bool(bench.engine.eligible(bench.target())));
        QCOMPARE(bench.fail(502).cooldown, Millis(3'000));
    }
};

OMNI_TEST(EngineTest)
#include "engine_test.moc"
