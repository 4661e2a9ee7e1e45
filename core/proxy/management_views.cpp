#include "proxy/management_views.h"

#include "base/text.h"

#include <algorithm>

namespace omni {

Json evidenceJson(const std::optional<Evidence>& evidence)
{
    if (!evidence)
        return {};
    return {{"at", timeJson(evidence->at)},
            {"requestId", textOrNull(evidence->request.str())},
            {"status", evidence->status},
            {"header", textOrNull(evidence->header)},
            {"body", textOrNull(evidence->bodyFragment)},
            {"rule", textOrNull(evidence->rule)},
            {"source", toString(evidence->source)},
            {"lengthMs", evidence->length.count()}};
}

Json breakerJson(const BreakerStatus& breaker)
{
    Json lastClose;
    for (const BreakerTransition& transition : breaker.history) {
        if (transition.to == BreakerState::Closed)
            lastClose = {{"at", timeJson(transition.at)}, {"from", toString(transition.from)}, {"reason", textOrNull(transition.reason)}};
    }
    Json history = Json::array();
    for (const BreakerTransition& transition : breaker.history) {
        history.push_back({{"at", timeJson(transition.at)},
                           {"from", toString(transition.from)},
                           {"to", toString(transition.to)},
                           {"failureCount", transition.failureCount},
                           {"reason", textOrNull(transition.reason)}});
    }
    return {{"provider", breaker.provider.str()},
            {"state", toString(breaker.state)},
            {"failureCount", breaker.failureCount},
            {"degradationThreshold", breaker.degradationThreshold},
            {"failureThreshold", breaker.failureThreshold},
            {"lastFailureAt", timeJson(breaker.lastFailureAt)},
            {"lastFailureKind", breaker.lastFailureKind ? Json(toString(*breaker.lastFailureKind)) : Json()},
            {"resetTimeoutMs", breaker.resetTimeout.count()},
            {"retryAfterMs", std::max<std::int64_t>(0, breaker.retryAfter.count())},
            {"heldUntil", timeJson(breaker.heldUntil)},
            {"lastClose", std::move(lastClose)},
            {"history", std::move(history)},
            {"evidence", evidenceJson(breaker.evidence)}};
}

Json lockoutJson(const ModelLockout& lockout)
{
    return {{"model", lockout.model},
            {"scope", toString(lockout.scope)},
            {"reason", toString(lockout.reason)},
            {"failureCount", lockout.failureCount},
            {"remainingMs", lockout.remaining.count()},
            {"until", epochMillis(lockout.until)},
            {"expiresAt", timeJson(lockout.until)},
            {"lockedAt", timeJson(lockout.lockedAt)},
            {"evidence", evidenceJson(lockout.evidence)}};
}

Json providerCooldownJson(const ProviderCooldownStatus& cooling)
{
    return {{"provider", cooling.provider.str()},
            {"connectionId", textOrNull(cooling.connection.str())},
            {"failureCount", cooling.failureCount},
            {"remainingMs", cooling.remaining.count()},
            {"until", epochMillis(cooling.until)},
            {"expiresAt", timeJson(cooling.until)}};
}

std::int64_t cooldownRemaining(const ConnectionHealth& health, WallTime now)
{
    return health.coolingUntil ? std::max<std::int64_t>(0, (*health.coolingUntil - now).count()) : 0;
}

std::string testStatus(const ConnectionHealth& health, WallTime now)
{
    if (health.terminal != TerminalState::None)
        return std::string(toString(health.terminal));
    if (cooldownRemaining(health, now) > 0)
        return "unavailable";
    return health.lastUsedAt || health.lastTestedAt ? "active" : "unknown";
}

std::string holdStatus(const ConnectionHealth& health, WallTime now)
{
    if (health.terminal != TerminalState::None)
        return "terminal:" + std::string(toString(health.terminal));
    return cooldownRemaining(health, now) > 0 ? "cooling_down" : "active";
}

std::string authTypeOf(const Connection& connection, const Configuration& configuration)
{
    return std::string(toString(configuration.providerClass(connection)));
}

Json connectionJson(const Connection& connection, const Configuration& configuration, const ConnectionHealth& health, WallTime now)
{
    Json json = {{"id", connection.id.str()},
                 {"provider", connection.provider.str()},
                 {"authType", authTypeOf(connection, configuration)},
                 {"name", connection.name},
                 {"priority", connection.priority},
                 {"isActive", connection.enabled},
                 {"apiKey", textOrNull(connection.keyHint)},
                 {"baseUrl", textOrNull(withoutUserInfo(connection.baseUrl))},
                 {"proxyUrl", textOrNull(withoutUserInfo(connection.proxyUrl))},
                 {"hasProxyPassword", !connection.proxySecretRef.empty()},
                 {"defaultModel", textOrNull(connection.defaultModel)},
                 {"models", connection.models},
                 {"disableCooling", connection.disableCooling},
                 {"passthroughModels", connection.passthroughModels ? Json(*connection.passthroughModels) : Json()},
                 {"maxConcurrent", connection.maxConcurrent ? Json(*connection.maxConcurrent) : Json()},
                 {"http2", connection.http2},
                 {"group", textOrNull(connection.group)},
                 {"createdAt", timeJson(connection.createdAt)},
                 {"updatedAt", timeJson(connection.updatedAt)}};
    json["testStatus"] = testStatus(health, now);
    json["secretUnreadable"] = health.secretUnreadable;
    json["rateLimitedUntil"] = cooldownRemaining(health, now) > 0 ? timeJson(health.coolingUntil) : Json();
    json["cooldownRemainingMs"] = cooldownRemaining(health, now);
    json["backoffLevel"] = health.backoffLevel;
    json["lastError"] = textOrNull(health.lastError);
    json["lastErrorType"] = health.lastErrorAt ? Json(toString(health.reason)) : Json();
    json["lastErrorAt"] = timeJson(health.lastErrorAt);
    json["errorCode"] = health.errorCode != 0 ? Json(health.errorCode) : Json();
    json["lastUsedAt"] = timeJson(health.lastUsedAt);
    json["lastTested"] = timeJson(health.lastTestedAt);
    return json;
}

const Provider* findProvider(const Configuration& configuration, std::string_view name)
{
    if (const Provider* provider = configuration.provider(ProviderId(std::string(name))))
        return provider;
    for (const ProviderNode& node : configuration.nodes) {
        if (equalsIgnoreCase(node.prefix, name))
            return configuration.provider(node.id);
    }
    return configuration.catalogue ? configuration.catalogue->find(name) : nullptr;
}

ProviderFilter::ProviderFilter(const Configuration& configuration, std::string_view name) : m_all(name.empty())
{
    if (const Provider* provider = m_all ? nullptr : findProvider(configuration, name))
        m_only = provider->id;
}

}  // namespace omni
