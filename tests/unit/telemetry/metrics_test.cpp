#include "telemetry/metrics.h"

#include "program/allocation_count.h"
#include "program/cpu_time.h"
#include "program/test_program.h"

#include <QTest>

using namespace omni;
using namespace std::chrono_literals;

namespace {

AttemptRecord attempt(const char* provider, const char* connection, bool success)
{
    AttemptRecord record;
    record.provider = ProviderId(provider);
    record.connection = ConnectionId(connection);
    record.model = "m";
    record.success = success;
    return record;
}

RequestRecord request(Outcome outcome, std::int64_t durationUs = 1'000)
{
    RequestRecord record;
    record.outcome = outcome;
    record.status = outcome == Outcome::Answered ? 200 : 502;
    record.durationUs = durationUs;
    record.provider = ProviderId("openai");
    record.attempts = {attempt("openai", "a", outcome == Outcome::Answered)};
    return record;
}

BreakerStatus breaker(const char* provider, BreakerState state, int failures = 0)
{
    BreakerStatus status;
    status.provider = ProviderId(provider);
    status.state = state;
    status.failureCount = failures;
    return status;
}

std::int64_t secondsOf(Millis length)
{
    return std::chrono::round<std::chrono::seconds>(length).count();
}

}  // namespace

class MetricsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneSecond();
    void outcomes_data();
    void outcomes();
    void viaAnotherTarget_data();
    void viaAnotherTarget();
    void steadyStateAllocatesNothing();
    void ringsOverThirtyHours();
    void coarsePercentilesComeFromAllRequests();
    void fewPointsMergeNeighbours();
    void youngProcessShowsSecondsForAnySpan();
    void lateTicks();
    void wallClockJump();
    void bands();
    void bandsAreCutAndForgotten();
    void flappingBreakerIsBounded();
    void earlierRunsAreRemembered();
    void aClockSetBackDoesNotMixTheRuns();
    void whatAnEarlierRunLeftHasStoodSinceTheStart();
};

void MetricsTest::oneSecond()
{
    SimulatedClock clock;
    Metrics metrics(clock);
    for (int i = 0; i < 5; ++i)
        metrics.requestStarted();
    QCOMPARE(metrics.active(), 5);
    RequestRecord record = request(Outcome::Answered, 10);
    record.addedUs = 3;
    record.firstFrameUs = 7;
    record.tokensIn = 100;
    record.tokensOut = 20;
    metrics.requestFinished(record);
    record.tokensIn = record.tokensOut = -1;
    record.addedUs = record.firstFrameUs = -1;
    record.durationUs = 12;
    metrics.requestFinished(record);
    metrics.requestFinished(request(Outcome::Broken, 14));
    clock.advance(1s);
    const TrafficSample sample = metrics.tick();
    QCOMPARE(sample.at, clock.wall());
    QCOMPARE(sample.length, Millis(1000));
    QCOMPARE(sample.requests, 3);
    QCOMPARE(sample.answered, 2);
    QCOMPARE(sample.failed, 1);
    QCOMPARE(sample.active, 2);
    QCOMPARE(sample.p50Us, std::int64_t{12});
    QCOMPARE(sample.p99Us, std::int64_t{14});
    QCOMPARE(sample.addedP50Us, std::int64_t{3});
    QCOMPARE(sample.firstFrameP50Us, std::int64_t{7});
    QCOMPARE(sample.tokensIn, std::int64_t{100});
    QCOMPARE(sample.tokensOut, std::int64_t{20});

    clock.advance(1s);
    TrafficSample idle;
    idle.at = clock.wall();
    idle.active = 2;
    QVERIFY(metrics.tick() == idle);
    QVERIFY(metrics.traffic(10min, 600) == (std::vector<TrafficSample>{sample, idle}));
}

