#include "telemetry/metrics.h"

#include "program/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <map>

using namespace omni;
using namespace std::chrono_literals;

namespace {

AttemptRecord attempt(const char* provider, bool success)
{
    AttemptRecord record;
    record.provider = ProviderId(provider);
    record.success = success;
    return record;
}

ConnectionHealth health(std::optional<WallTime> coolingUntil, TerminalState terminal = TerminalState::None)
{
    ConnectionHealth connection;
    connection.coolingUntil = coolingUntil;
    connection.terminal = terminal;
    return connection;
}

QStringList linesOf(const std::string& text)
{
    return QString::fromStdString(text).split(QLatin1Char('\n'));
}

}  // namespace

class PrometheusTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wholeText();
    void everyLineIsWellFormed();
    void labelsAreEscaped();
    void clientGoneIsNoFailure();
    void unknownStatus();
};

void PrometheusTest::wholeText()
{
    SimulatedClock clock(fromEpochMillis(1'700'000'000'500));
    Metrics metrics(clock);
    clock.advance(1min);
    metrics.requestStarted();
    metrics.requestStarted();
    metrics.requestStarted();
    RequestRecord record;
    record.outcome = Outcome::Answered;
    record.status = 200;
    record.durationUs = 2'500;
    record.addedUs = 100;
    record.firstFrameUs = 1'200'000;
    record.provider = ProviderId("anthropic");
    record.tokensIn = 11;
    record.tokensOut = 7;
    record.tokensCached = 5;
    record.attempts = {attempt("openai", false), attempt("anthropic", true)};
    metrics.requestFinished(record);
    RequestRecord failed;
    failed.outcome = Outcome::UpstreamFailed;
    failed.status = 503;
    failed.durationUs = 700'000'000;
    failed.attempts = {attempt("openai", false)};
    metrics.requestFinished(failed);

    BreakerStatus open;
    open.provider = ProviderId("openai");
    open.state = BreakerState::Open;
    BreakerStatus halfOpen;
    halfOpen.provider = ProviderId("anthropic");
    halfOpen.state = BreakerState::HalfOpen;
    const std::string text = metrics.prometheus({open, halfOpen}, {health(clock.wall() + 1s), health(clock.wall()), health(std::nullopt),
                                                                  health(clock.wall() + 1h, TerminalState::Banned)});
    const QString expected = QStringLiteral(
        "# HELP omniroute_start_time_seconds Start of the counting, in Unix time.\n"
        "# TYPE omniroute_start_time_seconds gauge\n"
        "omniroute_start_time_seconds 1700000000.5\n"
        "# HELP omniroute_requests_total Finished client requests by how they ended.\n"
        "# TYPE omniroute_requests_total counter\n"
        "omniroute_requests_total{outcome=\"answered\"} 1\n"
        "omniroute_requests_total{outcome=\"upstream_failed\"} 1\n"
        "omniroute_requests_total{outcome=\"broken\"} 0\n"
        "omniroute_requests_total{outcome=\"client_gone\"} 0\n"
        "omniroute_requests_total{outcome=\"refused\"} 0\n"
        "# HELP omniroute_responses_total Finished client requests by the HTTP status told to the client, 0 for none.\n"
        "# TYPE omniroute_responses_total counter\n"
        "omniroute_responses_total{status=\"200\"} 1\n"
        "omniroute_responses_total{status=\"503\"} 1\n"
        "# HELP omniroute_provider_requests_total Attempts sent to a provider.\n"
        "# TYPE omniroute_provider_requests_total counter\n"
        "omniroute_provider_requests_total{provider=\"anthropic\"} 1\n"
        "omniroute_provider_requests_total{provider=\"openai\"} 2\n"
        "# HELP omniroute_provider_failures_total Attempts that failed at a provider; clients that left are not among them.\n"
        "# TYPE omniroute_provider_failures_total counter\n"
        "omniroute_provider_failures_total{provider=\"anthropic\"} 0\n"
        "omniroute_provider_failures_total{provider=\"openai\"} 2\n"
        "# HELP omniroute_provider_tokens_total Tokens as a provider reported them.\n"
        "# TYPE omniroute_provider_tokens_total counter\n"
        "omniroute_provider_tokens_total{provider=\"anthropic\",direction=\"input\"} 11\n"
        "omniroute_provider_tokens_total{provider=\"anthropic\",direction=\"output\"} 7\n"
        "omniroute_provider_tokens_total{provider=\"anthropic\",direction=\"cached\"} 5\n"
        "omniroute_provider_tokens_total{provider=\"openai\",direction=\"input\"} 0\n"
        "omniroute_provider_tokens_total{provider=\"openai\",direction=\"output\"} 0\n"
        "omniroute_provider_tokens_total{provider=\"openai\",direction=\"cached\"} 0\n");
    const QString told = QString::fromStdString(text);
    const QStringList expectedLines = expected.split(QLatin1Char('\n'));
    const QStringList toldLines = linesOf(text);
    for (int i = 0; i + 1 < expectedLines.size(); ++i)
        QCOMPARE(toldLines.value(i), expectedLines[i]);

    for (const char* line : {
             "# TYPE omniroute_request_duration_seconds histogram",
             "omniroute_request_duration_seconds_bucket{le=\"0.001\"} 0",
             "omniroute_request_duration_seconds_bucket{le=\"0.0025\"} 1",
             "omniroute_request_duration_seconds_bucket{le=\"600\"} 1",
             "omniroute_request_duration_seconds_bucket{le=\"+Inf\"} 2",
             "omniroute_request_duration_seconds_sum 700.0025",
             "omniroute_request_duration_seconds_count 2",
             "# TYPE omniroute_added_latency_seconds histogram",
             "omniroute_added_latency_seconds_bucket{le=\"0.0001\"} 1",
             "omniroute_added_latency_seconds_bucket{le=\"+Inf\"} 1",
             "omniroute_added_latency_seconds_sum 0.0001",
             "omniroute_first_frame_seconds_bucket{le=\"1\"} 0",
             "omniroute_first_frame_seconds_bucket{le=\"2.5\"} 1",
             "omniroute_first_frame_seconds_count 1",
             "# TYPE omniroute_active_requests gauge",
             "omniroute_active_requests 1",
             "# TYPE omniroute_breaker_state gauge",
             "omniroute_breaker_state{provider=\"openai\"} 2",
             "omniroute_breaker_state{provider=\"anthropic\"} 3",
             "# TYPE omniroute_connections_cooling gauge",
             "omniroute_connections_cooling 1",
             "omniroute_connections_stopped 1",
         })
        QVERIFY2(toldLines.contains(QString::fromUtf8(line)), line);
    QVERIFY(told.endsWith(QLatin1Char('\n')));
}

