#include "upstream/plain_transport.h"

#include "base/text.h"
#include "upstream/host_resolver.h"
#include "upstream/plain_connection.h"

#include <QUrl>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace omni {

namespace {

/// A socket idle for longer is likely closed by the other side.
constexpr Millis kMaxIdle{45'000};
constexpr std::size_t kMaxIdleConnections = 1024;
constexpr std::size_t kReadBuffer = 64 * 1024;
constexpr std::size_t kMaxParsedUrls = 4096;

PlainAddress parseUrl(const std::string& text)
{
    const QUrl url(QString::fromStdString(text));
    PlainAddress address;
    address.host = url.host(QUrl::FullyEncoded).toStdString();
    address.port = url.port(80);
    address.authority = address.host.find(':') != std::string::npos ? "[" + address.host + "]" : address.host;
    if (url.port() > 0)
        address.authority += ":" + std::to_string(url.port());
    address.path = url.path(QUrl::FullyEncoded).toStdString();
    if (address.path.empty())
        address.path = "/";
    if (url.hasQuery())
        address.path += "?" + url.query(QUrl::FullyEncoded).toStdString();
    return address;
}

}  // namespace

struct PlainTransport::Private final : PlainConnectionOwner {
    struct Handle final : TransportCall {
        Handle(Private& transport, PlainConnection& carrier) : owner(transport), connection(&carrier) { owner.handles[connection] = this; }
        ~Handle() override
        {
            if (!connection)
                return;
            owner.handles.erase(connection);
            connection->abandon();
        }
        void pause() override
        {
            if (connection)
                connection->pause();
        }
        void resume() override
        {
            if (connection)
                connection->resume();
        }

        Private& owner;
        PlainConnection* connection;  ///< nullptr once its answer is over
    };

    Private(SocketPoller& socketPoller, Scheduler& timers) : poller(socketPoller), scheduler(timers), resolver(timers.clock()), buffer(kReadBuffer) {}

    ~Private() override
    {
        for (const auto& [connection, handle] : handles)
            handle->connection = nullptr;
        alive.reset();
    }

    const Clock& clock() const override { return scheduler.clock(); }
    std::vector<char>& readBuffer() override { return buffer; }

    /// The call that used it is over, whoever still holds its handle.
    void letGo(PlainConnection& connection)
    {
        const auto found = handles.find(&connection);
        if (found == handles.end())
            return;
        found->second->connection = nullptr;
        handles.erase(found);
    }

    void connectionFree(PlainConnection& connection) override
    {
        letGo(connection);
        if (idleCount >= kMaxIdleConnections || retiring.contains(&connection)) {
            connectionOver(connection);
            return;
        }
        idle[connection.authority()].push_back(&connection);
        ++idleCount;
    }

    void connectionOver(PlainConnection& connection) override
    {
        letGo(connection);
        retiring.erase(&connection);
        if (const auto list = idle.find(connection.authority()); list != idle.end()) {
            idleCount -= static_cast<std::size_t>(std::erase(list->second, &connection));
            if (list->second.empty())
                idle.erase(list);
        }
        connection.close();
        const auto found = connections.find(&connection);
        if (found == connections.end())
            return;
        over.push_back(std::move(found->second));
        connections.erase(found);
        if (sweepPosted)
            return;
        sweepPosted = true;
        poller.afterEvent([this, guard = std::weak_ptr<int>(alive)] {
            if (guard.expired())
                return;
            sweepPosted = false;
            over.clear();
        });
    }

    PlainConnection* takeIdle(const std::string& authority)
    {
        const MonoTime oldest = clock().mono() - kMaxIdle;
        while (true) {
            const auto list = idle.find(authority);
            if (list == idle.end() || list->second.empty())
                return nullptr;
            PlainConnection* connection = list->second.back();
            if (connection->idleSince() >= oldest) {
                list->second.pop_back();
                --idleCount;
                return connection;
            }
            connectionOver(*connection);
        }
    }

