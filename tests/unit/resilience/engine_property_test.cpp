#include "resilience/engine.h"

#include "program/allocation_count.h"
#include "program/cpu_time.h"
#include "program/measured.h"
#include "program/test_program.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

#include <chrono>

using namespace omni;
using namespace std::chrono_literals;

namespace {

/// Answers of an upstream, good and bad, with what may follow at most.
struct Answer {
    int status;
    TransportFailure transport = TransportFailure::None;
    std::string_view body = {};
    std::string_view retryAfter = {};
    Millis longest = Millis(0);  ///< no hold it leads to may be longer
};

constexpr Millis kLadderTop(96'000);
constexpr Millis kLocalLadderTop(16'000);
constexpr Answer kAnswers[] = {
    {200},
    {200},
    {200},
    {429, TransportFailure::None, "", "", kLadderTop},
    {429, TransportFailure::None, "Rate limit hit", "120", Millis(120'000)},
    {429, TransportFailure::None, "", "7", Millis(7'000)},
    {429, TransportFailure::None, "too many concurrent requests", "", Millis(1'000)},
    {500, TransportFailure::None, "", "", kLadderTop},
    {502, TransportFailure::None, "bad gateway", "", kLadderTop},
    {503, TransportFailure::None, "unavailable", "30", Millis(30'000)},
    {529, TransportFailure::None, "overloaded", "", kLadderTop},
    {400, TransportFailure::None, "bad request payload"},
    {404, TransportFailure::None, "model_not_found"},
    {404, TransportFailure::None, "", "", Millis(120'000)},
    {401, TransportFailure::None, "unauthorized", "", Millis(20min)},
    {402, TransportFailure::None, "payment required"},
    {403, TransportFailure::None, "forbidden", "", kLadderTop},
    {0, TransportFailure::ConnectFailed, "", "", kLadderTop},
    {0, TransportFailure::Reset, "", "", kLadderTop},
    {0, TransportFailure::IdleTimeout},
};

/// What the test itself knows of a connection, from what the engine told.
struct Known {
    MonoTime freeAt{};  ///< no hold may last beyond this
    bool terminal = false;
};

}  // namespace

class EnginePropertyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void randomHistories_data()
    {
        QTest::addColumn<quint64>("seed");
        for (const quint64 seed : {1U, 2U, 3U, 4U})
            QTest::addRow("seed %d", int(seed)) << seed;
    }

    /// 4 × 300,000 events over random histories: what holds whatever happens.
    void randomHistories()
    {
        QFETCH(quint64, seed);
        constexpr int events = kMeasured ? 300'000 : 60'000;  // a sanitizer takes ten times as long
        constexpr int connectionCount = 12;
        constexpr int providerCount = 3;
        EngineBench bench;
        SimulatedRandom chance(seed);
        std::vector<ProviderId> providers;
        for (int i = 0; i < providerCount; ++i)
            providers.emplace_back("p" + std::to_string(i));
        std::vector<Connection> connections(connectionCount);
        std::vector<Known> known(connectionCount);
        for (int i = 0; i < connectionCount; ++i)
            connections[std::size_t(i)].id = ConnectionId("c" + std::to_string(i));
        const auto targetOf = [&](std::size_t i) {
            return EngineTarget{providers[i % providerCount], i % providerCount == 2 ? ProviderClass::Local : ProviderClass::ApiKey,
                                connections[i], "m"};
        };
        struct Running {
            std::size_t connection;
            Permit permit;
        };
        std::vector<Running> running;
        int refusals = 0;
        int probes = 0;
        int terminals = 0;

        for (int event = 0; event < events; ++event) {
            const std::uint64_t what = chance.below(100);
            if (what < 40) {
                const std::size_t i = chance.below(connectionCount);
                const EngineTarget target = targetOf(i);
                const Eligibility eligibility = bench.engine.eligible(target);
                const Permit permit = bench.engine.acquire(target);
                // What is eligible is not refused, and what is not is not granted.
                QCOMPARE(permit.granted, bool(eligibility));
                if (known[i].terminal)
                    QVERIFY2(!permit.granted, "a terminal connection came back by itself");
                if (permit.granted) {
                    probes += permit.probe ? 1 : 0;
                    running.push_back({i, permit});
                } else {
                    ++refusals;
                    if (eligibility.reason == Exclusion::ConnectionCooldown || eligibility.reason == Exclusion::Expired) {
                        const bool forever = eligibility.remaining == Millis(0);
                        QCOMPARE(forever, known[i].terminal);
                        if (!forever)
                            QVERIFY2(bench.clock.mono() + eligibility.remaining <= known[i].freeAt, "a hold outlives its length");
                    }
                    if (eligibility.reason == Exclusion::CircuitOpen)
                        QVERIFY(eligibility.remaining > Millis(0) && eligibility.remaining <= Millis(240'000));
                }
            } else if (what < 85 && !running.empty()) {
                const std::size_t pick = chance.below(running.size());
                const Running one = running[pick];
                running[pick] = running.back();
                running.pop_back();
                const EngineTarget target = targetOf(one.connection);
                Known& mine = known[one.connection];
                if (chance.below(20) == 0) {
                    bench.engine.recordAbandoned(target, one.permit);
                    continue;
                }
                const Answer& answer = kAnswers[chance.below(std::size(kAnswers))];
                // Terminal answers are rare, or nothing would be left to try.
                if ((answer.status == 401 || answer.status == 402) && chance.below(200) != 0)
                    continue;
                if (answer.status == 200) {
                    bench.engine.recordSuccess(target, one.permit);
                } else {
                    Failure failure = bench.failure(answer.status, answer.body);
                    failure.transport = answer.transport;
                    bench.headers.clear();
                    if (!answer.retryAfter.empty())
                        bench.headers.emplace_back("retry-after", std::string(answer.retryAfter));
                    const ConnectionHealth old = bench.engine.health(connections[one.connection].id);
                    const Verdict verdict = bench.engine.recordFailure(target, one.permit, failure);
                    const ConnectionHealth fresh = bench.engine.health(connections[one.connection].id);
                    // Longer wins: a running hold never ends sooner for a further failure, unless the connection is given up.
                    if (old.coolingUntil && fresh.terminal == TerminalState::None)
                        QVERIFY2(fresh.coolingUntil && *fresh.coolingUntil >= *old.coolingUntil, "a failure shortened a hold");
                    // Terminal never becomes transient.
                    if (old.terminal != TerminalState::None)
                        QCOMPARE(fresh, old);
                    if (fresh.coolingUntil != old.coolingUntil && fresh.coolingUntil) {
                        QVERIFY(answer.longest > Millis(0));
                        // Local servers' hints are not trusted, so their ladder may go beyond one.
                        const Millis longest =
                            target.providerClass == ProviderClass::Local ? std::max(answer.longest, kLocalLadderTop) : answer.longest;
                        QVERIFY2(*fresh.coolingUntil - bench.clock.wall() <= longest, "longer than the answer allows");
                        QVERIFY(fresh.evidence && !fresh.evidence->rule.empty());
                        mine.freeAt = std::max(mine.freeAt, bench.clock.mono() + verdict.cooldown);
                    }
                    if (fresh.terminal != TerminalState::None && !mine.terminal) {
                        mine.terminal = true;
                        ++terminals;
                    }
                    if (answer.status == 400)
                        QVERIFY(!verdict.tryNextTarget && !verdict.countsOnBreaker);
                    if (answer.status == 429 || answer.status == 529)
                        QVERIFY(!verdict.countsOnBreaker);
                }
            } else if (what < 95) {
                bench.advance(Millis(chance.below(4'000)));
            } else if (what < 97) {
                bench.advance(Millis(chance.below(120'000)));
            } else if (what == 97) {
                // NTP and people: the wall clock is set, mostly back.
                bench.clock.jumpWall(Millis(static_cast<std::int64_t>(chance.below(40'000)) - 30'000));
            } else if (what == 98 && chance.below(50) == 0) {
                const std::size_t i = chance.below(connectionCount);
                bench.engine.credentialChanged(connections[i].id);
                known[i] = Known();
            } else if (what == 99 && chance.below(400) == 0) {
                bench.engine.resetBreakers();
            }

            // Half-open always ends: no longer than one reset time with the slot taken.
            if (event % 4 == 0) {
                const BreakerStatus breaker = bench.engine.breaker(providers[std::size_t(event / 4) % providerCount]);
                QVERIFY(breaker.history.size() <= 20);
                if (breaker.state == BreakerState::HalfOpen)
                    QVERIFY(breaker.retryAfter <= breaker.resetTimeout);
                if (breaker.state == BreakerState::Open)
                    QVERIFY(breaker.retryAfter > Millis(0) && breaker.retryAfter <= Millis(240'000));
            }
            // Requests that never end: their probes must not matter.
            if (running.size() > 40)
                running.erase(running.begin(), running.begin() + 10);
        }
        qInfo("refusals %d, probes %d, terminal %d", refusals, probes, terminals);
        QVERIFY(refusals > events / 300 && probes > events / 3'000 && terminals > 0);

        // Leave it alone, and everything transient is over.
        bench.advance(24h);
        for (std::size_t i = 0; i < connectionCount; ++i)
            QCOMPARE(bool(bench.engine.eligible(targetOf(i))), !known[i].terminal);
    }

    void aDayOfTraffic()
    {
        EngineBench bench;
        SimulatedRandom chance(99);
        std::vector<Connection> connections(20);
        for (std::size_t i = 0; i < connections.size(); ++i)
            connections[i].id = ConnectionId("c" + std::to_string(i));
        int served = 0;
        int failed = 0;
        const CpuTime spent;
        for (int second = 0; second < 86'400; ++second) {
            // An outage of some minutes every four hours, and a few faults all day.
            const bool outage = second % 14'400 < 850;
            bool done = false;
            for (const Connection& connection : connections) {
                const Permit permit = bench.engine.acquire(bench.targetOf(connection));
                if (!permit.granted)
                    continue;
                if (outage || chance.below(50) == 0) {
                    bench.engine.recordFailure(bench.targetOf(connection), permit, bench.failure(outage ? 503 : 429, "try later"));
                    continue;
                }
                bench.engine.recordSuccess(bench.targetOf(connection), permit);
                done = true;
                break;
            }
            done ? ++served : ++failed;
            bench.advance(1s);
        }
        const double seconds = spent.seconds();
        qInfo("a day: %d served, %d not, in %.2f s (aim 1)", served, failed, seconds);
        QVERIFY(failed >= 6 * 850);
        // Back as soon as the longest hold allows: the breaker's cap is 120 s (field-faults H13).
        QVERIFY(failed <= 6 * (850 + 120));
        QVERIFY(seconds < 20);
    }

    void hotPathTimes()
    {
        EngineBench bench;
        std::vector<ProviderId> providers;
        std::vector<Connection> connections(1000);
        for (int i = 0; i < 100; ++i)
            providers.emplace_back("provider-number-" + std::to_string(i));
        for (Connection& connection : connections)
            connection.id = ConnectionId(newUuid());
        const auto target = [&](std::size_t i) {
            return EngineTarget{providers[i % 100], ProviderClass::ApiKey, connections[i], "gpt-4o"};
        };
        // Every provider has a breaker that counts, and every third connection has been marked.
        for (std::size_t i = 0; i < connections.size(); ++i) {
            bench.engine.recordSuccess(target(i), {});
            if (i < 100 || i % 3 == 0)
                bench.engine.recordFailure(target(i), {}, bench.failure(502));
        }
        bench.advance(30s);
        for (std::size_t i = 0; i < connections.size(); ++i)
            QVERIFY(bool(bench.engine.eligible(target(i))));
        QCOMPARE(bench.engine.breakers().size(), std::size_t(100));
        // Ten other models of each connection are locked.
        for (std::size_t i = 0; i < connections.size(); ++i) {
            for (int other = 0; other < 10; ++other) {
                const std::string model = "another-model-" + std::to_string(other);
                const EngineTarget missing{providers[i % 100], ProviderClass::ApiKey, connections[i], model};
                bench.engine.recordFailure(missing, {}, bench.failure(404, "model_not_found"));
                QVERIFY(!bench.engine.eligible(missing));
            }
        }
        QCOMPARE(bench.engine.lockouts().size(), std::size_t(10'000));

        constexpr int rounds = 200;
        const auto measure = [&](const char* name, double aimMicros, auto call) {
            const std::uint64_t before = allocationsMade();
            const CpuTime spent;
            for (int round = 0; round < rounds; ++round) {
                for (std::size_t i = 0; i < connections.size(); ++i)
                    call(i);
            }
            const double micros = spent.micros() / (rounds * double(connections.size()));
            const std::uint64_t made = allocationsMade() - before;
            qInfo("%s: %.3f us (aim %.1f), %llu allocations", name, micros, aimMicros, static_cast<unsigned long long>(made));
            QVERIFY(micros < aimMicros * 20);
            QCOMPARE(made, std::uint64_t(0));
        };
        int yes = 0;
        measure("eligible", 1.0, [&](std::size_t i) { yes += bench.engine.eligible(target(i)) ? 1 : 0; });
        QCOMPARE(yes, rounds * 1000);
        measure("acquire", 1.0, [&](std::size_t i) { yes += bench.engine.acquire(target(i)).granted ? 1 : 0; });
        for (std::size_t i = 0; i < connections.size(); ++i)
            bench.engine.recordSuccess(target(i), {});
        for (const ProviderId& provider : providers)
            QCOMPARE(bench.engine.breaker(provider).failureCount, 0);
        bench.observer.clear();
        const Permit permit = bench.engine.acquire(target(0));
        measure("recordSuccess", 0.5, [&](std::size_t i) { bench.engine.recordSuccess(target(i), i == 0 ? permit : Permit()); });
        QCOMPARE(bench.observer.calls(), std::size_t(0));
    }

    void memoryStaysFlat()
    {
        // Failures of ever new connections and providers: caps and sweeps hold.
        constexpr int failures = kMeasured ? 200'000 : 50'000;
        EngineBench bench;
        for (int i = 0; i < failures; ++i) {
            Connection connection;
            connection.id = ConnectionId("c" + std::to_string(i));
            const ProviderId provider("p" + std::to_string(i % 5'000));
            const EngineTarget target{provider, ProviderClass::ApiKey, connection, "m"};
            bench.engine.recordFailure(target, {}, bench.failure(502));
            bench.engine.recordSuccess(target, {});
            bench.engine.forgetConnection(connection.id);
            bench.observer.clear();
            bench.advance(1ms);
        }
        QVERIFY(bench.engine.breakers().size() <= 500);
        QVERIFY(bench.engine.healths().empty());
    }

    void memoryOfLocksStaysFlat()
    {
        // A million failures of 10,000 models, a tenth of it here and the rest in the registry's own test.
        EngineBench bench;
        std::vector<Connection> connections(10);
        for (std::size_t i = 0; i < connections.size(); ++i)
            connections[i].id = ConnectionId("c" + std::to_string(i));
        std::int64_t settled = 0;
        for (int i = 0; i < 100'000; ++i) {
            const std::string model = "model-" + std::to_string(i % 10'000);
            const EngineTarget target{bench.provider, ProviderClass::ApiKey, connections[std::size_t(i) % connections.size()], model, true};
            bench.engine.recordFailure(target, {}, bench.failure(429, "slow down"));
            bench.observer.clear();
            bench.advance(10ms);
            if (i == 50'000)
                settled = allocatedBytes();
        }
        QVERIFY(bench.engine.lockouts().size() <= 20'000);
        const std::int64_t used = allocatedBytes();
        qInfo("%lld kB after half, %lld kB after all", static_cast<long long>(settled / 1024), static_cast<long long>(used / 1024));
        QVERIFY(used < settled + (1u << 20));
    }
};

OMNI_TEST(EnginePropertyTest)
#include "engine_property_test.moc"
