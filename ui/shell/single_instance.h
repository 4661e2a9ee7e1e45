#pragma once

#include <QLocalServer>
#include <QLockFile>
#include <QObject>
#include <QString>

#include <memory>

namespace omni {

/// One desktop program for each data folder. The lock decides; the socket carries a message from the second start to the first.
/// Message: version byte 1, length (4 bytes, big-endian, at most 64 KiB), JSON {"command":"show"|"quit"}.
class SingleInstance final : public QObject {
    Q_OBJECT

public:
    explicit SingleInstance(const QString& dataDir, QObject* parent = nullptr);
    ~SingleInstance() override;

    /// True = this is the first one, and it listens from now on.
    bool acquire();
    /// To the one that runs. Waits at most 2 s; false = it did not take it.
    bool send(const QString& command);
    QString socketPath() const { return m_socketPath; }

Q_SIGNALS:
    /// "show" or "quit", from a later start.
    void commandReceived(const QString& command);

private:
    void accept();

    QString m_socketPath;
    QLockFile m_lock;
    std::unique_ptr<QLocalServer> m_server;
};

}  // namespace omni
