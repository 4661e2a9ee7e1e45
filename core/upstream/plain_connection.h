#pragma once

#include "base/scheduler.h"
#include "base/socket_poller.h"
#include "upstream/content_decoder.h"
#include "upstream/response_parser.h"
#include "upstream/transport.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace omni {

class PlainConnection;

/// Where a URL leads.
struct PlainAddress {
    std::string host;
    int port = 80;
    std::string authority;  ///< as in the Host header
    std::string path;       ///< with the query
};

/// What a connection tells the transport that owns it. It may be given away or closed inside each call.
class PlainConnectionOwner {
public:
    virtual ~PlainConnectionOwner() = default;
    virtual const Clock& clock() const = 0;
    virtual std::vector<char>& readBuffer() = 0;
    /// The answer is complete and the socket can carry another request.
    virtual void connectionFree(PlainConnection& connection) = 0;
    /// The socket is of no more use; destroyed when the current event has been handled.
    virtual void connectionOver(PlainConnection& connection) = 0;
};

/// One socket to an upstream, carrying one request at a time.
class PlainConnection final : public SocketHandler, public ResponseSink {
public:
    PlainConnection(PlainConnectionOwner& owner, SocketPoller& poller, Scheduler& scheduler, std::string authority);
    ~PlainConnection() override;

    /// Told of the answer to the request that is sent next; nullptr lets go of it, which closes the socket unless it is idle.
    void begin(TransportRequest request, const PlainAddress& address, TransportHandler& handler, MonoTime startedAt);
    void connectTo(std::vector<std::string> addresses, int port);
    /// On a kept connection: sends at once.
    void send();
    void abandon();
    void pause();
    void resume();
    /// While the name is still being resolved.
    void fail(TransportFailure failure, std::string message);

    const std::string& authority() const { return m_authority; }
    MonoTime idleSince() const { return m_idleSince; }
    bool busy() const { return m_handler != nullptr; }
    void close();

    void socketReady(unsigned events) override;
    bool responseHead(int status, HeaderList headers) override;
    bool responseBody(std::string_view piece) override;

private:
    enum class Phase : unsigned char { Resolving, Connecting, Sending, Waiting, Receiving, Idle, Closed };

    void tryNextAddress();
    void connected();
    void writeSome();
    void readSome();
    void settle(ResponseParser::State state, TransportFailure whenFailed);
    void complete();
    void watch(unsigned events);
    void checkLimit();
    void enter(Phase phase);

    PlainConnectionOwner& m_owner;
    SocketPoller& m_poller;
    std::string m_authority;
    int m_socket = -1;
    unsigned m_watched = 0;
    Phase m_phase = Phase::Resolving;
    MonoTime m_phaseSince{};
    MonoTime m_startedAt{};
    MonoTime m_idleSince{};
    Timer m_limit;

    std::vector<std::string> m_addresses;  ///< still to be tried
    int m_port = 0;
    std::string m_connectError;

    TransportRequest m_request;
    TransportHandler* m_handler = nullptr;
    std::string m_head;
    std::array<std::string_view, 4> m_parts;  ///< head, body before, insert, body after
    std::size_t m_written = 0;
    std::size_t m_toWrite = 0;
    bool m_used = false;  ///< has carried an answer before
    bool m_paused = false;
    ResponseParser m_parser;
    std::unique_ptr<ContentDecoder> m_decoder;
    std::string m_decoded;
    TransportResult m_result;
};

}  // namespace omni
