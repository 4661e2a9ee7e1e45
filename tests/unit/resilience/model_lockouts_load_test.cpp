#include "resilience/model_lockouts.h"

#include "base/random.h"

#include <QElapsedTimer>
#include <QTest>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <malloc.h>
#include <new>

using namespace omni;
using namespace std::chrono_literals;

namespace {

std::atomic<std::uint64_t> allocations{0};
std::atomic<std::int64_t> liveBytes{0};

}  // namespace

// Counted, so that "without allocation" and "flat" can be measured.
void* operator new(std::size_t size)
{
    void* memory = std::malloc(size == 0 ? 1 : size);
    if (!memory)
        std::abort();
    allocations.fetch_add(1, std::memory_order_relaxed);
    liveBytes.fetch_add(static_cast<std::int64_t>(malloc_usable_size(memory)), std::memory_order_relaxed);
    return memory;
}
void operator delete(void* memory) noexcept
{
    if (memory)
        liveBytes.fetch_sub(static_cast<std::int64_t>(malloc_usable_size(memory)), std::memory_order_relaxed);
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    operator delete(memory);
}

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMeasured = false;
#elif defined(__OPTIMIZE__)
constexpr bool kMeasured = true;
#else
constexpr bool kMeasured = false;
#endif

}  // namespace

class ModelLockoutsLoadTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// 1,000,000 failures of 100,000 models on 50 connections.
    void memoryStaysFlat()
    {
        SimulatedClock clock;
        SimulatedRandom chance(5);
        const std::int64_t before = liveBytes.load();
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
            for (int i = 0; i < 1'000'000; ++i) {
                // From one connection that fails with everything to all of them.
                const std::size_t spread = i < 300'000 ? 1 : connections.size();
                const std::string model = "vendor/some-model-name-" + std::to_string(chance.below(100'000));
                const ConnectionId& connection = connections[chance.below(spread)];
                ModelLockouts::FailureEvent event{.provider = provider, .connection = connection, .model = model, .status = 503};
                event.evidence = evidence;
                QVERIFY(lockouts.recordFailure(event, Instant::of(clock)).has_value());
                if (i % 1'000 == 0) {
                    QVERIFY(lockouts.size() <= LockoutTable::kCapacity);
                    most = std::max(most, liveBytes.load() - before);
                    clock.advance(500ms);
                    lockouts.takeExpired(Instant::of(clock));
                }
                if (i == 200'000)
                    early = most;
            }
            QCOMPARE(lockouts.size(), LockoutTable::kCapacity);
        }
        qInfo("%zu records, at most %.1f MB, %.1f MB after 200,000", LockoutTable::kCapacity, double(most) / 1e6, double(early) / 1e6);
        QVERIFY(most < 30'000'000);
        QVERIFY(most < early + early / 5);
        QVERIFY(liveBytes.load() - before < 10'000);
    }

    /// Nobody takes what ended, and nobody reads: still flat.
    void memoryStaysFlatUnread()
    {
        SimulatedClock clock;
        const std::int64_t before = liveBytes.load();
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
            QVERIFY(liveBytes.load() - before < 30'000'000);
        }
        QVERIFY(liveBytes.load() - before < 10'000);
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
            const std::uint64_t before = allocations.load();
            for (int round = 0; round < 20; ++round) {
                QElapsedTimer timer;
                timer.start();
                for (std::size_t i = 0; i < 10'000; ++i)
                    call(i);
                best = std::min(best, double(timer.nsecsElapsed()) / 10'000);
            }
            const std::uint64_t made = allocations.load() - before;
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

QTEST_GUILESS_MAIN(ModelLockoutsLoadTest)
#include "model_lockouts_load_test.moc"
