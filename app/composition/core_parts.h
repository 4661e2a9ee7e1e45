#pragma once

#include "base/random.h"
#include "base/scheduler.h"
#include "base/socket_poller.h"
#include "control/control.h"
#include "proxy/proxy_server.h"
#include "resilience/engine.h"
#include "routing/router.h"
#include "sandbox/sandbox.h"
#include "telemetry/metrics.h"
#include "upstream/transport_switch.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace omni {

struct CoreOptions {
    std::string dataDir;
    std::optional<int> port;
    bool offerSandbox = true;
    bool sandboxConnection = false;
    bool startListener = true;
    std::function<void()> requestShutdown;
};

/// Everything that lives in the core thread: made, used and destroyed there. Members are in the order of making; they go in reverse,
/// so that nobody is told of anything by a part that has lost its own.
class CoreParts {
public:
    /// Errors as of the parts: Storage, Secret, Unavailable when loopback has no port for the sandbox.
    static Result<std::unique_ptr<CoreParts>> create(const CoreOptions& options, Store& store, SecretStore& secrets);
    ~CoreParts();

    Control& control() const { return *m_control; }
    ProxyServer& proxy() const { return *m_proxy; }

    /// Makes the sandbox connection when it is due, then starts the listener when that was asked for.
    void open();

private:
    explicit CoreParts(CoreOptions options);
    Status build(Store& store, SecretStore& secrets);
    bool sandboxDue() const;
    void startListener();

    CoreOptions m_options;
    SystemClock m_clock;
    SystemRandom m_random;
    QtScheduler m_scheduler;
    SocketPoller m_poller;
    std::unique_ptr<Sandbox> m_sandbox;
    std::unique_ptr<Router> m_router;
    std::unique_ptr<Metrics> m_metrics;
    std::unique_ptr<TransportSwitch> m_transport;
    std::unique_ptr<Control> m_control;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<ProxyServer> m_proxy;
};

}  // namespace omni
