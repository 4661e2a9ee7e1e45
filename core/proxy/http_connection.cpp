#include "proxy/http_connection.h"

#include "base/logging.h"
#include "base/text.h"
#include "proxy/http_status.h"

#include <QHostAddress>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

namespace omni {

namespace {

constexpr std::size_t kAheadLimit = 64 * 1024;
/// A buffer that grew larger for one big answer is given back.
constexpr std::size_t kKeptBuffer = 64 * 1024;
/// After an early answer the rest of the request is read and dropped for a while, since closing at once would reset the connection and
/// the client might never see the answer.
constexpr Millis kLingerTime{1'000};

void appendHex(std::string& out, std::size_t number)
{
    char text[20];
    const auto [end, error] = std::to_chars(text, text + sizeof text, number, 16);
    out.append(text, end);
    (void)error;
}

std::string localAddressOf(qintptr socket)
{
    sockaddr_storage storage{};
    socklen_t length = sizeof storage;
    if (getsockname(static_cast<int>(socket), reinterpret_cast<sockaddr*>(&storage), &length) != 0)
        return {};
    return QHostAddress(reinterpret_cast<const sockaddr*>(&storage)).toString().toStdString();
}

}  // namespace

HttpConnection::HttpConnection(HttpConnectionHost& host, SocketPoller& poller, Scheduler& scheduler, qintptr socket)
    : m_host(host), m_poller(poller), m_scheduler(scheduler), m_socket(socket), m_parser(host.parserLimits()),
      m_timer(scheduler, [this] { checkTimeouts(); }), m_localAddress(localAddressOf(socket))
{
    m_lastActivity = m_scheduler.clock().mono();
    // A connection that says nothing at all gets no longer than a slow head.
    m_requestBegan = m_lastActivity;
    m_timer.start(m_host.timeouts().idle);
    updateWatch();
}

HttpConnection::~HttpConnection()
{
    if (m_state != State::Closed) {
        m_poller.unwatch(m_socket);
        ::close(static_cast<int>(m_socket));
    }
}

void HttpConnection::updateWatch()
{
    unsigned events = 0;
    if (m_ahead.size() < kAheadLimit)
        events |= SocketPoller::Readable;
    if (bufferedBytes() > 0)
        events |= SocketPoller::Writable;
    if (m_watched == events)
        return;
    m_watched = events;
    m_poller.watch(m_socket, events, *this);
}

void HttpConnection::socketReady(unsigned events)
{
    if (events & SocketPoller::Writable)
        flush();
    if (m_state != State::Closed && (events & SocketPoller::Readable))
        readSome();
}

void HttpConnection::readSome()
{
    // One piece per event keeps a fast sender from starving the others.
    std::vector<char>& buffer = m_host.readBuffer();
    const ssize_t count = ::recv(static_cast<int>(m_socket), buffer.data(), buffer.size(), 0);
    if (count < 0) {
        if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
            closeNow();
        return;
    }
    if (count == 0) {
        closeNow();
        return;
    }
    takeInput({buffer.data(), static_cast<std::size_t>(count)});
}

void HttpConnection::takeInput(std::string_view bytes)
{
    switch (m_state) {
    case State::Reading: parse(bytes); return;
    case State::Answering:
    case State::Answered:
        m_ahead.append(bytes);
        updateWatch();
        return;
    case State::Lingering:
    case State::Closed: return;
    }
}

void HttpConnection::parse(std::string_view bytes)
{
    const bool wasStarted = m_parser.started();
    const std::size_t used = m_parser.feed(bytes);
    if (m_parser.state() == RequestParser::State::Failed) {
        ClientError error;
        error.status = m_parser.errorStatus();
        error.message = m_parser.errorMessage();
        refuseRequest(error);
        return;
    }
    if (m_parser.state() != RequestParser::State::Head && !m_headChecked) {
        m_headChecked = true;
        if (auto refusal = m_host.refuse(m_parser.head(), m_localAddress)) {
            refuseRequest(*refusal);
            return;
        }
    }
    if (m_parser.state() == RequestParser::State::Complete) {
        m_ahead.assign(bytes.substr(used));
        startRequest();
        return;
    }
    if (m_parser.awaitsContinue() && !m_continueSent) {
        m_continueSent = true;
        m_out += "HTTP/1.1 100 Continue\r\n\r\n";
        flush();
        if (m_state == State::Closed)
            return;
    }
    m_lastActivity = m_scheduler.clock().mono();
    if (!wasStarted && m_parser.started())
        m_requestBegan = m_lastActivity;
    if (m_parser.started())
        watchTimeout(m_parser.state() == RequestParser::State::Head ? m_host.timeouts().header : m_host.timeouts().body);
}

void HttpConnection::startRequest()
{
    HttpRequest request = m_parser.take();
    m_headChecked = m_continueSent = false;
    m_version = request.version;
    m_keepAlive = request.keepAlive && !m_finishSoon && !m_host.draining();
    m_headRequest = request.method == "HEAD";
    m_headSent = m_chunked = m_dropBody = false;
    m_state = State::Answering;
    auto handler = m_host.router().route(std::move(request), *this);
    if (m_state == State::Answering) {
        m_handler = std::move(handler);
    } else if (m_state == State::Answered) {
        // Answered on the spot; the handler has nothing left to do.
        handler.reset();
    }
    if (m_state != State::Closed)
        updateWatch();
}

void HttpConnection::refuseRequest(const ClientError& error)
{
    m_state = State::Answering;
    m_keepAlive = false;
    m_headRequest = false;
    m_headSent = m_chunked = m_dropBody = false;
    const HttpRequest& head = m_parser.head();
    m_version = 11;
    sendError(*this, error, dialectOfPath(head.path()));
}

void HttpConnection::sendHead(int status, const HeaderList& headers, std::int64_t length)
{
    if (m_state != State::Answering || m_headSent)
        return;
    m_headSent = true;
    const bool bodiless = status == 204 || status == 304 || (status >= 100 && status < 200);
    m_dropBody = m_headRequest || bodiless;
    m_chunked = length < 0 && m_version == 11 && !bodiless;
    if (length < 0 && m_version == 10)
        m_keepAlive = false;  // the end of the connection is the end of the body
    char text[24];
    m_out += "HTTP/1.1 ";
    m_out.append(text, std::to_chars(text, text + sizeof text, status).ptr);
    m_out += ' ';
    m_out += reasonPhrase(status);
    m_out += "\r\n";
    for (const auto& [name, value] : headers) {
        m_out += name;
        m_out += ": ";
        m_out += value;
        m_out += "\r\n";
    }
    m_out += "Date: ";
    m_out += m_host.httpDate();
    if (m_chunked) {
        m_out += "\r\nTransfer-Encoding: chunked";
    } else if (length >= 0 && !bodiless) {
        m_out += "\r\nContent-Length: ";
        m_out.append(text, std::to_chars(text, text + sizeof text, length).ptr);
    }
    m_out += m_keepAlive ? (m_version == 10 ? "\r\nConnection: keep-alive\r\n\r\n" : "\r\n\r\n") : "\r\nConnection: close\r\n\r\n";
    m_host.flushLater(*this);
}

void HttpConnection::sendBody(std::string_view piece)
{
    if (m_state != State::Answering || !m_headSent || piece.empty() || m_dropBody)
        return;
    if (m_chunked) {
        appendHex(m_out, piece.size());
        m_out += "\r\n";
        m_out.append(piece);
        m_out += "\r\n";
    } else {
        m_out.append(piece);
    }
    if (bufferedBytes() > kHighWater)
        m_aboveHighWater = true;
    m_host.flushLater(*this);
}

void HttpConnection::finish()
{
    if (m_state != State::Answering)
        return;
    if (m_chunked && !m_dropBody)
        m_out += "0\r\n\r\n";
    m_state = State::Answered;
    m_host.flushLater(*this);
}

void HttpConnection::abort()
{
    if (m_state != State::Answering)
        return;
    // What was already said still goes out; the missing last chunk shows the break.
    m_keepAlive = false;
    m_state = State::Answered;
    m_host.flushLater(*this);
}

void HttpConnection::flush()
{
    if (m_state == State::Closed)
        return;
    while (m_sent < m_out.size()) {
        const ssize_t count = ::send(static_cast<int>(m_socket), m_out.data() + m_sent, m_out.size() - m_sent, MSG_NOSIGNAL);
        if (count < 0) {
            if (errno == EINTR)
                continue;
            if (errno != EAGAIN && errno != EWOULDBLOCK) {
                closeNow();
                return;
            }
            break;
        }
        m_sent += static_cast<std::size_t>(count);
    }
    if (m_sent == m_out.size()) {
        m_out.clear();
        m_sent = 0;
        if (m_out.capacity() > kKeptBuffer)
            m_out.shrink_to_fit();
    } else if (m_sent > kHighWater) {
        m_out.erase(0, m_sent);
        m_sent = 0;
    }
    if (m_aboveHighWater && bufferedBytes() <= kLowWater) {
        m_aboveHighWater = false;
        if (m_handler)
            m_handler->writerDrained();
        if (m_state == State::Closed)
            return;
    }
    if (m_state == State::Answered) {
        m_handler.reset();
        if (bufferedBytes() == 0) {
            answered();
            return;
        }
    }
    if (m_state != State::Closed)
        updateWatch();
}

void HttpConnection::answered()
{
    m_lastActivity = m_scheduler.clock().mono();
    if (!m_keepAlive || m_finishSoon || m_host.draining()) {
        linger();
        return;
    }
    m_state = State::Reading;
    // Requests sent ahead are taken one after the other, not one inside the other.
    if (m_resumeParsing || m_ahead.empty()) {
        updateWatch();
        return;
    }
    m_resumeParsing = true;
    while (m_state == State::Reading && !m_ahead.empty()) {
        const std::string bytes = std::exchange(m_ahead, {});
        parse(bytes);
        if (m_state == State::Answered)
            flush();
    }
    m_resumeParsing = false;
    if (m_state != State::Closed)
        updateWatch();
}

void HttpConnection::linger()
{
    m_state = State::Lingering;
    m_ahead.clear();
    ::shutdown(static_cast<int>(m_socket), SHUT_WR);
    m_timer.start(kLingerTime);
    updateWatch();
}

void HttpConnection::finishSoon()
{
    m_finishSoon = true;
    if (m_state == State::Reading)
        closeNow();
}

void HttpConnection::closeNow()
{
    if (m_state == State::Closed)
        return;
    const bool answering = m_state == State::Answering;
    m_state = State::Closed;
    m_timer.stop();
    m_poller.unwatch(m_socket);
    ::close(static_cast<int>(m_socket));
    if (answering && m_handler)
        m_handler->clientGone();
    m_handler.reset();
    m_host.connectionClosed(*this);
}

void HttpConnection::watchTimeout(Millis limit)
{
    const MonoTime due = m_lastActivity + limit;
    if (!m_timer.active() || m_timer.deadline() > due)
        m_timer.start(due - m_scheduler.clock().mono());
}

void HttpConnection::checkTimeouts()
{
    const MonoTime now = m_scheduler.clock().mono();
    const HttpTimeouts& limits = m_host.timeouts();
    switch (m_state) {
    case State::Lingering: closeNow(); return;
    case State::Closed: return;
    case State::Answering:
    case State::Answered: m_timer.start(limits.idle); return;
    case State::Reading: break;
    }
    MonoTime due;
    if (!m_parser.started())
        due = m_lastActivity + limits.idle;
    else if (m_parser.state() == RequestParser::State::Head)
        due = m_requestBegan + limits.header;
    else
        due = m_lastActivity + limits.body;
    if (due > now) {
        m_timer.start(due - now);
        return;
    }
    if (!m_parser.started()) {
        closeNow();
        return;
    }
    ClientError error;
    error.status = 408;
    error.code = "request_timeout";
    error.message = m_parser.state() == RequestParser::State::Head
                        ? "The request's head did not arrive within " + std::to_string(limits.header.count()) + " ms."
                        : "The request's body stopped for " + std::to_string(limits.body.count()) + " ms.";
    refuseRequest(error);
    m_timer.start(kLingerTime);
}

}  // namespace omni
