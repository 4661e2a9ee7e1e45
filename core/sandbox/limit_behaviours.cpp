#include "sandbox/behaviours.h"
#include "sandbox/json_scan.h"

namespace omni::sandbox {

namespace {

constexpr std::string_view kTooMany = "Rate limit reached for the sandbox. Slow down.";

void limit(Plan& plan, std::string message = std::string(kTooMany), std::string type = {}, std::string code = {})
{
    plan.status = 429;
    plan.error = ApiError{429, std::move(message), std::move(type), std::move(code)};
}

void limitWithHeader(Plan& plan, std::string name, std::string value)
{
    limit(plan);
    plan.headers.emplace_back(std::move(name), std::move(value));
}

std::uint64_t seconds(const Situation& now, std::uint64_t fallback)
{
    return now.prompt.name.number("seconds", fallback);
}

WallTime later(const Situation& now, std::uint64_t fallback)
{
    return now.now + Millis(static_cast<Millis::rep>(seconds(now, fallback) * 1000));
}

/// An error as Google's APIs write it, whoever asks.
void googleLimit(Plan& plan, std::string_view message, const std::string& details)
{
    plan.status = 429;
    plan.body =
        R"({"error":{"code":429,"message":)" + jsonString(message) + R"(,"status":"RESOURCE_EXHAUSTED","details":[)" + details + "]}}";
}

std::string quotaFailure(std::string_view quotaId)
{
    return R"({"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{)"
           R"("quotaMetric":"generativelanguage.googleapis.com/generate_requests","quotaId":")" +
           std::string(quotaId) + R"(","quotaValue":"50"}]})";
}

std::string retryInfo(std::string_view delay)
{
    return R"({"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":")" + std::string(delay) + "\"}";
}

}  // namespace

