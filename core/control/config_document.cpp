#include "control/config_document.h"

#include "control/field_reader.h"

#include <algorithm>
#include <utility>

namespace omni {

namespace {

using nlohmann::json;

constexpr char kFormat[] = "omniroute-configuration";
constexpr int kVersion = 1;
constexpr std::size_t kLargestDocument = 64 * 1024 * 1024;

// ---- writing

json timeOrNull(const std::optional<WallTime>& time) { return time ? json(epochMillis(*time)) : json(); }

json headersJson(const std::vector<std::pair<std::string, std::string>>& headers)
{
    json list = json::array();
    for (const auto& [name, value] : headers)
        list.push_back({{"name", name}, {"value", value}});
    return list;
}

json toJson(const ProviderNode& node)
{
    return {{"id", node.id.str()},
            {"name", node.name},
            {"prefix", node.prefix},
            {"baseUrl", node.baseUrl},
            {"chatPath", node.chatPath},
            {"modelsPath", node.modelsPath},
            {"headers", headersJson(node.headers)},
            {"createdAt", epochMillis(node.createdAt)},
            {"updatedAt", epochMillis(node.updatedAt)}};
}

json toJson(const Connection& connection)
{
    json out{{"id", connection.id.str()},
             {"provider", connection.provider.str()},
             {"name", connection.name},
             {"priority", connection.priority},
             {"enabled", connection.enabled},
             {"keyHint", connection.keyHint},
             {"baseUrl", connection.baseUrl},
             {"proxyUrl", connection.proxyUrl},
             {"defaultModel", connection.defaultModel},
             {"models", connection.models},
             {"disableCooling", connection.disableCooling},
             {"http2", connection.http2},
             {"group", connection.group},
             {"createdAt", epochMillis(connection.createdAt)},
             {"updatedAt", epochMillis(connection.updatedAt)}};
    if (connection.passthroughModels)
        out["passthroughModels"] = *connection.passthroughModels;
    if (connection.maxConcurrent)
        out["maxConcurrent"] = *connection.maxConcurrent;
    return out;
}

json toJson(const Combo& combo)
{
    json targets = json::array();
    for (const ComboTarget& target : combo.targets) {
        json one{{"id", target.id}, {"provider", target.provider.str()}, {"model", target.model}, {"label", target.label}};
        if (target.connection)
            one["connectionId"] = target.connection->str();
        targets.push_back(std::move(one));
    }
    return {{"id", combo.id.str()},
            {"name", combo.name},
            {"strategy", combo.strategy},
            {"models", std::move(targets)},
            {"sortOrder", combo.sortOrder},
            {"createdAt", epochMillis(combo.createdAt)},
            {"updatedAt", epochMillis(combo.updatedAt)}};
}

json toJson(const ApiKey& key)
{
    json connections = json::array();
    for (const ConnectionId& id : key.allowedConnections)
        connections.push_back(id.str());
    return {{"id", key.id.str()},
            {"name", key.name},
            {"prefix", key.prefix},
            {"hash", key.hash},
            {"allowedModels", key.allowedModels},
            {"allowedConnections", std::move(connections)},
            {"scopes", key.scopes},
            {"active", key.active},
            {"noLog", key.noLog},
            {"expiresAt", timeOrNull(key.expiresAt)},
            {"revokedAt", timeOrNull(key.revokedAt)},
            {"createdAt", epochMillis(key.createdAt)}};
}

json toJson(const ModelPrice& price)
{
    json out{{"provider", price.provider.str()}, {"model", price.model}, {"input", price.input}, {"output", price.output}};
    if (price.cached)
        out["cached"] = *price.cached;
    return out;
}

template <typename Item>
json listJson(const std::vector<Item>& items)
{
    json list = json::array();
    for (const Item& item : items)
        list.push_back(toJson(item));
    return list;
}

// ---- reading

ProviderNode readNode(FieldReader& in)
{
    ProviderNode node;
    node.id = ProviderId(in.text("id", true));
    node.name = in.text("name", true);
    node.prefix = in.text("prefix", true);
    node.baseUrl = in.text("baseUrl", true);
    node.chatPath = in.text("chatPath");
    node.modelsPath = in.text("modelsPath");
    in.each("headers", [&](FieldReader& header) { node.headers.emplace_back(header.text("name", true), header.text("value")); });
    node.createdAt = in.time("createdAt");
    node.updatedAt = in.time("updatedAt");
    return node;
}

Connection readConnection(FieldReader& in)
{
    Connection connection;
    connection.id = ConnectionId(in.text("id", true));
    connection.provider = ProviderId(in.text("provider", true));
    connection.name = in.text("name", true);
    connection.priority = in.smallNumber("priority", 1);
    connection.enabled = in.flag("enabled", true);
    connection.keyHint = in.text("keyHint");
    connection.baseUrl = in.text("baseUrl");
    connection.proxyUrl = in.text("proxyUrl");
    connection.defaultModel = in.text("defaultModel");
    connection.models = in.texts("models");
    connection.disableCooling = in.flag("disableCooling", false);
    connection.http2 = in.flag("http2", false);
    connection.group = in.text("group");
    if (in.find("passthroughModels"))
        connection.passthroughModels = in.flag("passthroughModels", false);
    if (in.find("maxConcurrent"))
        connection.maxConcurrent = in.smallNumber("maxConcurrent", 0);
    connection.createdAt = in.time("createdAt");
    connection.updatedAt = in.time("updatedAt");
    return connection;
}

Combo readCombo(FieldReader& in)
{
    Combo combo;
    combo.id = ComboId(in.text("id", true));
    combo.name = in.text("name", true);
    if (in.find("strategy"))
        combo.strategy = in.text("strategy", true);
    in.each("models", [&](FieldReader& step) {
        ComboTarget target;
        target.id = step.text("id");
        target.provider = ProviderId(step.text("provider", true));
        target.model = step.text("model", true);
        target.label = step.text("label");
        if (const std::string id = step.text("connectionId"); !id.empty())
            target.connection = ConnectionId(id);
        combo.targets.push_back(std::move(target));
    });
    combo.sortOrder = in.smallNumber("sortOrder", 0);
    combo.createdAt = in.time("createdAt");
    combo.updatedAt = in.time("updatedAt");
    return combo;
}

ApiKey readApiKey(FieldReader& in)
{
    ApiKey key;
    key.id = ApiKeyId(in.text("id", true));
    key.name = in.text("name", true);
    key.prefix = in.text("prefix");
    key.hash = in.text("hash", true);
    key.allowedModels = in.texts("allowedModels");
    for (std::string& id : in.texts("allowedConnections"))
        key.allowedConnections.emplace_back(std::move(id));
    key.scopes = in.texts("scopes");
    key.active = in.flag("active", true);
    key.noLog = in.flag("noLog", false);
    key.expiresAt = in.optionalTime("expiresAt");
    key.revokedAt = in.optionalTime("revokedAt");
    key.createdAt = in.time("createdAt");
    return key;
}

ModelPrice readPrice(FieldReader& in)
{
    ModelPrice price;
    price.provider = ProviderId(in.text("provider", true));
    price.model = in.text("model", true);
    price.input = in.real("input", 0.0);
    price.output = in.real("output", 0.0);
    if (in.find("cached"))
        price.cached = in.real("cached", 0.0);
    return price;
}

Error refused(std::string message, std::vector<FieldError> details = {})
{
    return {ErrorKind::InvalidArgument, std::move(message), std::move(details)};
}

}  // namespace

std::string writeDocument(const Configuration& configuration, const std::optional<json>& secrets, WallTime at)
{
    json aliases = json::array();
    for (const ModelAlias& alias : configuration.aliases)
        aliases.push_back({{"name", alias.name}, {"model", alias.model}});
    nlohmann::ordered_json document;
    document["format"] = kFormat;
    document["version"] = kVersion;
    document["program"] = OMNIROUTE_VERSION;
    document["exportedAt"] = toIso8601(at);
    document["nodes"] = listJson(configuration.nodes);
    document["connections"] = listJson(configuration.connections);
    document["combos"] = listJson(configuration.combos);
    document["aliases"] = std::move(aliases);
    document["apiKeys"] = listJson(configuration.apiKeys);
    document["prices"] = listJson(configuration.prices);
    document["settings"] = omni::toJson(configuration.settings);
    if (secrets)
        document["secrets"] = *secrets;
    return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<ConfigurationDocument> readDocument(const std::string& text)
{
    if (text.size() > kLargestDocument)
        return Error{ErrorKind::LimitExceeded, "The document is larger than 64 MiB.", {}};
    const json root = json::parse(text, nullptr, false);
    if (root.is_discarded())
        return refused("The document is not JSON.", {{"body", "Invalid JSON body"}});
    if (!root.is_object() || root.value("format", json()) != kFormat)
        return refused("This is no exported configuration of OmniRoute Desktop.",
                       {{"format", std::string("Must be \"") + kFormat + "\"."}});
    const json version = root.value("version", json());
    if (!version.is_number_integer() || version < 1)
        return refused("The document does not tell its version.", {{"version", "Must be a whole number."}});
    if (version > kVersion)
        return refused("The document was made by a newer version of this program. Update it first.",
                       {{"version", "At most " + std::to_string(kVersion) + "."}});

    ConfigurationDocument document;
    std::vector<FieldError> errors;
    FieldReader in(root, "", errors);
    in.each("nodes", [&](FieldReader& one) { document.nodes.push_back(readNode(one)); });
    in.each("connections", [&](FieldReader& one) { document.connections.push_back(readConnection(one)); });
    in.each("combos", [&](FieldReader& one) { document.combos.push_back(readCombo(one)); });
    in.each("aliases", [&](FieldReader& one) {
        std::string name = one.text("name", true);
        document.aliases.push_back({std::move(name), one.text("model", true)});
    });
    in.each("apiKeys", [&](FieldReader& one) { document.apiKeys.push_back(readApiKey(one)); });
    in.each("prices", [&](FieldReader& one) { document.prices.push_back(readPrice(one)); });
    if (const json* settings = in.find("settings"))
        document.settings = *settings;
    if (const json* secrets = in.find("secrets"))
        document.secrets = *secrets;
    if (!errors.empty())
        return refused("The document was not imported.", std::move(errors));
    return document;
}

std::string writeSecrets(const SecretsById& secrets)
{
    json out = json::object();
    for (const auto& [id, one] : secrets)
        out[id.str()] = {{"key", one.key}, {"proxy", one.proxy}};
    return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<SecretsById> readSecrets(const std::string& text)
{
    const json root = json::parse(text, nullptr, false);
    if (!root.is_object())
        return refused("The encrypted part of the document is damaged.", {{"secrets", "Must be an object."}});
    SecretsById secrets;
    std::vector<FieldError> errors;
    for (const auto& [id, value] : root.items()) {
        FieldReader in(value, "secrets." + id, errors);
        secrets[ConnectionId(id)] = {in.text("key"), in.text("proxy")};
    }
    if (!errors.empty())
        return refused("The encrypted part of the document is damaged.", std::move(errors));
    return secrets;
}

}  // namespace omni
