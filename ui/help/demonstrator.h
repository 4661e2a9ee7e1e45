#pragma once

#include "control/control.h"
#include "ui/help/demonstration.h"

#include <QNetworkAccessManager>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <string>

class QNetworkReply;

namespace omni {

class CoreLink;

/// Plays a demonstration: real requests over the proxy to the sandbox's connection, which is added or enabled first where it is not there.
/// Where client keys are required, one is made for the time of the demonstration and revoked after it.
class Demonstrator final : public QObject {
    Q_OBJECT

public:
    explicit Demonstrator(CoreLink& link, QObject* parent = nullptr);

    bool running() const { return m_running; }
    void start(const Demonstration& demonstration);
    void stop();
    /// After a demonstration that left something behind: the combo goes, the connection serves again. Does nothing otherwise.
    void tidy();
    bool leftSomething() const { return !m_combo.empty() || !m_ended.empty(); }

Q_SIGNALS:
    /// A line about where it stands.
    void progressed(const QString& line);
    /// Ended; `problem` is empty when everything was done. `requestId` is the last one's.
    void finished(const QString& problem, const QString& requestId);

private:
    void withSandbox();
    void withKey();
    void withCombo();
    void next();
    void send(const DemoRequest& request);
    void answered(QNetworkReply& reply, const DemoRequest& request);
    void playBreaker();
    void end(const QString& problem);
    /// On, and out of a state that only the user ends: what is on already is switched off first, or nothing would end.
    void enable(const ConnectionId& id, std::function<void(const Result<int>&)> done);
    const Connection* sandbox() const;
    bool breakerOpen() const;

    CoreLink& m_link;
    QNetworkAccessManager m_network;
    QTimer m_pause;
    QPointer<QNetworkReply> m_reply;
    Demonstration m_demo;
    bool m_running = false;
    std::size_t m_at = 0;
    int m_sent = 0;
    std::string m_key;
    ApiKeyId m_keyId;
    ComboId m_combo;       ///< made by the last demonstration
    ConnectionId m_ended;  ///< taken out by the last demonstration
    QString m_requestId;
};

}  // namespace omni
