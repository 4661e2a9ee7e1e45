#pragma once

#include "base/scheduler.h"
#include "sandbox/answers.h"
#include "sandbox/planner.h"
#include "sandbox/request_reader.h"

#include <QObject>

#include <memory>

class QTcpSocket;

namespace omni::sandbox {

/// One client connection: reads requests, one after the other, and plays the plan of each. Deletes itself when the socket is gone.
class Connection final : public QObject {
public:
    /// Takes over an accepted socket. `shared` outlives the connection.
    Connection(Shared& shared, qintptr socket, QObject* parent);
    ~Connection() override;

private:
    struct Exchange;

    void readable();
    void written();
    void gone();
    void due();

    void serve();
    void refuse(RequestReader::State state);
    void begin(Request request);
    void prepareBody();

    void open();
    void sendHead();
    void play();
    bool nextFrame(Frame& frame);
    bool takeFrame(Frame& frame);
    bool faultIsDue() const;
    /// False when the answer ends here.
    bool strike();
    void endBody();
    /// False when some of it waits for the next turn of the loop, or the client has gone: then the exchange may be no more.
    bool flush();
    void complete();
    void reset();
    void close();

    Shared& m_shared;
    QTcpSocket* m_socket;
    Timer m_timer;
    RequestReader m_reader;
    std::unique_ptr<Exchange> m_exchange;
    bool m_serving = false;
    bool m_resetNext = false;
    bool m_leaving = false;  ///< we end the connection, not the client
};

}  // namespace omni::sandbox
