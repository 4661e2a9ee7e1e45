#include "base/text.h"
#include "resilience/verdict_context.h"

#include <array>
#include <chrono>

namespace omni {

namespace {

using Scope = Judgement::Scope;
using namespace std::chrono_literals;

constexpr Millis kDay = 24h;

/// Row 1.
std::optional<Judgement> contractViolation(const VerdictContext& context)
{
    if (context.body.code != "executor_contract_violation")
        return std::nullopt;
    return context.clientFault("the answer breaks the contract of the request");
}

/// Row 2.
std::optional<Judgement> foreignResponse(const VerdictContext& context)
{
    const bool marked = context.status() == 409 && context.has(Marker::ForeignResponse);
    if (!marked && context.body.code != "invalid_previous_response_binding")
        return std::nullopt;
    return context.clientFault("the previous response belongs to another key");
}

/// Row 3.
std::optional<Judgement> fallbackHint(const VerdictContext& context)
{
    const std::string* value = context.status() == 503 ? context.header("x-omni-fallback-hint") : nullptr;
    if (!value || !equalsIgnoreCase(trimmed(*value), "connection_cooldown"))
        return std::nullopt;
    Judgement judgement;
    judgement.reason = FailureReason::ServiceNotRunning;
    judgement.cooldown = 5s;
    judgement.newLevel = 0;
    judgement.source = HintSource::Rule;
    judgement.scopeSettled = true;
    judgement.skipBreaker = true;
    judgement.rule = "HTTP 503: the service behind this connection does not run";
    return judgement;
}

/// Row 5, the operator's own words included.
std::optional<Judgement> ban(const VerdictContext& context)
{
    const std::string_view word = OperatorWords::banWord(context.bans);
    if (!context.has(Marker::Ban) && word.empty())
        return std::nullopt;
    Judgement judgement;
    judgement.reason = FailureReason::AuthError;
    judgement.cooldown = kDay * 365;
    judgement.source = HintSource::Rule;
    judgement.permanent = true;
    judgement.rule = context.has(Marker::Ban) ? context.saying("the account is banned", Marker::Ban)
                                              : "the account is banned (the answer says your ban word “" + std::string(word) + "”)";
    return judgement;
}

/// Google answers a bad key with 400.
std::optional<Judgement> invalidKey(const VerdictContext& context)
{
    if (!context.body.keyInvalid)
        return std::nullopt;
    Judgement judgement = context.moveOn(FailureReason::AuthError, Scope::Connection, "the key is not valid (API_KEY_INVALID)");
    judgement.keyRefused = true;
    return judgement;
}

/// Row 6. It is one model that is gone, not the account.
std::optional<Judgement> retiredModel(const VerdictContext& context)
{
    if ((context.status() != 404 && context.status() != 410) || !context.has(Marker::RetiredModel))
        return std::nullopt;
    Judgement judgement =
        context.moveOn(FailureReason::NotFound, Scope::Model, context.saying("the model is retired", Marker::RetiredModel));
    judgement.cooldown = kDay;
    judgement.source = HintSource::Rule;
    judgement.quotaReset = judgement.cooldown;
    return judgement;
}

/// Row 7.
std::optional<Judgement> endpointMoved(const VerdictContext& context)
{
    if (!context.has(Marker::EndpointMoved))
        return std::nullopt;
    Judgement judgement;
    judgement.reason = FailureReason::NotFound;
    judgement.cooldown = kDay;
    judgement.source = HintSource::Rule;
    judgement.scopeSettled = true;  // of the whole base URL
    judgement.quotaReset = judgement.cooldown;
    judgement.rule = context.saying("the endpoint has moved", Marker::EndpointMoved);
    return judgement;
}

/// Row 8.
std::optional<Judgement> billingSuspended(const VerdictContext& context)
{
    if (!context.has(Marker::BillingSuspended))
        return std::nullopt;
    Judgement judgement =
        context.fixed(120s, FailureReason::QuotaExhausted, context.saying("billing is suspended", Marker::BillingSuspended));
    judgement.creditsExhausted = true;
    return judgement;
}

/// spec 1-core §8 step 6.
std::optional<Judgement> contentStall(const VerdictContext& context)
{
    if (!context.has(Marker::ContentStall) || context.facts.stallsCool)
        return std::nullopt;
    Judgement judgement =
        context.moveOn(FailureReason::ServerError, Scope::Note, "the stream brought no content in time; a stall does not cool");
    judgement.skipBreaker = true;
    return judgement;
}

constexpr std::array<VerdictRow, 10> kRows = {{
    {false, contractViolation},
    {false, foreignResponse},
    {false, fallbackHint},
    {true, ban},
    {true, operatorRule},
    {true, invalidKey},
    {true, retiredModel},
    {true, endpointMoved},
    {true, billingSuspended},
    {true, contentStall},
}};

}  // namespace

std::span<const VerdictRow> refusalRows()
{
    return kRows;
}

}  // namespace omni
