#pragma once

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni::test {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// An answer as it came over the wire.
struct HttpReply {
    int status = 0;  ///< 0 = no head came in time
    std::string reason;
    Headers headers;  ///< names in lower case, order kept
    std::string body;  ///< chunks joined, nothing else decoded
    bool complete = false;  ///< the body ended as its framing says; false for a time-out or a broken connection

    /// First value, empty when absent; `name` in lower case.
    std::string header(std::string_view name) const;
    bool hasHeader(std::string_view name) const;
    /// The body as JSON; a discarded value when it is none.
    nlohmann::json json() const;
};

/// A small HTTP/1.1 client over one TCP connection, for tests: sends exactly the bytes it is told and shows exactly what comes back. Waits
/// inside a local event loop, so the server may live in the same thread. Connects by itself on first use and again after the
/// connection was closed between two requests.
class HttpClient {
public:
    using Millis = std::chrono::milliseconds;
    static constexpr Millis kPatience{10'000};

    explicit HttpClient(int port, std::string host = "127.0.0.1");
    ~HttpClient();
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    /// One request and its whole answer. Host and Content-Length (for a body, or for POST, PUT and PATCH) are added unless given.
    HttpReply request(std::string_view method, std::string_view target, const Headers& headers = {}, std::string_view body = {},
                      Millis timeout = kPatience);
    HttpReply get(std::string_view target, const Headers& headers = {}) { return request("GET", target, headers); }
    /// With Content-Type: application/json.
    HttpReply postJson(std::string_view target, std::string_view json, Headers headers = {});

    /// Sent with every `request` and `sendRequest`, such as an Authorization.
    void setDefaultHeaders(Headers headers);

    // In steps.
    bool connectNow(Millis timeout = kPatience);
    /// Bytes as they are. For answers without a body by method, name it by `expectReplyTo`.
    void send(std::string_view bytes);
    void sendRequest(std::string_view method, std::string_view target, const Headers& headers = {}, std::string_view body = {});
    void expectReplyTo(std::string_view method);
    /// True when everything sent has left the process.
    bool waitForWritten(Millis timeout = kPatience);
    /// The next head, 1xx included; its body is then read by `readPiece` or `readRest`. nullopt on time-out or a closed connection.
    std::optional<HttpReply> readHead(Millis timeout = kPatience);
    /// Body bytes that have come since the last call, at least one; empty at the end of the body (see `bodyEnded`), on time-out, or
    /// when the connection broke.
    std::string readPiece(Millis timeout = kPatience);
    /// Body bytes up to and with `mark`; what came of it on time-out or at the end.
    std::string readUntil(std::string_view mark, Millis timeout = kPatience);
    /// Everything up to the end of the body.
    std::string readRest(Millis timeout = kPatience);
    /// The next answer whole; 1xx before it are skipped.
    HttpReply readReply(Millis timeout = kPatience);
    bool bodyEnded() const;
    /// The other side closed the connection and everything it sent has been read by `read…` or is in `buffered`.
    bool waitForClosed(Millis timeout = kPatience);
    bool isConnected() const;
    /// Bytes received and not yet handed out.
    std::size_t buffered() const;
    /// Stops taking bytes from the kernel beyond `bytes`, so that the sender meets back-pressure; 0 = read freely again.
    void limitReading(std::size_t bytes);
    /// Half-close: no more is sent, answers can still be read.
    void finishSending();
    void close();
    /// Closes with a TCP reset.
    void reset();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni::test
