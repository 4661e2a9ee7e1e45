#include "resilience/engine.h"

#include "program/test_program.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

#include <chrono>

using namespace omni;
using namespace std::chrono_literals;

class EngineStateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
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
            void lockoutChanged(const ModelLockout&) override { engine->clearAllLockouts(); }
            void providerCooldownsChanged() override { engine->providerCooldowns(); }
            void disableWanted(const ConnectionId&) override {}
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

OMNI_TEST(EngineStateTest)
#include "engine_state_test.moc"
