#pragma once

#include "base/random.h"
#include "base/scheduler.h"
#include "base/socket_poller.h"
#include "control/control.h"
#include "proxy/http_message.h"

#include <functional>
#include <memory>
#include <string>

namespace omni {

class Router;
class Transport;

/// The listener and everything behind it: connections, access, the client API, the management API. Core thread only.
class ProxyServer final : public ListenerControl, public RequestRouter {
public:
    struct Parts {
        const Clock& clock;
        Scheduler& scheduler;
        Random& random;
        SocketPoller& poller;
        Transport& transport;
        Engine& engine;
        Router& router;
        Control& control;
        std::string dataDir;                    ///< holds the management token
        std::function<void()> requestShutdown;  ///< POST /api/shutdown
    };
    /// Storage when the management token can neither be read nor made.
    static Result<std::unique_ptr<ProxyServer>> create(const Parts& parts);
    ~ProxyServer() override;

    Result<int> listen(const ProxySettings& settings) override;
    void closeListener() override;
    void applyLimits(const ProxySettings& settings) override;

    /// No new connections or requests; those running get up to `limit`, then are cut. `done` runs once, when none is left.
    void drain(Millis limit, std::function<void()> done);
    std::string managementTokenFile() const;
    int openConnections() const;

    std::unique_ptr<RequestHandler> route(HttpRequest request, ResponseWriter& writer) override;

private:
    struct Private;
    explicit ProxyServer(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

}  // namespace omni
