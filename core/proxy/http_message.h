#pragma once

#include "base/clock.h"
#include "upstream/transport.h"

#include <memory>
#include <string>
#include <string_view>

namespace omni {

/// A whole request from a client.
struct HttpRequest {
    std::string method;
    std::string target;  ///< as sent, origin form
    int version = 11;    ///< 10 or 11
    HeaderList headers;  ///< names in lower case, order kept
    /// Shared with every attempt. Its capacity exceeds its size by at least 64 bytes (simdjson reads that far).
    std::shared_ptr<std::string> body;
    bool keepAlive = true;
    bool expectContinue = false;

    /// First value of a header (`name` in lower case), empty when absent.
    std::string_view header(std::string_view name) const;
    std::string_view path() const;   ///< target up to "?"
    std::string_view query() const;  ///< after "?", may be empty
};

/// Where an answer is written. Lives as long as its exchange, even when the client has gone: then writes go nowhere.
class ResponseWriter {
public:
    virtual ~ResponseWriter() = default;

    static constexpr std::int64_t kChunked = -1;
    /// `length` of the body, or kChunked. Hop-by-hop headers, Date, Content-Length and Connection are set here, not by the caller.
    /// For HEAD the body is dropped.
    virtual void sendHead(int status, const HeaderList& headers, std::int64_t length) = 0;
    virtual void sendBody(std::string_view piece) = 0;
    /// The answer is complete; the connection goes on to its next request.
    virtual void finish() = 0;
    /// The answer cannot be completed: the connection is closed without the last chunk, so that the client sees the break.
    virtual void abort() = 0;
    /// Bytes accepted but not yet taken by the client's socket.
    virtual std::size_t bufferedBytes() const = 0;
    virtual bool headSent() const = 0;
};

/// One request's worth of work. Owned by the connection it came in on.
class RequestHandler {
public:
    virtual ~RequestHandler() = default;
    /// The client has gone: cancel within this call. Destroyed right afterwards.
    virtual void clientGone() = 0;
    /// Buffered bytes fell below the low-water mark after having been above the high one.
    virtual void writerDrained() = 0;
};

/// Makes the handler of a request. May answer at once and return a handler that has finished, or nullptr.
class RequestRouter {
public:
    virtual ~RequestRouter() = default;
    virtual std::unique_ptr<RequestHandler> route(HttpRequest request, ResponseWriter& writer) = 0;
};

}  // namespace omni
