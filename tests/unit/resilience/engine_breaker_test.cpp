#include "resilience/engine.h"

#include "program/test_program.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

#include <chrono>

using namespace omni;
using namespace std::chrono_literals;

class EngineBreakerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void probeBrokenAfterCommit()
    {
        EngineBench bench;
        bench.connection.disableCooling = true;
        for (int i = 0; i < 12; ++i) {
            bench.advance(5s);
            bench.fail(503);
        }
        bench.advance(30s);
        const Permit probe = bench.engine.acquire(bench.target());
        QVERIFY(probe.probe);
        bench.engine.recordSuccess(bench.target(), probe);
        bench.engine.recordFailure(bench.target(), probe, bench.transport(TransportFailure::Reset, true));
        QCOMPARE(named(bench.breaker().state), named(BreakerState::Closed));
        QCOMPARE(bench.breaker().failureCount, 1);
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
};

OMNI_TEST(EngineBreakerTest)
#include "engine_breaker_test.moc"
