#include "upstream/plain_connection.h"

#include "base/text.h"

#include <QHostAddress>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

namespace omni {

namespace {

/// Fills in a literal address; false when it is none.
bool socketAddress(const std::string& literal, int port, sockaddr_storage& storage, socklen_t& length)
{
    std::string text = literal;
    if (text.size() > 2 && text.front() == '[')
        text = text.substr(1, text.size() - 2);
    const QHostAddress address(QString::fromStdString(text));
    if (address.protocol() == QAbstractSocket::IPv4Protocol) {
        auto& v4 = reinterpret_cast<sockaddr_in&>(storage);
        v4.sin_family = AF_INET;
        v4.sin_port = htons(static_cast<std::uint16_t>(port));
        v4.sin_addr.s_addr = htonl(address.toIPv4Address());
        length = sizeof v4;
        return true;
    }
    if (address.protocol() == QAbstractSocket::IPv6Protocol) {
        auto& v6 = reinterpret_cast<sockaddr_in6&>(storage);
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(static_cast<std::uint16_t>(port));
        const Q_IPV6ADDR bytes = address.toIPv6Address();
        std::memcpy(&v6.sin6_addr, &bytes, sizeof bytes);
        length = sizeof v6;
        return true;
    }
    return false;
}

/// Given to the kernel in one turn of the loop. It would take megabytes of a large prompt at once, and copy them, while other streams wait.
constexpr std::size_t kWritePiece = 256 * 1024;

std::string reason(int error) { return std::strerror(error); }

}  // namespace

PlainConnection::PlainConnection(PlainConnectionOwner& owner, SocketPoller& poller, Scheduler& scheduler, std::string authority)
    : m_owner(owner), m_poller(poller), m_authority(std::move(authority)),
      m_limit(scheduler, [this] { checkLimit(); }), m_parser(*this)
{
}

PlainConnection::~PlainConnection()
{
    m_handler = nullptr;
    close();
}

void PlainConnection::close()
{
    m_phase = Phase::Closed;
    m_limit.stop();
    if (m_socket < 0)
        return;
    m_poller.unwatch(m_socket);
    ::close(m_socket);
    m_socket = -1;
}

void PlainConnection::enter(Phase phase)
{
    m_phase = phase;
    m_phaseSince = m_owner.clock().mono();
    const Millis limit = phase == Phase::Waiting || phase == Phase::Sending ? m_request.firstByteTimeout
                         : phase == Phase::Receiving                          ? m_request.idleTimeout
                                                                              : m_request.connectTimeout;
    // Looked at when it fires: a phase that moved on, or bytes that came, only put it off.
    if (!m_limit.active() || m_limit.deadline() > m_phaseSince + limit)
        m_limit.start(limit);
}

void PlainConnection::begin(TransportRequest request, const PlainAddress& address, TransportHandler& handler, MonoTime startedAt)
{
    m_request = std::move(request);
    m_handler = &handler;
    m_startedAt = startedAt;
    m_paused = false;
    m_written = 0;
    m_result = TransportResult();
    m_result.reusedConnection = m_used;
    m_decoder.reset();
    m_parser.reset();

    m_head.clear();
    m_head.append(m_request.method).append(" ").append(address.path).append(" HTTP/1.1\r\nhost: ").append(address.authority).append("\r\n");
    for (const auto& [name, value] : m_request.headers)
        m_head.append(name).append(": ").append(value).append("\r\n");
    // Not compressed: frames must be readable as they come.
    m_head.append("accept-encoding: identity\r\n");
    const SplicedBody& body = m_request.body;
    if (m_request.method != "GET")
        m_head.append("content-length: ").append(std::to_string(body.size())).append("\r\n");
    m_head.append("\r\n");
    const std::string_view original = body.original ? std::string_view(*body.original) : std::string_view();
    m_parts = {m_head, original.substr(0, body.cutAt), body.insert, original.substr(body.cutAt + body.cutLength)};
    m_toWrite = 0;
    for (const std::string_view part : m_parts)
        m_toWrite += part.size();
    if (!m_used)
        enter(Phase::Resolving);
}

void PlainConnection::connectTo(std::vector<std::string> addresses, int port)
{
    m_addresses = std::move(addresses);
    m_port = port;
    tryNextAddress();
}

void PlainConnection::tryNextAddress()
{
    while (!m_addresses.empty()) {
        const std::string literal = m_addresses.front();
        m_addresses.erase(m_addresses.begin());
        sockaddr_storage storage{};
        socklen_t length = 0;
        if (!socketAddress(literal, m_port, storage, length))
            continue;
        m_socket = ::socket(storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (m_socket < 0) {
            m_connectError = reason(errno);
            continue;
        }
        const int on = 1;
        ::setsockopt(m_socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (::connect(m_socket, reinterpret_cast<const sockaddr*>(&storage), length) == 0 || errno == EINPROGRESS) {
            m_phase = Phase::Connecting;
            m_watched = 0;
            watch(SocketPoller::Writable);
            return;
        }
        m_connectError = reason(errno);
        ::close(m_socket);
        m_socket = -1;
    }
    fail(TransportFailure::ConnectFailed, "Could not connect to " + m_authority + ": " + (m_connectError.empty() ? "no usable address" : m_connectError) + ".");
}

void PlainConnection::connected()
{
    int error = 0;
    socklen_t length = sizeof error;
    ::getsockopt(m_socket, SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0) {
        m_connectError = reason(error);
        m_poller.unwatch(m_socket);
        ::close(m_socket);
        m_socket = -1;
        tryNextAddress();
        return;
    }
    m_result.connectUs = (m_owner.clock().mono() - m_startedAt).count();
    send();
}

void PlainConnection::send()
{
    enter(Phase::Sending);
    writeSome();
}

void PlainConnection::watch(unsigned events)
{
    if (m_watched == events)
        return;
    m_watched = events;
    m_poller.watch(m_socket, events, *this);
}

void PlainConnection::writeSome()
{
    while (m_written < m_toWrite) {
        std::array<iovec, 4> pieces{};
        std::size_t count = 0;
        std::size_t base = 0;
        std::size_t room = kWritePiece;
        for (const std::string_view part : m_parts) {
            if (m_written < base + part.size() && room > 0) {
                const std::size_t from = m_written > base ? m_written - base : 0;
                const std::size_t length = std::min(part.size() - from, room);
                pieces[count++] = {const_cast<char*>(part.data()) + from, length};
                room -= length;
            }
            base += part.size();
        }
        msghdr message{};
        message.msg_iov = pieces.data();
        message.msg_iovlen = count;
        const ssize_t sent = ::sendmsg(m_socket, &message, MSG_NOSIGNAL);
        if (sent < 0) {
            if (errno == EINTR)
                continue;
            if (errno == EAGAIN || errno == EWOULDBLOCK) {
                watch(SocketPoller::Readable | SocketPoller::Writable);
                return;
            }
            // An upstream may refuse a large body early and close: its answer, if any, is still to be read.
            m_written = m_toWrite;
            break;
        }
        m_written += static_cast<std::size_t>(sent);
        // One piece an event: a large prompt must not hold the other streams up.
        if (m_written < m_toWrite) {
            m_phaseSince = m_owner.clock().mono();
            watch(SocketPoller::Readable | SocketPoller::Writable);
            return;
        }
    }
    m_parts = {};
    m_request.body = {};  // sent: the answer may take long, the prompt need not stay
    enter(Phase::Waiting);
    watch(m_paused ? 0U : unsigned{SocketPoller::Readable});
}

void PlainConnection::socketReady(unsigned events)
{
    switch (m_phase) {
    case Phase::Connecting: connected(); return;
    case Phase::Idle:
        // Nothing may come here but the end.
        m_owner.connectionOver(*this);
        return;
    case Phase::Sending:
        if (events & SocketPoller::Writable)
            writeSome();
        if ((events & SocketPoller::Readable) && m_socket >= 0)
            readSome();
        return;
    case Phase::Waiting:
    case Phase::Receiving:
        if (events & SocketPoller::Readable)
            readSome();
        return;
    case Phase::Resolving:
    case Phase::Closed: return;
    }
}

void PlainConnection::readSome()
{
    std::vector<char>& buffer = m_owner.readBuffer();
    const ssize_t count = ::recv(m_socket, buffer.data(), buffer.size(), 0);
    if (count < 0) {
        if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
            return;
        fail(TransportFailure::Reset, "The connection to " + m_authority + " was reset: " + reason(errno) + ".");
        return;
    }
    if (count == 0) {
        settle(m_parser.end(), TransportFailure::ClosedEarly);
        return;
    }
    m_result.anyByteReceived = true;
    m_phaseSince = m_owner.clock().mono();
    settle(m_parser.feed({buffer.data(), static_cast<std::size_t>(count)}), TransportFailure::BadResponse);
}

void PlainConnection::settle(ResponseParser::State state, TransportFailure whenFailed)
{
    switch (state) {
    case ResponseParser::State::Reading:
    case ResponseParser::State::Stopped: return;
    case ResponseParser::State::Failed: fail(whenFailed, m_parser.error()); return;
    case ResponseParser::State::Complete: complete(); return;
    }
}

bool PlainConnection::responseHead(int status, HeaderList headers)
{
    enter(Phase::Receiving);
    const auto encoding = std::find_if(headers.begin(), headers.end(), [](const auto& header) { return header.first == "content-encoding"; });
    if (encoding != headers.end()) {
        bool supported = true;
        m_decoder = ContentDecoder::make(encoding->second, supported);
        // Handed on unpacked, so neither the encoding nor the length is that of the head any more; what we cannot unpack stays as it is.
        if (m_decoder)
            std::erase_if(headers, [](const auto& header) { return header.first == "content-encoding" || header.first == "content-length"; });
    }
    if (m_handler)
        m_handler->transportHead(status, std::move(headers));
    return m_handler != nullptr;
}

bool PlainConnection::responseBody(std::string_view piece)
{
    if (!m_handler)
        return false;
    if (!m_decoder) {
        m_handler->transportData(piece);
        return m_handler != nullptr;
    }
    m_decoded.clear();
    if (!m_decoder->decode(piece, m_decoded)) {
        fail(TransportFailure::BadResponse, "The upstream's compressed answer is broken.");
        return false;
    }
    if (!m_decoded.empty())
        m_handler->transportData(m_decoded);
    return m_handler != nullptr;
}

void PlainConnection::complete()
{
    TransportHandler* handler = std::exchange(m_handler, nullptr);
    const TransportResult result = std::move(m_result);
    m_limit.stop();
    m_used = true;
    // Given back first: what the handler starts next may well go over this very socket.
    if (m_parser.reusable() && m_written == m_toWrite) {
        m_phase = Phase::Idle;
        m_idleSince = m_owner.clock().mono();
        m_request = TransportRequest();
        watch(SocketPoller::Readable);
        m_owner.connectionFree(*this);
    } else {
        m_owner.connectionOver(*this);
    }
    if (handler)
        handler->transportDone(result);
}

void PlainConnection::fail(TransportFailure failure, std::string message)
{
    TransportHandler* handler = std::exchange(m_handler, nullptr);
    TransportResult result = std::move(m_result);
    result.failure = failure;
    result.message = std::move(message);
    m_owner.connectionOver(*this);
    if (handler)
        handler->transportDone(result);
}

void PlainConnection::abandon()
{
    m_handler = nullptr;
    if (m_phase != Phase::Idle && m_phase != Phase::Closed)
        m_owner.connectionOver(*this);
}

void PlainConnection::pause()
{
    if (m_paused || m_socket < 0)
        return;
    m_paused = true;
    watch(m_written < m_toWrite ? unsigned{SocketPoller::Writable} : 0U);
}

void PlainConnection::resume()
{
    if (!m_paused || m_socket < 0)
        return;
    m_paused = false;
    m_phaseSince = m_owner.clock().mono();
    watch(SocketPoller::Readable | (m_written < m_toWrite ? unsigned{SocketPoller::Writable} : 0U));
}

void PlainConnection::checkLimit()
{
    TransportFailure failure = TransportFailure::ConnectTimeout;
    Millis limit = m_request.connectTimeout;
    const char* what = "No connection within ";
    if (m_phase == Phase::Sending || m_phase == Phase::Waiting) {
        failure = TransportFailure::FirstByteTimeout;
        limit = m_request.firstByteTimeout;
        what = "No answer began within ";
    } else if (m_phase == Phase::Receiving) {
        failure = TransportFailure::IdleTimeout;
        limit = m_request.idleTimeout;
        what = "The answer stopped for ";
        // While our own reader is the slow one, the upstream is not to blame.
        if (m_paused) {
            m_limit.start(limit);
            return;
        }
    } else if (m_phase == Phase::Idle || m_phase == Phase::Closed) {
        return;
    }
    const Micros left = m_phaseSince + limit - m_owner.clock().mono();
    if (left > Micros(0))
        m_limit.start(left);
    else
        fail(failure, what + std::to_string(limit.count()) + " ms.");
}

}  // namespace omni
