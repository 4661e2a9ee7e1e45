#pragma once

#include "base/scheduler.h"
#include "base/socket_poller.h"
#include "model/settings.h"
#include "proxy/access_control.h"
#include "proxy/http_connection.h"

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

class QTcpServer;

namespace omni {

/// Accepts clients on the loopback addresses (or beyond, when told) and owns their connections. Sockets are accepted by QTcpServer and then
/// driven directly through the poller: QTcpSocket's own buffers and notifiers were measured at half the cost of a proxied request.
class HttpServer final : public HttpConnectionHost {
public:
    /// Decides on a head before its body is read.
    using HeadCheck = std::function<std::optional<ClientError>(const HttpRequest&)>;

    HttpServer(SocketPoller& poller, Scheduler& scheduler, RequestRouter& router, HeadCheck headCheck);
    ~HttpServer() override;

    /// Binds both loopbacks on one port (or every address when exposed); the sockets before are closed once the new ones serve.
    /// Conflict when the port is taken, Forbidden when the system keeps it for others.
    Result<int> listen(const ProxySettings& settings);
    void closeListener();
    void applyLimits(const ProxySettings& settings);
    /// No new requests; `done` once when every connection has closed, at the latest after `limit`.
    void drain(Millis limit, std::function<void()> done);
    int openConnections() const { return static_cast<int>(m_connections.size()); }

    const HttpTimeouts& timeouts() const override { return m_timeouts; }
    const ParserLimits& parserLimits() const override { return m_parserLimits; }
    std::optional<ClientError> refuse(const HttpRequest& head, const std::string& localAddress) override;
    RequestRouter& router() override { return m_router; }
    bool draining() const override { return m_draining; }
    const std::string& httpDate() override;
    std::vector<char>& readBuffer() override { return m_readBuffer; }
    void flushLater(HttpConnection& connection) override;
    void connectionClosed(HttpConnection& connection) override;

private:
    class Listener;
    using Listeners = std::vector<std::unique_ptr<QTcpServer>>;
    Result<Listeners> bind(int wantedPort, bool exposed);
    void adopt(qintptr socket);
    void closeAll();
    void scheduleFlush();
    void flushDirty();
    void checkDrained();

    SocketPoller& m_poller;
    Scheduler& m_scheduler;
    RequestRouter& m_router;
    HeadCheck m_headCheck;
    Listeners m_listeners;
    std::unordered_map<HttpConnection*, std::unique_ptr<HttpConnection>> m_connections;
    std::vector<std::unique_ptr<HttpConnection>> m_closed;
    std::vector<HttpConnection*> m_dirty;
    std::vector<char> m_readBuffer;
    HttpTimeouts m_timeouts;
    ParserLimits m_parserLimits;
    AccessPolicy m_policy;
    std::size_t m_maxConnections = 4096;
    int m_port = 0;
    bool m_exposed = false;
    bool m_draining = false;
    bool m_flushScheduled = false;
    std::function<void()> m_drained;
    Timer m_drainTimer;
    std::string m_date;
    std::int64_t m_dateSecond = -1;
    std::shared_ptr<int> m_alive = std::make_shared<int>(0);
};

}  // namespace omni
