#include "proxy/management_resilience.h"
#include "store/store.h"

#include <algorithm>
#include <map>
#include <utility>

namespace omni {

LockoutsByConnection lockoutsByConnection(Engine& engine)
{
    LockoutsByConnection all;
    for (ModelLockout& lockout : engine.lockouts()) {
        std::vector<ModelLockout>& own = all[lockout.connection];
        own.push_back(std::move(lockout));
    }
    return all;
}

const std::vector<ModelLockout>& lockoutsOf(const LockoutsByConnection& all, const ConnectionId& connection)
{
    static const std::vector<ModelLockout> none;
    const auto found = all.find(connection);
    return found == all.end() ? none : found->second;
}

Json lockoutWithOwnerJson(const ModelLockout& lockout)
{
    Json json = lockoutJson(lockout);
    json["provider"] = lockout.provider.str();
    json["connectionId"] = lockout.connection.str();
    return json;
}

Json lockoutRows(const std::vector<ModelLockout>& lockouts)
{
    Json rows = Json::array();
    for (std::size_t i = 0; i < std::min(lockouts.size(), kMostLockouts); ++i)
        rows.push_back(lockoutWithOwnerJson(lockouts[i]));
    return rows;
}

Json providerCooldownRows(Engine& engine, const ProviderFilter& filter)
{
    Json rows = Json::array();
    for (const ProviderCooldownStatus& cooling : engine.providerCooldowns()) {
        if (filter.passes(cooling.provider))
            rows.push_back(providerCooldownJson(cooling));
    }
    return rows;
}

Json clearedJson(const Engine::Cleared& cleared)
{
    return {{"cleared", cleared.cleared},
            {"unchanged", cleared.unchanged},
            {"skippedTerminal", cleared.skippedTerminal},
            {"lockoutsCleared", cleared.lockoutsCleared}};
}

std::optional<ProviderId> providerNamed(const ManagementContext& context, const CallPtr& call, const std::string& name)
{
    if (const Provider* provider = findProvider(context.configuration(), name))
        return provider->id;
    for (const BreakerStatus& breaker : context.engine.breakers()) {
        if (breaker.provider.str() == name)
            return breaker.provider;
    }
    for (const ProviderCooldownStatus& cooling : context.engine.providerCooldowns()) {
        if (cooling.provider.str() == name)
            return cooling.provider;
    }
    call->fail(404, "Provider not found", "not_found");
    return std::nullopt;
}

namespace {

constexpr std::size_t kMaxConnections = 1000;  // spec 4-surfaces §3.3
constexpr std::int64_t kDayMs = 86'400'000;

std::size_t providerCooldownCount(const ManagementContext& context, const ProviderId& onlyProvider)
{
    const std::vector<ProviderCooldownStatus> cooling = context.engine.providerCooldowns();
    return static_cast<std::size_t>(std::count_if(cooling.begin(), cooling.end(), [&onlyProvider](const ProviderCooldownStatus& one) {
        return onlyProvider.empty() || one.provider == onlyProvider;
    }));
}

/// Without a body: every breaker, and the provider cooldowns with them. `provider` and `connectionId` narrow it; `connectionId` and
/// `allCooldowns` also end the connections' cooldowns.
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

    const std::size_t coolingBefore = providerCooldownCount(context, provider);
    Engine::Cleared cleared;
    if (allCooldowns)
        cleared = context.control.clearAllCooldowns(provider);
    else if (!connectionId.empty())
        cleared = context.control.clearCooldowns({ConnectionId(connectionId)});
    const int count = context.control.resetBreakers(provider);
    Json answer = clearedJson(cleared);
    answer["ok"] = true;
    answer["resetCount"] = count;
    answer["providerCooldownsCleared"] = coolingBefore - std::min(coolingBefore, providerCooldownCount(context, provider));
    answer["message"] = count == 1 ? "1 circuit breaker was reset." : std::to_string(count) + " circuit breakers were reset.";
    call->answer(200, answer);
}

/// The coarse word of spec 4-surfaces §3.3 for what went wrong last.
std::string_view errorBucket(const ConnectionHealth& health)
{
    switch (health.reason) {
    case FailureReason::QuotaExhausted:
    case FailureReason::RateLimitExceeded:
    case FailureReason::Credits:
    case FailureReason::ModelCapacity:
    case FailureReason::ConcurrencyLimited: return "rate_limit";
    case FailureReason::AuthError:
    case FailureReason::Forbidden: return "auth";
    case FailureReason::NotFound: return "not_found";
    case FailureReason::ServerError:
    case FailureReason::Overloaded:
    case FailureReason::ServiceNotRunning: return "server";
    case FailureReason::Unknown:
    case FailureReason::BadRequest:
    case FailureReason::Transport:
    case FailureReason::RequestRejected: break;
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
                         const BreakerStatus* breaker, const std::vector<ModelLockout>& lockouts, WallTime now, WallTime since)
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
    Json locked = Json::array();
    for (std::size_t i = 0; i < std::min(lockouts.size(), kMostLockoutsOfConnection); ++i) {
        const ModelLockout& lockout = lockouts[i];
        locked.push_back(
            {{"model", lockout.model}, {"reason", toString(lockout.reason)}, {"remainingMs", lockout.remaining.count()}});
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
            {"lockouts", std::move(locked)},
            {"lockoutCount", lockouts.size()}};
}

/// What the picture cannot vouch for. All of it is told from memory; only what waits to be written may be lost with the program.
Json degradedSources(const ManagementContext& context)
{
    const StoreStatistics store = context.control.store().statistics();
    Json sources = Json::array();
    if (!store.lastError.empty() && store.queuedRows > 0)
        sources.push_back("database");
    return sources;
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
    const ProviderFilter filter(configuration, provider);
    const LockoutsByConnection lockouts = lockoutsByConnection(context.engine);
    const WallTime now = context.clock.wall();
    const WallTime since = window == 0 ? WallTime{} : now - Millis(window);
    std::map<ProviderId, BreakerStatus> breakers;
    for (BreakerStatus& breaker : context.engine.breakers())
        breakers.emplace(breaker.provider, std::move(breaker));

    Json rows = Json::array();
    std::int64_t total = 0;
    std::int64_t cooling = 0;
    for (const Connection& connection : configuration.connections) {
        if (!filter.passes(connection.provider))
            continue;
        ++total;
        const ConnectionHealth health = context.engine.health(connection.id);
        cooling += cooldownRemaining(health, now) > 0 ? 1 : 0;
        if (rows.size() == kMaxConnections)
            continue;
        const auto found = breakers.find(connection.provider);
        const BreakerStatus* breaker = found == breakers.end() ? nullptr : &found->second;
        rows.push_back(
            monitoredConnection(connection, configuration, health, breaker, lockoutsOf(lockouts, connection.id), now, since));
    }
    Json breakerRows = Json::array();
    std::int64_t sick = 0;
    for (const auto& [id, breaker] : breakers) {
        if (!filter.passes(id))
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
                         {"degraded", degradedSources(context)}}}});
}

}  // namespace

std::vector<ManagementRoute> resilienceRoutes()
{
    return {{"POST", "/api/resilience/reset", &reset}, {"GET", "/api/resilience/connections", &monitorConnections}};
}

}  // namespace omni
