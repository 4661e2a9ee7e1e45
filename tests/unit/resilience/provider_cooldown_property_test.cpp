#include "resilience/provider_cooldown.h"

#include "base/random.h"
#include "program/test_program.h"
#include "unit/resilience/provider_cooldown_fixture.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>

using namespace omni;
using namespace std::chrono_literals;

class ProviderCooldownPropertyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void memoryStaysFlat()
    {
        ProviderBench bench;
        for (int i = 0; i < 100'000; ++i) {
            bench.provider = ProviderId("p" + std::to_string(i % 5'000));
            bench.tracker.recordFailure(bench.provider, ProviderClass::Local, ConnectionId("c" + std::to_string(i)), bench.now());
        }
        QVERIFY(bench.tracker.list(bench.now()).size() <= 10'500);
        // And all of it is gone when it matters no more.
        bench.clock.advance(31min);
        bench.provider = ProviderId("last");
        bench.fail();
        QVERIFY(bench.tracker.list(bench.now()).empty());
    }

    void randomHistories_data()
    {
        QTest::addColumn<quint64>("seed");
        for (const quint64 seed : {11U, 12U, 13U})
            QTest::addRow("seed %d", int(seed)) << seed;
    }

    /// Against the plain reading of the rule, over random histories without jumps of the wall clock; with them, only the limits.
    void randomHistories()
    {
        QFETCH(quint64, seed);
        SimulatedRandom chance(seed);
        for (const bool jumps : {false, true}) {
            ProviderBench bench;
            const ProviderCooldownSettings settings = switchedOn();
            std::deque<MonoTime> failures;
            std::optional<MonoTime> tripped;
            std::map<std::string, std::pair<int, MonoTime>> ladder;
            int cooled = 0;
            for (int event = 0; event < 100'000; ++event) {
                const std::string connection = "c" + std::to_string(chance.below(3));
                const MonoTime now = bench.clock.mono();
                const std::uint64_t what = chance.below(100);
                if (what < 60) {
                    bench.fail(connection.c_str());
                    failures.push_back(now);
                    while (now - failures.front() > settings.oauth.window)
                        failures.pop_front();
                    if (failures.size() >= 10 && !(tripped && now - *tripped < settings.oauth.cooldown))
                        tripped = now;
                    auto& own = ladder[connection];
                    own = {own.first > 0 && now - own.second > 30min ? 1 : own.first + 1, now};
                } else if (what < 62) {
                    bench.succeed(connection.c_str());
                    failures.clear();
                    tripped.reset();
                    ladder.erase(connection);
                } else if (what < 98) {
                    bench.clock.advance(Millis(chance.below(what < 97 ? 60'000 : 3'000'000)));
                } else if (jumps) {
                    bench.clock.jumpWall(Millis(static_cast<std::int64_t>(chance.below(7'200'000)) - 3'600'000));
                }

                const auto cooling = bench.tracker.cooling(bench.provider, ConnectionId(connection), bench.now());
                cooled += cooling ? 1 : 0;
                QVERIFY(!cooling || (cooling->remaining > Millis(0) && cooling->remaining <= Millis(5min)));
                if (jumps)
                    continue;
                const Micros sinceTrip = tripped ? bench.clock.mono() - *tripped : Micros(24h);
                const Millis byProvider = std::max(Millis(0), Millis(5min) - std::chrono::floor<Millis>(sinceTrip));
                Millis byConnection(0);
                if (const auto found = ladder.find(connection); found != ladder.end()) {
                    const Millis length = std::min(Millis(5'000) * (1 << std::min(found->second.first - 1, 10)), Millis(300'000));
                    byConnection = std::max(Millis(0), length - std::chrono::floor<Millis>(bench.clock.mono() - found->second.second));
                }
                QCOMPARE(cooling ? cooling->remaining : Millis(0), std::max(byProvider, byConnection));
                if (cooling)
                    QCOMPARE(cooling->wholeProvider, byProvider >= byConnection);
            }
            QVERIFY(cooled > 1'000);
            bench.clock.advance(5min);
            QVERIFY(bench.tracker.list(bench.now()).empty());
        }
    }
};

OMNI_TEST(ProviderCooldownPropertyTest)
#include "provider_cooldown_property_test.moc"
