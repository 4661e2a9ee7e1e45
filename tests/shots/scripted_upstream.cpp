#include "shots/scripted_upstream.h"

#include "base/scheduler.h"

#include <QMutexLocker>
#include <QRandomGenerator>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

#include <algorithm>

namespace omni::shots {

namespace {

/// Everything that must die in the thread it lives in.
struct Inside final : QObject {
    SystemClock clock;
    QtScheduler scheduler{clock};
    std::unique_ptr<Sandbox> sandbox;
    QTcpServer door;
};

}  // namespace

ScriptedUpstream::ScriptedUpstream()
{
    auto inside = std::make_unique<QObject>();
    inside->moveToThread(&m_thread);
    m_thread.start();
    QMetaObject::invokeMethod(
        inside.get(),
        [this] {
            auto made = std::make_unique<Inside>();
            auto sandbox = Sandbox::start(made->scheduler, {});
            if (!sandbox || !made->door.listen(QHostAddress::LocalHost))
                qFatal("the scripted upstream cannot listen");
            made->sandbox = *std::move(sandbox);
            m_sandboxPort = made->sandbox->port();
            m_port = made->door.serverPort();
            QObject::connect(&made->door, &QTcpServer::newConnection, made.get(), [this, door = &made->door] {
                while (QTcpSocket* client = door->nextPendingConnection())
                    relay(client);
            });
            m_inside = std::move(made);
        },
        Qt::BlockingQueuedConnection);
}

ScriptedUpstream::~ScriptedUpstream()
{
    QMetaObject::invokeMethod(
        m_inside.get(), [this] { m_inside.release()->deleteLater(); }, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

std::string ScriptedUpstream::proxyUrl() const
{
    return "http://127.0.0.1:" + std::to_string(m_port);
}

void ScriptedUpstream::script(const QByteArray& model, const QByteArray& behaviour, const QByteArray& mark)
{
    const QMutexLocker lock(&m_mutex);
    m_behaviours[{model, mark}] = behaviour;
}

void ScriptedUpstream::relay(QTcpSocket* client)
{
    auto* server = new QTcpSocket(client);
    QObject::connect(client, &QTcpSocket::readyRead, server, [this, client, server] {
        // A provider thinks for a while before it answers; requests on one connection keep their order, since each waits for its answer.
        const int thinking = 120 + QRandomGenerator::global()->bounded(180) + QRandomGenerator::global()->bounded(300);
        const QByteArray bytes = rewritten(client->readAll());
        QTimer::singleShot(thinking, server, [server, bytes] { server->write(bytes); });
    });
    QObject::connect(server, &QTcpSocket::readyRead, client, [client, server] { client->write(server->readAll()); });
    QObject::connect(server, &QTcpSocket::disconnected, client, &QTcpSocket::disconnectFromHost);
    QObject::connect(server, &QTcpSocket::errorOccurred, client, &QTcpSocket::disconnectFromHost);
    QObject::connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
    server->connectToHost(QHostAddress::LocalHost, m_sandboxPort);
}

QByteArray ScriptedUpstream::rewritten(QByteArray bytes)
{
    // "POST http://host/v1/…", as it is said to a proxy, becomes "POST /v1/…". Small requests arrive whole.
    const qsizetype scheme = bytes.indexOf(" http://");
    if (scheme >= 0 && scheme < 8) {
        const qsizetype path = bytes.indexOf('/', scheme + 8);
        bytes.remove(scheme + 1, path - scheme - 1);
    }
    // The connections keep the models of the catalogue: the sandbox's own list is not found.
    bytes.replace("GET /v1/models", "GET /v1/absent");
    const QMutexLocker lock(&m_mutex);
    // A mark is more than none, so what is scripted for some requests comes first.
    for (auto entry = m_behaviours.rbegin(); entry != m_behaviours.rend(); ++entry) {
        const auto& [key, behaviour] = *entry;
        const auto& [model, mark] = key;
        const QByteArray quoted = '"' + model + '"';
        const qsizetype at = bytes.indexOf(quoted);
        if (at < 0 || (!mark.isEmpty() && !bytes.contains(mark)))
            continue;
        qsizetype end = at + quoted.size();
        while (end < bytes.size() && bytes.at(end) == ' ')
            ++end;
        // Same length, so that Content-Length stays true: blanks are free between the tokens of JSON.
        const QByteArray instead = ('"' + behaviour + '"').leftJustified(end - at, ' ');
        if (instead.size() == end - at)
            bytes.replace(at, end - at, instead);
        break;
    }
    return bytes;
}

}  // namespace omni::shots
