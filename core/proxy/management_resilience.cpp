#include "proxy/management_call.h"
#include "proxy/management_views.h"

#include "base/text.h"

#include <algorithm>
#include <map>

namespace omni {

namespace {

constexpr std::size_t kMaxConnections = 1000;  // spec 4-surfaces §3.3
constexpr std::int64_t kDayMs = 86'400'000;

Json clearedJson(const Engine::Cleared& cleared)
{
    return {{"cleared", cleared.cleared},
            {"unchanged", cleared.unchanged},
            {"skippedTerminal", cleared.skippedTerminal},
            {"lockoutsCleared", cleared.lockoutsCleared}};
}

/// Configured, or known to the engine from before; 404 otherwise.
std::optional<ProviderId> providerNamed(const ManagementContext& context, const CallPtr& call, const std::string& name)
{
    if (const Provider* provider = findProvider(context.configuration(), name))
        return provider->id;
    for (const BreakerStatus& breaker : context.engine.breakers()) {
        if (breaker.provider.str() == name)
            return breaker.provider;
    }
    call->fail(404, "Provider not found", "not_found");
    return std::nullopt;
}

/// Without a body: every breaker. `provider` and `connectionId` narrow it; `connectionId` and `allCooldowns` also end cooldowns.
void reset(const ManagementContext& context, const CallPtr& call)
{
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    std::vector<FieldError> errors;
    ObjectReader reader(*body, errors);
    std::string providerName;
    std::string connectionId;
    bool allCooldowns = false;
    reader.text("provider", providerName);
    reader.text("connectionId", connectionId);
    reader.flag("allCooldowns", allCooldowns);
    reader.finish();
    if (!errors.empty())
        return call->invalid(errors);

    ProviderId provider;
    if (!connectionId.empty()) {
        const Connection* connection = context.configuration().connection(ConnectionId(connectionId));
        if (!connection)
            return call->fail(404, "Connection not found", "not_found");
        provider = connection->provider;
    }
    if (!providerName.empty()) {
        const std::optional<ProviderId> named = providerNamed(context, call, providerName);
        if (!named)
            return;
        if (!provider.empty() && provider != *named)
            return call->invalid({{"connectionId", "This connection belongs to another provider."}});
        provider = *named;
    }

    Engine::Cleared cleared;
    if (allCooldowns)
        cleared = context.control.clearAllCooldowns(provider);
    else if (!connectionId.empty())
        cleared = context.control.clearCooldowns({ConnectionId(connectionId)});
    const int count = context.control.resetBreakers(provider);
    Json answer = clearedJson(cleared);
    answer["ok"] = true;
    answer["resetCount"] = count;
    answer["message"] = count == 1 ? "1 circuit breaker was reset." : std::to_string(count) + " circuit breakers were reset.";
    call->answer(200, answer);
}

/// Only what keeps a connection out of routing, terminal states included.
void listCooldowns(const ManagementContext& context, const CallPtr& call)
{
    std::vector<FieldError> errors;
    QueryReader query(call->request().query(), errors);
    const std::string provider = query.text("provider");
    query.finish();
    if (!errors.empty())
        return call->invalid(errors);
    const Configuration& configuration = context.configuration();
    const Provider* wanted = findProvider(configuration, provider);
    const WallTime now = context.clock.wall();
    Json rows = Json::array();
    for (const Connection& connection : configuration.connections) {
        if (!provider.empty() && (!wanted || connection.provider != wanted->id))
            continue;
        const ConnectionHealth health = context.engine.health(connection.id);
        const std::int64_t remaining = cooldownRemaining(health, now);
        const bool terminal = health.terminal != TerminalState::None;
        if (!terminal && remaining == 0)
            continue;
        rows.push_back({{"id", connection.id.str()},
                        {"provider", connection.provider.str()},
                        {"name", connection.name},
                        {"authType", authTypeOf(connection, configuration)},
                        {"status", terminal ? "terminal:" + std::string(toString(health.terminal)) : std::string("cooling_down")},
                        {"remainingMs", remaining},
                        {"rateLimitedUntil", remaining > 0 ? timeJson(health.coolingUntil) : Json()},
                        {"backoffLevel", health.backoffLevel},
                        {"lastErrorType", health.lastErrorAt ? Json(toString(health.reason)) : Json()},
                        {"lockouts", Json::array()},
                        {"evidence", evidenceJson(health.evidence)}});
    }
    call->answer(200, {{"connections", std::move(rows)}});
}

/// Exactly one of {"connectionIds":[…]} and {"all":true,"provider"?}.
void clearCooldowns(const ManagementContext& context, const CallPtr& call)
{
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    std::vector<FieldError> errors;
    ObjectReader reader(*body, errors);
    std::vector<std::string> ids;
    const bool listed = reader.texts("connectionIds", ids);
    bool all = false;
    std::string providerName;
    reader.flag("all", all);
    reader.text("provider", providerName);
    reader.finish();
    if (errors.empty() && (listed == all || (listed && (ids.empty() || !providerName.empty()))))
        errors.push_back({"body", "Must be either {\"connectionIds\": [at least one id]} or {\"all\": true, \"provider\": optional}."});
    if (!errors.empty())
        return call->invalid(errors);

    if (all) {
        ProviderId provider;
        if (!providerName.empty()) {
            const std::optional<ProviderId> named = providerNamed(context, call, providerName);
            if (!named)
                return;
            provider = *named;
        }
        return call->answer(200, clearedJson(context.control.clearAllCooldowns(provider)));
    }
    std::vector<ConnectionId> known;
    int unknown = 0;
    for (std::string& text : ids) {
        ConnectionId id(std::move(text));
        if (!context.configuration().connection(id))
            ++unknown;
        else if (std::find(known.begin(), known.end(), id) == known.end())
            known.push_back(std::move(id));
    }
    Engine::Cleared cleared = context.control.clearCooldowns(known);
    cleared.unchanged += unknown;
    call->answer(200, clearedJson(cleared));
}

/// The coarse word of spec 4-surfaces §3.3 for what went wrong last.
std::string_view errorBucket(const ConnectionHealth& health)
{
    switch (health.reason) {
    case FailureReason::QuotaExhausted:
    case FailureReason::RateLimitExceeded:
    case FailureReason::ModelCapacity:
    case FailureReason::ConcurrencyLimited: return "rate_limit";
    case FailureReason::AuthError: return "auth";
    case FailureReason::NotFound: return "not_found";
    case FailureReason::ServerError:
    case FailureReason::Overloaded:
    case FailureReason::ServiceNotRunning: return "server";
    case FailureReason::Unknown:
    case FailureReason::BadRequest:
    case FailureReason::Transport: break;
    }
    switch (health.errorCode) {
    case 429: return "rate_limit";
    case 401:
    case 403: return "auth";
    case 404: return "not_found";
    case 500:
    case 502:
    case 503:
    case 504: return "server";
    default: return "other";
    }
}

bool unhealthy(const BreakerStatus& breaker) { return breaker.state != BreakerState::Closed; }

Json monitoredConnection(const Connection& connection, const Configuration& configuration, const ConnectionHealth& health,
                         const BreakerStatus* breaker, WallTime now, WallTime since)
{
    const std::int64_t remaining = cooldownRemaining(health, now);
    std::string status = "healthy";
    if (health.terminal != TerminalState::None)
        status = "terminal";
    else if (breaker && breaker->state == BreakerState::Open)
        status = "circuit_open";
    else if (remaining > 0)
        status = "cooling_down";
    // What lies before the window is history.
    const bool failedLately = health.lastErrorAt && *health.lastErrorAt >= since;
    Json breakerView;
    if (breaker) {
        const Json whole = breakerJson(*breaker);
        for (const char* field : {"state", "failureCount", "retryAfterMs", "lastFailureKind", "lastClose"})
            breakerView[field] = whole[field];
    }
    return {{"id", connection.id.str()},
            {"provider", connection.provider.str()},
            {"name", connection.name},
            {"authType", authTypeOf(connection, configuration)},
            {"priority", connection.priority},
            {"isActive", connection.enabled},
            {"connectionStatus", status},
            {"availability", connection.enabled && status == "healthy" && !health.secretUnreadable ? "available" : "unavailable"},
            {"rateLimitedUntil", remaining > 0 ? timeJson(health.coolingUntil) : Json()},
            {"cooldownRemainingMs", remaining},
            {"isCoolingDown", remaining > 0},
            {"backoffLevel", health.backoffLevel},
            {"testStatus", testStatus(health, now)},
            {"secretUnreadable", health.secretUnreadable},
            {"lastErrorType", failedLately ? Json(toString(health.reason)) : Json()},
            {"lastErrorAt", failedLately ? timeJson(health.lastErrorAt) : Json()},
            {"errorCode", failedLately ? Json(errorBucket(health)) : Json()},
            {"lastUsedAt", timeJson(health.lastUsedAt)},
            {"breaker", std::move(breakerView)},
            {"lockouts", Json::array()},
            {"rotation", Json()}};
}

void monitorConnections(const ManagementContext& context, const CallPtr& call)
{
    std::vector<FieldError> errors;
    QueryReader query(call->request().query(), errors);
    const std::int64_t window = query.number("windowMs", 0, kDayMs, 3'600'000);
    const std::string provider = query.text("provider");
    if (query.has("provider") && (provider.empty() || provider.size() > 64))
        query.fail("provider", "Must be 1 to 64 characters.");
    query.finish();
    if (!errors.empty())
        return call->invalid(errors);

    const Configuration& configuration = context.configuration();
    const Provider* wanted = findProvider(configuration, provider);
    const WallTime now = context.clock.wall();
    const WallTime since = window == 0 ? WallTime{} : now - Millis(window);
    std::map<ProviderId, BreakerStatus> breakers;
    for (BreakerStatus& breaker : context.engine.breakers())
        breakers.emplace(breaker.provider, std::move(breaker));

    Json rows = Json::array();
    std::int64_t total = 0;
    std::int64_t cooling = 0;
    for (const Connection& connection : configuration.connections) {
        if (!provider.empty() && (!wanted || connection.provider != wanted->id))
            continue;
        ++total;
        const ConnectionHealth health = context.engine.health(connection.id);
        cooling += cooldownRemaining(health, now) > 0 ? 1 : 0;
        if (rows.size() == kMaxConnections)
            continue;
        const auto found = breakers.find(connection.provider);
        const BreakerStatus* breaker = found == breakers.end() ? nullptr : &found->second;
        rows.push_back(monitoredConnection(connection, configuration, health, breaker, now, since));
    }
    Json breakerRows = Json::array();
    std::int64_t sick = 0;
    for (const auto& [id, breaker] : breakers) {
        if (!provider.empty() && (!wanted || id != wanted->id))
            continue;
        breakerRows.push_back(breakerJson(breaker));
        sick += unhealthy(breaker) ? 1 : 0;
    }
    call->answer(200, {{"connections", std::move(rows)},
                       {"breakers", std::move(breakerRows)},
                       {"window", {{"sinceMs", epochMillis(since)}, {"untilMs", epochMillis(now)}, {"now", toIso8601(now)}}},
                       {"meta",
                        {{"totalConnections", total},
                         {"coolingDownCount", cooling},
                         {"unhealthyBreakerCount", sick},
                         {"countsCapped", false},
                         {"degraded", Json::array()}}}});
}

}  // namespace

std::vector<ManagementRoute> resilienceRoutes()
{
    return {{"POST", "/api/resilience/reset", &reset},
            {"GET", "/api/resilience/cooldowns", &listCooldowns},
            {"POST", "/api/resilience/cooldowns", &clearCooldowns},
            {"GET", "/api/resilience/connections", &monitorConnections}};
}

}  // namespace omni
