#include "proxy/proxy_server.h"

#include "base/text.h"
#include "proxy/access_control.h"
#include "proxy/client_error.h"
#include "proxy/endpoint_cache.h"
#include "proxy/exchange.h"
#include "proxy/http_server.h"
#include "proxy/management_api.h"
#include "proxy/models_endpoint.h"
#include "routing/router.h"
#include "store/store.h"
#include "stream/json_peek.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace omni {

namespace {

struct ClientRoute {
    std::string_view path;
    Operation operation;
};

/// With and without /v1: some clients' base URLs leave it out.
constexpr std::array<ClientRoute, 12> kClientRoutes = {{
    {"/v1/chat/completions", Operation::ChatCompletions},
    {"/v1/messages", Operation::Messages},
    {"/v1/responses", Operation::Responses},
    {"/v1/embeddings", Operation::Embeddings},
    {"/v1/completions", Operation::Completions},
    {"/v1/messages/count_tokens", Operation::CountTokens},
    {"/chat/completions", Operation::ChatCompletions},
    {"/messages", Operation::Messages},
    {"/responses", Operation::Responses},
    {"/embeddings", Operation::Embeddings},
    {"/completions", Operation::Completions},
    {"/messages/count_tokens", Operation::CountTokens},
}};

/// "/api/v1/…" is another name for "/v1/…".
std::string_view canonicalPath(std::string_view path)
{
    if (path.starts_with("/api/v1/"))
        path.remove_prefix(4);
    if (path.size() > 1 && path.ends_with('/'))
        path.remove_suffix(1);
    return path;
}

std::optional<Operation> operationOf(std::string_view path)
{
    for (const ClientRoute& route : kClientRoutes)
        if (route.path == path)
            return route.operation;
    return std::nullopt;
}

/// The id behind "/v1/models/…", empty for the list itself; nullopt for other paths.
std::optional<std::string_view> modelsPath(std::string_view path)
{
    for (const std::string_view prefix : {std::string_view("/v1/models"), std::string_view("/models")}) {
        if (path == prefix)
            return std::string_view();
        if (path.starts_with(prefix) && path.size() > prefix.size() + 1 && path[prefix.size()] == '/')
            return path.substr(prefix.size() + 1);
    }
    return std::nullopt;
}

}  // namespace

struct ProxyServer::Private {
    Private(const Parts& given, ManagementToken managementToken, RequestRouter& owner)
        : parts(given), token(std::move(managementToken)), endpoints(given.control),
          context{given.clock,  given.scheduler, given.random, given.engine, given.router,
                  given.control, endpoints, {given.scheduler, given.transport, peek}, requestIds},
          management({given.clock, given.control, given.engine, given.control.store().databasePath(), given.requestShutdown}),
          server(given.poller, given.scheduler, owner, nullptr)
    {
    }

    void answerText(ResponseWriter& writer, int status, std::string_view body, std::string_view type, HeaderList headers = {})
    {
        headers.emplace_back("content-type", std::string(type));
        writer.sendHead(status, headers, static_cast<std::int64_t>(body.size()));
        writer.sendBody(body);
        writer.finish();
    }

    void refuse(ResponseWriter& writer, const HttpRequest& request, int status, std::string code, std::string message, HeaderList headers = {})
    {
        ClientError error;
        error.status = status;
        error.code = std::move(code);
        error.message = std::move(message);
        sendError(writer, error, dialectOfPath(request.path()), headers);
    }

    /// Only loopback callers may go without a key, and only while no key is required.
    bool keyRequired() const
    {
        const ProxySettings& proxy = parts.control.configuration()->settings.proxy;
        return proxy.requireApiKey || proxy.exposeToNetwork;
    }