void MetricsTest::outcomes_data()
{
    QTest::addColumn<int>("outcome");
    QTest::addColumn<QString>("counted");
    QTest::newRow("answered") << static_cast<int>(Outcome::Answered) << QStringLiteral("1 0 0");
    QTest::newRow("upstream failed") << static_cast<int>(Outcome::UpstreamFailed) << QStringLiteral("0 1 0");
    QTest::newRow("broken") << static_cast<int>(Outcome::Broken) << QStringLiteral("0 1 0");
    QTest::newRow("refused") << static_cast<int>(Outcome::Refused) << QStringLiteral("0 1 0");
    QTest::newRow("client gone is no failure") << static_cast<int>(Outcome::ClientGone) << QStringLiteral("0 0 1");
}

void MetricsTest::outcomes()
{
    QFETCH(int, outcome);
    QFETCH(QString, counted);
    SimulatedClock clock;
    Metrics metrics(clock);
    metrics.requestStarted();
    metrics.requestFinished(request(static_cast<Outcome>(outcome)));
    clock.advance(1s);
    const TrafficSample sample = metrics.tick();
    QCOMPARE(QStringLiteral("%1 %2 %3").arg(sample.answered).arg(sample.failed).arg(sample.clientGone), counted);
    QCOMPARE(sample.requests, 1);
    QCOMPARE(metrics.active(), 0);
}

void MetricsTest::viaAnotherTarget_data()
{
    QTest::addColumn<int>("outcome");
    QTest::addColumn<QString>("connections");
    QTest::addColumn<int>("expected");
    const auto row = [](const char* tag, Outcome outcome, const char* connections, int expected) {
        QTest::newRow(tag) << static_cast<int>(outcome) << QString::fromUtf8(connections) << expected;
    };
    row("first target", Outcome::Answered, "a", 0);
    row("second target", Outcome::Answered, "a b", 1);
    row("same target on a fresh socket", Outcome::Answered, "a a", 0);
    row("back at the first", Outcome::Answered, "a b a", 0);
    row("no attempt", Outcome::Answered, "", 0);
    row("failed everywhere", Outcome::UpstreamFailed, "a b", 0);
    row("client left", Outcome::ClientGone, "a b", 0);
}

