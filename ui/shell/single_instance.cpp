#include "ui/shell/single_instance.h"

#include <QCryptographicHash>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalSocket>
#include <QStandardPaths>
#include <QtEndian>
#include <QThread>
#include <QTimer>

namespace omni {

namespace {

constexpr char kVersion = 1;
constexpr int kHeader = 5;
constexpr quint32 kMaxLength = 64 * 1024;
constexpr int kPatienceMs = 2'000;

/// A folder only this user can enter: the runtime folder, else the data folder itself.
QString meetingPlace(const QString& dataDir)
{
    const QString runtime = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    if (!runtime.isEmpty()) {
        const QString place = runtime + QStringLiteral("/omniroute");
        const bool made = QDir().mkpath(place) && QFile::setPermissions(place, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        if (made)
            return place;
    }
    QDir().mkpath(dataDir);
    return dataDir;
}

/// The same folder by any of its names gives the same key.
QString keyOf(const QString& dataDir)
{
    QDir().mkpath(dataDir);
    const QString canonical = QDir(dataDir).canonicalPath();
    const QByteArray name = (canonical.isEmpty() ? QDir(dataDir).absolutePath() : canonical).toUtf8();
    return QString::fromLatin1(QCryptographicHash::hash(name, QCryptographicHash::Sha256).toHex().left(16));
}

QString baseOf(const QString& dataDir)
{
    return meetingPlace(dataDir) + QStringLiteral("/desktop-") + keyOf(dataDir);
}

QByteArray packed(const QString& command)
{
    const QByteArray json = QJsonDocument(QJsonObject{{QStringLiteral("command"), command}}).toJson(QJsonDocument::Compact);
    QByteArray message(kHeader, Qt::Uninitialized);
    message[0] = kVersion;
    qToBigEndian(static_cast<quint32>(json.size()), message.data() + 1);
    return message + json;
}

/// The command of a whole message; empty for one that is not ours.
QString unpacked(const QByteArray& json)
{
    const QString command = QJsonDocument::fromJson(json).object().value(QLatin1String("command")).toString();
    const bool known = command == QLatin1String("show") || command == QLatin1String("quit");
    return known ? command : QString();
}

}  // namespace

SingleInstance::SingleInstance(const QString& dataDir, QObject* parent)
    : QObject(parent), m_socketPath(baseOf(dataDir) + QStringLiteral(".sock")), m_lock(baseOf(dataDir) + QStringLiteral(".lock"))
{
    // Stale only when its process is gone, which QLockFile sees by itself; never by age.
    m_lock.setStaleLockTime(0);
}

SingleInstance::~SingleInstance() = default;

bool SingleInstance::acquire()
{
    if (!m_lock.tryLock(0))
        return false;
    m_server = std::make_unique<QLocalServer>();
    m_server->setSocketOptions(QLocalServer::UserAccessOption);
    connect(m_server.get(), &QLocalServer::newConnection, this, &SingleInstance::accept);
    if (!m_server->listen(m_socketPath)) {
        // Left behind by a crash: the lock is ours, so nobody listens there.
        QLocalServer::removeServer(m_socketPath);
        m_server->listen(m_socketPath);
    }
    return true;
}

bool SingleInstance::send(const QString& command)
{
    const QDeadlineTimer deadline(kPatienceMs);
    // The first one may hold its lock and not yet listen.
    do {
        QLocalSocket socket;
        socket.connectToServer(m_socketPath);
        if (!socket.waitForConnected(200)) {
            QThread::msleep(50);
            continue;
        }
        socket.write(packed(command));
        while (socket.bytesToWrite() > 0 && socket.waitForBytesWritten(static_cast<int>(deadline.remainingTime()))) {
        }
        return socket.waitForReadyRead(static_cast<int>(deadline.remainingTime())) && socket.readAll() == "k";
    } while (!deadline.hasExpired());
    return false;
}

void SingleInstance::accept()
{
    while (QLocalSocket* socket = m_server->nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        // Whoever connects and says nothing is not kept.
        QTimer::singleShot(kPatienceMs, socket, &QLocalSocket::abort);
        const auto read = [this, socket] {
            const QByteArray head = socket->peek(kHeader);
            if (head.size() < kHeader)
                return;
            const auto length = qFromBigEndian<quint32>(head.constData() + 1);
            if (head.at(0) != kVersion || length > kMaxLength) {
                socket->abort();
                return;
            }
            if (socket->bytesAvailable() < kHeader + static_cast<qint64>(length))
                return;
            socket->skip(kHeader);
            const QString command = unpacked(socket->read(length));
            if (command.isEmpty()) {
                socket->abort();
                return;
            }
            socket->write("k");
            socket->disconnectFromServer();
            Q_EMIT commandReceived(command);
        };
        connect(socket, &QLocalSocket::readyRead, this, read);
        read();
    }
}

}  // namespace omni