    std::unique_ptr<RequestHandler> routeClient(HttpRequest request, ResponseWriter& writer)
    {
        const std::string_view path = canonicalPath(request.path());
        const std::string_view presented = presentedKey(request);
        const ApiKey* key = presented.empty() ? nullptr : parts.control.findApiKey(presented);
        if (key)
            parts.control.noteApiKeyUsed(key->id);
        else if (keyRequired() && !token.matches(presented)) {
            refuse(writer, request, 401, "invalid_api_key",
                   presented.empty() ? "This proxy asks for an API key: send one made under API keys as a Bearer token or x-api-key."
                                     : "The API key is unknown, revoked or expired.");
            return nullptr;
        }
        if (const auto operation = operationOf(path)) {
            if (request.method != "POST") {
                refuse(writer, request, 405, "method_not_allowed", "Use POST for " + std::string(path) + ".", {{"Allow", "POST, OPTIONS"}});
                return nullptr;
            }
            auto exchange = std::make_unique<Exchange>(context, std::move(request), writer, *operation, key);
            exchange->begin();
            return exchange;
        }
        if (const auto modelId = modelsPath(path)) {
            if (request.method != "GET" && request.method != "HEAD")
                refuse(writer, request, 405, "method_not_allowed", "Use GET for " + std::string(path) + ".", {{"Allow", "GET, HEAD, OPTIONS"}});
            else
                answerModels(parts.router, key, request, *modelId, writer, {});
            return nullptr;
        }
        refuse(writer, request, 404, "not_found", "There is nothing at " + request.method + " " + std::string(clippedUtf8(request.path(), 200)) + ".");
        return nullptr;
    }

    /// The API itself refuses what is not public.
    std::unique_ptr<RequestHandler> routeManagement(HttpRequest request, ResponseWriter& writer)
    {
        const std::string_view presented = presentedKey(request);
        bool authenticated = token.matches(presented);
        if (const ApiKey* key = authenticated || presented.empty() ? nullptr : parts.control.findApiKey(presented))
            authenticated = std::any_of(key->scopes.begin(), key->scopes.end(),
                                        [](const std::string& scope) { return scope == "manage" || scope == "admin"; });
        return management.handle(std::move(request), writer, authenticated);
    }

    Parts parts;
    ManagementToken token;
    JsonPeek peek;
    EndpointCache endpoints;
    RequestIds requestIds;
    ExchangeContext context;
    ManagementApi management;
    HttpServer server;
};

ProxyServer::ProxyServer(std::unique_ptr<Private> parts) : d(std::move(parts)) {}

ProxyServer::~ProxyServer() = default;

Result<std::unique_ptr<ProxyServer>> ProxyServer::create(const Parts& parts)
{
    Result<ManagementToken> token = ManagementToken::loadOrCreate(parts.dataDir);
    if (!token)
        return token.error();
    auto server = std::unique_ptr<ProxyServer>(new ProxyServer(nullptr));
    server->d = std::make_unique<Private>(parts, std::move(*token), *server);
    return server;
}

Result<int> ProxyServer::listen(const ProxySettings& settings) { return d->server.listen(settings); }

void ProxyServer::closeListener() { d->server.closeListener(); }

void ProxyServer::applyLimits(const ProxySettings& settings) { d->server.applyLimits(settings); }

void ProxyServer::drain(Millis limit, std::function<void()> done) { d->server.drain(limit, std::move(done)); }

std::string ProxyServer::managementTokenFile() const { return d->token.filePath(); }

int ProxyServer::openConnections() const { return d->server.openConnections(); }

std::unique_ptr<RequestHandler> ProxyServer::route(HttpRequest request, ResponseWriter& writer)
{
    if (request.method == "OPTIONS") {
        writer.sendHead(204, {{"Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"}}, 0);
        writer.finish();
        return nullptr;
    }
    const std::string_view path = request.path();
    if (path == "/health" || path == "/") {
        if (request.method != "GET" && request.method != "HEAD")
            d->refuse(writer, request, 405, "method_not_allowed", "Use GET.", {{"Allow", "GET, HEAD, OPTIONS"}});
        else
            d->answerText(writer, 200, R"({"status":"ok"})", "application/json");
        return nullptr;
    }
    if (routeClassOf(request.method, path) == RouteClass::ClientApi)
        return d->routeClient(std::move(request), writer);
    return d->routeManagement(std::move(request), writer);
}

}  // namespace omni
