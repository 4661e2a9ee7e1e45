#pragma once

#include "base/scheduler.h"
#include "upstream/endpoint.h"
#include "upstream/transport.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace omni {

struct UpstreamSettings;

/// One upstream request of our own whose whole answer is kept in memory, within a limit of time and bytes. Destroying it cancels.
class BufferedCall final : private TransportHandler {
public:
    struct Answer {
        int status = 0;  ///< 0 = none came; see `failure`
        HeaderList headers;
        std::string body;  ///< what fitted
        TransportFailure failure = TransportFailure::None;
        std::string message;     ///< of the failure, redacted
        bool truncated = false;  ///< the answer was longer than the limit
    };
    /// `done` runs once, never from inside the constructor; the call may be destroyed in it.
    BufferedCall(Transport& transport, Scheduler& scheduler, TransportRequest request, Millis limit, std::size_t byteLimit,
                 std::function<void(Answer)> done);

private:
    void transportHead(int status, HeaderList headers) override;
    void transportData(std::string_view piece) override;
    void transportDone(const TransportResult& result) override;
    void finish();

    std::size_t m_byteLimit;
    std::function<void(Answer)> m_done;
    Answer m_answer;
    Millis m_limit;
    Timer m_deadline;
    std::unique_ptr<TransportCall> m_call;
};

/// A request to `endpoint` as our own calls make them: JSON, no compression, the user's limits and authorities.
TransportRequest makeOwnRequest(const Endpoint& endpoint, const UpstreamSettings& settings, std::string method, std::string body = {});

}  // namespace omni
