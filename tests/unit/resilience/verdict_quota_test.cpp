#include "program/test_program.h"
#include "unit/resilience/verdict_bench.h"

using namespace omni;
using enum FailureReason;

/// Quotas of a day (spec 1-core §4.2 rows 11, 12 and 16, §4.10).
class VerdictQuotaTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Row 11, and §4.10: the operator's clock.
    void operatorClock()
    {
        ResilienceSettings settings;
        settings.dailyReset = {"UTC", int((epochMillis(kNow) / 3'600'000 + 2) % 24)};
        const Millis left = std::chrono::hours(2) - Millis(kNow.time_since_epoch().count() % 3'600'000);
        const auto near = [left](Millis wait) { return wait >= left && wait < left + std::chrono::seconds(5); };
        VerdictCase given{.status = 429, .body = "reached organization TPD rate limit, limit: 1500000", .settings = settings};
        QVERIFY2(given.judged().dailyQuotaExhausted && near(given.judged().cooldown), "81 with a clock");
        given.body = "You have exceeded your daily quota";
        QVERIFY2(near(given.judged().cooldown), "78 with a clock");
        given.body = "daily free allocation used up";
        QVERIFY2(near(given.judged().cooldown), "the operator knows better than the provider's rule");
        given.headers = {{"retry-after", "7200"}};
        given.body = "reached organization TPD rate limit";
        QVERIFY2(given.judged().cooldown == std::chrono::hours(2), "82 the upstream's own reset counts first");
    }

    void cloudflareMidnight()
    {
        const VerdictCase given{.status = 429, .body = "daily free allocation", .provider = "cloudflare-ai"};
        const Millis left = std::chrono::hours(24) - Millis(kNow.time_since_epoch().count() % 86'400'000);
        const Millis wait = given.judged().cooldown;
        QVERIFY(wait >= left && wait < left + std::chrono::seconds(5));
    }

    void rollingDay_data()
    {
        QTest::addColumn<QString>("said");
        QTest::addColumn<bool>("rolling");
        const auto row = [](const char* said, bool rolling) { QTest::newRow(said) << QString::fromUtf8(said) << rolling; };
        row("You hit the rolling 24-hour quota", true);
        row("24-hour rolling window is full", true);
        row("24 hour limit reached", true);
        row("24h quota used up", true);
        row("Your limit of 50 messages in the last 24 hours is reached", true);
        row("In the past 24 hours you used your whole quota", true);
        row("您在24小时内的额度已用完", true);
        row("额度将在 24 小时后恢复", true);
        row("please wait 24 hours", false);
        row("a limit of 240 hours", false);
        row("Rate limit reached", false);
    }

    void rollingDay()
    {
        QFETCH(QString, said);
        QFETCH(bool, rolling);
        const Judgement judgement = VerdictCase({.status = 429, .body = said.toStdString()}).judged();
        QCOMPARE(judgement.cooldown == std::chrono::hours(24) && judgement.reason == QuotaExhausted, rolling);
        QVERIFY(judgement.terminal == TerminalState::None);
    }
};

OMNI_TEST(VerdictQuotaTest)
#include "verdict_quota_test.moc"
