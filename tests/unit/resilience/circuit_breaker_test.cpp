#include "resilience/circuit_breaker.h"

#include "program/test_program.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

#include <functional>

using namespace omni;

namespace {

/// A breaker driven by a script (spec 1-core §10): "f" a failure, "f:rate_limit" one of a kind, "s" a success, "+500" half a second later,
/// "probe", "probe:ok", "probe:fail", "read".
class Script {
public:
    explicit Script(const BreakerOptions& options) : breaker(options) {}

    Instant now() const { return Instant::of(clock); }

    void run(const QString& steps)
    {
        for (const QString& word : steps.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            const QStringList halves = word.split(QLatin1Char('*'));
            const int times = halves.size() > 1 ? halves[1].toInt() : 1;
            for (int i = 0; i < times; ++i)
                step(halves[0]);
        }
    }

    void step(const QString& word)
    {
        if (word.startsWith(QLatin1Char('+'))) {
            clock.advance(Millis(word.mid(1).toLongLong()));
        } else if (word == QLatin1String("s")) {
            breaker.recordSuccess(now());
        } else if (word.startsWith(QLatin1Char('f'))) {
            const std::string kind = word.mid(2).toStdString();
            breaker.recordFailure(kind.empty() ? std::nullopt : failureKindFromString(kind), now());
        } else if (word == QLatin1String("read")) {
            breaker.refresh(now());
        } else if (word == QLatin1String("probe")) {
            QVERIFY2(breaker.takeProbe(now()).has_value(), "no probe slot");
        } else if (word == QLatin1String("probe:ok") || word == QLatin1String("probe:fail")) {
            breaker.refresh(now());
            QVERIFY2(breaker.takeProbe(now()).has_value(), "no probe slot");
            word.endsWith(QLatin1String("ok")) ? breaker.recordSuccess(now()) : breaker.recordFailure(std::nullopt, now());
        } else {
            QFAIL(qPrintable(QStringLiteral("unknown step ") + word));
        }
    }

    SimulatedClock clock;
    CircuitBreaker breaker;
};

BreakerOptions optionsOf(const QString& name)
{
    const ResilienceSettings settings;
    if (name == QLatin1String("OA"))
        return breakerOptions(ProviderClass::OAuth, settings);
    if (name == QLatin1String("LO"))
        return breakerOptions(ProviderClass::Local, settings);
    return breakerOptions(ProviderClass::ApiKey, settings);
}

}  // namespace

class CircuitBreakerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void states_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("steps");
        QTest::addColumn<QString>("state");
        QTest::addColumn<int>("count");
        QTest::addColumn<bool>("mayExecute");
        QTest::addColumn<qint64>("retryAfter");
        const auto row = [](const char* name, const char* options, const char* steps, const char* state, int count, bool can,
                            qint64 retry) {
            QTest::newRow(name) << QString::fromLatin1(options) << QString::fromLatin1(steps) << QString::fromLatin1(state) << count << can
                                << retry;
        };
        row("1 four failures", "OA", "f*4", "CLOSED", 4, true, 0);
        row("2 five degrade", "OA", "f*5", "DEGRADED", 5, true, 0);
        row("3 eight open", "OA", "f*8", "OPEN", 8, false, 60'000);
        row("4a api key six", "AK", "f*6", "CLOSED", 6, true, 0);
        row("4b api key seven", "AK", "f*7", "DEGRADED", 7, true, 0);
        row("4c api key eleven", "AK", "f*11", "DEGRADED", 11, true, 0);
        row("4d api key twelve", "AK", "f*12", "OPEN", 12, false, 30'000);
        row("5a local one", "LO", "f", "CLOSED", 1, true, 0);
        row("5b local two, never degraded", "LO", "f*2", "OPEN", 2, false, 15'000);
        row("7 success leads back", "OA", "f*5 s", "CLOSED", 4, true, 0);
        row("8 still degraded", "OA", "f*7 s", "DEGRADED", 6, true, 0);
        row("9 at the threshold closed", "OA", "f*7 s s", "CLOSED", 5, true, 0);
        row("10 and degraded again", "OA", "f*7 s s f", "DEGRADED", 6, true, 0);
        row("11 no debt below zero", "OA", "s", "CLOSED", 0, true, 0);
        row("12 one ms before the end", "OA", "f*8 +59999 read", "OPEN", 8, false, 1);
        row("13 the end", "OA", "f*8 +60000 read", "HALF_OPEN", 8, true, 0);
        row("14 the probe is out", "OA", "f*8 +60000 read probe +1000", "HALF_OPEN", 8, false, 59'000);
        row("15 probe succeeds", "OA", "f*8 +60000 probe:ok", "CLOSED", 0, true, 0);
        row("16 probe fails", "OA", "f*8 +60000 probe:fail", "OPEN", 9, false, 60'000);
        row("19a quota hold", "AK", "f*11 f:quota_exhausted +3599999 read", "OPEN", 12, false, 1);
        row("19b quota hold over", "AK", "f*11 f:quota_exhausted +3600000 read", "HALF_OPEN", 12, true, 0);
        row("21 rate limit hold", "AK", "f*11 f:rate_limit", "OPEN", 12, false, 60'000);
        row("24a overdue probe gives way", "OA", "f*8 +60000 read probe +60000 read", "HALF_OPEN", 8, true, 0);
        row("24b one ms before it is overdue", "OA", "f*8 +60000 read probe +59999 read", "HALF_OPEN", 8, false, 1);
        row("33a quiet, not long enough", "OA", "f*5 +479999 read", "DEGRADED", 5, true, 0);
        row("33b quiet for 480 s", "OA", "f*5 +480000 read", "CLOSED", 0, true, 0);
        row("34a rate limited, quiet 240 s less 1 ms", "AK", "f*6 f:rate_limit +239999 read", "DEGRADED", 7, true, 0);
        row("34b rate limited, quiet for 240 s", "AK", "f*6 f:rate_limit +240000 read", "CLOSED", 0, true, 0);
        row("34c quota, quiet for 4 h", "AK", "f*6 f:quota_exhausted +14400000 read", "CLOSED", 0, true, 0);
        row("34d no kind, quiet for 120 s", "AK", "f*7 +120000 read", "CLOSED", 0, true, 0);
        row("35 stale, then a failure", "OA", "f*5 +480000 f", "CLOSED", 1, true, 0);
        row("1.4 late success while open", "OA", "f*8 s", "CLOSED", 0, true, 0);
        row("1.4 failure while open restarts the hold", "OA", "f*8 +30000 f", "OPEN", 9, false, 60'000);
    }

    void states()
    {
        QFETCH(QString, options);
        QFETCH(QString, steps);
        QFETCH(QString, state);
        QFETCH(int, count);
        QFETCH(bool, mayExecute);
        QFETCH(qint64, retryAfter);
        Script script(optionsOf(options));
        script.run(steps);
        const BreakerStatus status = script.breaker.status(script.now());
        QCOMPARE(named(status.state), state.toLatin1());
        QCOMPARE(status.failureCount, count);
        QCOMPARE(script.breaker.canExecute(), mayExecute);
        QCOMPARE(status.retryAfter.count(), retryAfter);
        QCOMPARE(status.heldUntil.has_value(), status.state == BreakerState::Open);
    }

    void degradationThreshold_data()
    {
        QTest::addColumn<int>("failures");
        QTest::addColumn<int>("degradation");
        for (const auto& [failures, degradation] :
             std::vector<std::pair<int, int>>{{1, 1}, {2, 2}, {3, 2}, {5, 3}, {8, 5}, {10, 6}, {12, 8}})
            QTest::addRow("6 derived from %d", failures) << failures << degradation;
    }

    void degradationThreshold()
    {
        QFETCH(int, failures);
        QFETCH(int, degradation);
        BreakerOptions options;
        options.failureThreshold = failures;
        QCOMPARE(CircuitBreaker(options).options().degradationThreshold, degradation);
    }

    void holdsAfterFailedProbes_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("opening");
        QTest::addColumn<QList<int>>("seconds");
        QTest::newRow("17 oauth") << QStringLiteral("OA") << QStringLiteral("f*8") << QList<int>{60, 60, 60, 120, 240, 480, 480};
        QTest::newRow("18 api key") << QStringLiteral("AK") << QStringLiteral("f*12") << QList<int>{30, 30, 30, 30, 60, 120, 120};
        QTest::newRow("1.5 local") << QStringLiteral("LO") << QStringLiteral("f*2") << QList<int>{15, 15, 15, 15, 30, 60, 120, 240, 240};
    }

    void holdsAfterFailedProbes()
    {
        QFETCH(QString, options);
        QFETCH(QString, opening);
        QFETCH(QList<int>, seconds);
        Script script(optionsOf(options));
        script.run(opening);
        for (int n = 0; n < seconds.size(); ++n) {
            QCOMPARE(script.breaker.openCycleCount(), n);
            QCOMPARE(script.breaker.holdLength(), Millis(seconds[n] * 1000));
            script.clock.advance(script.breaker.holdLength());
            script.run(QStringLiteral("probe:fail"));
        }
    }

    void quotaHoldIsCapped()
    {
        // Row 20.
        BreakerStatus stored;
        stored.state = BreakerState::Open;
        stored.failureCount = 12;
        stored.lastFailureKind = FailureKind::QuotaExhausted;
        stored.openCycleCount = 5;
        Script script(optionsOf(QStringLiteral("AK")));
        stored.lastFailureAt = script.clock.wall();
        script.breaker.restore(stored, script.now());
        QCOMPARE(script.breaker.holdLength(), Millis(14'400'000));
    }

    void zeroHoldProbesAtOnce()
    {
        // Row 22. Only the last failure has the kind: with a hold of 0 its quiet window is 0 too, and every failure would be the first.
        BreakerOptions options = optionsOf(QStringLiteral("AK"));
        options.holdByKind[static_cast<std::size_t>(FailureKind::Transient)] = Millis(0);
        Script script(options);
        script.run(QStringLiteral("f*11 f:transient"));
        QCOMPARE(named(script.breaker.state()), named(BreakerState::Open));
        script.run(QStringLiteral("read"));
        QCOMPARE(named(script.breaker.state()), named(BreakerState::HalfOpen));
    }

    void probeSuccessKeepsTheTimeOfTheLastFailure()
    {
        // Row 15.
        Script script(optionsOf(QStringLiteral("OA")));
        script.run(QStringLiteral("f:transient*8"));
        const WallTime failedAt = script.clock.wall();
        script.run(QStringLiteral("+60000 probe:ok"));
        const BreakerStatus status = script.breaker.status(script.now());
        QCOMPARE(status.lastFailureAt, std::optional<WallTime>(failedAt));
        QCOMPARE(status.openCycleCount, 0);
        QVERIFY(status.kindCounts.empty());
        QVERIFY(!status.lastFailureKind);
    }

    void oneProbeAtATime()
    {
        // Rows 14 and 24.
        Script script(optionsOf(QStringLiteral("OA")));
        script.run(QStringLiteral("f*8 +60000 read"));
        const std::optional<std::uint64_t> first = script.breaker.takeProbe(script.now());
        QVERIFY(first.has_value());
        QVERIFY(!script.breaker.takeProbe(script.now()).has_value());
        script.run(QStringLiteral("+60000 read"));
        const std::optional<std::uint64_t> second = script.breaker.takeProbe(script.now());
        QVERIFY(second.has_value());
        QVERIFY(*first != *second);
        QVERIFY2(!script.breaker.releaseProbe(*first), "an overdue probe must not free the slot of the next");
        QVERIFY(script.breaker.releaseProbe(*second));
        QVERIFY(script.breaker.canExecute());
    }

    void restored_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<bool>("failureKnown");
        QTest::addColumn<qint64>("ageMs");
        QTest::addColumn<QString>("afterRead");
        QTest::addColumn<qint64>("retryAfter");
        QTest::newRow("23 open, no time of failure")
            << QStringLiteral("OPEN") << false << qint64(0) << QStringLiteral("HALF_OPEN") << qint64(0);
        QTest::newRow("25 half-open has its slot")
            << QStringLiteral("HALF_OPEN") << true << qint64(5'000) << QStringLiteral("HALF_OPEN") << qint64(25'000);
        QTest::newRow("26 unknown state") << QStringLiteral("BROKEN") << true << qint64(5'000) << QStringLiteral("CLOSED") << qint64(0);
        QTest::newRow("1.11 in the middle of a hold")
            << QStringLiteral("OPEN") << true << qint64(10'000) << QStringLiteral("OPEN") << qint64(20'000);
        QTest::newRow("1.11 the hold ended meanwhile")
            << QStringLiteral("OPEN") << true << qint64(31'000) << QStringLiteral("HALF_OPEN") << qint64(0);
        QTest::newRow("I02 failure in the future")
            << QStringLiteral("OPEN") << true << qint64(-21'600'000) << QStringLiteral("OPEN") << qint64(30'000);
    }

    void restored()
    {
        QFETCH(QString, state);
        QFETCH(bool, failureKnown);
        QFETCH(qint64, ageMs);
        QFETCH(QString, afterRead);
        QFETCH(qint64, retryAfter);
        Script script(optionsOf(QStringLiteral("AK")));
        BreakerStatus stored;
        stored.state = breakerStateFromString(state.toStdString()).value_or(BreakerState::Closed);
        stored.failureCount = 12;
        stored.lastFailureKind = failureKindFromString("weird");  // row 27
        if (failureKnown)
            stored.lastFailureAt = script.clock.wall() - Millis(ageMs);
        script.breaker.restore(stored, script.now());
        script.run(QStringLiteral("read"));
        const BreakerStatus status = script.breaker.status(script.now());
        QCOMPARE(named(status.state), afterRead.toLatin1());
        QCOMPARE(status.retryAfter.count(), retryAfter);
        QVERIFY(!status.lastFailureKind);
        QCOMPARE(script.breaker.canExecute(), status.state != BreakerState::Open);
    }

    void effectiveThresholds()
    {
        // Row 40.
        ResilienceSettings settings;
        settings.oauthBreaker.failureThreshold = 3;
        settings.oauthBreaker.degradationThreshold = 5;
        QCOMPARE(breakerOptions(ProviderClass::OAuth, settings).degradationThreshold, 2);
        settings.oauthBreaker.failureThreshold = 1;
        QCOMPARE(breakerOptions(ProviderClass::OAuth, settings).degradationThreshold, 1);
    }

    void kindHoldsOnlyWhereHintsAreTrusted()
    {
        // spec 1-core §3.4.
        ResilienceSettings settings;
        const auto quota = static_cast<std::size_t>(FailureKind::QuotaExhausted);
        QVERIFY(breakerOptions(ProviderClass::ApiKey, settings).holdByKind[quota].has_value());
        QVERIFY(!breakerOptions(ProviderClass::Local, settings).holdByKind[quota].has_value());
        settings.apiKeyCooldown.useUpstream429BreakerHints = false;
        QVERIFY(!breakerOptions(ProviderClass::ApiKey, settings).holdByKind[quota].has_value());
    }

    void historyKeepsTheLastTwenty()
    {
        Script script(optionsOf(QStringLiteral("LO")));
        script.run(QStringLiteral("f*2"));
        for (int i = 0; i < 15; ++i) {
            script.clock.advance(Millis(240'000));
            script.run(QStringLiteral("probe:fail"));
        }
        const BreakerStatus status = script.breaker.status(script.now());
        QCOMPARE(status.history.size(), std::size_t(20));
        QCOMPARE(named(status.history.back().from), named(BreakerState::HalfOpen));
        QCOMPARE(named(status.history.back().to), named(BreakerState::Open));
        QCOMPARE(status.history.back().at, script.clock.wall());
        QVERIFY(!status.history.back().reason.empty());
    }

    void wallClockJumps_data()
    {
        QTest::addColumn<qint64>("jumpMs");
        QTest::newRow("I02 six hours back") << qint64(-21'600'000);
        QTest::newRow("no jump") << qint64(0);
    }

    void wallClockJumps()
    {
        QFETCH(qint64, jumpMs);
        Script script(optionsOf(QStringLiteral("AK")));
        script.run(QStringLiteral("f*12 +10000"));
        script.clock.jumpWall(Millis(jumpMs));
        script.run(QStringLiteral("read"));
        const BreakerStatus status = script.breaker.status(script.now());
        QCOMPARE(status.retryAfter, Millis(20'000));
        QCOMPARE(*status.heldUntil, script.clock.wall() + Millis(20'000));
        script.run(QStringLiteral("+20000 read"));
        QCOMPARE(named(script.breaker.state()), named(BreakerState::HalfOpen));
    }

    void manualReset()
    {
        Script script(optionsOf(QStringLiteral("OA")));
        script.run(QStringLiteral("f:transient*8 +60000 probe:fail"));
        QVERIFY(script.breaker.reset(script.now()));
        const BreakerStatus status = script.breaker.status(script.now());
        QCOMPARE(named(status.state), named(BreakerState::Closed));
        QCOMPARE(status.failureCount, 0);
        QCOMPARE(status.openCycleCount, 0);
        QVERIFY(!status.lastFailureAt);
        QVERIFY2(!script.breaker.reset(script.now()), "a second reset changes nothing");
    }
};

OMNI_TEST(CircuitBreakerTest)
#include "circuit_breaker_test.moc"
