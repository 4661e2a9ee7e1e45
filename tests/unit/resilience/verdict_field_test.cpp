#include "program/test_program.h"
#include "unit/resilience/verdict_bench.h"

using namespace omni;
using enum FailureReason;
using Scope = Judgement::Scope;

/// The rulings, and faults met in the field.
class VerdictFieldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rows_data()
    {
        QTest::addColumn<VerdictCase>("given");
        const auto row = [](const char* name, VerdictCase given) { QTest::newRow(name) << given; };
        const auto oauth = ProviderClass::OAuth;

        row("ruling 400 malformed ends the request",
            {.status = 400, .body = "Improperly formed request.", .next = false, .reason = BadRequest});
        row("ruling 400 parameter ends the request",
            {.status = 400, .body = "max_tokens must be at least 1", .next = false, .reason = BadRequest});
        row("ruling 400 content filter ends the request",
            {.status = 400, .body = json("{'error':{'code':'content_filter','message':'filtered'}}"), .next = false, .reason = BadRequest});
        row("ruling 400 overflow by code",
            {.status = 400,
             .body = json("{'error':{'code':'context_length_exceeded','message':'max_tokens is out of range'}}"),
             .reason = ModelCapacity,
             .overflow = true});
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
        row("152 403 OAuth, one request rejected", {.status = 403,
                                                .body = "Request not allowed",
                                                .provider = "claude",
                                                .providerClass = oauth,
                                                .cooldown = 60'000,
                                                .reason = RequestRejected,
                                                .rejected = true,
                                                .scope = Scope::Connection});
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
        row("F13 no try before hours are over", {.status = 429,
                                                 .body = "You exceed your quota. It will reset after 4h0m0s",
                                                 .cooldown = 14'400'000,
                                                 .newLevel = 0,
                                                 .reason = QuotaExhausted,
                                                 .source = HintSource::Body,
                                                 .quotaReset = 14'400'000});
        row("F17 a short wait is offered",
            {.status = 429, .headers = {{"retry-after", "1"}}, .cooldown = 1'000, .newLevel = 0, .reason = RateLimitExceeded});
        row("F22 the window that refused",
            {.status = 429,
             .body = "This request would exceed your account's rate limit.",
             .provider = "claude",
             .providerClass = oauth,
             .headers = {{"anthropic-ratelimit-unified-5h-status", "rejected"},
                         {"anthropic-ratelimit-unified-5h-reset", epochSecondsIn(900)},
                         {"anthropic-ratelimit-unified-7d-status", "allowed"},
                         {"anthropic-ratelimit-unified-7d-reset", epochSecondsIn(500'000)}},
             .cooldown = 900'000,
             .reason = QuotaExhausted,
             .source = HintSource::Header,
             .quotaReset = 900'000});
        row("H05 404 of a route that is not", {.status = 405, .body = "Method Not Allowed", .cooldown = 3'000});
        row("H20 too long, told with a 413", {.status = 413,
                                              .body = "prompt is too long: 250000 tokens > 200000 maximum",
                                              .reason = ModelCapacity,
                                              .overflow = true,
                                              .scope = Scope::Request});
        row("H20 tokens of a minute are no window", {.status = 400,
                                                     .body = "Request too large for gpt-4o on tokens per minute (TPM): Limit 30000",
                                                     .reason = ModelCapacity,
                                                     .scope = Scope::Request});
        row("H20 a model that cannot do this is not locked", {.status = 400,
                                                              .body = "This model does not support image input",
                                                              .reason = ModelCapacity,
                                                              .scope = Scope::Request});
        row("8.1 not served from here, 400", {.status = 400,
                                              .body = "User location is not supported for the API use.",
                                              .provider = "gemini",
                                              .reason = AuthError,
                                              .scope = Scope::Note});
        row("8.1 not served from here, 403 OAuth", {.status = 403,
                                                    .body = "User location is not supported for the API use.",
                                                    .provider = "gemini-web",
                                                    .providerClass = oauth,
                                                    .cooldown = 5'000,
                                                    .newLevel = 1,
                                                    .reason = AuthError});
        row("8.1 403 of a Cloud Code account is about its project", {.status = 403,
                                                                     .body = "no",
                                                                     .provider = "antigravity",
                                                                     .providerClass = oauth,
                                                                     .cooldown = 5'000,
                                                                     .newLevel = 1,
                                                                     .reason = AuthError});
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
        QFETCH(VerdictCase, given);
        given.check();
    }
};

OMNI_TEST(VerdictFieldTest)
#include "verdict_field_test.moc"
