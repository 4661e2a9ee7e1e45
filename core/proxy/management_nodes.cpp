#include "proxy/management_call.h"
#include "proxy/management_views.h"

#include "base/text.h"

#include <algorithm>
#include <array>

namespace omni {

namespace {

constexpr std::string_view kOpenAi = "openai-compatible";
constexpr std::string_view kAnthropic = "anthropic-compatible";

/// Credentials belong into a connection and are refused here; what an import brought along is masked all the same.
bool maySecret(std::string_view headerName)
{
    constexpr std::array<std::string_view, 6> parts = {"auth", "key", "token", "secret", "cookie", "password"};
    const std::string name = toLower(headerName);
    return std::any_of(parts.begin(), parts.end(), [&name](std::string_view part) { return name.find(part) != std::string::npos; });
}

std::string shownValue(std::string_view name, std::string_view value)
{
    return maySecret(name) ? maskedSecret(value) : std::string(value);
}

Json viewOf(const ProviderNode& node)
{
    Json headers = Json::object();
    for (const auto& [name, value] : node.headers)
        headers[name] = shownValue(name, value);
    return {{"id", node.id.str()},
            {"type", node.id.str().starts_with(kAnthropic) ? kAnthropic : kOpenAi},
            {"name", node.name},
            {"prefix", node.prefix},
            {"baseUrl", withoutUserInfo(node.baseUrl)},
            {"chatPath", textOrNull(node.chatPath)},
            {"modelsPath", textOrNull(withoutUserInfo(node.modelsPath))},
            {"headers", std::move(headers)},
            {"createdAt", timeJson(node.createdAt)},
            {"updatedAt", timeJson(node.updatedAt)}};
}

const ProviderNode* named(const ManagementContext& context, const CallPtr& call)
{
    for (const ProviderNode& node : context.configuration().nodes) {
        if (node.id.str() == call->parameter())
            return &node;
    }
    call->fail(404, "Provider node not found", "not_found");
    return nullptr;
}

void readHeaders(const Json& value, ObjectReader& reader, ProviderNode& node)
{
    if (!value.is_object())
        return reader.fail("headers", "Must be an object of header names and values.");
    std::vector<std::pair<std::string, std::string>> headers;
    for (const auto& [name, text] : value.items()) {
        if (!text.is_string())
            return reader.fail("headers." + std::string(clippedUtf8(name, 100)), "Must be a text.");
        std::string content = text.get<std::string>();
        for (const auto& [oldName, oldValue] : node.headers) {
            if (equalsIgnoreCase(oldName, name) && content == shownValue(oldName, oldValue))
                content = oldValue;  // a mask that comes back stands for what it hides
        }
        headers.emplace_back(name, std::move(content));
    }
    node.headers = std::move(headers);
}

void readPath(ObjectReader& reader, std::string_view name, std::string& into)
{
    if (const Json* value = reader.value(name); value && value->is_null())
        into.clear();
    else
        reader.text(name, into);
}

std::vector<FieldError> readNode(const Json& body, bool fresh, ProviderNode& node)
{
    std::vector<FieldError> errors;
    ObjectReader reader(body, errors);
    std::string type(node.id.str().starts_with(kAnthropic) ? kAnthropic : kOpenAi);
    const std::string before = type;
    reader.text("type", type);
    if (type != kOpenAi && type != kAnthropic)
        reader.fail("type", "Must be \"openai-compatible\" or \"anthropic-compatible\".");
    else if (!fresh && type != before)
        reader.fail("type", "The type of an endpoint cannot be changed.");
    else if (fresh)
        node.id = ProviderId(type + "-");
    reader.text("name", node.name);
    reader.text("prefix", node.prefix);
    reader.text("baseUrl", node.baseUrl);
    readPath(reader, "chatPath", node.chatPath);
    readPath(reader, "modelsPath", node.modelsPath);
    if (const Json* headers = reader.value("headers"); headers && !headers->is_null())
        readHeaders(*headers, reader, node);
    reader.readOnly({"id", "createdAt", "updatedAt"});
    reader.finish();
    return errors;
}

void list(const ManagementContext& context, const CallPtr& call)
{
    Json rows = Json::array();
    for (const ProviderNode& node : context.configuration().nodes)
        rows.push_back(viewOf(node));
    call->answer(200, {{"nodes", std::move(rows)}});
}

void save(const ManagementContext& context, const CallPtr& call, ProviderNode node, bool fresh)
{
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    if (!fresh && body->empty())
        return call->invalid({{"body", "Name at least one field to change."}});
    const std::vector<FieldError> errors = readNode(*body, fresh, node);
    if (!errors.empty())
        return call->invalid(errors);
    context.control.saveNode(std::move(node), replyTo<ProviderNode>(call, [fresh](ManagementCall& answered, const ProviderNode& saved) {
        answered.answer(fresh ? 201 : 200, {{"node", viewOf(saved)}});
    }));
}

void create(const ManagementContext& context, const CallPtr& call)
{
    save(context, call, {}, true);
}

void read(const ManagementContext& context, const CallPtr& call)
{
    if (const ProviderNode* node = named(context, call))
        call->answer(200, {{"node", viewOf(*node)}});
}

void change(const ManagementContext& context, const CallPtr& call)
{
    if (const ProviderNode* node = named(context, call))
        save(context, call, *node, false);
}

void remove(const ManagementContext& context, const CallPtr& call)
{
    if (!named(context, call))
        return;
    context.control.removeNode(ProviderId(call->parameter()), replyTo<int>(call, [](ManagementCall& answered, int) {
        answered.answer(200, {{"message", "Provider node deleted"}});
    }));
}

}  // namespace

std::vector<ManagementRoute> nodeRoutes()
{
    return {{"GET", "/api/provider-nodes", &list},
            {"POST", "/api/provider-nodes", &create},
            {"GET", "/api/provider-nodes/{}", &read},
            {"PUT", "/api/provider-nodes/{}", &change},
            {"PATCH", "/api/provider-nodes/{}", &change},
            {"DELETE", "/api/provider-nodes/{}", &remove}};
}

}  // namespace omni
