#include "resilience/verdict_context.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace omni {

namespace {

using Scope = Judgement::Scope;
using namespace std::chrono_literals;

std::string http(const VerdictContext& context, std::string_view meaning)
{
    return "HTTP " + std::to_string(context.status()) + ": " + std::string(meaning);
}

bool isBadRequest(const VerdictContext& context)
{
    return context.status() == 400 || context.status() == 422;
}

std::optional<Judgement> namedOverflow(const VerdictContext& context)
{
    const std::string& code = context.body.code;
    if (!isBadRequest(context) || (code != "context_length_exceeded" && code != "context_window_exceeded"))
        return std::nullopt;
    return context.moveOn(FailureReason::ModelCapacity, Scope::Request, http(context, "too long for this model (" + code + ")"));
}

std::optional<Judgement> namedModel(const VerdictContext& context)
{
    const ErrorBody& body = context.body;
    if (!isBadRequest(context) || (body.code != "model_not_found" && body.code != "deployment_not_found" && body.type != "not_found_error"))
        return std::nullopt;
    return context.moveOn(FailureReason::ModelCapacity, Scope::Model, http(context, "the model is not to be had here"));
}

std::optional<Judgement> faultyRequest(const VerdictContext& context)
{
    if (!isBadRequest(context))
        return std::nullopt;
    if (context.has(Marker::ContentFilter))
        return context.clientFault(http(context, context.saying("refused by a content filter", Marker::ContentFilter)));
    if (context.has(Marker::Malformed))
        return context.clientFault(http(context, context.saying("malformed", Marker::Malformed)));
    if (context.has(Marker::Parameter))
        return context.clientFault(http(context, context.saying("a parameter is not accepted", Marker::Parameter)));
    return std::nullopt;
}

std::optional<Judgement> badRequest(const VerdictContext& context)
{
    if (!isBadRequest(context))
        return std::nullopt;
    const bool refused = context.has(Marker::ModelAccess) && (context.body.type == "permission_error" || !context.has(Marker::Credential));
    if (refused)
        return context.moveOn(FailureReason::ModelCapacity, Scope::Model,
                              http(context, context.saying("the model is not to be had here", Marker::ModelAccess)));
    if (context.has(Marker::ContextOverflow))
        return context.moveOn(FailureReason::ModelCapacity, Scope::Request,
                              http(context, context.saying("too long for this model", Marker::ContextOverflow)));
    if (context.has(Marker::DegradedFunction))
        return context.moveOn(FailureReason::ModelCapacity, Scope::Request,
                              http(context, context.saying("the model is degraded", Marker::DegradedFunction)));
    if (context.has(Marker::RateText))
        return context.backoff(FailureReason::RateLimitExceeded, http(context, context.saying("rate limit", Marker::RateText)));
    return context.clientFault(http(context, "the request itself is refused"));
}

/// spec 1-core §8.1.
std::optional<Judgement> modelUnsupported(const VerdictContext& context)
{
    if (context.status() != 401 || !context.has(Marker::UnsupportedModel))
        return std::nullopt;
    return context.moveOn(FailureReason::NotFound, Scope::Model, http(context, "the model is not supported"));
}

/// Row 19.
std::optional<Judgement> routeRefused(const VerdictContext& context)
{
    if (context.status() != 403 || !context.has(Marker::RouteRefused))
        return std::nullopt;
    return context.clientFault(http(context, context.saying("the key does not reach this route", Marker::RouteRefused)));
}

/// Row 22, and the ruling that an empty 403 is the same. An OAuth account is judged by §8.1.
std::optional<Judgement> forbidden(const VerdictContext& context)
{
    if (context.status() != 403 || context.has(Marker::ForbiddenException))
        return std::nullopt;
    if (context.has(Marker::CloudflareBlock))
        return context.moveOn(FailureReason::AuthError, Scope::Note,
                              http(context, context.saying("blocked before it reached the provider", Marker::CloudflareBlock)));
    if (context.facts.providerClass != ProviderClass::OAuth || context.has(Marker::ProjectRefused))
        return context.backoff(FailureReason::AuthError, http(context, "forbidden"));
    if (context.has(Marker::TextNotAllowed))
        return context.fixed(60s, FailureReason::RateLimitExceeded, http(context, "this request was rejected"));
    Judgement judgement = context.moveOn(FailureReason::AuthError, Scope::Connection, http(context, "the account is forbidden"));
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
            return context.moveOn(FailureReason::Unknown, Scope::Request, http(context, "something the request names does not exist"));
        return std::nullopt;
    }
    Judgement judgement = context.fixed(120s, FailureReason::Unknown, http(context, "no such model here"));
    judgement.scope = Scope::Model;
    return judgement;
}

/// spec 0-decisions: 529 is a class of its own.
std::optional<Judgement> overloaded(const VerdictContext& context)
{
    if (context.status() != 529 && context.body.type != "overloaded_error")
        return std::nullopt;
    Judgement judgement = context.backoff(FailureReason::Overloaded, http(context, "overloaded"));
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
        return context.backoff(FailureReason::RateLimitExceeded, http(context, context.saying("rate limit", Marker::TextRateLimit)));
    if (context.has(Marker::TextQuota))
        return context.backoff(FailureReason::QuotaExhausted, http(context, context.saying("a quota is used up", Marker::TextQuota)));
    if (context.has(Marker::TextCapacity))
        return context.backoff(FailureReason::ModelCapacity, http(context, context.saying("short of capacity", Marker::TextCapacity)));
    return std::nullopt;
}

/// Row 23, the status rules of §4.8; rows 24–26 and 28.
std::optional<Judgement> statusRule(const VerdictContext& context)
{
    switch (context.status()) {
    case 401: return context.moveOn(FailureReason::AuthError, Scope::Connection, http(context, "the key is refused"));
    case 402:
        // Where quota is counted by model the account may still serve other models, so it is not given up for good.
        if (context.facts.perModelQuota)
            return context.fixed(120s, FailureReason::QuotaExhausted, http(context, "payment required"));
        return context.moveOn(FailureReason::QuotaExhausted, Scope::Connection, http(context, "payment required"));
    case 403: return context.backoff(FailureReason::AuthError, http(context, "forbidden"));
    case 404: return context.fixed(120s, FailureReason::Unknown, http(context, "not found"));
    case 406:
    case 408:
    case 500:
    case 502:
    case 503:
    case 504: return context.backoff(FailureReason::ServerError, http(context, "server error"));
    case 413: return context.backoff(FailureReason::ModelCapacity, http(context, "the request is too large"));
    case 429: return context.backoff(FailureReason::RateLimitExceeded, http(context, "rate limit"));
    case 432: return context.fixed(1h, FailureReason::QuotaExhausted, http(context, "the plan's limit is reached"));
    // Nothing another upstream would see otherwise.
    case 411:
    case 414:
    case 415:
    case 416:
    case 417:
    case 431: return context.clientFault(http(context, "the request itself is refused"));
    case 499: return context.clientFault(http(context, "the client left"));
    default: break;
    }
    if (context.status() >= 500)
        return context.backoff(FailureReason::ServerError, http(context, "server error"));
    return context.fixed(context.facts.profile.baseCooldown, FailureReason::Unknown, http(context, "no rule for this status"));
}

constexpr std::array<VerdictRow, 3> kBadRequestRows = {{
    {true, namedOverflow},
    {true, namedModel},
    {true, faultyRequest},
}};

constexpr std::array<VerdictRow, 8> kStatusRows = {{
    {true, modelUnsupported},
    {true, routeRefused},
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
