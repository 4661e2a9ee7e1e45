#pragma once

#include "sandbox/sandbox.h"

#include <QByteArray>
#include <QMutex>
#include <QThread>

#include <map>
#include <memory>
#include <string>
#include <utility>

class QTcpSocket;

namespace omni::shots {

/// The sandbox behind a forward proxy of ours, in a thread of its own: connections keep their providers' real model names and plain
/// hosts that are not local, and what each model does is decided here, while the pictures' story goes on.
class ScriptedUpstream {
public:
    ScriptedUpstream();
    ~ScriptedUpstream();

    /// For Connection::proxyUrl.
    std::string proxyUrl() const;
    /// From now on `model` behaves as the sandbox's model `behaviour` ("503", "rate-limited?seconds=90"): for requests that hold `mark`,
    /// such as a part of a key, or for all. The blanks that follow the model's name in a request make room for a longer one.
    void script(const QByteArray& model, const QByteArray& behaviour, const QByteArray& mark = {});

private:
    void relay(QTcpSocket* client);
    QByteArray rewritten(QByteArray bytes);

    QThread m_thread;
    std::unique_ptr<QObject> m_inside;  ///< lives in the thread
    quint16 m_sandboxPort = 0;
    quint16 m_port = 0;
    QMutex m_mutex;
    std::map<std::pair<QByteArray, QByteArray>, QByteArray> m_behaviours;  ///< by model and mark
};

}  // namespace omni::shots
