#include "resilience/model_lockouts.h"

#include "base/random.h"
#include "program/allocation_count.h"
#include "program/cpu_time.h"
#include "program/measured.h"
#include "program/test_program.h"

#include <QTest>

#include <chrono>

using namespace omni;
using namespace std::chrono_literals;

class ModelLockoutsLoadTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// 1,000,000 failures of 100,000 models on 50 connections; a quarter under a sanitizer, which is over the caps all the same.
    void memoryStaysFlat()
    {
        constexpr int failures = kMeasured ? 1'000'000 : 250'000;
        SimulatedClock clock;
        SimulatedRandom chance(5);
        const std::int64_t before = allocatedBytes();
        std::int64_t early = 0;
        std::int64_t most = 0;
        {
            ModelLockouts lockouts;
            std::vector<ConnectionId> connections;
            for (int i = 0; i < 50; ++i)
                connections.emplace_back(newUuid());
            const ProviderId provider("openrouter");
            Evidence evidence;
            evidence.header = "Retry-After: 120";
            evidence.bodyFragment = std::string(300, 'x');
            evidence.rule = "429: the upstream asks to wait, and says so in a header";
            for (int i = 0; i < failures; ++i) {
                // From one connection that fails with everything to all of them.
                const std::size_t spread = i < failures * 3 / 10 ? 1 : connections.size();
                const std::string model = "vendor/some-model-name-" + std::to_string(chance.below(100'000));
                const ConnectionId& connection = connections[chance.below(spread)];
                ModelLockouts::FailureEvent event{.provider = provider, .connection = connection, .model = model, .status = 503};
                event.evidence = evidence;
                QVERIFY(lockouts.recordFailure(event, Instant::of(clock)).has_value());
                if (i % 1'000 == 0) {
                    QVERIFY(lockouts.size() <= LockoutTable::kCapacity);
                    most = std::max(most, allocatedBytes() - before);
                    clock.advance(500ms);
                    lockouts.takeExpired(Instant::of(clock));
                }
                if (i == failures / 5)
                    early = most;
            }
            QCOMPARE(lockouts.size(), LockoutTable::kCapacity);
        }
        qInfo("%zu records, at most %.1f MB, %.1f MB after a fifth", LockoutTable::kCapacity, double(most) / 1e6, double(early) / 1e6);
        QVERIFY(most < 30'000'000);
        QVERIFY(most < early + early / 5);
        QVERIFY(allocatedBytes() - before < 10'000);
    }

    /// Nobody takes what ended, and nobody reads: still flat.
    void memoryStaysFlatUnread()
    {
        SimulatedClock clock;
        const std::int64_t before = allocatedBytes();
        {
            ModelLockouts lockouts;
            const ProviderId provider("p");
            for (int i = 0; i < 200'000; ++i) {
                const ConnectionId connection("c" + std::to_string(i));
                const ModelLockouts::FailureEvent event{.provider = provider, .connection = connection, .model = "m", .status = 503};
                lockouts.recordFailure(event, Instant::of(clock));
                clock.advance(20ms);
            }
            QVERIFY(lockouts.size() <= LockoutTable::kCapacity);
            QVERIFY(lockouts.takeExpired(Instant::of(clock)).size() <= LockoutTable::kCapacity);
            QVERIFY(allocatedBytes() - before < 30'000'000);
        }
        QVERIFY(allocatedBytes() - before < 10'000);
    }

    void hotPathTimes()
    {
        SimulatedClock clock;
        ModelLockouts lockouts;
        const Instant now = Instant::of(clock);
        const ProviderId codex("codex");
        const ProviderId openai("openai");
        std::vector<ConnectionId> connections;
        for (int i = 0; i < 1'000; ++i)
            connections.emplace_back(newUuid());
        std::vector<std::string> models;
        for (int i = 0; i < 10; ++i)
            models.push_back("gpt-5." + std::to_string(i) + "-some-longer-name");

        const auto measure = [&](const char* name, auto call) {
            double best = 1e12;
            const std::uint64_t before = allocationsMade();
            for (int round = 0; round < 20; ++round) {
                const CpuTime spent;
                for (std::size_t i = 0; i < 10'000; ++i)
                    call(i);
                best = std::min(best, spent.nanos() / 10'000);
            }
            const std::uint64_t made = allocationsMade() - before;
            qInfo("%s: %.0f ns", name, best);
            QCOMPARE(made, std::uint64_t(0));
            if (kMeasured)
                QVERIFY(best <= 1'000);
        };
        std::size_t yes = 0;
        const auto connectionAt = [&](std::size_t i) -> const ConnectionId& { return connections[(i * 7) % 1'000]; };
        measure("find, nothing held", [&](std::size_t i) { yes += lockouts.find(openai, connectionAt(i), models[i % 10], now) ? 1U : 0U; });
        QCOMPARE(yes, std::size_t(0));

        for (const ConnectionId& connection : connections) {
            for (const std::string& model : models) {
                const ModelLockouts::FailureEvent event{.provider = openai, .connection = connection, .model = model, .status = 503};
                lockouts.recordFailure(event, now);
            }
        }
        QCOMPARE(lockouts.list(now).size(), std::size_t(10'000));
        measure("find, locked", [&](std::size_t i) { yes += lockouts.find(openai, connectionAt(i), models[i % 10], now) ? 1U : 0U; });
        QCOMPARE(yes, std::size_t(20 * 10'000));
        measure("find, another model", [&](std::size_t i) { yes += lockouts.find(codex, connectionAt(i), "gpt-5.6-luna", now) ? 1U : 0U; });
        const ConnectionId stranger(newUuid());
        measure("find, another connection", [&](std::size_t i) { yes += lockouts.find(openai, stranger, models[i % 10], now) ? 1U : 0U; });
        measure("decayOnSuccess, nothing to do", [&](std::size_t i) {
            yes += lockouts.decayOnSuccess(codex, connectionAt(i), "gpt-5.6-luna", now).cleared ? 1U : 0U;
        });
        QCOMPARE(yes, std::size_t(20 * 10'000));
    }
};

OMNI_TEST(ModelLockoutsLoadTest)
#include "model_lockouts_load_test.moc"
