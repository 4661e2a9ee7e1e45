#pragma once

#include "base/scheduler.h"
#include "base/socket_poller.h"
#include "proxy/client_error.h"
#include "proxy/http_message.h"
#include "proxy/request_parser.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace omni {

class HttpConnection;

struct HttpTimeouts {
    Millis header{10'000};
    Millis body{60'000};
    Millis idle{120'000};
};

/// What a connection asks of the server it belongs to.
class HttpConnectionHost {
public:
    virtual ~HttpConnectionHost() = default;
    virtual const HttpTimeouts& timeouts() const = 0;
    virtual const ParserLimits& parserLimits() const = 0;
    /// Looks at a head before its body is read; an error is sent and the connection closed.
    virtual std::optional<ClientError> refuse(const HttpRequest& head, const std::string& localAddress) = 0;
    virtual RequestRouter& router() = 0;
    virtual bool draining() const = 0;
    /// "Sun, 29 Nov 2026 23:00:45 GMT", made once a second.
    virtual const std::string& httpDate() = 0;
    /// Shared by all connections of the thread: valid until the next call.
    virtual std::vector<char>& readBuffer() = 0;
    /// Has `flush` called when the current event has been handled.
    virtual void flushLater(HttpConnection& connection) = 0;
    /// The socket is closed; destroys the connection, but not before the current event has been handled.
    virtual void connectionClosed(HttpConnection& connection) = 0;
};

/// One client socket: requests in, answers out, in order. Reads on while an answer is under way only to notice that the client has left,
/// and keeps at most 64 KiB of what it sent ahead.
class HttpConnection final : public SocketHandler, public ResponseWriter {
public:
    /// Takes over the non-blocking `socket`. Above the high-water mark of unsent bytes a handler should pause; it is told when they
    /// have fallen below the low one.
    static constexpr std::size_t kHighWater = 256 * 1024;
    static constexpr std::size_t kLowWater = 64 * 1024;

    HttpConnection(HttpConnectionHost& host, SocketPoller& poller, Scheduler& scheduler, qintptr socket);
    ~HttpConnection() override;

    /// Answers what is under way, then closes instead of waiting for the next request; at once when idle.
    void finishSoon();
    void closeNow();
    /// Writes what the socket takes.
    void flush();
    bool idle() const { return !m_handler && !m_parser.started(); }

    void socketReady(unsigned events) override;

    void sendHead(int status, const HeaderList& headers, std::int64_t length) override;
    void sendBody(std::string_view piece) override;
    void finish() override;
    void abort() override;
    std::size_t bufferedBytes() const override { return m_out.size() - m_sent; }
    bool headSent() const override { return m_headSent; }

private:
    enum class State : std::uint8_t { Reading, Answering, Answered, Lingering, Closed };

    void readSome();
    void takeInput(std::string_view bytes);
    void parse(std::string_view bytes);
    void startRequest();
    void refuseRequest(const ClientError& error);
    void answered();
    void linger();
    void checkTimeouts();
    void watchTimeout(Millis limit);
    void updateWatch();

    HttpConnectionHost& m_host;
    SocketPoller& m_poller;
    Scheduler& m_scheduler;
    qintptr m_socket;
    RequestParser m_parser;
    Timer m_timer;
    MonoTime m_lastActivity{};
    MonoTime m_requestBegan{};
    std::string m_ahead;  ///< bytes of later requests
    std::string m_out;
    std::size_t m_sent = 0;
    std::unique_ptr<RequestHandler> m_handler;
    std::string m_localAddress;
    State m_state = State::Reading;
    unsigned m_watched = ~0U;  ///< events asked of the poller; none yet
    int m_version = 11;
    bool m_headChecked = false;
    bool m_continueSent = false;
    bool m_keepAlive = true;
    bool m_headRequest = false;
    bool m_headSent = false;
    bool m_chunked = false;
    bool m_dropBody = false;
    bool m_aboveHighWater = false;
    bool m_finishSoon = false;
    bool m_resumeParsing = false;
};

}  // namespace omni
