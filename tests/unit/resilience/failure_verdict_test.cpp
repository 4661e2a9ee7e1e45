#include "program/test_program.h"
#include "unit/resilience/verdict_bench.h"

using namespace omni;
using enum FailureReason;
using Scope = Judgement::Scope;

/// spec 1-core §10.3, one row after the other.
class FailureVerdictTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rows_data()
    {
        QTest::addColumn<VerdictCase>("given");
        const auto row = [](const char* name, VerdictCase given) { QTest::newRow(name) << given; };
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
                   .perModelQuota = true,
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
        row("99 moves to a larger window (ruling)",
            {.status = 400, .body = "prompt is too long", .reason = ModelCapacity, .overflow = true, .scope = Scope::Request});
        row("100", {.status = 400,
                    .body = "Detected high-frequency non-compliant requests from you.",
                    .cooldown = 3'000,
                    .newLevel = 1,
                    .reason = RateLimitExceeded});
        row("101", {.status = 413, .cooldown = 3'000, .newLevel = 1, .reason = ModelCapacity});
        row("102", {.status = 432, .body = "plan limit", .cooldown = 3'600'000, .reason = QuotaExhausted});
        row("103", {.status = 418, .body = "teapot", .cooldown = 3'000});
        row("104", {.status = 403,
                    .body = json("{'error':{'message':'无权访问模型 claude-x'}}"),
                    .level = 2,
                    .provider = "agentrouter",
                    .perModelQuota = true,
                    .cooldown = 21'600'000,
                    .newLevel = 0,
                    .reason = AuthError,
                    .scope = Scope::Model,
                    .ruleScope = RuleScope::Model,
                    .lock = 21'600'000,
                    .lockReason = Forbidden});
        row("105", {.status = 429,
                    .body = json("{'error':{'message':'用户额度不足'}}"),
                    .provider = "agentrouter",
                    .perModelQuota = true,
                    .cooldown = 3'000,
                    .newLevel = 1,
                    .reason = QuotaExhausted,
                    .scope = Scope::Connection,
                    .ruleScope = RuleScope::Connection});
    }

    void rows()
    {
        QFETCH(VerdictCase, given);
        given.check();
    }

    void providerModelUnsupported_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<bool>("unsupported");
        QTest::newRow("106a") << 400 << QByteArray("unknown provider for model X") << true;
        QTest::newRow("106b another status") << 404 << QByteArray("unknown provider for model X") << false;
        QTest::newRow("106c about the key") << 400 << QByteArray("invalid api key for model X") << false;
        QTest::newRow("106d about this account") << 400 << QByteArray("You do not have permission to access this model") << false;
    }

    void providerModelUnsupported()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, said);
        QFETCH(bool, unsupported);
        const MarkerTable table;
        QCOMPARE(isProviderModelUnsupported(status, table.scan(said.toStdString())), unsupported);
        QCOMPARE(VerdictCase({.status = status, .body = said.toStdString()}).judged().providerLacksModel, unsupported);
    }
};

OMNI_TEST(FailureVerdictTest)
#include "failure_verdict_test.moc"
