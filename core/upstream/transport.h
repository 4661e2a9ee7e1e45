#pragma once

#include "base/clock.h"
#include "model/transport_failure.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni {

using HeaderList = std::vector<std::pair<std::string, std::string>>;

/// A body made of a shared original with one stretch replaced: every attempt splices its own model name without copying the rest.
struct SplicedBody {
    std::shared_ptr<const std::string> original;
    std::size_t cutAt = 0;      ///< offset of the stretch taken out
    std::size_t cutLength = 0;  ///< its length; 0 with an empty insert = the original as it is
    std::string insert;         ///< what stands there instead

    std::size_t size() const { return (original ? original->size() : 0) - cutLength + insert.size(); }
};

struct TransportRequest {
    std::string method = "POST";
    std::string url;
    HeaderList headers;  ///< complete; nothing is added but Host and Content-Length
    SplicedBody body;
    std::string proxyUrl;       ///< empty = direct; the environment is never asked
    std::string proxyUserPassword;
    std::string caBundle;       ///< PEM file added to the system's authorities
    bool http2 = false;
    bool freshConnection = false;  ///< do not reuse a pooled socket
    Millis connectTimeout{10'000};
    Millis firstByteTimeout{120'000};
    Millis idleTimeout{300'000};
};

/// How a call ended. `failure` None = the whole answer was received.
struct TransportResult {
    TransportFailure failure = TransportFailure::None;
    std::string message;          ///< redacted, names host and cause
    bool reusedConnection = false;
    bool anyByteReceived = false;
    std::int64_t connectUs = -1;  ///< since start; -1 = reused or never
};

/// Told of the answer as it comes. Called in the core thread, never from inside `Transport::start`.
class TransportHandler {
public:
    virtual ~TransportHandler() = default;
    /// Final status only (1xx are dropped). Names are lower case.
    virtual void transportHead(int status, HeaderList headers) = 0;
    virtual void transportData(std::string_view piece) = 0;
    /// Last call; the TransportCall may be destroyed inside it.
    virtual void transportDone(const TransportResult& result) = 0;
};

/// One request under way. Destroying it cancels at once without blocking; no further call reaches the handler.
class TransportCall {
public:
    virtual ~TransportCall() = default;
    /// The reader is slow: no more data until resumed, at most 64 KiB after the call.
    virtual void pause() = 0;
    virtual void resume() = 0;
};

/// Upstream HTTP. One POST sent is one POST made: nothing is ever sent again without being asked.
class Transport {
public:
    virtual ~Transport() = default;
    virtual std::unique_ptr<TransportCall> start(TransportRequest request, TransportHandler& handler) = 0;
    /// After sleep or a change of network: pooled sockets are dropped, names resolved anew.
    virtual void dropIdleConnections() = 0;
};

}  // namespace omni
