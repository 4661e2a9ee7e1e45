#include "proxy/management_call.h"
#include "proxy/management_views.h"

#include <algorithm>
#include <set>
#include <utility>

namespace omni {

namespace {

constexpr std::int64_t kMaxPage = 1000;
constexpr std::size_t kMaxIds = 100;  // spec 4-surfaces §3.9

Json viewOf(const ManagementContext& context, const Connection& connection)
{
    return connectionJson(connection, context.configuration(), context.engine.health(connection.id), context.clock.wall());
}

Reply<Connection> answerWith(const ManagementContext& context, const CallPtr& call, int status)
{
    return replyTo<Connection>(call, [&context, status](ManagementCall& answered, const Connection& connection) {
        answered.answer(status, {{"connection", viewOf(context, connection)}});
    });
}

const Connection* named(const ManagementContext& context, const CallPtr& call)
{
    const Connection* connection = context.configuration().connection(ConnectionId(call->parameter()));
    if (!connection)
        call->fail(404, "Connection not found", "not_found");
    return connection;
}

/// "apiKey": blank keeps the key, null removes it. A mask that was read here must not come back as a key (spec 4-surfaces §10.3).
void readKey(ObjectReader& reader, ConnectionDraft& draft)
{
    if (const Json* value = reader.value("apiKey"); value && value->is_null()) {
        draft.secret = std::string();
        return;
    }
    std::string key;
    if (!reader.text("apiKey", key) || key.find_first_not_of(" \t\r\n") == std::string::npos)
        return;
    if (!draft.connection.keyHint.empty() && key == draft.connection.keyHint)
        return;
    if (key.find("…") != std::string::npos)
        return reader.fail("apiKey", "This is the mask of a key, not a key.");
    draft.secret = std::move(key);
}

void readProxyPassword(ObjectReader& reader, ConnectionDraft& draft)
{
    if (const Json* value = reader.value("proxyPassword"); value && value->is_null()) {
        draft.proxySecret = std::string();
        return;
    }
    std::string password;
    if (reader.text("proxyPassword", password) && !password.empty())
        draft.proxySecret = std::move(password);
}

/// null empties a text that may be empty.
void readOptionalText(ObjectReader& reader, std::string_view name, std::string& into)
{
    if (const Json* value = reader.value(name); value && value->is_null())
        into.clear();
    else
        reader.text(name, into);
}

/// What providers of the original keep in a bag; the parts of it that we have.
void readProviderData(const Json& bag, std::vector<FieldError>& errors, Connection& connection)
{
    ObjectReader reader(bag, errors, "providerSpecificData");
    readOptionalText(reader, "baseUrl", connection.baseUrl);
    readOptionalText(reader, "tag", connection.group);
    reader.flag("disableCooling", connection.disableCooling);
    reader.clearable("passthroughModels", connection.passthroughModels);
    reader.finish();
}

/// The fields both POST and PUT take. `fresh` = the provider may be named.
std::vector<FieldError> readDraft(const Json& body, const Configuration& configuration, bool fresh, ConnectionDraft& draft)
{
    std::vector<FieldError> errors;
    ObjectReader reader(body, errors);
    Connection& connection = draft.connection;
    std::string provider = connection.provider.str();
    if (reader.text("provider", provider)) {
        const Provider* found = findProvider(configuration, provider);
        if (!found)
            reader.fail("provider", "Invalid provider");
        else if (!fresh && found->id != connection.provider)
            reader.fail("provider", "The provider of a connection cannot be changed.");
        else
            connection.provider = found->id;
    } else if (fresh && errors.empty()) {
        reader.fail("provider", "Required.");
    }
    reader.text("name", connection.name);
    reader.number("priority", connection.priority);
    reader.flag("isActive", connection.enabled);
    readKey(reader, draft);
    readOptionalText(reader, "baseUrl", connection.baseUrl);
    readOptionalText(reader, "proxyUrl", connection.proxyUrl);
    readProxyPassword(reader, draft);
    readOptionalText(reader, "defaultModel", connection.defaultModel);
    reader.flag("disableCooling", connection.disableCooling);
    reader.clearable("passthroughModels", connection.passthroughModels);
    reader.clearable("maxConcurrent", connection.maxConcurrent);
    reader.flag("http2", connection.http2);
    readOptionalText(reader, "group", connection.group);
    if (const Json* bag = reader.value("providerSpecificData"); bag && !bag->is_null())
        readProviderData(*bag, errors, connection);
    reader.readOnly({"id", "authType", "models", "createdAt", "updatedAt", "hasProxyPassword", "testStatus", "secretUnreadable",
                     "rateLimitedUntil", "cooldownRemainingMs", "backoffLevel", "lastError", "lastErrorType", "lastErrorAt", "errorCode",
                     "lastUsedAt", "lastTested"});
    reader.finish();
    return errors;
}

/// 404 rather than 400 for an endpoint of the user's that is gone (spec 4-surfaces §3.9).
bool namesUnknownNode(const Json& body, const Configuration& configuration)
{
    const auto provider = body.find("provider");
    if (provider == body.end() || !provider->is_string())
        return false;
    const auto& name = provider->get_ref<const std::string&>();
    const bool node = name.starts_with("openai-compatible-") || name.starts_with("anthropic-compatible-");
    return node && !configuration.provider(ProviderId(name));
}

void list(const ManagementContext& context, const CallPtr& call)
{
    std::vector<FieldError> errors;
    QueryReader query(call->request().query(), errors);
    const std::string provider = query.text("provider");
    const std::int64_t limit = query.number("limit", 1, kMaxPage, INT64_MAX);
    const std::int64_t offset = query.number("offset", 0, INT64_MAX, 0);
    query.finish();
    if (!errors.empty())
        return call->invalid(errors);
    const Provider* wanted = findProvider(context.configuration(), provider);
    Json rows = Json::array();
    std::int64_t total = 0;
    for (const Connection& connection : context.configuration().connections) {
        if (!provider.empty() && (!wanted || connection.provider != wanted->id))
            continue;
        if (total++ >= offset && static_cast<std::int64_t>(rows.size()) < limit)
            rows.push_back(viewOf(context, connection));
    }
    call->answer(200, {{"connections", std::move(rows)}, {"total", total}});
}

void create(const ManagementContext& context, const CallPtr& call)
{
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    if (namesUnknownNode(*body, context.configuration()))
        return call->fail(404, "Provider node not found", "not_found");
    ConnectionDraft draft;
    const std::vector<FieldError> errors = readDraft(*body, context.configuration(), true, draft);
    if (!errors.empty())
        return call->invalid(errors);
    context.control.saveConnection(std::move(draft), answerWith(context, call, 201));
}

void read(const ManagementContext& context, const CallPtr& call)
{
    if (const Connection* connection = named(context, call))
        call->answer(200, {{"connection", viewOf(context, *connection)}});
}

void change(const ManagementContext& context, const CallPtr& call)
{
    const Connection* connection = named(context, call);
    if (!connection)
        return;
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    if (body->empty())
        return call->invalid({{"body", "Name at least one field to change."}});
    ConnectionDraft draft;
    draft.connection = *connection;
    const std::vector<FieldError> errors = readDraft(*body, context.configuration(), false, draft);
    if (!errors.empty())
        return call->invalid(errors);
    context.control.saveConnection(std::move(draft), answerWith(context, call, 200));
}

void remove(const ManagementContext& context, const CallPtr& call)
{
    const Connection* connection = named(context, call);
    if (!connection)
        return;
    context.control.removeConnections({connection->id}, replyTo<std::string>(call, [](ManagementCall& answered, const std::string& token) {
        answered.answer(200, {{"message", "Connection deleted"}, {"undoToken", token}});
    }));
}

struct NamedIds {
    std::vector<ConnectionId> known;
    Json unknown = Json::array();
};

/// "ids": 1…100, each once.
std::optional<NamedIds> readIds(ObjectReader& reader, const Configuration& configuration)
{
    std::vector<std::string> ids;
    if (!reader.texts("ids", ids) || ids.empty() || ids.size() > kMaxIds) {
        reader.fail("ids", "Must be a list of 1 to 100 connection ids.");
        return std::nullopt;
    }
    NamedIds result;
    std::set<std::string> seen;
    for (std::string& id : ids) {
        if (!seen.insert(id).second)
            continue;
        ConnectionId typed(std::move(id));
        if (configuration.connection(typed))
            result.known.push_back(std::move(typed));
        else
            result.unknown.push_back(typed.str());
    }
    return result;
}

void enableMany(const ManagementContext& context, const CallPtr& call)
{
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    std::vector<FieldError> errors;
    ObjectReader reader(*body, errors);
    std::optional<NamedIds> ids = readIds(reader, context.configuration());
    bool active = false;
    if (!reader.flag("isActive", active))
        reader.fail("isActive", "Must be true or false.");
    reader.finish();
    if (!errors.empty() || !ids)
        return call->invalid(errors);
    const auto count = ids->known.size();
    const auto done = [count, active, unknown = std::move(ids->unknown)](ManagementCall& answered, int) {
        answered.answer(200, {{"message", active ? "Connections enabled" : "Connections disabled"},
                              {"updated", count},
                              {"notFound", unknown}});
    };
    if (count == 0)
        return done(*call, 0);
    context.control.setConnectionsEnabled(std::move(ids->known), active, replyTo<int>(call, done));
}

void removeMany(const ManagementContext& context, const CallPtr& call)
{
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    std::vector<FieldError> errors;
    ObjectReader reader(*body, errors);
    std::optional<NamedIds> ids = readIds(reader, context.configuration());
    reader.finish();
    if (!errors.empty() || !ids)
        return call->invalid(errors);
    const auto count = ids->known.size();
    const auto done = [count, unknown = std::move(ids->unknown)](ManagementCall& answered, const std::string& token) {
        answered.answer(200, {{"message", "Connections deleted"},
                              {"deleted", count},
                              {"notFound", unknown},
                              {"undoToken", textOrNull(token)}});
    };
    if (count == 0)
        return done(*call, {});
    context.control.removeConnections(std::move(ids->known), replyTo<std::string>(call, done));
}

void undo(const ManagementContext& context, const CallPtr& call)
{
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    std::vector<FieldError> errors;
    ObjectReader reader(*body, errors);
    std::string token;
    if (!reader.text("undoToken", token) || token.empty())
        reader.fail("undoToken", "Must be the token of a deletion.");
    reader.finish();
    if (!errors.empty())
        return call->invalid(errors);
    using Restored = std::vector<Connection>;
    context.control.undoRemove(token, replyTo<Restored>(call, [&context](ManagementCall& answered, const Restored& restored) {
        Json rows = Json::array();
        for (const Connection& connection : restored)
            rows.push_back(viewOf(context, connection));
        answered.answer(200, {{"connections", std::move(rows)}});
    }));
}

Json reportJson(const TestReport& report)
{
    return {{"success", report.ok},
            {"valid", report.ok},
            {"status", report.status != 0 ? Json(report.status) : Json()},
            {"latencyMs", report.latency.count()},
            {"message", report.message},
            {"models", report.models}};
}

/// The test itself succeeded whatever it found: 200 with the finding.
void answerReport(ManagementCall& call, const TestReport& report)
{
    call.answer(200, reportJson(report));
}

void testSaved(const ManagementContext& context, const CallPtr& call)
{
    const Connection* connection = named(context, call);
    if (!connection)
        return;
    ConnectionDraft draft;
    draft.connection = *connection;
    context.control.testConnection(std::move(draft), replyTo<TestReport>(call, &answerReport));
}

void testUnsaved(const ManagementContext& context, const CallPtr& call)
{
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    ConnectionDraft draft;
    const std::vector<FieldError> errors = readDraft(*body, context.configuration(), true, draft);
    if (!errors.empty())
        return call->invalid(errors);
    context.control.testConnection(std::move(draft), replyTo<TestReport>(call, &answerReport));
}

void syncModels(const ManagementContext& context, const CallPtr& call)
{
    const Connection* connection = named(context, call);
    if (!connection)
        return;
    using Models = std::vector<std::string>;
    context.control.refreshModels(connection->id, replyTo<Models>(call, [](ManagementCall& answered, const Models& models) {
        answered.answer(200, {{"models", models}, {"total", models.size()}});
    }));
}

void duplicate(const ManagementContext& context, const CallPtr& call)
{
    const Connection* connection = named(context, call);
    if (!connection)
        return;
    context.control.duplicateConnection(connection->id, answerWith(context, call, 201));
}

}  // namespace

std::vector<ManagementRoute> connectionRoutes()
{
    // Fixed names come before "{}".
    return {{"GET", "/api/providers", &list},
            {"POST", "/api/providers", &create},
            {"PATCH", "/api/providers", &enableMany},
            {"DELETE", "/api/providers", &removeMany},
            {"POST", "/api/providers/validate", &testUnsaved},
            {"POST", "/api/providers/undo-delete", &undo},
            {"GET", "/api/providers/{}", &read},
            {"PUT", "/api/providers/{}", &change},
            {"PATCH", "/api/providers/{}", &change},
            {"DELETE", "/api/providers/{}", &remove},
            {"POST", "/api/providers/{}/test", &testSaved},
            {"POST", "/api/providers/{}/sync-models", &syncModels},
            {"POST", "/api/providers/{}/duplicate", &duplicate}};
}

}  // namespace omni
