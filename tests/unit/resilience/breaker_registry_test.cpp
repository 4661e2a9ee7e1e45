#include "resilience/breaker_registry.h"

#include "program/test_program.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

using namespace omni;

namespace {

struct Bench {
    Bench() { registry.applySettings(ResilienceSettings()); }

    Instant now() const { return Instant::of(clock); }
    bool fail(const std::string& connection, bool network = false, const std::string& provider = "openai",
              std::optional<std::uint64_t> probe = std::nullopt)
    {
        const ProviderId providerId(provider);
        const ConnectionId connectionId(connection);
        return registry.recordFailure({providerId, ProviderClass::ApiKey, connectionId, network, FailureKind::Transient, probe, evidence},
                                      now());
    }
    int count(const std::string& provider = "openai")
    {
        const BreakerRegistry::Entry* entry = registry.find(ProviderId(provider));
        return entry ? entry->breaker.failureCount() : 0;
    }
    /// Twelve failures of twelve connections.
    void open()
    {
        for (int i = 0; i < 12; ++i)
            fail("open" + std::to_string(i));
    }

    SimulatedClock clock;
    BreakerRegistry registry;
    Evidence evidence;
};

}  // namespace

class BreakerRegistryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void dedup_data()
    {
        QTest::addColumn<bool>("network");
        QTest::addColumn<QByteArray>("second");
        QTest::addColumn<int>("apartMs");
        QTest::addColumn<int>("counted");
        QTest::newRow("29a same connection, 4,999 ms") << false << QByteArray("a") << 4'999 << 1;
        QTest::newRow("29b same connection, 5,000 ms") << false << QByteArray("a") << 5'000 << 2;
        QTest::newRow("29c other connection at once") << false << QByteArray("b") << 0 << 2;
        QTest::newRow("30a network, other connection, 9,999 ms") << true << QByteArray("b") << 9'999 << 1;
        QTest::newRow("30b network, other connection, 10,000 ms") << true << QByteArray("b") << 10'000 << 2;
    }

    void dedup()
    {
        QFETCH(bool, network);
        QFETCH(QByteArray, second);
        QFETCH(int, apartMs);
        QFETCH(int, counted);
        Bench bench;
        bench.fail("a", network);
        bench.clock.advance(Millis(apartMs));
        bench.fail(second.toStdString(), network);
        QCOMPARE(bench.count(), counted);
    }

    void successForgetsTheStamp()
    {
        // spec 1-core §1.9: after a success the next failure of the connection counts at once.
        Bench bench;
        bench.fail("a");
        bench.registry.recordSuccess(ProviderId("openai"), ProviderClass::ApiKey, ConnectionId("a"), std::nullopt, bench.now());
        QCOMPARE(bench.count(), 0);
        bench.fail("a");
        QCOMPARE(bench.count(), 1);
    }

    void noProviderNoBreaker()
    {
        Bench bench;
        QVERIFY(!bench.fail("a", false, ""));
        QVERIFY(bench.registry.entries().empty());
    }

    void failureWhileOpen()
    {
        // Row 28: the hold is not restarted.
        Bench bench;
        bench.open();
        BreakerRegistry::Entry* entry = bench.registry.find(ProviderId("openai"));
        QCOMPARE(named(entry->breaker.state()), named(BreakerState::Open));
        const Instant failedAt = *entry->breaker.lastFailure();
        bench.clock.advance(Millis(20'000));
        QVERIFY(!bench.fail("late"));
        QCOMPARE(entry->breaker.failureCount(), 12);
        QCOMPARE(entry->breaker.lastFailure()->wall, failedAt.wall);
        QCOMPARE(entry->evidence->length, Millis(30'000));
    }

    void successWhileOpen()
    {
        // Row 32.
        Bench bench;
        bench.open();
        QVERIFY(!bench.registry.recordSuccess(ProviderId("openai"), ProviderClass::ApiKey, ConnectionId("x"), std::nullopt, bench.now()));
        QCOMPARE(named(bench.registry.find(ProviderId("openai"))->breaker.state()), named(BreakerState::Open));
    }

    void lateResultsInHalfOpen()
    {
        // field-faults H04: what began before the opening decides nothing any more; only the probe does.
        Bench bench;
        bench.open();
        BreakerRegistry::Entry* entry = bench.registry.find(ProviderId("openai"));
        bench.clock.advance(Millis(30'000));
        bench.fail("late");
        QCOMPARE(named(entry->breaker.state()), named(BreakerState::HalfOpen));
        bench.registry.recordSuccess(ProviderId("openai"), ProviderClass::ApiKey, ConnectionId("late"), std::nullopt, bench.now());
        QCOMPARE(named(entry->breaker.state()), named(BreakerState::HalfOpen));
        const std::optional<std::uint64_t> probe = entry->breaker.takeProbe(bench.now());
        QVERIFY(probe.has_value());
        bench.fail("late");
        QCOMPARE(named(entry->breaker.state()), named(BreakerState::HalfOpen));
        QVERIFY2(!bench.fail("p", false, "openai", *probe - 1), "an outdated probe");
        QCOMPARE(named(entry->breaker.state()), named(BreakerState::HalfOpen));
        QVERIFY(bench.fail("open0", false, "openai", *probe));
        QCOMPARE(named(entry->breaker.state()), named(BreakerState::Open));
        QCOMPARE(entry->breaker.openCycleCount(), 1);
    }

    void capacity()
    {
        // Row 41.
        Bench bench;
        for (int i = 0; i < 500; ++i) {
            const std::string id = std::to_string(i);
            bench.fail("c" + id, false, "p" + id);
            bench.registry.recordSuccess(ProviderId("p" + id), ProviderClass::ApiKey, ConnectionId("c" + id), std::nullopt, bench.now());
            bench.clock.advance(Millis(10));
        }
        QCOMPARE(bench.registry.entries().size(), std::size_t(500));
        // The oldest clean one is not the oldest of all: this one counts again.
        bench.fail("again", false, "p0");
        bench.fail("new", false, "p500");
        QCOMPARE(bench.registry.entries().size(), std::size_t(500));
        QVERIFY(bench.registry.find(ProviderId("p0")));
        QVERIFY(!bench.registry.find(ProviderId("p1")));
        QCOMPARE(bench.registry.takeRemoved(), std::vector<ProviderId>{ProviderId("p1")});
    }

    void neverEvictsWhatCounts()
    {
        Bench bench;
        for (int i = 0; i < 501; ++i)
            bench.fail("c" + std::to_string(i), false, "p" + std::to_string(i));
        QCOMPARE(bench.registry.entries().size(), std::size_t(501));
        QVERIFY(bench.registry.takeRemoved().empty());
    }

    void sweeping()
    {
        Bench bench;
        bench.fail("a", false, "clean");
        bench.registry.recordSuccess(ProviderId("clean"), ProviderClass::ApiKey, ConnectionId("a"), std::nullopt, bench.now());
        bench.fail("b", false, "counting");
        bench.clock.advance(std::chrono::minutes(29));
        bench.registry.sweep(bench.now());
        QCOMPARE(bench.registry.entries().size(), std::size_t(2));
        bench.clock.advance(std::chrono::minutes(6));
        bench.registry.sweep(bench.now());
        QCOMPARE(bench.registry.takeRemoved(), std::vector<ProviderId>{ProviderId("clean")});
        QVERIFY(bench.registry.find(ProviderId("counting")));
    }

    void classChangesOptions()
    {
        Bench bench;
        bench.fail("a");
        QCOMPARE(bench.registry.find(ProviderId("openai"), ProviderClass::Local)->breaker.options().failureThreshold, 2);
        ResilienceSettings settings;
        settings.localBreaker.failureThreshold = 4;
        bench.registry.applySettings(settings);
        QCOMPARE(bench.registry.find(ProviderId("openai"))->breaker.options().failureThreshold, 4);
    }

    void windowForgetsTheOldest()
    {
        DedupWindow<int> window(Millis(1'000), 3);
        const MonoTime start{};
        for (int key = 0; key < 4; ++key)
            QVERIFY(!window.repeated(key, start));
        QCOMPARE(window.size(), std::size_t(3));
        QVERIFY2(!window.repeated(0, start), "the oldest had to go");
        QVERIFY(window.repeated(3, start));
        QVERIFY(!window.repeated(3, start + Millis(1'000)));
        QCOMPARE(window.size(), std::size_t(1));
    }
};

OMNI_TEST(BreakerRegistryTest)
#include "breaker_registry_test.moc"
