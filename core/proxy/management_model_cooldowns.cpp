#include "proxy/management_resilience.h"
#include "resilience/quota_family.h"

#include <algorithm>

namespace omni {

namespace {

/// Name of the quota that the model shares with others; null for a model with one of its own.
Json familyOf(const ModelLockout& lockout)
{
    const std::string_view family = quotaFamilyOf(lockout.provider.str(), lockout.model);
    // Where even a model without a name has a family, no model stands alone.
    const bool shared = family != lockout.model || family.starts_with("family:")
                        || !quotaFamilyOf(lockout.provider.str(), {}).empty();
    return shared ? Json(family) : Json();
}

/// spec 4-surfaces §3.4. There `scope` tells whether one connection is meant or the whole provider; the kind of key is `lockoutScope`.
Json itemJson(const ModelLockout& lockout, const Configuration& configuration)
{
    Json item = lockoutWithOwnerJson(lockout);
    const Connection* connection = configuration.connection(lockout.connection);
    item["lockoutScope"] = item["scope"];
    item["scope"] = "connection-model";
    item["accountLabel"] = connection ? textOrNull(connection->name) : Json();
    item["modelFamily"] = familyOf(lockout);
    return item;
}

void listModelCooldowns(const ManagementContext& context, const CallPtr& call)
{
    std::vector<FieldError> errors;
    QueryReader query(call->request().query(), errors);
    constexpr auto most = static_cast<std::int64_t>(kMostLockouts);
    const auto limit = static_cast<std::size_t>(query.number("limit", 1, most, most));
    const auto offset = static_cast<std::size_t>(query.number("offset", 0, 1'000'000'000, 0));
    query.finish();
    if (!errors.empty())
        return call->invalid(errors);
    const std::vector<ModelLockout> lockouts = context.engine.lockouts();
    const std::size_t end = std::min(lockouts.size(), offset + limit);
    Json items = Json::array();
    for (std::size_t i = offset; i < end; ++i)
        items.push_back(itemJson(lockouts[i], context.configuration()));
    call->answer(200, {{"items", std::move(items)}, {"total", lockouts.size()}});
}

/// The locks of one model, which may be spelled as clients do: "provider/model".
int unlock(const ManagementContext& context, const std::string& providerName, const ConnectionId& connection, const std::string& model)
{
    const Configuration& configuration = context.configuration();
    const Provider* provider = findProvider(configuration, providerName);
    const ProviderId id = provider ? provider->id : ProviderId(providerName);
    const int ended = context.control.clearLockouts(id, connection, model);
    const std::size_t slash = model.find('/');
    if (ended > 0 || !provider || slash == std::string::npos || findProvider(configuration, model.substr(0, slash)) != provider)
        return ended;
    return context.control.clearLockouts(id, connection, model.substr(slash + 1));
}

/// Exactly one of {"provider","model","connection"?} and {"all":true}. The guide says `connection`, others `connectionId`.
void clearModelCooldowns(const ManagementContext& context, const CallPtr& call)
{
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    std::vector<FieldError> errors;
    ObjectReader reader(*body, errors);
    bool all = false;
    std::string provider;
    std::string model;
    std::string connection;
    std::string connectionId;
    reader.flag("all", all);
    const bool hasProvider = reader.text("provider", provider);
    const bool hasModel = reader.text("model", model);
    const bool hasConnection = reader.text("connection", connection);
    const bool hasConnectionId = reader.text("connectionId", connectionId);
    reader.finish();
    const bool named = hasProvider || hasModel || hasConnection || hasConnectionId;
    if (errors.empty() && named == all)
        errors.push_back({"body", "Must be either {\"provider\", \"model\", \"connection\": optional} or {\"all\": true}."});
    if (errors.empty() && named) {
        if (provider.empty())
            reader.fail("provider", "Must be the id of a provider.");
        if (model.empty())
            reader.fail("model", "Must be the name of a model.");
        // Empty is not "every one": left out is.
        if (hasConnection && connection.empty())
            reader.fail("connection", "Must be the id of a connection; leave it out for all of them.");
        if (hasConnectionId && connectionId.empty())
            reader.fail("connectionId", "Must be the id of a connection; leave it out for all of them.");
        if (hasConnection && hasConnectionId && connection != connectionId)
            reader.fail("connectionId", "Names another connection than \"connection\".");
    }
    if (!errors.empty())
        return call->invalid(errors);
    const int ended = all ? context.control.clearAllLockouts()
                          : unlock(context, provider, ConnectionId(hasConnection ? connection : connectionId), model);
    call->answer(200, {{"ok", true}, {"cleared", ended}});
}

}  // namespace

std::vector<ManagementRoute> modelCooldownRoutes()
{
    return {{"GET", "/api/resilience/model-cooldowns", &listModelCooldowns},
            {"DELETE", "/api/resilience/model-cooldowns", &clearModelCooldowns}};
}

}  // namespace omni
