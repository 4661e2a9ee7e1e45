#include "proxy/management_resilience.h"

#include <algorithm>

namespace omni {

namespace {

constexpr std::size_t kMaxConnections = 1000;  // spec 4-surfaces §3.3

Json heldConnection(const Connection& connection, const Configuration& configuration, const ConnectionHealth& health,
                    const std::vector<ModelLockout>& lockouts, WallTime now)
{
    const std::int64_t remaining = cooldownRemaining(health, now);
    Json locked = Json::array();
    for (std::size_t i = 0; i < std::min(lockouts.size(), kMostLockoutsOfConnection); ++i)
        locked.push_back(lockoutJson(lockouts[i]));
    return {{"id", connection.id.str()},
            {"provider", connection.provider.str()},
            {"name", connection.name},
            {"authType", authTypeOf(connection, configuration)},
            {"status", holdStatus(health, now)},
            {"remainingMs", remaining},
            {"rateLimitedUntil", remaining > 0 ? timeJson(health.coolingUntil) : Json()},
            {"backoffLevel", health.backoffLevel},
            {"lastErrorType", health.lastErrorAt ? Json(toString(health.reason)) : Json()},
            {"lockouts", std::move(locked)},
            {"lockoutCount", lockouts.size()},
            {"evidence", evidenceJson(health.evidence)}};
}

/// Only what keeps a connection or one of its models out of routing, terminal states included.
void listCooldowns(const ManagementContext& context, const CallPtr& call)
{
    std::vector<FieldError> errors;
    QueryReader query(call->request().query(), errors);
    const std::string provider = query.text("provider");
    query.finish();
    if (!errors.empty())
        return call->invalid(errors);
    const Configuration& configuration = context.configuration();
    const ProviderFilter filter(configuration, provider);
    const LockoutsByConnection lockouts = lockoutsByConnection(context.engine);
    const WallTime now = context.clock.wall();
    Json rows = Json::array();
    for (const Connection& connection : configuration.connections) {
        if (!filter.passes(connection.provider))
            continue;
        const ConnectionHealth health = context.engine.health(connection.id);
        const std::vector<ModelLockout>& own = lockoutsOf(lockouts, connection.id);
        if (health.terminal != TerminalState::None || cooldownRemaining(health, now) > 0 || !own.empty())
            rows.push_back(heldConnection(connection, configuration, health, own, now));
    }
    call->answer(200, {{"connections", std::move(rows)}, {"providerCooldowns", providerCooldownRows(context.engine, filter)}});
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

/// The limits that upstreams have set: what of spec 4-surfaces §3.6 is known without a queue of our own.
void listRateLimits(const ManagementContext& context, const CallPtr& call)
{
    std::vector<FieldError> errors;
    QueryReader query(call->request().query(), errors);
    query.finish();
    if (!errors.empty())
        return call->invalid(errors);
    const Configuration& configuration = context.configuration();
    const std::vector<ModelLockout> lockouts = context.engine.lockouts();
    const WallTime now = context.clock.wall();
    Json rows = Json::array();
    for (const Connection& connection : configuration.connections) {
        if (rows.size() == kMaxConnections)
            break;
        const ConnectionHealth health = context.engine.health(connection.id);
        const std::int64_t remaining = cooldownRemaining(health, now);
        rows.push_back({{"connectionId", connection.id.str()},
                        {"provider", connection.provider.str()},
                        {"name", connection.name},
                        {"isActive", connection.enabled},
                        {"status", holdStatus(health, now)},
                        {"rateLimitedUntil", remaining > 0 ? timeJson(health.coolingUntil) : Json()},
                        {"cooldownRemainingMs", remaining}});
    }
    call->answer(200, {{"connections", std::move(rows)},
                       {"totalConnections", configuration.connections.size()},
                       {"lockouts", lockoutRows(lockouts)},
                       {"lockoutCount", lockouts.size()},
                       {"providerCooldowns", providerCooldownRows(context.engine, ProviderFilter(configuration, {}))}});
}

}  // namespace

std::vector<ManagementRoute> cooldownRoutes()
{
    return {{"GET", "/api/resilience/cooldowns", &listCooldowns},
            {"POST", "/api/resilience/cooldowns", &clearCooldowns},
            {"GET", "/api/rate-limits", &listRateLimits}};
}

}  // namespace omni
