#include "support/http_client.h"

#include "base/text.h"

#include <nlohmann/json.hpp>

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QTcpSocket>
#include <QTimer>

#ifndef Q_OS_WIN
#include <sys/socket.h>
#endif

#include <charconv>
#include <deque>

namespace omni::test {

namespace {

bool contains(const Headers& headers, std::string_view name)
{
    for (const auto& [key, value] : headers) {
        if (equalsIgnoreCase(key, name))
            return true;
    }
    return false;
}

HttpReply parseHead(std::string_view head)
{
    HttpReply reply;
    std::size_t lineEnd = head.find("\r\n");
    const std::string_view statusLine = head.substr(0, lineEnd);
    if (statusLine.size() >= 12) {
        std::from_chars(statusLine.data() + 9, statusLine.data() + 12, reply.status);
        reply.reason = std::string(statusLine.substr(std::min<std::size_t>(13, statusLine.size())));
    }
    while (lineEnd != std::string_view::npos) {
        const std::size_t start = lineEnd + 2;
        lineEnd = head.find("\r\n", start);
        const std::string_view line = head.substr(start, lineEnd == std::string_view::npos ? lineEnd : lineEnd - start);
        const std::size_t colon = line.find(':');
        if (colon != std::string_view::npos)
            reply.headers.emplace_back(toLower(line.substr(0, colon)), std::string(trimmed(line.substr(colon + 1))));
    }
    return reply;
}

}  // namespace

std::string HttpReply::header(std::string_view name) const
{
    for (const auto& [key, value] : headers) {
        if (key == name)
            return value;
    }
    return {};
}

bool HttpReply::hasHeader(std::string_view name) const
{
    return contains(headers, name);
}

nlohmann::json HttpReply::json() const
{
    return nlohmann::json::parse(body, nullptr, false);
}

struct HttpClient::Private {
    enum class Framing { None, Length, Chunked, UntilClose };

    std::string host;
    int port = 0;
    Headers defaults;
    QTcpSocket socket;
    std::string raw;  ///< received, not yet decoded
    std::deque<std::string> methods;
    Framing framing = Framing::None;
    std::uint64_t left = 0;      ///< of the body (Length) or of the chunk
    bool inChunk = false;
    bool ended = true;
    std::size_t readLimit = 0;

    void take()
    {
        if (readLimit > 0 && raw.size() >= readLimit)
            return;
        const QByteArray bytes = readLimit > 0 ? socket.read(static_cast<qint64>(readLimit - raw.size())) : socket.readAll();
        raw.append(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    }

    bool connected() const { return socket.state() == QAbstractSocket::ConnectedState; }

    template <typename Predicate>
    bool wait(Millis timeout, Predicate done)
    {
        const QDeadlineTimer deadline(timeout.count());
        QEventLoop loop;
        QTimer timer;
        timer.setSingleShot(true);
        const auto quit = [&loop] { loop.quit(); };
        QObject::connect(&timer, &QTimer::timeout, &loop, quit);
        QObject::connect(&socket, &QTcpSocket::readyRead, &loop, quit);
        QObject::connect(&socket, &QTcpSocket::bytesWritten, &loop, quit);
        QObject::connect(&socket, &QTcpSocket::stateChanged, &loop, quit);
        for (;;) {
            take();
            if (done())
                return true;
            if (deadline.hasExpired())
                return false;
            timer.start(static_cast<int>(std::max<qint64>(1, deadline.remainingTime())));
            loop.exec();
        }
    }

    bool open(Millis timeout)
    {
        if (connected())
            return true;
        socket.abort();
        raw.clear();
        methods.clear();
        ended = true;
        socket.connectToHost(QString::fromStdString(host), static_cast<quint16>(port));
        socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
        wait(timeout, [this] { return connected() || socket.state() == QAbstractSocket::UnconnectedState; });
        return connected();
    }

    /// Moves what can be decoded now from `raw` to `out`.
    void decode(std::string& out)
    {
        if (ended)
            return;
        std::size_t at = 0;
        while (decodeStep(out, at)) {
        }
        raw.erase(0, at);
    }

    /// One piece from `at` on; false when more must come first or the body has ended.
    bool decodeStep(std::string& out, std::size_t& at)
    {
        if (framing == Framing::UntilClose) {
            out.append(raw, at);
            at = raw.size();
            ended = !connected();
            return false;
        }
        if (framing == Framing::Length || inChunk) {
            const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(left, raw.size() - at));
            out.append(raw, at, count);
            at += count;
            left -= count;
            if (left > 0)
                return false;
            if (framing == Framing::Length) {
                ended = true;
                return false;
            }
            if (raw.size() - at < 2)
                return false;
            at += 2;
            inChunk = false;
        }
        const std::size_t lineEnd = raw.find("\r\n", at);
        if (lineEnd == std::string::npos)
            return false;
        std::uint64_t size = 0;
        std::from_chars(raw.data() + at, raw.data() + lineEnd, size, 16);
        if (size == 0) {
            const std::size_t end = raw.find("\r\n\r\n", lineEnd);
            if (end != std::string::npos) {
                at = end + 4;
                ended = true;
            }
            return false;
        }
        at = lineEnd + 2;
        left = size;
        inChunk = true;
        return true;
    }

