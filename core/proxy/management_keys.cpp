#include "proxy/management_call.h"

namespace omni {

namespace {

constexpr std::int64_t kMaxPage = 1000;

/// The key itself is told once, by POST; nothing but its beginning is kept in clear.
Json viewOf(const ApiKey& key)
{
    Json connections = Json::array();
    for (const ConnectionId& id : key.allowedConnections)
        connections.push_back(id.str());
    return {{"id", key.id.str()},
            {"name", key.name},
            {"key", key.prefix + "…"},
            {"keyPrefix", key.prefix},
            {"allowedModels", key.allowedModels},
            {"allowedConnections", std::move(connections)},
            {"scopes", key.scopes},
            {"isActive", key.active},
            {"noLog", key.noLog},
            {"expiresAt", timeJson(key.expiresAt)},
            {"revokedAt", timeJson(key.revokedAt)},
            {"lastUsedAt", timeJson(key.lastUsedAt)},
            {"createdAt", timeJson(key.createdAt)}};
}

const ApiKey* named(const ManagementContext& context, const CallPtr& call)
{
    for (const ApiKey& key : context.configuration().apiKeys) {
        if (key.id.str() == call->parameter())
            return &key;
    }
    call->fail(404, "API key not found", "not_found");
    return nullptr;
}

std::vector<FieldError> readKey(const Json& body, WallTime now, ApiKey& key)
{
    std::vector<FieldError> errors;
    ObjectReader reader(body, errors);
    reader.text("name", key.name);
    reader.texts("allowedModels", key.allowedModels);
    std::vector<std::string> connections;
    if (reader.texts("allowedConnections", connections)) {
        key.allowedConnections.clear();
        for (std::string& id : connections)
            key.allowedConnections.emplace_back(std::move(id));
    }
    reader.texts("scopes", key.scopes);
    reader.flag("isActive", key.active);
    reader.flag("noLog", key.noLog);
    if (reader.clearable("expiresAt", key.expiresAt) && key.expiresAt && *key.expiresAt <= now)
        reader.fail("expiresAt", "Must lie in the future.");
    reader.readOnly({"id", "key", "keyPrefix", "revokedAt", "lastUsedAt", "createdAt"});
    reader.finish();
    return errors;
}

void list(const ManagementContext& context, const CallPtr& call)
{
    std::vector<FieldError> errors;
    QueryReader query(call->request().query(), errors);
    const std::int64_t limit = query.number("limit", 1, kMaxPage, INT64_MAX);
    const std::int64_t offset = query.number("offset", 0, INT64_MAX, 0);
    query.finish();
    if (!errors.empty())
        return call->invalid(errors);
    Json rows = Json::array();
    std::int64_t total = 0;
    for (const ApiKey& key : context.configuration().apiKeys) {
        if (total++ >= offset && static_cast<std::int64_t>(rows.size()) < limit)
            rows.push_back(viewOf(key));
    }
    call->answer(200, {{"keys", std::move(rows)}, {"total", total}, {"allowKeyReveal", false}});
}

void create(const ManagementContext& context, const CallPtr& call)
{
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    ApiKey key;
    const std::vector<FieldError> errors = readKey(*body, context.clock.wall(), key);
    if (!errors.empty())
        return call->invalid(errors);
    context.control.createApiKey(std::move(key), replyTo<CreatedApiKey>(call, [](ManagementCall& answered, const CreatedApiKey& created) {
        Json json = viewOf(created.record);
        json["key"] = created.key;
        answered.answer(201, json);
    }));
}

void read(const ManagementContext& context, const CallPtr& call)
{
    if (const ApiKey* key = named(context, call))
        call->answer(200, viewOf(*key));
}

void change(const ManagementContext& context, const CallPtr& call)
{
    const ApiKey* stored = named(context, call);
    if (!stored)
        return;
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    if (body->empty())
        return call->invalid({{"body", "Name at least one field to change."}});
    ApiKey key = *stored;
    const std::vector<FieldError> errors = readKey(*body, context.clock.wall(), key);
    if (!errors.empty())
        return call->invalid(errors);
    context.control.updateApiKey(std::move(key), replyTo<ApiKey>(call, [](ManagementCall& answered, const ApiKey& saved) {
        answered.answer(200, viewOf(saved));
    }));
}

void remove(const ManagementContext& context, const CallPtr& call)
{
    if (!named(context, call))
        return;
    context.control.removeApiKey(ApiKeyId(call->parameter()), replyTo<int>(call, [](ManagementCall& answered, int) {
        answered.answer(200, {{"message", "API key deleted"}});
    }));
}

}  // namespace

std::vector<ManagementRoute> keyRoutes()
{
    return {{"GET", "/api/keys", &list},
            {"POST", "/api/keys", &create},
            {"GET", "/api/keys/{}", &read},
            {"PUT", "/api/keys/{}", &change},
            {"PATCH", "/api/keys/{}", &change},
            {"DELETE", "/api/keys/{}", &remove}};
}

}  // namespace omni