void PrometheusTest::everyLineIsWellFormed()
{
    SimulatedClock clock;
    Metrics metrics(clock);
    RequestRecord record;
    record.status = 200;
    record.attempts = {attempt("a", true)};
    for (std::int64_t duration : {std::int64_t{50}, std::int64_t{70'000}, std::int64_t{3'000'000}}) {
        record.durationUs = duration;
        metrics.requestFinished(record);
    }
    BreakerStatus breaker;
    breaker.provider = ProviderId("a");
    QStringList lines = linesOf(metrics.prometheus({breaker}, {}));
    QVERIFY(lines.takeLast().isEmpty());
    const QRegularExpression comment(QStringLiteral("^# (HELP|TYPE) ([a-z_]+) (.+)$"));
    const QRegularExpression sample(QStringLiteral(R"(^([a-z_]+)(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? ([0-9]+(\.[0-9]+)?)$)"));
    QString family;
    std::map<QString, double> lastBucket;
    QStringList families;
    for (const QString& line : lines) {
        if (line.startsWith(QLatin1Char('#'))) {
            const QRegularExpressionMatch match = comment.match(line);
            QVERIFY2(match.hasMatch(), qPrintable(line));
            if (match.captured(1) == QLatin1String("HELP")) {
                family = match.captured(2);
                QVERIFY2(!families.contains(family), "each family is told once");
                families << family;
            } else {
                QCOMPARE(match.captured(2), family);
                QVERIFY((QStringList{QStringLiteral("counter"), QStringLiteral("gauge"), QStringLiteral("histogram")})
                            .contains(match.captured(3)));
            }
            continue;
        }
        const QRegularExpressionMatch match = sample.match(line);
        QVERIFY2(match.hasMatch(), qPrintable(line));
        QVERIFY2(match.captured(1).startsWith(family), qPrintable(line));
        if (match.captured(1).endsWith(QLatin1String("_bucket"))) {
            const double value = match.captured(4).toDouble();
            QVERIFY2(value >= lastBucket[family], "buckets are cumulative");
            lastBucket[family] = value;
        }
    }
    QCOMPARE(lastBucket[QStringLiteral("omniroute_request_duration_seconds")], 3.0);
}

void PrometheusTest::labelsAreEscaped()
{
    SimulatedClock clock;
    Metrics metrics(clock);
    BreakerStatus breaker;
    breaker.provider = ProviderId("a\"b\\c\nd\xE0\xA6\x95");
    const QStringList lines = linesOf(metrics.prometheus({breaker}, {}));
    QVERIFY(lines.contains(QString::fromUtf8("omniroute_breaker_state{provider=\"a\\\"b\\\\c\\nd\xE0\xA6\x95\"} 0")));
}

void PrometheusTest::clientGoneIsNoFailure()
{
    SimulatedClock clock;
    Metrics metrics(clock);
    RequestRecord record;
    record.outcome = Outcome::ClientGone;
    record.attempts = {attempt("first", false), attempt("second", false)};
    metrics.requestFinished(record);
    const QStringList lines = linesOf(metrics.prometheus({}, {}));
    QVERIFY(lines.contains(QStringLiteral("omniroute_provider_failures_total{provider=\"first\"} 1")));
    QVERIFY(lines.contains(QStringLiteral("omniroute_provider_failures_total{provider=\"second\"} 0")));
    QVERIFY(lines.contains(QStringLiteral("omniroute_provider_requests_total{provider=\"second\"} 1")));
    QVERIFY(lines.contains(QStringLiteral("omniroute_requests_total{outcome=\"client_gone\"} 1")));
}

void PrometheusTest::unknownStatus()
{
    SimulatedClock clock;
    Metrics metrics(clock);
    for (int status : {0, 99, 600, -1, 599, 100}) {
        RequestRecord record;
        record.status = status;
        metrics.requestFinished(record);
    }
    const QStringList lines = linesOf(metrics.prometheus({}, {}));
    QVERIFY(lines.contains(QStringLiteral("omniroute_responses_total{status=\"0\"} 4")));
    QVERIFY(lines.contains(QStringLiteral("omniroute_responses_total{status=\"100\"} 1")));
    QVERIFY(lines.contains(QStringLiteral("omniroute_responses_total{status=\"599\"} 1")));
}

OMNI_TEST(PrometheusTest)
#include "prometheus_test.moc"