    void beginBody(const HttpReply& reply)
    {
        const bool interim = reply.status / 100 == 1;
        std::string method = methods.empty() ? "GET" : methods.front();
        if (!interim && !methods.empty())
            methods.pop_front();
        inChunk = false;
        left = 0;
        ended = interim || method == "HEAD" || reply.status == 204 || reply.status == 304;
        if (ended)
            return;
        if (equalsIgnoreCase(reply.header("transfer-encoding"), "chunked")) {
            framing = Framing::Chunked;
        } else if (const auto length = parseUnsigned(reply.header("content-length")); reply.hasHeader("content-length") && length) {
            framing = Framing::Length;
            left = *length;
            ended = left == 0;
        } else {
            framing = Framing::UntilClose;
        }
    }
};

HttpClient::HttpClient(int port, std::string host) : d(std::make_unique<Private>())
{
    d->host = std::move(host);
    d->port = port;
}

HttpClient::~HttpClient() = default;

HttpReply HttpClient::request(std::string_view method, std::string_view target, const Headers& headers, std::string_view body,
                              Millis timeout)
{
    if (!connectNow(timeout))
        return {};
    sendRequest(method, target, headers, body);
    return readReply(timeout);
}

HttpReply HttpClient::postJson(std::string_view target, std::string_view json, Headers headers)
{
    headers.emplace_back("Content-Type", "application/json");
    return request("POST", target, headers, json);
}

void HttpClient::setDefaultHeaders(Headers headers)
{
    d->defaults = std::move(headers);
}

bool HttpClient::connectNow(Millis timeout)
{
    return d->open(timeout);
}

void HttpClient::send(std::string_view bytes)
{
    d->socket.write(bytes.data(), static_cast<qint64>(bytes.size()));
    d->socket.flush();
}

void HttpClient::sendRequest(std::string_view method, std::string_view target, const Headers& headers, std::string_view body)
{
    std::string text = std::string(method) + " " + std::string(target) + " HTTP/1.1\r\n";
    if (!contains(headers, "host"))
        text += "Host: " + d->host + ":" + std::to_string(d->port) + "\r\n";
    for (const Headers* list : {&std::as_const(d->defaults), &headers}) {
        for (const auto& [name, value] : *list) {
            if (list == &headers || !contains(headers, name))
                text += name + ": " + value + "\r\n";
        }
    }
    const bool mayHaveBody = !body.empty() || method == "POST" || method == "PUT" || method == "PATCH";
    if (mayHaveBody && !contains(headers, "content-length") && !contains(headers, "transfer-encoding"))
        text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    text += "\r\n";
    text += body;
    expectReplyTo(method);
    send(text);
}

void HttpClient::expectReplyTo(std::string_view method)
{
    d->methods.emplace_back(method);
}

bool HttpClient::waitForWritten(Millis timeout)
{
    return d->wait(timeout, [this] { return d->socket.bytesToWrite() == 0 || !d->connected(); }) && d->connected();
}

std::optional<HttpReply> HttpClient::readHead(Millis timeout)
{
    std::size_t end = std::string::npos;
    d->wait(timeout, [this, &end] {
        end = d->raw.find("\r\n\r\n");
        return end != std::string::npos || !d->connected();
    });
    if (end == std::string::npos)
        return std::nullopt;
    HttpReply reply = parseHead(std::string_view(d->raw).substr(0, end));
    d->raw.erase(0, end + 4);
    d->beginBody(reply);
    return reply;
}

std::string HttpClient::readPiece(Millis timeout)
{
    std::string out;
    d->wait(timeout, [this, &out] {
        d->decode(out);
        return !out.empty() || d->ended || !d->connected();
    });
    return out;
}

std::string HttpClient::readUntil(std::string_view mark, Millis timeout)
{
    std::string out;
    d->wait(timeout, [this, &out, mark] {
        d->decode(out);
        return out.find(mark) != std::string::npos || d->ended || !d->connected();
    });
    return out;
}

std::string HttpClient::readRest(Millis timeout)
{
    std::string out;
    d->wait(timeout, [this, &out] {
        d->decode(out);
        return d->ended || !d->connected();
    });
    return out;
}

HttpReply HttpClient::readReply(Millis timeout)
{
    const QDeadlineTimer deadline(timeout.count());
    for (;;) {
        std::optional<HttpReply> reply = readHead(Millis(deadline.remainingTime()));
        if (!reply)
            return {};
        if (reply->status / 100 == 1)
            continue;
        reply->body = readRest(Millis(deadline.remainingTime()));
        reply->complete = d->ended;
        return std::move(*reply);
    }
}

bool HttpClient::bodyEnded() const
{
    return d->ended;
}

bool HttpClient::waitForClosed(Millis timeout)
{
    return d->wait(timeout, [this] { return d->socket.state() == QAbstractSocket::UnconnectedState; });
}

bool HttpClient::isConnected() const
{
    return d->connected();
}

std::size_t HttpClient::buffered() const
{
    return d->raw.size() + static_cast<std::size_t>(d->socket.bytesAvailable());
}

void HttpClient::limitReading(std::size_t bytes)
{
    d->readLimit = bytes;
    d->socket.setReadBufferSize(static_cast<qint64>(bytes));
}

void HttpClient::finishSending()
{
#ifndef Q_OS_WIN
    d->socket.flush();
    ::shutdown(static_cast<int>(d->socket.socketDescriptor()), SHUT_WR);
#endif
}

void HttpClient::close()
{
    d->socket.flush();
    d->socket.abort();
}

void HttpClient::reset()
{
#ifndef Q_OS_WIN
    const linger hard{1, 0};
    ::setsockopt(static_cast<int>(d->socket.socketDescriptor()), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
#endif
    d->socket.abort();
}

}  // namespace omni::test