void MetricsTest::viaAnotherTarget()
{
    QFETCH(int, outcome);
    QFETCH(QString, connections);
    QFETCH(int, expected);
    SimulatedClock clock;
    Metrics metrics(clock);
    RequestRecord record = request(static_cast<Outcome>(outcome));
    record.attempts.clear();
    for (const QString& connection : connections.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        record.attempts.push_back(attempt("openai", connection.toUtf8().constData(), false));
    metrics.requestFinished(record);
    clock.advance(1s);
    QCOMPARE(metrics.tick().viaAnotherTarget, expected);
}

void MetricsTest::steadyStateAllocatesNothing()
{
    SimulatedClock clock;
    Metrics metrics(clock);
    RequestRecord record = request(Outcome::Answered, 5'000);
    record.provider = ProviderId("a-provider-with-a-long-name-beyond-any-small-buffer");
    record.attempts = {attempt("openai", "a", false), attempt(record.provider.str().c_str(), "b", true)};
    record.addedUs = 80;
    record.firstFrameUs = 900;
    record.tokensIn = 10;
    record.tokensOut = 20;
    metrics.requestStarted();
    metrics.requestFinished(record);
    const std::uint64_t before = allocationsMade();
    const CpuTime spent;
    constexpr int kRounds = 200'000;
    for (int i = 0; i < kRounds; ++i) {
        metrics.requestStarted();
        record.durationUs = i * 13 % 4'000'000;
        metrics.requestFinished(record);
    }
    const double nanoseconds = spent.nanos() / kRounds;
    QCOMPARE(allocationsMade() - before, std::uint64_t{0});
    // 500 ns is the aim on an idle machine; the margin is for sanitizers.
    QVERIFY2(nanoseconds < 10'000, qPrintable(QStringLiteral("%1 ns a request").arg(nanoseconds)));
    qInfo("%lld ns a request", static_cast<long long>(nanoseconds));
}

void MetricsTest::ringsOverThirtyHours()
{
    SimulatedClock clock;
    Metrics metrics(clock);
    constexpr int kSeconds = 30 * 3600;
    for (int i = 0; i < kSeconds; ++i) {
        metrics.requestStarted();
        metrics.requestStarted();
        metrics.requestFinished(request(Outcome::Answered));
        metrics.requestFinished(request(i % 10 == 0 ? Outcome::UpstreamFailed : Outcome::Answered));
        clock.advance(1s);
        metrics.tick();
    }
    struct Row {
        Millis span;
        std::size_t points;
        std::size_t expected;
        std::int64_t stepSeconds;
    };
    // 26 h of two minutes are kept, 24 h of them are 720; the newest of a coarse ring is closed at this very second.
    for (const Row& row : {Row{10min, 600, 600, 1}, Row{1min, 600, 60, 1}, Row{2h, 720, 720, 10}, Row{24h, 780, 720, 120},
                           Row{48h, 780, 780, 120}, Row{10min, 60, 60, 10}}) {
        const std::vector<TrafficSample> samples = metrics.traffic(row.span, row.points);
        QCOMPARE(samples.size(), row.expected);
        QCOMPARE(samples.back().at, clock.wall());
        for (std::size_t i = 0; i < samples.size(); ++i) {
            QCOMPARE(secondsOf(samples[i].length), row.stepSeconds);
            QCOMPARE(samples[i].requests, static_cast<int>(2 * row.stepSeconds));
            QCOMPARE(samples[i].answered + samples[i].failed, samples[i].requests);
            if (row.stepSeconds >= 10)
                QCOMPARE(samples[i].failed, static_cast<int>(row.stepSeconds / 10));
            if (i > 0)
                QCOMPARE(secondsOf(samples[i].at - samples[i - 1].at), row.stepSeconds);
        }
    }
    QVERIFY(metrics.traffic(1h, 0).empty());
    QVERIFY(metrics.traffic(0h, 10).empty());
}

void MetricsTest::coarsePercentilesComeFromAllRequests()
{
    SimulatedClock clock;
    Metrics metrics(clock);
    // Nine quick seconds with one request, a slow one with 91: the median of the ten seconds is a slow one.
    const auto fill = [&](int seconds) {
        for (int i = 0; i < seconds; ++i) {
            const bool slow = i % 10 == 9;
            for (int n = 0; n < (slow ? 91 : 1); ++n)
                metrics.requestFinished(request(Outcome::Answered, slow ? 1'000'000 : 1'000));
            clock.advance(1s);
            metrics.tick();
        }
    };
    fill(3600);
    const std::vector<TrafficSample> samples = metrics.traffic(1h, 360);
    QCOMPARE(samples.size(), std::size_t{360});
    for (const TrafficSample& sample : samples) {
        QCOMPARE(sample.requests, 100);
        QVERIFY(std::abs(static_cast<double>(sample.p50Us) - 1e6) <= 62'500);
    }
    // What is not closed yet is shown as a shorter sample.
    fill(4);
    const TrafficSample partial = metrics.traffic(1h, 400).back();
    QCOMPARE(partial.requests, 4);
    QCOMPARE(secondsOf(partial.length), std::int64_t{4});
    QCOMPARE(partial.at, clock.wall());
}

void MetricsTest::fewPointsMergeNeighbours()
{
    SimulatedClock clock;
    Metrics metrics(clock);
    for (int i = 0; i < 7; ++i) {
        for (int n = 0; n <= i; ++n)
            metrics.requestFinished(request(Outcome::Answered, 10 * (i + 1)));
        metrics.requestStarted();
        clock.advance(1s);
        metrics.tick();
    }
    const std::vector<TrafficSample> seconds = metrics.traffic(1h, 10);
    QCOMPARE(seconds.size(), std::size_t{7});
    // Ten-second and two-minute rings hold one unclosed sample each, which is the closer answer to "at most three".
    const std::vector<TrafficSample> few = metrics.traffic(1h, 3);
    QCOMPARE(few.size(), std::size_t{1});
    QCOMPARE(few[0].requests, 28);

    for (int i = 7; i < 70; ++i) {
        metrics.requestFinished(request(Outcome::Answered, i == 40 ? 5'000'000 : 1'000));
        clock.advance(1s);
        metrics.tick();
    }
    // Even two minutes are in too many ten-second samples, and the two-minute ring has one sample: nothing is lost on the way.
    for (std::size_t points : {std::size_t{1}, std::size_t{2}, std::size_t{5}, std::size_t{7}, std::size_t{70}}) {
        const std::vector<TrafficSample> samples = metrics.traffic(2min, points);
        QVERIFY(samples.size() <= points);
        int requests = 0;
        std::int64_t peak = 0;
        Millis length{0};
        for (const TrafficSample& sample : samples) {
            requests += sample.requests;
            length += sample.length;
            peak = std::max(peak, sample.p99Us);
        }
        QCOMPARE(requests, 28 + 63);
        QCOMPARE(length, Millis(70'000));
        QVERIFY(peak > 4'000'000);
    }
    // Many hours in few points must be merged.
    for (int i = 0; i < 3 * 3600; ++i) {
        metrics.requestFinished(request(Outcome::Answered, i / 10 == 500 ? 9'000'000 : 1'000));
        clock.advance(1s);
        metrics.tick();
    }
    const std::vector<TrafficSample> merged = metrics.traffic(150min, 7);
    QCOMPARE(merged.size(), std::size_t{7});
    QCOMPARE(merged.back().at, clock.wall());
    std::int64_t peak = 0;
    for (const TrafficSample& sample : merged) {
        QCOMPARE(sample.requests, static_cast<int>(secondsOf(sample.length)));
        peak = std::max(peak, sample.p99Us);
    }
    QVERIFY(std::abs(static_cast<double>(peak) - 9e6) < 9e6 * 0.0625);
}

void MetricsTest::youngProcessShowsSecondsForAnySpan()
{
    SimulatedClock clock;
    Metrics metrics(clock);
    for (int i = 0; i < 30; ++i) {
        clock.advance(1s);
        metrics.tick();
    }
    const std::vector<TrafficSample> samples = metrics.traffic(24h, 720);
    QCOMPARE(samples.size(), std::size_t{30});
    QCOMPARE(samples.front().length, Millis(1000));
}

void MetricsTest::lateTicks()
{
    SimulatedClock clock;
    Metrics metrics(clock);
    // Ticks that come 30 ms late each never leave a window of ten short of a second nor give it an eleventh.
    for (int i = 0; i < 700; ++i) {
        metrics.requestFinished(request(Outcome::Answered));
        clock.advance(1'030ms);
        metrics.tick();
    }
    for (const TrafficSample& sample : metrics.traffic(1h, 70))
        QCOMPARE(sample.requests, 10);
    // The machine slept: one long sample, and none is invented for the time between.
    clock.advance(1h);
    QCOMPARE(secondsOf(metrics.tick().length), std::int64_t{3600});
    QCOMPARE(metrics.traffic(10min, 600).size(), std::size_t{1});
}

void MetricsTest::wallClockJump()
{
    SimulatedClock clock;
    Metrics metrics(clock);
    metrics.breakerChanged(breaker("openai", BreakerState::Open, 12));
    for (int i = 0; i < 20; ++i) {
        clock.advance(1s);
        metrics.tick();
        if (i == 9)
            clock.jumpWall(-2h);
    }
    const std::vector<TrafficSample> samples = metrics.traffic(10min, 600);
    QCOMPARE(samples.size(), std::size_t{20});
    QCOMPARE(samples.back().at, clock.wall());
    for (std::size_t i = 1; i < samples.size(); ++i)
        QCOMPARE(samples[i].at - samples[i - 1].at, Millis(1000));
    const std::vector<BreakerSpan> spans = metrics.breakerHistory(1h).spans;
    QCOMPARE(spans.size(), std::size_t{1});
    QCOMPARE(spans[0].to - spans[0].from, Millis(20'000));
}

void MetricsTest::bands()
{
    SimulatedClock clock;
    const WallTime start = clock.wall();
    Metrics metrics(clock);
    QVERIFY(metrics.breakerHistory(1h).spans.empty());
    clock.advance(10s);
    metrics.breakerChanged(breaker("openai", BreakerState::Degraded, 7));
    clock.advance(5s);
    metrics.breakerChanged(breaker("openai", BreakerState::Degraded, 9));
    metrics.breakerChanged(breaker("openai", BreakerState::Degraded, 8));
    clock.advance(5s);
    metrics.breakerChanged(breaker("openai", BreakerState::Open, 12));
    metrics.breakerChanged(breaker("anthropic", BreakerState::Closed));
    clock.advance(30s);
    // Half-open for no time at all leaves no band.
    metrics.breakerChanged(breaker("openai", BreakerState::HalfOpen, 12));
    metrics.breakerChanged(breaker("openai", BreakerState::Closed));
    clock.advance(10s);

    QCOMPARE(metrics.breakerHistory(1h).watched, (std::vector<WatchedTime>{{start, clock.wall()}}));
    QCOMPARE(metrics.breakerHistory(20s).watched, (std::vector<WatchedTime>{{clock.wall() - 20s, clock.wall()}}));
    const std::vector<BreakerSpan> spans = metrics.breakerHistory(1h).spans;
    QCOMPARE(spans.size(), std::size_t{5});
    const auto check = [&](std::size_t at, const char* provider, BreakerState state, int from, int to, int failures) {
        QCOMPARE(spans[at].provider.str(), std::string(provider));
        QVERIFY(spans[at].state == state);
        QCOMPARE(secondsOf(spans[at].from - start), std::int64_t{from});
        QCOMPARE(secondsOf(spans[at].to - start), std::int64_t{to});
        QCOMPARE(spans[at].failureCount, failures);
    };
    check(0, "anthropic", BreakerState::Closed, 0, 60, 0);
    check(1, "openai", BreakerState::Closed, 0, 10, 0);
    check(2, "openai", BreakerState::Degraded, 10, 20, 9);
    check(3, "openai", BreakerState::Open, 20, 50, 12);
    check(4, "openai", BreakerState::Closed, 50, 60, 0);
}

void MetricsTest::bandsAreCutAndForgotten()
{
    SimulatedClock clock;
    Metrics metrics(clock);
    metrics.breakerChanged(breaker("openai", BreakerState::Open, 12));
    clock.advance(2h);
    metrics.breakerChanged(breaker("openai", BreakerState::Closed));
    clock.advance(30min);
    std::vector<BreakerSpan> spans = metrics.breakerHistory(1h).spans;
    QCOMPARE(spans.size(), std::size_t{2});
    QCOMPARE(spans[0].from, clock.wall() - 1h);
    spans = metrics.breakerHistory(10min).spans;
    QCOMPARE(spans.size(), std::size_t{1});
    QVERIFY(spans[0].state == BreakerState::Closed);
    QCOMPARE(spans[0].to - spans[0].from, Millis(10min));

    clock.advance(26h);
    metrics.tick();
    spans = metrics.breakerHistory(1000h).spans;
    QCOMPARE(spans.size(), std::size_t{1});
    QCOMPARE(spans[0].from, clock.wall() - 26h);
    QCOMPARE(metrics.breakerHistory(1000h).watched.front().from, clock.wall() - 26h);
}

void MetricsTest::flappingBreakerIsBounded()
{
    SimulatedClock clock;
    Metrics metrics(clock);
    for (int i = 0; i < 10'000; ++i) {
        clock.advance(1s);
        metrics.breakerChanged(breaker("openai", i % 2 == 0 ? BreakerState::Open : BreakerState::HalfOpen, i));
    }
    const std::vector<BreakerSpan> spans = metrics.breakerHistory(26h).spans;
    QCOMPARE(spans.size(), std::size_t{2'000});
    QCOMPARE(spans.back().failureCount, 9'999);
    QCOMPARE(spans.back().to, clock.wall());
}

/// A run of ten minutes, an hour without the program, and the run after it.
void MetricsTest::earlierRunsAreRemembered()
{
    SimulatedClock clock;
    const WallTime start = clock.wall();
    std::string kept;
    {
        Metrics metrics(clock);
        clock.advance(1min);
        metrics.breakerChanged(breaker("openai", BreakerState::Open, 12));
        clock.advance(9min);
        kept = toJson(metrics.breakerHistory(Metrics::kBandAge));
    }
    clock.advance(1h);
    Metrics metrics(clock);
    metrics.rememberEarlier(breakerHistoryFromJson(kept));
    clock.advance(5min);
    const BreakerHistory history = metrics.breakerHistory(24h);
    QCOMPARE(history.watched, (std::vector<WatchedTime>{{start, start + 10min}, {start + 70min, start + 75min}}));
    const ProviderId openai("openai");
    QCOMPARE(history.spans, (std::vector<BreakerSpan>{{openai, BreakerState::Closed, start, start + 1min, 0},
                                                      {openai, BreakerState::Open, start + 1min, start + 10min, 12}}));
    // Cut where one looks back to, and gone where nothing reaches.
    const BreakerHistory cut = metrics.breakerHistory(68min);
    QCOMPARE(cut.watched, (std::vector<WatchedTime>{{start + 7min, start + 10min}, {start + 70min, start + 75min}}));
    QCOMPARE(cut.spans, (std::vector<BreakerSpan>{{openai, BreakerState::Open, start + 7min, start + 10min, 12}}));
    QVERIFY(metrics.breakerHistory(30min).spans.empty());
    QCOMPARE(metrics.breakerHistory(30min).watched.size(), std::size_t{1});
    // The next run finds both.
    QCOMPARE(breakerHistoryFromJson(toJson(history)).watched, history.watched);
    QCOMPARE(breakerHistoryFromJson(toJson(history)).spans, history.spans);
}

/// The hour of the earlier run comes once more, and is this run's.
void MetricsTest::aClockSetBackDoesNotMixTheRuns()
{
    SimulatedClock clock;
    const WallTime start = clock.wall();
    Metrics metrics(clock);
    const ProviderId openai("openai");
    metrics.rememberEarlier({{{start - 30min, start - 1min}}, {{openai, BreakerState::Open, start - 10min, start - 1min, 12}}});
    clock.advance(1min);
    QCOMPARE(metrics.breakerHistory(2h).watched, (std::vector<WatchedTime>{{start - 30min, start - 1min}, {start, start + 1min}}));
    clock.jumpWall(-20min);
    const BreakerHistory history = metrics.breakerHistory(2h);
    QCOMPARE(history.watched, (std::vector<WatchedTime>{{start - 30min, start - 20min}, {start - 20min, start - 19min}}));
    QVERIFY(history.spans.empty());
}

void MetricsTest::whatAnEarlierRunLeftHasStoodSinceTheStart()
{
    SimulatedClock clock;
    const WallTime start = clock.wall();
    Metrics metrics(clock);
    clock.advance(20ms);  // reading the store takes its time
    metrics.breakerFound(breaker("openai", BreakerState::Open, 12));
    metrics.breakerFound(breaker("anthropic", BreakerState::Closed));
    clock.advance(1min);
    QCOMPARE(metrics.breakerHistory(1h).spans,
             (std::vector<BreakerSpan>{{ProviderId("openai"), BreakerState::Open, start, clock.wall(), 12}}));
}

OMNI_TEST(MetricsTest)
#include "metrics_test.moc"
