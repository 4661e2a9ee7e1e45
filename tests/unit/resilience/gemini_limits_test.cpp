#include "resilience/gemini_limits.h"

#include "program/test_program.h"
#include "unit/resilience/verdict_bench.h"

using namespace omni;
using namespace std::chrono_literals;

namespace {

ErrorBody stating(const char* quotaId, std::int64_t limit, const char* model = "")
{
    ErrorBody body;
    body.violations.push_back({quotaId, model, limit});
    return body;
}

constexpr const char* kDay = "GenerateRequestsPerDayPerProjectPerModel-FreeTier";
constexpr const char* kMinute = "GenerateRequestsPerMinutePerProjectPerModel-FreeTier";
constexpr const char* kTokens = "GenerateContentInputTokensPerModelPerMinute-FreeTier";

QByteArray nameOf(std::optional<GeminiMetric> metric)
{
    if (!metric)
        return "none";
    return *metric == GeminiMetric::RequestsPerDay ? "rpd" : *metric == GeminiMetric::RequestsPerMinute ? "rpm" : "tpm";
}

}  // namespace

/// spec 1-core §4.2 row 9, §4.6.
class GeminiLimitsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void metrics()
    {
        QCOMPARE(nameOf(metricOf({kDay, "", 1})), QByteArray("rpd"));
        QCOMPARE(nameOf(metricOf({kMinute, "", 1})), QByteArray("rpm"));
        QCOMPARE(nameOf(metricOf({kTokens, "", 1})), QByteArray("tpm"));
        QCOMPARE(nameOf(metricOf({"GenerateContentInputTokensPerModelPerDay", "", 1})), QByteArray("none"));
        QCOMPARE(nameOf(metricOf({"SomethingElse", "", 1})), QByteArray("none"));
    }

    void statedLimits()
    {
        const auto stated =
            statedLimit("* Quota exceeded for metric: x/y_requests, limit: 20, model: gemini-2.5-flash\nPlease retry in 38s.");
        QVERIFY(stated && stated->limit == 20 && stated->model == "gemini-2.5-flash");
        QVERIFY(statedLimit("limit: many, model: a; limit: 5, model: models/b.")->model == "b");
        QVERIFY(!statedLimit("limit: 5"));
        QVERIFY(!statedLimit("limit: 99999999999999999999, model: a"));
        QVERIFY(!statedLimit(""));
    }

    void bodyOfARefusal()
    {
        ErrorBodyReader reader;
        const ErrorBody body = reader.read(
            json("{'error':{'details':[{'violations':[{'quotaId':'A','quotaValue':'250','quotaDimensions':{'model':'gemini-2.5-pro'}},"
                 "{'quotaId':'B','quotaValue':'x'},{'quotaMetric':'no id'}]}]}}"));
        QCOMPARE(body.violations.size(), std::size_t(2));
        QVERIFY(body.violations[0].limit == 250 && body.violations[0].model == "gemini-2.5-pro");
        QVERIFY(body.violations[1].limit == 0 && body.violations[1].model.empty());
    }

    void nothingIsSpentWithoutAKnownLimit()
    {
        GeminiLimits limits;
        for (int i = 0; i < 1'000; ++i)
            limits.count("c", "m", 1'000, kNow);
        QCOMPARE(nameOf(limits.spent("c", "m", kNow)), QByteArray("none"));
    }

    void requestsOfADay()
    {
        GeminiLimits limits;
        limits.learn("c", "m", stating(kDay, 20), kNow);
        for (int i = 0; i < 19; ++i)
            limits.count("c", "models/m", 0, kNow + i * 5min);
        const WallTime later = kNow + 19 * 5min;
        QCOMPARE(nameOf(limits.spent("c", "m", later)), QByteArray("none"));
        limits.count("c", "m", 0, later);
        QCOMPARE(nameOf(limits.spent("c", "m", later)), QByteArray("rpd"));
        QCOMPARE(nameOf(limits.spent("other", "m", later)), QByteArray("none"));
        QCOMPARE(nameOf(limits.spent("c", "other", later)), QByteArray("none"));
        QCOMPARE(nameOf(limits.spent("c", "m", kNow + 25h)), QByteArray("none"));
    }

    void requestsAndTokensOfAMinute()
    {
        GeminiLimits limits;
        limits.learn("c", "m", stating(kMinute, 10), kNow);
        limits.learn("c", "m", stating(kTokens, 1'000), kNow);
        for (int i = 0; i < 9; ++i)
            limits.count("c", "m", 100, kNow + i * 1s);
        QCOMPARE(nameOf(limits.spent("c", "m", kNow + 10s)), QByteArray("none"));
        limits.count("c", "m", 0, kNow + 11s);
        QCOMPARE(nameOf(limits.spent("c", "m", kNow + 12s)), QByteArray("rpm"));
        QCOMPARE(nameOf(limits.spent("c", "m", kNow + 90s)), QByteArray("none"));
        limits.count("c", "m", 5'000, kNow + 91s);
        QCOMPARE(nameOf(limits.spent("c", "m", kNow + 92s)), QByteArray("tpm"));
        QCOMPARE(nameOf(limits.spent("c", "m", kNow - 1h)), QByteArray("none"));
    }

    void learnedForTheModelThatIsNamed()
    {
        GeminiLimits limits;
        limits.learn("c", "asked", stating(kDay, 5, "named"), kNow);
        QVERIFY(limits.limit("c", "named", GeminiMetric::RequestsPerDay) == 5);
        QVERIFY(!limits.limit("c", "asked", GeminiMetric::RequestsPerDay));
        limits.forgetConnection("c");
        QVERIFY(!limits.limit("c", "named", GeminiMetric::RequestsPerDay));
    }

    void roomForAThousand()
    {
        GeminiLimits limits;
        for (int i = 0; i < 2'000; ++i)
            limits.count("c" + std::to_string(i), "m", 0, kNow + i * 1ms);
        QCOMPARE(limits.size(), GeminiLimits::kCapacity);
        limits.learn("c1999", "m", stating(kDay, 1), kNow + 3s);
        QCOMPARE(nameOf(limits.spent("c1999", "m", kNow + 3s)), QByteArray("rpd"));
    }

    /// Row 9 as the verdict has it.
    void verdicts()
    {
        const ResilienceSettings settings;
        SimulatedRandom random;
        FailureJudge judge(random);
        Failure failure;
        failure.status = 429;
        const auto judged = [&](std::string_view body, const char* provider = "gemini") {
            failure.body = body;
            return judge.judge({failure, provider, ProviderClass::ApiKey, "gemini-2.5-flash", true, 0, settings.apiKeyCooldown,
                                Millis(1'800'000), false, kNow, "c1"});
        };
        const std::string text =
            json("{'error':{'message':'Quota exceeded for metric: generativelanguage.googleapis.com/generate_requests, "
                 "limit: 20, model: gemini-2.5-flash'}}");
        QVERIFY2(!judged(text).dailyQuotaExhausted, "20 may be of a minute");
        QVERIFY(judged(text).reason == FailureReason::RateLimitExceeded);
        const std::string tokens = "generativelanguage.googleapis.com/generate_content_input_token_count";
        QVERIFY(judged(tokens).reason == FailureReason::RateLimitExceeded);
        const std::string perDay = "generativelanguage.googleapis.com/generate_requests_per_day";
        QVERIFY(judged(perDay).dailyQuotaExhausted && judged(perDay).modelLock);

        const std::string learning =
            json("{'error':{'details':[{'violations':[{'quotaId':'GenerateRequestsPerDayPerProjectPerModel-FreeTier',"
                 "'quotaValue':'20','quotaDimensions':{'model':'gemini-2.5-flash'}}]}]}}");
        QVERIFY(judged(learning).dailyQuotaExhausted);
        QVERIFY2(judged(text).dailyQuotaExhausted, "now 20 is known to be the limit of the day");

        QVERIFY(!judged("Resource has been exhausted").dailyQuotaExhausted);
        for (int i = 0; i < 20; ++i)
            judge.countServed("gemini", "c1", "gemini-2.5-flash", 0, kNow - 2h + i * 2min);
        QVERIFY2(judged("Resource has been exhausted").dailyQuotaExhausted, "by what was counted");
        QVERIFY2(!judged("Resource has been exhausted", "vertex").dailyQuotaExhausted, "counted for gemini only");
        judge.forgetConnection("c1");
        QVERIFY(!judged("Resource has been exhausted").dailyQuotaExhausted);
    }
};

OMNI_TEST(GeminiLimitsTest)
#include "gemini_limits_test.moc"
