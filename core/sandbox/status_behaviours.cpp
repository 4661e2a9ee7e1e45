#include "base/text.h"
#include "sandbox/behaviours.h"

#include <algorithm>

namespace omni::sandbox {

namespace {

void fail(Plan& plan, int status, std::string message, std::string type = {}, std::string code = {})
{
    plan.status = status;
    plan.error = ApiError{status, std::move(message), std::move(type), std::move(code)};
}

template <int status>
void failWith(Plan& plan, const Situation&)
{
    fail(plan, status, "The sandbox answers " + std::to_string(status) + " as it was asked to.");
}

int askedStatus(const Situation& now, int fallback)
{
    return static_cast<int>(std::clamp<std::uint64_t>(now.prompt.name.number("status", static_cast<std::uint64_t>(fallback)), 400, 599));
}

void failFirst(Plan& plan, const Situation& now)
{
    answerWell(plan, now);
    const std::string_view bearer = now.request.header("authorization");
    const std::string caller = sha256Hex(bearer.empty() ? now.request.header("x-api-key") : bearer);
    const std::uint64_t before = now.memory.asked[caller + now.prompt.model]++;
    const std::uint64_t failures = now.prompt.name.number("n", 1);
    if (before < failures)
        fail(plan, askedStatus(now, 503),
             "The sandbox fails the first " + std::to_string(failures) + " requests of each key; this was number " +
                 std::to_string(before + 1) + ".");
}

void flaky(Plan& plan, const Situation& now)
{
    answerWell(plan, now);
    if (now.memory.random.below(100) < now.prompt.name.number("percent", 30))
        fail(plan, askedStatus(now, 500), "The sandbox failed by chance, as it was asked to.");
}

}  // namespace

const std::vector<Behaviour>& statusBehaviours()
{
    static const std::vector<Behaviour> list = {
        {{"400", "400: the request itself is at fault."},
         [](Plan& plan, const Situation&) {
             fail(plan, 400, "Invalid value for 'temperature': expected a number between 0 and 2.", {}, "invalid_value");
         }},
        {{"context-length", "400: the prompt is longer than the model's context."},
         [](Plan& plan, const Situation&) {
             fail(plan, 400, "This model's maximum context length is 8192 tokens. Your messages are too long.", {},
                  "context_length_exceeded");
         }},
        {{"401", "401: the key is not accepted.", true},
         [](Plan& plan, const Situation&) { fail(plan, 401, "The sandbox does not accept this API key."); }},
        {{"402", "402: no credits are left.", true},
         [](Plan& plan, const Situation&) { fail(plan, 402, "Insufficient credits. Add more to go on using the sandbox."); }},
        {{"403", "403: the key may not do this.", true},
         [](Plan& plan, const Situation&) { fail(plan, 403, "This API key may not use the sandbox."); }},
        {{"403-empty", "403 without a body.", true},
         [](Plan& plan, const Situation&) {
             plan.status = 403;
             plan.body = std::string();
         }},
        {{"403-rejected", "403: this request is not allowed, without a word about the account.", true},
         [](Plan& plan, const Situation&) { fail(plan, 403, "Request not allowed", {}, "forbidden"); }},
        {{"banned", "401: the account is banned for good.", true},
         [](Plan& plan, const Situation&) {
             fail(plan, 401, "Your account has been deactivated. Contact support for more information.", {}, "account_deactivated");
         }},
        {{"404-model", "404: the model does not exist.", true},
         [](Plan& plan, const Situation& now) {
             fail(plan, 404, "The model `" + now.prompt.model + "` does not exist or you do not have access to it.");
         }},
        {{"retired-model", "410: the model is retired.", true},
         [](Plan& plan, const Situation& now) {
             fail(plan, 410, "The model `" + now.prompt.model + "` has been deprecated and is no longer available.", {}, "model_retired");
         }},
        {{"500", "500: internal server error.", true}, failWith<500>},
        {{"501", "501: not implemented.", true}, failWith<501>},
        {{"502", "502: bad gateway.", true}, failWith<502>},
        {{"503", "503: service unavailable.", true}, failWith<503>},
        {{"504", "504: gateway timeout.", true}, failWith<504>},
        {{"529", "529: overloaded, as Anthropic says it.", true}, [](Plan& plan, const Situation&) { fail(plan, 529, "Overloaded"); }},
        {{"status", "Any error status: code, 418 by default."},
         [](Plan& plan, const Situation& now) {
             const auto code = static_cast<int>(std::clamp<std::uint64_t>(now.prompt.name.number("code", 418), 400, 599));
             fail(plan, code, "The sandbox answers " + std::to_string(code) + " as it was asked to.");
         }},
        {{"redirect", "307 to another address, which must not be followed with a key."},
         [](Plan& plan, const Situation&) {
             plan.status = 307;
             plan.headers.emplace_back("Location", "/v1/models");
             plan.body = std::string();
         }},
        {{"fail-first", "Fails the first n requests of each key with status (1 and 503 by default), then answers."}, failFirst},
        {{"flaky", "Fails percent of the requests with status (30 and 500 by default), in the same places in every run."}, flaky},
    };
    return list;
}

}  // namespace omni::sandbox
