#include "proxy/management_api.h"

#include "base/random.h"
#include "proxy/access_control.h"
#include "proxy/management_call.h"
#include "proxy/request_log_reader.h"

#include <algorithm>
#include <optional>

namespace omni {

namespace {

/// Keeps a call from writing to a client that has gone.
class ManagementHandler final : public RequestHandler {
public:
    explicit ManagementHandler(CallPtr call) : m_call(std::move(call)) {}
    ~ManagementHandler() override { m_call->detach(); }

    void clientGone() override { m_call->detach(); }
    /// Answers are small and written at once.
    void writerDrained() override {}

private:
    CallPtr m_call;
};

/// The segment that stands for "{}", empty for a pattern without one; nullopt when the path is another.
std::optional<std::string> match(std::string_view pattern, std::string_view path)
{
    const std::size_t hole = pattern.find("{}");
    if (hole == std::string_view::npos)
        return pattern == path ? std::optional(std::string()) : std::nullopt;
    const std::string_view before = pattern.substr(0, hole);
    const std::string_view after = pattern.substr(hole + 2);
    if (path.size() <= before.size() + after.size() || !path.starts_with(before) || !path.ends_with(after))
        return std::nullopt;
    const std::string_view segment = path.substr(before.size(), path.size() - before.size() - after.size());
    if (segment.find('/') != std::string_view::npos)
        return std::nullopt;
    return percentDecoded(segment);
}

/// The client's own id when it is one that can be echoed, else a new one.
std::string requestIdOf(const HttpRequest& request)
{
    const std::string_view given = request.header("x-request-id");
    const bool plain = std::all_of(given.begin(), given.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
    });
    return plain && !given.empty() && given.size() <= 64 ? std::string(given) : secureRandomHex(8);
}

}  // namespace

struct ManagementApi::Private {
    explicit Private(const Parts& parts)
        : log(parts.databasePath), requestShutdown(parts.requestShutdown),
          context{parts.clock, parts.control, parts.engine, log, [this] { shutdownSoon(); }, &owner, parts.clock.mono()}
    {
        for (const auto& group :
             {connectionRoutes(), nodeRoutes(), routingRoutes(), keyRoutes(), settingsRoutes(), resilienceSettingsRoutes(),
              resilienceRoutes(), cooldownRoutes(), modelCooldownRoutes(), monitoringRoutes(), requestLogRoutes()})
            routes.insert(routes.end(), group.begin(), group.end());
    }

    /// Once the answer is on its way and everything of this event has been torn down.
    void shutdownSoon()
    {
        QMetaObject::invokeMethod(&owner, [this] {
            if (requestShutdown)
                requestShutdown();
        }, Qt::QueuedConnection);
    }

    void dispatch(const CallPtr& call)
    {
        const std::string_view path = call->request().path();
        const std::string_view method = call->request().method == "HEAD" ? std::string_view("GET") : call->request().method;
        std::string allowed;
        for (const ManagementRoute& route : routes) {
            std::optional<std::string> parameter = match(route.pattern, path);
            if (!parameter)
                continue;
            if (route.method != method) {
                allowed += (allowed.empty() ? "" : ", ") + std::string(route.method) + (route.method == "GET" ? ", HEAD" : "");
                continue;
            }
            if (!route.open && !call->authenticated())
                return refuse(call);
            call->setParameter(std::move(*parameter));
            return route.action(context, call);
        }
        if (!call->authenticated())
            return refuse(call);
        if (allowed.empty())
            return call->fail(404, "There is nothing at this path.", "not_found");
        const std::string message = "This path does not allow " + call->request().method.substr(0, 20) + ".";
        call->fail(405, message, "method_not_allowed", {{"Allow", allowed}});
    }

    /// The caller checks access before; this is the second lock on the door.
    void refuse(const CallPtr& call)
    {
        if (presentedKey(call->request()).empty())
            call->fail(401, "Authentication required", "AUTH_001", {{"WWW-Authenticate", "Bearer"}});
        else
            call->fail(403, "These credentials may not manage the proxy.", "AUTH_002");
    }

    QObject owner;
    RequestLogReader log;
    std::function<void()> requestShutdown;
    ManagementContext context;
    std::vector<ManagementRoute> routes;
};

ManagementApi::ManagementApi(const Parts& parts) : d(std::make_unique<Private>(parts)) {}
ManagementApi::~ManagementApi() = default;

std::unique_ptr<RequestHandler> ManagementApi::handle(HttpRequest request, ResponseWriter& writer, bool authenticated)
{
    std::string id = requestIdOf(request);
    const auto call = std::make_shared<ManagementCall>(std::move(request), writer, authenticated, std::move(id));
    d->dispatch(call);
    if (call->answered())
        return nullptr;
    return std::make_unique<ManagementHandler>(call);
}

}  // namespace omni