const std::vector<Behaviour>& limitBehaviours()
{
    static const std::vector<Behaviour> list = {
        {{"rate-limited", "429 with Retry-After in seconds: seconds, 2 by default.", true},
         [](Plan& plan, const Situation& now) { limitWithHeader(plan, "Retry-After", std::to_string(seconds(now, 2))); }},
        {{"retry-after-date", "429 with Retry-After as a date: seconds from now, 30 by default.", true},
         [](Plan& plan, const Situation& now) { limitWithHeader(plan, "Retry-After", httpDate(later(now, 30))); }},
        {{"retry-after-past-date", "429 with Retry-After as a date gone by.", true},
         [](Plan& plan, const Situation&) { limitWithHeader(plan, "Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT"); }},
        {{"retry-after-decimal", "429 with Retry-After: 1.5.", true},
         [](Plan& plan, const Situation&) { limitWithHeader(plan, "Retry-After", "1.5"); }},
        {{"retry-after-negative", "429 with Retry-After: -5.", true},
         [](Plan& plan, const Situation&) { limitWithHeader(plan, "Retry-After", "-5"); }},
        {{"retry-after-nan", "429 with Retry-After: nan.", true},
         [](Plan& plan, const Situation&) { limitWithHeader(plan, "Retry-After", "nan"); }},
        {{"retry-after-absurd", "429 with Retry-After: 1e308.", true},
         [](Plan& plan, const Situation&) { limitWithHeader(plan, "Retry-After", "1e308"); }},
        {{"retry-after-ms-header", "429 with Retry-After-Ms: seconds, 2 by default, as milliseconds.", true},
         [](Plan& plan, const Situation& now) { limitWithHeader(plan, "Retry-After-Ms", std::to_string(seconds(now, 2) * 1000)); }},
        {{"reset-header-epoch", "429 with X-RateLimit-Reset in epoch seconds: seconds from now, 30 by default.", true},
         [](Plan& plan, const Situation& now) {
             limitWithHeader(plan, "X-RateLimit-Reset", std::to_string(epochMillis(later(now, 30)) / 1000));
         }},
        {{"reset-header-epoch-ms", "429 with X-RateLimit-Reset in epoch milliseconds: seconds from now, 30 by default.", true},
         [](Plan& plan, const Situation& now) { limitWithHeader(plan, "X-RateLimit-Reset", std::to_string(epochMillis(later(now, 30)))); }},
        {{"reset-header-delta", "429 with X-RateLimit-Reset as seconds to wait: 30 by default.", true},
         [](Plan& plan, const Situation& now) { limitWithHeader(plan, "X-RateLimit-Reset", std::to_string(seconds(now, 30))); }},
        {{"reset-header-duration", "429 with OpenAI's x-ratelimit-reset-requests: 1m30s and no request left.", true},
         [](Plan& plan, const Situation&) {
             limitWithHeader(plan, "x-ratelimit-reset-requests", "1m30s");
             plan.headers.emplace_back("x-ratelimit-remaining-requests", "0");
         }},
        {{"reset-header-iso", "429 with Anthropic's anthropic-ratelimit-requests-reset: seconds from now, 30 by default.", true},
         [](Plan& plan, const Situation& now) {
             limitWithHeader(plan, "anthropic-ratelimit-requests-reset", toIso8601(later(now, 30)));
             plan.headers.emplace_back("anthropic-ratelimit-requests-remaining", "0");
         }},
        {{"gemini-retry-info", "429 with Google's RetryInfo of 37.2 s in the body and a per-minute quota.", true},
         [](Plan& plan, const Situation&) {
             googleLimit(plan, "Resource has been exhausted (e.g. check quota).",
                         quotaFailure("GenerateRequestsPerMinutePerProjectPerModel") + "," + retryInfo("37.2s"));
         }},
        {{"retry-after-ms", "429 with retry_after_ms in the body: seconds, 2 by default, as milliseconds.", true},
         [](Plan& plan, const Situation& now) {
             plan.status = 429;
             plan.body = R"({"error":{"message":)" + jsonString(kTooMany) +
                         R"(,"type":"rate_limit_error","code":"rate_limit_exceeded","retry_after_ms":)" +
                         std::to_string(seconds(now, 2) * 1000) + "}}";
         }},
        {{"prose-retry", "429 that says \"Please retry in 3.5s\".", true},
         [](Plan& plan, const Situation&) { limit(plan, "Rate limit reached for the sandbox. Please retry in 3.5s."); }},
        {{"prose-resets", "429 that says the limit resets after 1h2m3s.", true},
         [](Plan& plan, const Situation&) { limit(plan, "Rate limit reached for the sandbox; it resets after 1h2m3s."); }},
        {{"insufficient-quota", "429 with code insufficient_quota: the credits are gone.", true},
         [](Plan& plan, const Situation&) {
             limit(plan, "You exceeded your current quota, please check your plan and billing details.", "insufficient_quota",
                   "insufficient_quota");
         }},
        {{"daily-quota", "429 whose quota is a day's: RetryInfo and a per-day QuotaFailure.", true},
         [](Plan& plan, const Situation& now) {
             googleLimit(plan, "You have exceeded your daily quota.",
                         quotaFailure("GenerateRequestsPerDayPerProjectPerModel-FreeTier") + "," +
                             retryInfo(std::to_string(seconds(now, 14'400)) + "s"));
         }},
        {{"daily-limit", "429 that says in words that the day's quota is used up, without a time.", true},
         [](Plan& plan, const Situation&) { limit(plan, "You have used up your daily quota. Please try again tomorrow."); }},
        {{"concurrency", "429 because of too many requests at the same time.", true},
         [](Plan& plan, const Situation&) { limit(plan, "Too many concurrent requests for this key.", {}, "concurrency_limit"); }},
        {{"no-hint", "429 without any hint.", true}, [](Plan& plan, const Situation&) { limit(plan); }},
        {{"gzip-429", "429 with a gzip-compressed body, asked for or not.", true},
         [](Plan& plan, const Situation&) {
             limit(plan, "Rate limit reached for the sandbox. Please retry in 3.5s.");
             plan.gzip = true;
         }},
    };
    return list;
}

}  // namespace omni::sandbox
