#include "resilience/failure_verdict.h"

#include "unit/resilience/resilience_fixture.h"

#include <QTest>

using namespace omni;

namespace {

constexpr qint64 kNoChange = -1;
constexpr qint64 kUpToADay = -2;

/// One row of spec 1-core §10.3: a situation and what must be made of it.
struct Case {
    int status = 0;
    std::string body = {};
    int level = 0;
    std::string provider = "openai";
    ProviderClass providerClass = ProviderClass::ApiKey;
    std::vector<std::pair<std::string, std::string>> headers = {};
    bool perModelQuota = false;
    std::optional<Millis> base = {};
    std::optional<bool> trustHints = {};

    bool next = true;
    qint64 cooldown = 0;  ///< kUpToADay = above 0, at most 24 h
    qint64 newLevel = kNoChange;
    FailureReason reason = FailureReason::Unknown;
    TerminalState terminal = TerminalState::None;
    bool credits = false;
    bool daily = false;
    bool permanent = false;
    bool breaker = false;
    bool keyRefused = false;
    std::optional<Judgement::Scope> scope = {};
    HintSource source = HintSource::None;  ///< None = not looked at
    qint64 quotaReset = kNoChange;
};

using enum FailureReason;
using Scope = Judgement::Scope;

const WallTime kNow = fromEpochMillis(1'790'000'000'000);

std::string epochSecondsIn(int seconds)
{
    return std::to_string(epochMillis(kNow) / 1000 + seconds);
}

}  // namespace

Q_DECLARE_METATYPE(Case)

class FailureVerdictTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rows_data()
    {
        QTest::addColumn<Case>("given");
        const auto row = [](const char* name, Case given) { QTest::newRow(name) << given; };
        const auto oauth = ProviderClass::OAuth;

        row("54", {.status = 429, .cooldown = 3'000, .newLevel = 1, .reason = RateLimitExceeded, .source = HintSource::Ladder});
        row("55a",
            {.status = 429, .provider = "claude", .providerClass = oauth, .cooldown = 5'000, .newLevel = 1, .reason = RateLimitExceeded});
        row("55b", {.status = 429,
                    .level = 4,
                    .provider = "claude",
                    .providerClass = oauth,
                    .cooldown = 80'000,
                    .newLevel = 5,
                    .reason = RateLimitExceeded});
        row("55c", {.status = 429,
                    .level = 8,
                    .provider = "claude",
                    .providerClass = oauth,
                    .cooldown = 1'280'000,
                    .newLevel = 8,
                    .reason = RateLimitExceeded});
        row("56", {.status = 502, .level = 5, .cooldown = 96'000, .newLevel = 5, .reason = ServerError, .breaker = true});
        row("57", {.status = 429,
                   .body = "Rate limit hit",
                   .level = 3,
                   .headers = {{"retry-after", "120"}},
                   .cooldown = 120'000,
                   .newLevel = 0,
                   .reason = RateLimitExceeded,
                   .source = HintSource::Header});
        row("58", {.status = 429,
                   .body = "Rate limit hit",
                   .level = 3,
                   .provider = "claude",
                   .providerClass = oauth,
                   .headers = {{"retry-after", "120"}},
                   .cooldown = 40'000,
                   .newLevel = 4,
                   .reason = RateLimitExceeded,
                   .source = HintSource::Ladder});
        row("59", {.status = 503,
                   .body = "upstream unavailable",
                   .level = 1,
                   .headers = {{"x-ratelimit-reset", epochSecondsIn(90)}},
                   .cooldown = 90'000,
                   .newLevel = 0,
                   .reason = ServerError,
                   .breaker = true,
                   .source = HintSource::Header});
        row("60", {.status = 401, .provider = "groq", .reason = AuthError, .keyRefused = true});
        row("61", {.status = 402, .provider = "groq", .reason = QuotaExhausted, .terminal = TerminalState::CreditsExhausted});
        row("62 empty 403 (ruling: same as 63)", {.status = 403, .cooldown = 3'000, .newLevel = 1, .reason = AuthError});
        row("63", {.status = 403, .body = "forbidden", .cooldown = 3'000, .newLevel = 1, .reason = AuthError});
        row("64", {.status = 403,
                   .body = "Fire Pass API keys are not authorized for this route.",
                   .provider = "fireworks",
                   .next = false,
                   .reason = BadRequest});
        row("65", {.status = 403, .body = json("{'error_code':1010,'cloudflare_error':true}"), .reason = AuthError});
        row("66", {.status = 403,
                   .body = "Coding Plan hour quota has been exceeded",
                   .cooldown = 3'000,
                   .newLevel = 1,
                   .reason = QuotaExhausted});
        row("67", {.status = 404,
                   .body = "Model not found, inaccessible, and/or not deployed",
                   .provider = "openrouter",
                   .cooldown = 120'000,
                   .scope = Scope::Model});
        row("68", {.status = 404,
                   .body = "This model models/x is no longer available to new users",
                   .provider = "gemini",
                   .cooldown = 86'400'000,
                   .reason = NotFound,
                   .scope = Scope::Model,
                   .quotaReset = 86'400'000});
        row("69", {.status = 410,
                   .body = "The model x has reached its end of life on 2026-01-01",
                   .provider = "nvidia",
                   .cooldown = 86'400'000,
                   .reason = NotFound,
                   .scope = Scope::Model});
        row("70", {.status = 410, .body = "gone", .cooldown = 3'000});
        row("71a", {.status = 404, .body = "The endpoint has moved", .cooldown = 86'400'000, .reason = NotFound});
        row("71b", {.status = 500, .body = "The endpoint has moved", .cooldown = 86'400'000, .reason = NotFound, .breaker = true});
        row("72", {.status = 412,
                   .body = "Account x is suspended, possibly due to the monthly spending limit",
                   .cooldown = 120'000,
                   .reason = QuotaExhausted,
                   .terminal = TerminalState::CreditsExhausted,
                   .credits = true});
        row("73", {.status = 401,
                   .body = "This account has been deactivated",
                   .cooldown = 31'536'000'000,
                   .reason = AuthError,
                   .terminal = TerminalState::Banned,
                   .permanent = true});
        row("74", {.status = 402,
                   .body = "credit_balance_too_low",
                   .cooldown = 120'000,
                   .reason = QuotaExhausted,
                   .terminal = TerminalState::CreditsExhausted,
                   .credits = true});
        row("75", {.status = 429,
                   .body = "credit_balance_too_low",
                   .base = Millis(125),
                   .trustHints = false,
                   .cooldown = 125,
                   .newLevel = 1,
                   .reason = RateLimitExceeded});
        row("76", {.status = 429,
                   .body = "credit_balance_too_low",
                   .provider = "codex",
                   .providerClass = oauth,
                   .cooldown = 120'000,
                   .reason = QuotaExhausted,
                   .terminal = TerminalState::CreditsExhausted,
                   .credits = true});
        row("77", {.status = 429, .body = "quota exceeded", .base = Millis(125), .cooldown = 125, .newLevel = 1, .reason = QuotaExhausted});
        row("78",
            {.status = 429, .body = "You have exceeded your daily quota", .cooldown = kUpToADay, .reason = QuotaExhausted, .daily = true});
        row("79", {.status = 429,
                   .body = "Please try again tomorrow",
                   .base = Millis(125),
                   .cooldown = 125,
                   .newLevel = 1,
                   .reason = RateLimitExceeded});
        row("80 (comes back tomorrow, so no end)", {.status = 402,
                                                    .body = "exceeded today's quota, please try again tomorrow",
                                                    .cooldown = kUpToADay,
                                                    .reason = QuotaExhausted,
                                                    .daily = true});
        row("81", {.status = 429,
                   .body = "reached organization TPD rate limit, limit: 1500000",
                   .cooldown = 3'000,
                   .newLevel = 1,
                   .reason = RateLimitExceeded});
        row("82", {.status = 429,
                   .body = "reached organization TPD rate limit, limit: 1500000",
                   .headers = {{"retry-after", "7200"}},
                   .cooldown = 7'200'000,
                   .reason = QuotaExhausted,
                   .daily = true,
                   .source = HintSource::Header});
        row("83", {.status = 429,
                   .body = "you have reached your weekly usage limit",
                   .provider = "ollama-cloud",
                   .cooldown = 86'400'000,
                   .reason = QuotaExhausted});
        row("83b with a stated reset", {.status = 429,
                                        .body = "weekly limit reached. Resets in 13 days",
                                        .providerClass = oauth,
                                        .cooldown = 1'123'200'000,
                                        .reason = QuotaExhausted});
        row("84", {.status = 429,
                   .body = "reached your session usage limit",
                   .provider = "ollama-cloud",
                   .cooldown = 18'000'000,
                   .reason = QuotaExhausted});
        row("85", {.status = 429,
                   .body = "Claude Pro usage limit reached",
                   .provider = "claude",
                   .providerClass = oauth,
                   .cooldown = 3'600'000,
                   .reason = QuotaExhausted});
        row("86", {.status = 429,
                   .body = "Individual quota reached for this model. Resets in 164h27m24s.",
                   .provider = "antigravity",
                   .providerClass = oauth,
                   .perModelQuota = true,
                   .cooldown = 5'000,
                   .newLevel = 1,
                   .reason = QuotaExhausted,
                   .quotaReset = 592'044'000});
        row("87", {.status = 429,
                   .body = "too many concurrent requests",
                   .level = 3,
                   .provider = "glm",
                   .cooldown = 1'000,
                   .reason = ConcurrencyLimited});
        row("87b in Chinese, escaped", {.status = 429,
                                        .body = json("{'error':{'code':'1302','message':'\\u5e76\\u53d1\\u6570\\u8fc7\\u9ad8'}}"),
                                        .level = 3,
                                        .provider = "glm",
                                        .cooldown = 1'000,
                                        .reason = ConcurrencyLimited});
        row("87c with a hint", {.status = 429,
                                .body = "concurrency limit",
                                .level = 3,
                                .provider = "glm",
                                .headers = {{"retry-after", "4"}},
                                .cooldown = 4'000,
                                .reason = ConcurrencyLimited});
        row("88", {.status = 429,
                   .body = "concurrency limit reached; daily quota exceeded",
                   .provider = "codex",
                   .providerClass = oauth,
                   .cooldown = kUpToADay,
                   .reason = QuotaExhausted,
                   .daily = true});
        row("89", {.status = 503,
                   .body = "x",
                   .level = 2,
                   .headers = {{"x-omni-fallback-hint", "Connection_Cooldown"}},
                   .cooldown = 5'000,
                   .newLevel = 0,
                   .reason = ServiceNotRunning});
        row("90", {.status = 502,
                   .body = "x",
                   .headers = {{"x-omni-fallback-hint", "connection_cooldown"}},
                   .cooldown = 3'000,
                   .newLevel = 1,
                   .reason = ServerError,
                   .breaker = true});
        row("91", {.status = 500, .body = json("{'error':{'code':'executor_contract_violation'}}"), .next = false, .reason = BadRequest});
        row("92", {.status = 409, .body = "previous_response_id does not belong to this key", .next = false, .reason = BadRequest});
        row("93", {.status = 400, .body = "bad request payload", .next = false, .reason = BadRequest});
        row("94",
            {.status = 400, .body = "The model `foo` does not exist or is not available", .reason = ModelCapacity, .scope = Scope::Model});
        row("95", {.status = 400, .body = "Invalid API key provided for model gpt-4o", .next = false, .reason = BadRequest});
        row("96", {.status = 400,
                   .body = json("{'error':{'message':'unauthorized-ish blob','code':'model_not_found'}}"),
                   .reason = ModelCapacity,
                   .scope = Scope::Model});
        row("97",
            {.status = 400,
             .body = json(
                 "{'error':{'message':'Your API key does not have permission to use the Message Batches API','type':'permission_error'}}"),
             .next = false,
             .reason = BadRequest});
        row("98", {.status = 400,
                   .body = json("{'error':{'message':'you do not have access to the requested model','type':'permission_error'}}"),
                   .reason = ModelCapacity,
                   .scope = Scope::Model});
        row("99", {.status = 400, .body = "prompt is too long", .reason = ModelCapacity, .scope = Scope::Request});
        row("100", {.status = 400,
                    .body = "Detected high-frequency non-compliant requests from you.",
                    .cooldown = 3'000,
                    .newLevel = 1,
                    .reason = RateLimitExceeded});
        row("101", {.status = 413, .cooldown = 3'000, .newLevel = 1, .reason = ModelCapacity});
        row("102", {.status = 432, .body = "plan limit", .cooldown = 3'600'000, .reason = QuotaExhausted});
        row("103", {.status = 418, .body = "teapot", .cooldown = 3'000});

        row("ruling 400 malformed ends the request",
            {.status = 400, .body = "Improperly formed request.", .next = false, .reason = BadRequest});
        row("ruling 400 parameter ends the request",
            {.status = 400, .body = "max_tokens must be at least 1", .next = false, .reason = BadRequest});
        row("ruling 400 content filter ends the request",
            {.status = 400, .body = json("{'error':{'code':'content_filter','message':'filtered'}}"), .next = false, .reason = BadRequest});
        row("ruling 400 overflow by code",
            {.status = 400,
             .body = json("{'error':{'code':'context_length_exceeded','message':'max_tokens is out of range'}}"),
             .reason = ModelCapacity});
        row("H05 422", {.status = 422, .body = "Unprocessable", .next = false, .reason = BadRequest});
        row("H05 422 quoting the user",
            {.status = 422,
             .body = json("{'detail':[{'loc':['body'],'msg':'Field required','input':'your account has been suspended, out of credits'}]}"),
             .next = false,
             .reason = BadRequest});
        row("400 with escaped quote of the user",
            {.status = 400, .body = json("{'error':{'message':'no','param':'insufficient_quota'}}"), .next = false, .reason = BadRequest});
        row("400 empty", {.status = 400, .next = false, .reason = BadRequest});
        row("400 invalid Google key", {.status = 400,
                                       .body = json("{'error':{'code':400,'message':'API key not "
                                                    "valid.','status':'INVALID_ARGUMENT','details':[{'@type':'type.googleapis.com/"
                                                    "google.rpc.ErrorInfo','reason':'API_KEY_INVALID'}]}}"),
                                       .reason = AuthError,
                                       .keyRefused = true});
        row("400 Anthropic without credit", {.status = 400,
                                             .body = json("{'type':'error','error':{'type':'invalid_request_error','message':'Your credit "
                                                          "balance is too low to access the Anthropic API.'}}"),
                                             .cooldown = 120'000,
                                             .reason = QuotaExhausted,
                                             .terminal = TerminalState::CreditsExhausted,
                                             .credits = true});
        row("431", {.status = 431, .next = false, .reason = BadRequest});
        row("499", {.status = 499, .next = false, .reason = BadRequest});
        row("404 local", {.status = 404,
                          .body = "404 page not found",
                          .providerClass = ProviderClass::Local,
                          .cooldown = 120'000,
                          .scope = Scope::Model});
        row("404 of a file", {.status = 404, .body = "The file file-123 does not exist", .scope = Scope::Request});
        row("404 plain", {.status = 404, .body = "nothing here", .cooldown = 120'000});
        row("401 about a model", {.status = 401, .body = "model gpt-9 is not supported", .reason = NotFound, .scope = Scope::Model});
        row("402 where quota is per model", {.status = 402, .perModelQuota = true, .cooldown = 120'000, .reason = QuotaExhausted});
        row("403 OAuth", {.status = 403,
                          .body = "nope",
                          .provider = "claude",
                          .providerClass = oauth,
                          .reason = AuthError,
                          .terminal = TerminalState::Banned});
        row("403 OAuth, one request rejected", {.status = 403,
                                                .body = "Request not allowed",
                                                .provider = "claude",
                                                .providerClass = oauth,
                                                .cooldown = 60'000,
                                                .reason = RateLimitExceeded});
        row("529 (ruling)", {.status = 529,
                             .body = json("{'type':'error','error':{'type':'overloaded_error','message':'Overloaded'}}"),
                             .cooldown = 3'000,
                             .newLevel = 1,
                             .reason = Overloaded});
        row("overloaded in a 500",
            {.status = 500, .body = json("{'error':{'type':'overloaded_error'}}"), .cooldown = 3'000, .newLevel = 1, .reason = Overloaded});
        row("1.8 503 of a full model", {.status = 503,
                                        .body = "The model is overloaded. Please try again later.",
                                        .cooldown = 3'000,
                                        .newLevel = 1,
                                        .reason = ModelCapacity});
        row("520", {.status = 520, .cooldown = 3'000, .newLevel = 1, .reason = ServerError});
        row("F10 quota of the day",
            {.status = 429,
             .body =
                 json("{'error':{'details':[{'@type':'x/QuotaFailure','violations':[{'quotaId':'GenerateRequestsPerDayPerProject'}]}]}}"),
             .cooldown = kUpToADay,
             .reason = QuotaExhausted,
             .daily = true});
        row("F11 quota of the minute",
            {.status = 429,
             .body = json("{'error':{'message':'You exceeded your current "
                          "quota','details':[{'@type':'x/QuotaFailure','violations':[{'quotaMetric':'generativelanguage.googleapis.com/"
                          "generate_content_free_tier_requests','quotaId':'GenerateRequestsPerMinutePerProject'}]},{'@type':'x/"
                          "RetryInfo','retryDelay':'37.2s'}]}}"),
             .provider = "gemini",
             .cooldown = 37'200,
             .newLevel = 0,
             .reason = RateLimitExceeded,
             .source = HintSource::GoogleRpcRetryInfo});
        row("F11 without a metric", {.status = 429,
                                     .body = "You exceeded your current quota. Please retry in 38.9s.",
                                     .cooldown = 38'900,
                                     .newLevel = 0,
                                     .reason = QuotaExhausted});
        row("F14 insufficient_quota", {.status = 429,
                                       .body = json("{'error':{'code':'insufficient_quota','message':'You exceeded your current quota'}}"),
                                       .cooldown = 120'000,
                                       .reason = QuotaExhausted,
                                       .terminal = TerminalState::CreditsExhausted,
                                       .credits = true});
        row("F16 empty 429", {.status = 429, .provider = "vertex", .cooldown = 3'000, .newLevel = 1, .reason = RateLimitExceeded});
        row("F23 the upstream's own window", {.status = 429,
                                              .body = "Claude Pro usage limit reached",
                                              .headers = {{"retry-after", "10800"}},
                                              .cooldown = 10'800'000,
                                              .newLevel = 0,
                                              .reason = RateLimitExceeded});
        row("F23 for a fixed rule", {.status = 432,
                                     .headers = {{"retry-after", "10800"}},
                                     .cooldown = 10'800'000,
                                     .reason = QuotaExhausted,
                                     .source = HintSource::Header});
        row("F25 x-should-retry",
            {.status = 429, .level = 2, .headers = {{"x-should-retry", "true"}}, .cooldown = 1'000, .reason = RateLimitExceeded});
        row("F28 any case", {.status = 401,
                             .body = "ACCOUNT HAS BEEN DISABLED",
                             .cooldown = 31'536'000'000,
                             .reason = AuthError,
                             .terminal = TerminalState::Banned,
                             .permanent = true});
        row("H08 not beyond the window", {.status = 429,
                                          .level = 8,
                                          .provider = "claude",
                                          .providerClass = oauth,
                                          .headers = {{"x-ratelimit-reset", epochSecondsIn(60)}},
                                          .cooldown = 60'000,
                                          .newLevel = 8,
                                          .reason = RateLimitExceeded});
        row("4.1 base 0",
            {.status = 502, .level = 2, .base = Millis(0), .cooldown = 4'000, .newLevel = 3, .reason = ServerError, .breaker = true});
        row("39 408", {.status = 408, .cooldown = 3'000, .newLevel = 1, .reason = ServerError, .breaker = true});
        row("39 500", {.status = 500, .cooldown = 3'000, .newLevel = 1, .reason = ServerError, .breaker = true});
        row("39 504", {.status = 504, .cooldown = 3'000, .newLevel = 1, .reason = ServerError, .breaker = true});
        row("501", {.status = 501, .cooldown = 3'000, .newLevel = 1, .reason = ServerError});
    }

    void rows()
    {
        QFETCH(Case, given);
        ResilienceSettings settings;
        CooldownProfile profile = given.providerClass == ProviderClass::OAuth   ? settings.oauthCooldown
                                  : given.providerClass == ProviderClass::Local ? settings.localCooldown
                                                                                : settings.apiKeyCooldown;
        if (given.base)
            profile.baseCooldown = *given.base;
        if (given.trustHints)
            profile.useUpstreamRetryHints = *given.trustHints;
        Failure failure;
        failure.status = given.status;
        failure.headers = &given.headers;
        failure.body = given.body;
        SimulatedRandom random;
        FailureJudge judge(random);
        const Judgement judgement = judge.judge({failure, given.provider, given.providerClass, "gpt-4o", given.perModelQuota, given.level,
                                                 profile, settings.maxCooldown, false, kNow});
        QVERIFY2(!judgement.rule.empty(), "every verdict says why");
        QCOMPARE(judgement.tryNextTarget, given.next);
        QCOMPARE(named(judgement.reason), named(given.reason));
        if (given.cooldown == kUpToADay)
            QVERIFY2(judgement.cooldown > Millis(0) && judgement.cooldown <= std::chrono::hours(24),
                     qPrintable(QString::number(judgement.cooldown.count())));
        else
            QCOMPARE(qint64(judgement.cooldown.count()), given.cooldown);
        QCOMPARE(judgement.newLevel ? qint64(*judgement.newLevel) : kNoChange, given.newLevel);
        QCOMPARE(named(judgement.terminal), named(given.terminal));
        QCOMPARE(judgement.creditsExhausted, given.credits);
        QCOMPARE(judgement.dailyQuotaExhausted, given.daily);
        QCOMPARE(judgement.permanent, given.permanent);
        QCOMPARE(judgement.countsOnBreaker, given.breaker);
        QCOMPARE(judgement.keyRefused, given.keyRefused);
        if (given.scope)
            QCOMPARE(int(judgement.scope), int(*given.scope));
        if (given.source != HintSource::None)
            QCOMPARE(named(judgement.source), named(given.source));
        if (given.quotaReset != kNoChange)
            QCOMPARE(judgement.quotaReset ? qint64(judgement.quotaReset->count()) : kNoChange, given.quotaReset);
    }
};

QTEST_GUILESS_MAIN(FailureVerdictTest)
#include "failure_verdict_test.moc"