    SocketPoller& poller;
    Scheduler& scheduler;
    HostResolver resolver;
    std::vector<char> buffer;
    std::unordered_map<std::string, PlainAddress> addresses;
    std::unordered_map<PlainConnection*, std::shared_ptr<PlainConnection>> connections;
    std::unordered_map<PlainConnection*, Handle*> handles;
    std::unordered_map<std::string, std::vector<PlainConnection*>> idle;
    std::unordered_map<PlainConnection*, bool> retiring;  ///< in use when all idle ones were dropped: not kept afterwards
    std::vector<std::shared_ptr<PlainConnection>> over;
    std::size_t idleCount = 0;
    bool sweepPosted = false;
    std::shared_ptr<int> alive = std::make_shared<int>(0);
};

PlainTransport::PlainTransport(SocketPoller& poller, Scheduler& scheduler) : d(std::make_unique<Private>(poller, scheduler)) {}

PlainTransport::~PlainTransport() = default;

bool PlainTransport::takes(const TransportRequest& request)
{
    return request.proxyUrl.empty() && !request.http2 && startsWithIgnoreCase(request.url, "http://");
}

std::unique_ptr<TransportCall> PlainTransport::start(TransportRequest request, TransportHandler& handler)
{
    auto known = d->addresses.find(request.url);
    if (known == d->addresses.end()) {
        if (d->addresses.size() >= kMaxParsedUrls)
            d->addresses.clear();
        known = d->addresses.emplace(request.url, parseUrl(request.url)).first;
    }
    const PlainAddress& address = known->second;
    const MonoTime now = d->clock().mono();

    if (!request.freshConnection) {
        if (PlainConnection* kept = d->takeIdle(address.authority)) {
            kept->begin(std::move(request), address, handler, now);
            auto handle = std::make_unique<Private::Handle>(*d, *kept);
            kept->send();
            return handle;
        }
    }
    auto made = std::make_shared<PlainConnection>(*d, d->poller, d->scheduler, address.authority);
    PlainConnection* connection = made.get();
    d->connections.emplace(connection, made);
    connection->begin(std::move(request), address, handler, now);
    auto handle = std::make_unique<Private::Handle>(*d, *connection);
    const int port = address.port;
    const auto connect = [d = d.get(), weak = std::weak_ptr<PlainConnection>(made), port](std::vector<std::string> addresses) {
        if (const auto waiting = weak.lock(); waiting && waiting->busy())
            waiting->connectTo(std::move(addresses), port);
    };
    // Never from inside start: a connection refused on the spot would reach the handler too early.
    const auto connectSoon = [this, connect](std::vector<std::string> addresses) {
        d->poller.afterEvent([connect, addresses = std::move(addresses)] { connect(addresses); });
    };
    if (equalsIgnoreCase(address.host, "localhost"))
        connectSoon({"127.0.0.1", "::1"});
    else if (HostResolver::isLiteral(address.host))
        connectSoon({address.host});
    else if (const auto* cached = d->resolver.cached(address.host))
        connectSoon(*cached);
    else
        d->resolver.resolve(address.host, made, [connect, weak = std::weak_ptr<PlainConnection>(made)](const Result<HostResolver::Addresses>& result) {
            if (result)
                connect(*result);
            else if (const auto waiting = weak.lock(); waiting && waiting->busy())
                waiting->fail(TransportFailure::ResolveFailed, result.error().message);
        });
    return handle;
}

void PlainTransport::dropIdleConnections()
{
    d->resolver.forgetAll();
    std::vector<PlainConnection*> idle;
    for (const auto& [authority, list] : d->idle)
        idle.insert(idle.end(), list.begin(), list.end());
    for (PlainConnection* connection : idle)
        d->connectionOver(*connection);
    for (const auto& [connection, owned] : d->connections)
        d->retiring.emplace(connection, true);
}

}  // namespace omni
