#include "sandbox/sandbox.h"

#include "sandbox/behaviours.h"
#include "sandbox/connection.h"

#include <QHostAddress>
#include <QNetworkProxy>
#include <QTcpServer>

namespace omni {

namespace {

/// Hands accepted sockets to connections, which are its children and end with it.
class Server final : public QTcpServer {
public:
    explicit Server(sandbox::Shared& shared) : m_shared(shared)
    {
        setProxy(QNetworkProxy::NoProxy);
        setListenBacklogSize(4096);
        setMaxPendingConnections(4096);
    }

protected:
    void incomingConnection(qintptr socket) override { new sandbox::Connection(m_shared, socket, this); }

private:
    sandbox::Shared& m_shared;
};

}  // namespace

struct Sandbox::Private {
    explicit Private(Scheduler& scheduler) : shared(scheduler), server(shared) {}

    sandbox::Shared shared;
    Server server;
};

Result<std::unique_ptr<Sandbox>> Sandbox::start(Scheduler& scheduler, const Options& options)
{
    auto parts = std::make_unique<Private>(scheduler);
    parts->shared.requiredKey = options.requiredKey;
    if (!parts->server.listen(QHostAddress::LocalHost, options.port))
        return Error{ErrorKind::Unavailable, "The sandbox cannot listen on 127.0.0.1:" + std::to_string(options.port) + ": " +
                                                 parts->server.errorString().toStdString() +
                                                 ". Choose another port, or 0 for any free one."};
    return std::unique_ptr<Sandbox>(new Sandbox(std::move(parts)));
}

Sandbox::Sandbox(std::unique_ptr<Private> parts) : d(std::move(parts)) {}

Sandbox::~Sandbox() = default;

std::uint16_t Sandbox::port() const
{
    return d->server.serverPort();
}

std::string Sandbox::baseUrl() const
{
    return "http://127.0.0.1:" + std::to_string(port()) + "/v1";
}

Sandbox::Counters Sandbox::counters() const
{
    return d->shared.counters;
}

void Sandbox::recordRequests(bool on)
{
    d->shared.recording = on;
}

const std::vector<Sandbox::Seen>& Sandbox::seen() const
{
    return d->shared.seen;
}

const std::vector<SandboxModel>& Sandbox::models()
{
    static const std::vector<SandboxModel> list = [] {
        std::vector<SandboxModel> models;
        for (const auto* behaviours :
             {&sandbox::workingBehaviours(), &sandbox::statusBehaviours(), &sandbox::limitBehaviours(), &sandbox::brokenBehaviours()})
            for (const sandbox::Behaviour& behaviour : *behaviours)
                models.push_back(behaviour.model);
        return models;
    }();
    return list;
}

}  // namespace omni
