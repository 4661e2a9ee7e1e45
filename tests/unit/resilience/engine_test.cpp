#include "resilience/engine.h"

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

    void terminalStates_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<QByteArray>("exclusion");
        QTest::newRow("73 banned") << 403 << QByteArray("Your account has been suspended") << QByteArray("banned") << QByteArray("banned");
        QTest::newRow("157 payment") << 402 << QByteArray() << QByteArray("credits_exhausted") << QByteArray("credits_exhausted");
        QTest::newRow("F14 quota") << 429 << QByteArray("insufficient_quota") << QByteArray("credits_exhausted") << QByteArray("credits_exhausted");
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

    void refusedKeySurvivesARestart()
    {
        EngineBench bench;
        bench.fail(401);
        bench.advance(5min);
        bench.fail(401);
        const std::vector<ConnectionHealth> stored = bench.engine.healths();

        EngineBench later;
        later.clock.jumpWall(bench.clock.wall() - later.clock.wall());
        later.engine.restore({}, stored);
        QCOMPARE(named(later.engine.eligible(later.target()).reason), named(Exclusion::Expired));
        later.advance(10min);
        QCOMPARE(later.fail(401).cooldown, Millis(20min));
        later.advance(20min);
        QCOMPARE(named(later.fail(401).terminal), named(TerminalState::Expired));
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
                 {400, "bad request payload"}, {422, "unprocessable"}, {400, "prompt is too long"}, {404, "model_not_found"}, {415, ""}})
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

    void tripStatuses_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<bool>("trips");
        for (const int status : {408, 500, 502, 503, 504})
            QTest::addRow("39 %d", status) << status << true;
        for (const int status : {400, 401, 402, 403, 404, 413, 422, 429, 501, 520, 529})
            QTest::addRow("39 %d", status) << status << false;
    }

    void tripStatuses()
    {
        QFETCH(int, status);
        QFETCH(bool, trips);
        EngineBench bench;
        bench.connection.disableCooling = true;
        for (int i = 0; i < 12; ++i) {
            bench.connection.id = ConnectionId("c" + std::to_string(i));
            QCOMPARE(bench.fail(status).countsOnBreaker, trips);
            bench.advance(6s);
        }
        QCOMPARE(named(bench.breaker().state), named(trips ? BreakerState::Open : BreakerState::Closed));
        QCOMPARE(bench.engine.eligible(bench.target()).reason == Exclusion::CircuitOpen, trips);
    }

    void breakerOpensAndRecovers()
    {
        EngineBench bench;
        bench.connection.disableCooling = true;
        for (int i = 0; i < 12; ++i) {
            bench.advance(5s);
            bench.fail(503, "down");
        }
        const Eligibility no = bench.engine.eligible(bench.target());
        QCOMPARE(named(no.reason), named(Exclusion::CircuitOpen));
        QCOMPARE(no.remaining, Millis(30'000));
        QCOMPARE(no.until, bench.clock.wall() + 30s);
        QCOMPARE(bench.engine.nextChange(), no.until);
        QCOMPARE(named(bench.observer.breakers.back().state), named(BreakerState::Open));
        QVERIFY(bench.observer.breakers.back().evidence.has_value());
        QCOMPARE(bench.observer.breakers.back().evidence->status, 503);
        QCOMPARE(bench.observer.breakers.back().evidence->bodyFragment, std::string("down"));

        bench.advance(30s);
        const Permit probe = bench.engine.acquire(bench.target());
        QVERIFY(probe.granted && probe.probe);
        const Permit second = bench.engine.acquire(bench.target());
        QVERIFY2(!second.granted, "one probe at a time");
        QCOMPARE(named(second.refused.reason), named(Exclusion::CircuitOpen));
        bench.engine.recordSuccess(bench.target(), probe);
        QCOMPARE(named(bench.breaker().state), named(BreakerState::Closed));
        QCOMPARE(bench.breaker().failureCount, 0);
    }

    void probeAlwaysGivesItsSlotBack_data()
    {
        QTest::addColumn<int>("status");
        QTest::newRow("H02 401") << 401;
        QTest::newRow("H02 429") << 429;
        QTest::newRow("H02 400") << 400;
        QTest::newRow("H02 404") << 404;
        QTest::newRow("H02 client gone") << 0;
        QTest::newRow("H01 hangs for ever") << -1;
    }

    void probeAlwaysGivesItsSlotBack()
    {
        QFETCH(int, status);
        EngineBench bench;
        bench.connection.disableCooling = true;
        for (int i = 0; i < 12; ++i) {
            bench.advance(5s);
            bench.fail(503);
        }
        bench.advance(30s);
        const Permit probe = bench.engine.acquire(bench.target());
        QVERIFY(probe.probe);
        Connection other = bench.connection;
        other.id = ConnectionId("c2");
        QVERIFY(!bench.engine.eligible(bench.targetOf(other)));
        if (status > 0) {
            bench.engine.recordFailure(bench.target(), probe, bench.failure(status));
        } else if (status == 0) {
            bench.engine.recordAbandoned(bench.target(), probe);
        } else {
            bench.advance(29'999ms);
            QVERIFY(!bench.engine.eligible(bench.targetOf(other)));
            bench.advance(1ms);
        }
        QVERIFY(bool(bench.engine.eligible(bench.targetOf(other))));
        const Permit next = bench.engine.acquire(bench.targetOf(other));
        QVERIFY(next.probe);
        // Row 24: what the first one says now is of no account.
        bench.engine.recordSuccess(bench.target(), probe);
        QCOMPARE(named(bench.breaker().state), named(BreakerState::HalfOpen));
        bench.engine.recordSuccess(bench.targetOf(other), next);
        QCOMPARE(named(bench.breaker().state), named(BreakerState::Closed));
    }

    void clientGoneIsNobodysFailure()
    {
        // Row 31 and field-faults J: neither our queue nor a client that left counts.
        EngineBench bench;
        for (int i = 0; i < 50; ++i) {
            bench.engine.recordAbandoned(bench.target(), bench.engine.acquire(bench.target()));
            bench.advance(6s);
        }
        QCOMPARE(bench.observer.calls(), std::size_t(0));
        QCOMPARE(bench.breaker().failureCount, 0);
    }

    void testsAreIsolated()
    {
        // Rows 36 and 37.
        EngineBench bench;
        bench.connection.disableCooling = true;
        for (int i = 0; i < 8; ++i) {
            bench.advance(5s);
            bench.fail(503);
        }
        QCOMPARE(named(bench.breaker().state), named(BreakerState::Degraded));
        const int level = bench.health().backoffLevel;
        const BreakerStatus before = bench.breaker();
        bench.engine.recordTest(bench.target(), bench.failure(402, "payment required"));
        QCOMPARE(bench.breaker(), before);
        ConnectionHealth health = bench.health();
        QCOMPARE(health.backoffLevel, level);
        QCOMPARE(named(health.terminal), named(TerminalState::None));
        QCOMPARE(health.errorCode, 402);
        QVERIFY(!health.lastError.empty());
        QCOMPARE(health.lastTestedAt, std::optional<WallTime>(bench.clock.wall()));

        bench.engine.recordTest(bench.target(), std::nullopt);
        QCOMPARE(named(bench.breaker().state), named(BreakerState::Closed));
        health = bench.health();
        QCOMPARE(health.backoffLevel, 0);
        QVERIFY(health.lastError.empty());
    }

    void successfulTestEndsATerminalState()
    {
        EngineBench bench;
        bench.fail(402);
        bench.engine.recordTest(bench.target(), bench.failure(402));
        QCOMPARE(named(bench.health().terminal), named(TerminalState::CreditsExhausted));
        bench.engine.recordTest(bench.target(), std::nullopt);
        QVERIFY(bool(bench.engine.eligible(bench.target())));
    }

    void evidence()
    {
        EngineBench bench;
        bench.headers = {{"retry-after", "120"}};
        const std::string body = "{\"error\":{\"message\":\"Rate limit for key sk-live-abcdefghijklmnopqrstuvwx reached\"}}" + std::string(2000, 'x');
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

    void operatorResetsBreakers()
    {
        EngineBench bench;
        bench.connection.disableCooling = true;
        for (int i = 0; i < 12; ++i) {
            bench.advance(5s);
            bench.fail(503);
        }
        QCOMPARE(bench.engine.resetBreakers(ProviderId("other")), 0);
        QCOMPARE(named(bench.breaker().state), named(BreakerState::Open));
        QCOMPARE(bench.engine.resetBreakers(), 1);
        QCOMPARE(named(bench.breaker().state), named(BreakerState::Closed));
        QVERIFY(bool(bench.engine.eligible(bench.target())));
        QCOMPARE(bench.engine.resetBreakers(), 0);
    }

    void clocks_data()
    {
        QTest::addColumn<qint64>("advanceMs");
        QTest::addColumn<qint64>("jumpMs");
        QTest::addColumn<qint64>("leftMs");
        QTest::newRow("no jump") << qint64(200'000) << qint64(0) << qint64(400'000);
        QTest::newRow("I02 six hours back") << qint64(200'000) << qint64(-21'600'000) << qint64(400'000);
        QTest::newRow("I02 back before the hold began") << qint64(0) << qint64(-21'600'000) << qint64(600'000);
        QTest::newRow("I01 asleep for eight hours") << qint64(28'800'000) << qint64(0) << qint64(0);
        QTest::newRow("set forward past the end") << qint64(1'000) << qint64(700'000) << qint64(0);
    }

    void clocks()
    {
        QFETCH(qint64, advanceMs);
        QFETCH(qint64, jumpMs);
        QFETCH(qint64, leftMs);
        EngineBench bench;
        bench.headers = {{"retry-after", "600"}};
        bench.fail(429);
        bench.advance(Millis(advanceMs));
        bench.clock.jumpWall(Millis(jumpMs));
        const Eligibility answer = bench.engine.eligible(bench.target());
        QCOMPARE(answer.remaining.count(), leftMs);
        if (leftMs > 0) {
            QCOMPARE(answer.until, bench.clock.wall() + Millis(leftMs));
            QCOMPARE(*bench.health().coolingUntil, answer.until);
            bench.advance(Millis(leftMs));
        }
        QVERIFY(bool(bench.engine.eligible(bench.target())));
    }

    void restart_data()
    {
        QTest::addColumn<qint64>("downMs");
        QTest::addColumn<qint64>("leftMs");
        QTest::newRow("H10 in the middle of a hold") << qint64(100'000) << qint64(500'000);
        QTest::newRow("past deadlines are dropped") << qint64(600'000) << qint64(0);
        QTest::newRow("I02 clock set back meanwhile") << qint64(-7'200'000) << qint64(600'000);
    }

    void restart()
    {
        QFETCH(qint64, downMs);
        QFETCH(qint64, leftMs);
        EngineBench bench;
        bench.connection.disableCooling = true;
        for (int i = 0; i < 12; ++i) {
            bench.advance(5s);
            bench.fail(503);
        }
        bench.connection.disableCooling = false;
        bench.connection.id = ConnectionId("held");
        bench.headers = {{"retry-after", "600"}};
        bench.engine.recordFailure(bench.target(), {}, bench.failure(429));
        const std::vector<BreakerStatus> breakers = bench.engine.breakers();
        const std::vector<ConnectionHealth> healths = bench.engine.healths();

        EngineBench later;
        later.connection.id = bench.connection.id;
        later.clock.jumpWall(bench.clock.wall() + Millis(downMs) - later.clock.wall());
        later.engine.restore(breakers, healths);
        const ConnectionHealth health = later.health();
        QCOMPARE(health.coolingUntil.has_value(), leftMs > 0);
        if (leftMs > 0)
            QCOMPARE(*health.coolingUntil, later.clock.wall() + Millis(leftMs));
        QCOMPARE(health.backoffLevel, 0);
        const BreakerStatus breaker = later.breaker();
        QCOMPARE(named(breaker.state), named(downMs >= 30'000 ? BreakerState::HalfOpen : BreakerState::Open));
        QCOMPARE(breaker.failureCount, 12);
        QVERIFY(breaker.retryAfter <= Millis(30'000));
        QVERIFY(breaker.evidence.has_value());
        QCOMPARE(later.engine.breakers().size(), std::size_t(1));
    }

    void restoredNonsenseIsTamed()
    {
        EngineBench bench;
        ConnectionHealth odd;
        odd.id = bench.connection.id;
        odd.backoffLevel = 4'000'000;
        odd.coolingSince = bench.clock.wall() + 24h;
        odd.coolingUntil = bench.clock.wall() + 25h;
        BreakerStatus breaker;
        breaker.provider = bench.provider;
        breaker.state = BreakerState::Open;
        breaker.openCycleCount = 2'000'000'000;
        breaker.lastFailureAt = WallTime::min();
        bench.engine.restore({breaker, BreakerStatus()}, {odd, ConnectionHealth()});
        QCOMPARE(named(bench.breaker().state), named(BreakerState::HalfOpen));
        QCOMPARE(bench.engine.eligible(bench.target()).remaining, Millis(1h));
        bench.advance(1h);
        QVERIFY(bool(bench.engine.eligible(bench.target())));
        QCOMPARE(bench.fail(502).cooldown, Millis(96'000));
    }

    void hotPathTellsNobody()
    {
        EngineBench bench;
        for (int i = 0; i < 1000; ++i) {
            const Permit permit = bench.engine.acquire(bench.target());
            QVERIFY(permit.granted && !permit.probe);
            bench.engine.recordSuccess(bench.target(), permit);
            bench.advance(1s);
        }
        QCOMPARE(bench.observer.calls(), std::size_t(0));
        QVERIFY(bench.health().lastUsedAt.has_value());
        QVERIFY(bench.clock.wall() - *bench.health().lastUsedAt <= 61s);
        QCOMPARE(bench.engine.nextChange(), WallTime::max());
    }

    void secretUnreadable()
    {
        EngineBench bench;
        bench.engine.noteSecretUnreadable(bench.connection.id, true);
        bench.engine.noteSecretUnreadable(bench.connection.id, true);
        QCOMPARE(bench.observer.healths.size(), std::size_t(1));
        QCOMPARE(named(bench.engine.eligible(bench.target()).reason), named(Exclusion::SecretUnreadable));
        bench.engine.noteSecretUnreadable(bench.connection.id, false);
        QVERIFY(bool(bench.engine.eligible(bench.target())));
        bench.connection.enabled = false;
        QCOMPARE(named(bench.engine.eligible(bench.target()).reason), named(Exclusion::Disabled));
    }

    void removedConnectionsStayGone()
    {
        EngineBench bench;
        const Permit running = bench.engine.acquire(bench.target());
        bench.fail(502);
        bench.engine.forgetConnection(bench.connection.id);
        bench.observer.clear();
        bench.engine.recordFailure(bench.target(), running, bench.failure(502));
        QVERIFY2(bench.observer.healths.empty(), "a late result must not bring it back");
        QVERIFY(bench.engine.healths().empty());
        // Undone: it is a connection like any other.
        QCOMPARE(bench.fail(429).cooldown, Millis(3'000));
        QCOMPARE(bench.engine.healths().size(), std::size_t(1));
    }

    void observerMayAskAndForget()
    {
        // An observer that turns to the engine from within its call.
        class Meddler final : public EngineObserver {
        public:
            void breakerChanged(const BreakerStatus&) override { engine->resetBreakers(); }
            void breakerRemoved(const ProviderId&) override {}
            void connectionChanged(const ConnectionHealth& health) override
            {
                engine->forgetConnection(health.id);
                engine->breakers();
            }
            Engine* engine = nullptr;
        };
        SimulatedClock clock;
        SimulatedRandom random;
        Meddler meddler;
        Engine engine(clock, random, meddler);
        meddler.engine = &engine;
        Connection connection;
        connection.id = ConnectionId("c");
        const ProviderId provider("p");
        const EngineTarget target{provider, ProviderClass::Local, connection, "m"};
        Failure failure;
        failure.status = 502;
        for (int i = 0; i < 10; ++i) {
            engine.recordFailure(target, engine.acquire(target), failure);
            clock.advance(6s);
            engine.eligible(target);
        }
        QVERIFY(engine.healths().empty());
        QCOMPARE(engine.breaker(provider).failureCount, 0);
    }
};

QTEST_GUILESS_MAIN(EngineTest)
#include "engine_test.moc"
