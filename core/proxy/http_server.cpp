#include "proxy/http_server.h"

#include "base/logging.h"

#include <QHostAddress>
#include <QNetworkProxy>
#include <QTcpServer>

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace omni {

namespace {

constexpr std::size_t kReadBuffer = 64 * 1024;
constexpr int kBacklog = 512;

Error listenError(const QTcpServer& server, const std::string& address, int port)
{
    const std::string where = address + " port " + std::to_string(port);
    switch (server.serverError()) {
    case QAbstractSocket::AddressInUseError:
        return {ErrorKind::Conflict, "Another program is listening on " + where + "."};
    case QAbstractSocket::SocketAccessError:
        return {ErrorKind::Forbidden, "The system does not let this program listen on " + where + "; choose a port above 1023."};
    default:
        return {ErrorKind::Network, "Listening on " + where + " failed: " + server.errorString().toStdString() + "."};
    }
}

}  // namespace

class HttpServer::Listener final : public QTcpServer {
public:
    explicit Listener(HttpServer& server) : m_server(server)
    {
        setProxy(QNetworkProxy::NoProxy);
        setListenBacklogSize(kBacklog);
        setMaxPendingConnections(kBacklog);
    }

protected:
    void incomingConnection(qintptr socket) override { m_server.adopt(socket); }

private:
    HttpServer& m_server;
};

HttpServer::HttpServer(SocketPoller& poller, Scheduler& scheduler, RequestRouter& router, HeadCheck headCheck)
    : m_poller(poller), m_scheduler(scheduler), m_router(router), m_headCheck(std::move(headCheck)), m_readBuffer(kReadBuffer),
      m_drainTimer(scheduler, [this] { closeAll(); })
{
}

HttpServer::~HttpServer()
{
    m_listeners.clear();
    m_drained = nullptr;
    closeAll();
    m_closed.clear();
}

void HttpServer::closeAll()
{
    while (!m_connections.empty())
        m_connections.begin()->first->closeNow();
}

Result<int> HttpServer::listen(const ProxySettings& settings)
{
    applyLimits(settings);
    if (!m_listeners.empty() && settings.port == m_port && settings.exposeToNetwork == m_exposed)
        return m_port;
    // The same port cannot be bound twice for other addresses; only then the old sockets go first, and come back should the new ones fail.
    const bool samePort = settings.port == m_port && !m_listeners.empty();
    const bool wasExposed = m_exposed;
    if (samePort)
        m_listeners.clear();
    auto bound = bind(settings.port, settings.exposeToNetwork);
    if (!bound) {
        if (samePort)
            if (auto again = bind(m_port, wasExposed))
                m_listeners = std::move(*again);
        return bound.error();
    }
    m_listeners = std::move(*bound);
    m_port = m_listeners.front()->serverPort();
    m_exposed = settings.exposeToNetwork;
    m_policy.port = m_port;
    m_policy.exposed = m_exposed;
    m_draining = false;
    return m_port;
}

Result<HttpServer::Listeners> HttpServer::bind(int wantedPort, bool exposed)
{
    Listeners listeners;
    const QHostAddress first = exposed ? QHostAddress(QHostAddress::Any) : QHostAddress(QHostAddress::LocalHost);
    auto main = std::make_unique<Listener>(*this);
    if (!main->listen(first, static_cast<quint16>(wantedPort)))
        return listenError(*main, exposed ? "every address," : "127.0.0.1,", wantedPort);
    const int port = main->serverPort();
    listeners.push_back(std::move(main));
    if (!exposed) {
        // Clients that resolve "localhost" to ::1 first must find us too; a machine without IPv6 is no error.
        auto second = std::make_unique<Listener>(*this);
        if (second->listen(QHostAddress::LocalHostIPv6, static_cast<quint16>(port)))
            listeners.push_back(std::move(second));
    }
    return listeners;
}

void HttpServer::closeListener()
{
    m_listeners.clear();
    std::vector<HttpConnection*> all;
    for (const auto& [raw, connection] : m_connections)
        all.push_back(raw);
    for (HttpConnection* connection : all)
        connection->finishSoon();
}

void HttpServer::applyLimits(const ProxySettings& settings)
{
    m_timeouts = {settings.headerTimeout, settings.bodyTimeout, settings.idleTimeout};
    m_parserLimits = {static_cast<std::size_t>(settings.maxHeaderBytes), static_cast<std::size_t>(settings.maxBodyBytes)};
    m_policy.allowedOrigins = settings.allowedOrigins;
    m_maxConnections = static_cast<std::size_t>(settings.maxConnections);
}

void HttpServer::adopt(qintptr socket)
{
    const int fd = static_cast<int>(socket);
    if (m_connections.size() >= m_maxConnections) {
        static constexpr std::string_view kBody =
            "{\"error\":{\"message\":\"Too many open connections to the proxy; close some or raise proxy.maxConnections.\","
            "\"type\":\"server_error\",\"code\":\"connection_limit_reached\"}}";
        const std::string answer = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Type: application/json\r\n"
                                   "Content-Length: " + std::to_string(kBody.size()) + "\r\n\r\n" + std::string(kBody);
        (void)::send(fd, answer.data(), answer.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        ::close(fd);
        return;
    }
    // QTcpServer leaves that to the QTcpSocket we do without; a blocking one would let a slow client stop everything.
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    auto connection = std::make_unique<HttpConnection>(*this, m_poller, m_scheduler, socket);
    HttpConnection* raw = connection.get();
    m_connections.emplace(raw, std::move(connection));
}

std::optional<ClientError> HttpServer::refuse(const HttpRequest& head, const std::string& localAddress)
{
    if (const Status allowed = m_policy.checkHostAndOrigin(head, localAddress); !allowed) {
        ClientError error;
        error.status = 403;
        error.code = "forbidden_origin";
        error.message = allowed.error().message;
        return error;
    }
    return m_headCheck ? m_headCheck(head) : std::nullopt;
}

const std::string& HttpServer::httpDate()
{
    const std::int64_t second = epochMillis(m_scheduler.clock().wall()) / 1000;
    if (second != m_dateSecond) {
        m_dateSecond = second;
        const std::time_t when = static_cast<std::time_t>(second);
        std::tm parts{};
        gmtime_r(&when, &parts);
        static constexpr std::array days = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
        static constexpr std::array months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
        char text[64];
        std::snprintf(text, sizeof text, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[static_cast<std::size_t>(parts.tm_wday)], parts.tm_mday,
                      months[static_cast<std::size_t>(parts.tm_mon)], parts.tm_year + 1900, parts.tm_hour, parts.tm_min, parts.tm_sec);
        m_date = text;
    }
    return m_date;
}

void HttpServer::flushLater(HttpConnection& connection)
{
    if (std::find(m_dirty.begin(), m_dirty.end(), &connection) == m_dirty.end())
        m_dirty.push_back(&connection);
    scheduleFlush();
}

void HttpServer::scheduleFlush()
{
    if (m_flushScheduled)
        return;
    m_flushScheduled = true;
    m_poller.afterEvent([this, alive = std::weak_ptr<int>(m_alive)] {
        if (!alive.expired())
            flushDirty();
    });
}

void HttpServer::flushDirty()
{
    m_flushScheduled = false;
    for (std::size_t i = 0; i < m_dirty.size(); ++i)
        if (m_dirty[i])
            m_dirty[i]->flush();
    m_dirty.clear();
    m_closed.clear();
}

void HttpServer::connectionClosed(HttpConnection& connection)
{
    std::replace(m_dirty.begin(), m_dirty.end(), &connection, static_cast<HttpConnection*>(nullptr));
    const auto found = m_connections.find(&connection);
    if (found == m_connections.end())
        return;
    // It may be on the stack: destroyed when the event has been handled.
    m_closed.push_back(std::move(found->second));
    m_connections.erase(found);
    scheduleFlush();
    checkDrained();
}

void HttpServer::drain(Millis limit, std::function<void()> done)
{
    m_drained = std::move(done);
    m_draining = true;
    closeListener();
    m_drainTimer.start(limit);
    checkDrained();
}

void HttpServer::checkDrained()
{
    if (!m_connections.empty() || !m_drained)
        return;
    m_drainTimer.stop();
    std::exchange(m_drained, nullptr)();
}

}  // namespace omni
