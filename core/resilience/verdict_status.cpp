#include "resilience/quota_family.h"
#include "resilience/verdict_context.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace omni {

namespace {

using Scope = Judgement::Scope;
using namespace std::chrono_literals;

bool isBadRequest(const VerdictContext& context)
{
    return context.status() == 400 || context.status() == 422;
}

/// field-faults H20: goes once to a model with a larger window, and holds nothing.
Judgement overflow(const VerdictContext& context, std::string rule)
{
    Judgement judgement = context.moveOn(FailureReason::ModelCapacity, Scope::Request, std::move(rule));
    judgement.contextOverflow = true;
    return judgement;
}

std::optional<Judgement> namedOverflow(const VerdictContext& context)
{
    const std::string& code = context.body.code;
    if ((!isBadRequest(context) && context.status() != 413) || (code != "context_length_exceeded" && code != "context_window_exceeded"))
        return std::nullopt;
    return overflow(context, context.http("too long for this model (" + code + ")"));
}

std::optional<Judgement> namedModel(const VerdictContext& context)
{
    const ErrorBody& body = context.body;
    if (!isBadRequest(context) || (body.code != "model_not_found" && body.code != "deployment_not_found" && body.type != "not_found_error"))
        return std::nullopt;
    return context.moveOn(FailureReason::ModelCapacity, Scope::Model, context.http("the model is not to be had here"));
}

/// §4.9 row 1: opencode's own words for a model that is down.
std::optional<Judgement> opencodeModel(const VerdictContext& context)
{
    return context.status() == 400 ? providerRule(context) : std::nullopt;
}

std::optional<Judgement> faultyRequest(const VerdictContext& context)
{
    if (!isBadRequest(context))
        return std::nullopt;
    if (context.has(Marker::ContentFilter))
        return context.clientFault(context.http(context.saying("refused by a content filter", Marker::ContentFilter)));
    if (context.has(Marker::Malformed))
        return context.clientFault(context.http(context.saying("malformed", Marker::Malformed)));
    if (context.has(Marker::Parameter))
        return context.clientFault(context.http(context.saying("a parameter is not accepted", Marker::Parameter)));
    return std::nullopt;
}

std::optional<Judgement> badRequest(const VerdictContext& context)
{
    if (!isBadRequest(context))
        return std::nullopt;
    const bool aboutModel = context.body.type == "permission_error" || !context.has(Marker::Credential);
    for (const Marker marker : {Marker::ModelUnsupported, Marker::ModelForbidden, Marker::ModelIncapable}) {
        if (!aboutModel || !context.has(marker))
            continue;
        // What a model cannot do for this request it may well do for others.
        Judgement judgement =
            context.moveOn(FailureReason::ModelCapacity, marker == Marker::ModelIncapable ? Scope::Request : Scope::Model,
                           context.http(context.saying("the model is not to be had here", marker)));
        judgement.providerLacksModel = isProviderModelUnsupported(context.status(), context.markers);
        return judgement;
    }
    if (context.has(Marker::LocationRefused))
        return context.moveOn(FailureReason::AuthError, Scope::Note,
                              context.http(context.saying("not served from here", Marker::LocationRefused)));
    if (context.has(Marker::TokenRate))
        return context.moveOn(FailureReason::ModelCapacity, Scope::Request,
                              context.http(context.saying("more tokens than a minute allows", Marker::TokenRate)));
    if (context.has(Marker::ContextOverflow))
        return overflow(context, context.http(context.saying("too long for this model", Marker::ContextOverflow)));
    if (context.has(Marker::DegradedFunction))
        return context.moveOn(FailureReason::ModelCapacity, Scope::Request,
                              context.http(context.saying("the model is degraded", Marker::DegradedFunction)));
    if (context.has(Marker::RateText))
        return context.backoff(FailureReason::RateLimitExceeded, context.http(context.saying("rate limit", Marker::RateText)));
    return context.clientFault(context.http("the request itself is refused"));
}

/// spec 1-core §8.1.
std::optional<Judgement> modelUnsupported(const VerdictContext& context)
{
    if (context.status() != 401 || !context.has(Marker::UnsupportedModel))
        return std::nullopt;
    return context.moveOn(FailureReason::NotFound, Scope::Model, context.http("the model is not supported"));
}

/// Row 19.
std::optional<Judgement> routeRefused(const VerdictContext& context)
{
    if (context.status() != 403 || !context.has(Marker::RouteRefused))
        return std::nullopt;
    return context.clientFault(context.http(context.saying("the key does not reach this route", Marker::RouteRefused)));
}

/// A 403 there is about the project behind the account (§8.1).
bool isCloudCode(std::string_view provider)
{
    const std::string_view id = canonicalProviderId(provider);
    return id == "antigravity" || id == "agy" || id == "gemini-cli";
}

/// Row 22, and the ruling that an empty 403 is the same. An OAuth account is judged by §8.1.
std::optional<Judgement> forbidden(const VerdictContext& context)
{
    if (context.status() != 403 || context.has(Marker::ForbiddenException))
        return std::nullopt;
    if (context.has(Marker::CloudflareBlock))
        return context.moveOn(FailureReason::AuthError, Scope::Note,
                              context.http(context.saying("blocked before it reached the provider", Marker::CloudflareBlock)));
    if (context.facts.providerClass != ProviderClass::OAuth || context.has(Marker::ProjectRefused) ||
        context.has(Marker::LocationRefused) || isCloudCode(context.facts.provider))
        return context.backoff(FailureReason::AuthError, context.http("forbidden"));
    if (context.has(Marker::TextNotAllowed)) {
        Judgement judgement = context.moveOn(FailureReason::RequestRejected, Scope::Connection,
                                             context.http(context.saying("this request was rejected", Marker::TextNotAllowed)));
        judgement.cooldown = 60s;
        judgement.source = HintSource::Rule;
        judgement.scopeSettled = true;
        judgement.requestRejected = true;
        return judgement;
    }
    Judgement judgement = context.moveOn(FailureReason::AuthError, Scope::Connection, context.http("the account is forbidden"));
    judgement.terminal = TerminalState::Banned;
    return judgement;
}

/// §2.2, §8 steps 2 and 21: a 404 is seldom about the account.
std::optional<Judgement> notFound(const VerdictContext& context)
{
    if (context.status() != 404)
        return std::nullopt;
    const bool local = context.facts.providerClass == ProviderClass::Local && !context.facts.model.empty();
    if (!context.has(Marker::MissingModel) && !local) {
        if (context.has(Marker::MissingResource))
            return context.moveOn(FailureReason::Unknown, Scope::Request, context.http("something the request names does not exist"));
        return std::nullopt;
    }
    Judgement judgement = context.fixed(120s, FailureReason::Unknown, context.http("no such model here"));
    judgement.scope = Scope::Model;
    return judgement;
}

/// A request that is too long is no fault of the account (field-faults H20); one above the tokens of a minute may be.
std::optional<Judgement> tooLarge(const VerdictContext& context)
{
    if (context.status() != 413 || !context.has(Marker::ContextOverflow) || context.has(Marker::TokenRate))
        return std::nullopt;
    return overflow(context, context.http(context.saying("too long for this model", Marker::ContextOverflow)));
}

/// spec 0-decisions: 529 is a class of its own.
std::optional<Judgement> overloaded(const VerdictContext& context)
{
    if (context.status() != 529 && context.body.type != "overloaded_error")
        return std::nullopt;
    Judgement judgement = context.backoff(FailureReason::Overloaded, context.http("overloaded"));
    judgement.skipBreaker = true;
    return judgement;
}

/// Row 23, the text rules of §4.8. A plain 429 is left to the status rule.
std::optional<Judgement> textRule(const VerdictContext& context)
{
    if (context.status() == 429 && !context.preserve)
        return std::nullopt;
    if (context.has(Marker::TextNoCredentials))
        return context.fixed(120s, FailureReason::AuthError, context.saying("no credentials", Marker::TextNoCredentials));
    if (context.has(Marker::TextNotAllowed))
        return context.fixed(5s, FailureReason::RateLimitExceeded, context.saying("rejected", Marker::TextNotAllowed));
    if (context.has(Marker::TextMalformed))
        return context.moveOn(FailureReason::ModelCapacity, Scope::Request, context.saying("malformed", Marker::TextMalformed));
    if (context.has(Marker::TextRateLimit))
        return context.backoff(FailureReason::RateLimitExceeded, context.http(context.saying("rate limit", Marker::TextRateLimit)));
    if (context.has(Marker::TextQuota))
        return context.backoff(FailureReason::QuotaExhausted, context.http(context.saying("a quota is used up", Marker::TextQuota)));
    if (context.has(Marker::TextCapacity))
        return context.backoff(FailureReason::ModelCapacity, context.http(context.saying("short of capacity", Marker::TextCapacity)));
    return std::nullopt;
}

/// Row 23, the status rules of §4.8; rows 24–26 and 28.
std::optional<Judgement> statusRule(const VerdictContext& context)
{
    switch (context.status()) {
    case 401: return context.moveOn(FailureReason::AuthError, Scope::Connection, context.http("the key is refused"));
    case 402:
        // Where quota is counted by model the account may still serve other models, so it is not given up for good.
        if (context.facts.perModelQuota)
            return context.fixed(120s, FailureReason::QuotaExhausted, context.http("payment required"));
        return context.moveOn(FailureReason::QuotaExhausted, Scope::Connection, context.http("payment required"));
    case 403: return context.backoff(FailureReason::AuthError, context.http("forbidden"));
    case 404: return context.fixed(120s, FailureReason::Unknown, context.http("not found"));
    case 406:
    case 408:
    case 500:
    case 502:
    case 503:
    case 504: return context.backoff(FailureReason::ServerError, context.http("server error"));
    case 413: return context.backoff(FailureReason::ModelCapacity, context.http("the request is too large"));
    case 429: return context.backoff(FailureReason::RateLimitExceeded, context.http("rate limit"));
    case 432: return context.fixed(1h, FailureReason::QuotaExhausted, context.http("the plan's limit is reached"));
    // Nothing another upstream would see otherwise.
    case 411:
    case 414:
    case 415:
    case 416:
    case 417:
    case 431: return context.clientFault(context.http("the request itself is refused"));
    case 499: return context.clientFault(context.http("the client left"));
    default: break;
    }
    if (context.status() >= 500)
        return context.backoff(FailureReason::ServerError, context.http("server error"));
    return context.fixed(context.facts.profile.baseCooldown, FailureReason::Unknown, context.http("no rule for this status"));
}

constexpr std::array<VerdictRow, 4> kBadRequestRows = {{
    {true, namedOverflow},
    {true, namedModel},
    {true, opencodeModel},
    {true, faultyRequest},
}};

constexpr std::array<VerdictRow, 10> kStatusRows = {{
    {true, modelUnsupported},
    {true, routeRefused},
    {false, providerRule},
    {true, tooLarge},
    {false, overloaded},
    {false, forbidden},
    {false, notFound},
    {true, textRule},
    {false, badRequest},
    {false, statusRule},
}};

}  // namespace

std::span<const VerdictRow> badRequestRows()
{
    return kBadRequestRows;
}

std::span<const VerdictRow> statusRows()
{
    return kStatusRows;
}

}  // namespace omni
