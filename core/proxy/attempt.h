#pragma once

#include "base/scheduler.h"
#include "model/request_record.h"
#include "resilience/engine.h"
#include "routing/router.h"
#include "stream/json_peek.h"
#include "stream/sse_splitter.h"
#include "stream/stream_inspector.h"
#include "upstream/endpoint.h"
#include "upstream/transport.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace omni {

/// How an attempt failed, with all that its verdict, its trace and perhaps the client need.
struct AttemptFailure {
    int status = 0;  ///< HTTP status of the answer, or what an error inside a 200 stands for; 0 = none
    TransportFailure transport = TransportFailure::None;
    HeaderList headers;
    std::string body;          ///< at most 64 KiB
    bool wholeBody = false;    ///< `body` is the upstream's own error answer, complete
    std::string message;       ///< one redacted line
    bool staleConnection = false;  ///< a pooled socket died before a byte came back
};

/// How a committed answer ended.
enum class AnswerEnd : std::uint8_t { Complete, Broken };

class Attempt;

/// Told by an attempt, in this order: failed once; or committed, data*, ended once. The attempt must outlive the call it makes: set it
/// aside in `attemptFailed` and `attemptEnded`, destroy it when the current event has been handled.
class AttemptOwner {
public:
    virtual ~AttemptOwner() = default;
    virtual void attemptFailed(AttemptFailure failure) = 0;
    /// From here on the answer belongs to the client. `length` -1 = unknown.
    virtual void attemptCommitted(int status, HeaderList headers, std::int64_t length, bool eventStream) = 0;
    virtual void attemptData(std::string_view bytes) = 0;
    /// `failure` says why when it is broken: a cut, a stall, or an error the upstream told inside its stream.
    virtual void attemptEnded(AnswerEnd end, AttemptFailure failure) = 0;
};

/// What all attempts share.
struct AttemptContext {
    Scheduler& scheduler;
    Transport& transport;
    JsonPeek& peek;
};

/// One try at one target: sends, holds everything back until the answer has really begun, then hands it on frame by frame.
///
/// Nothing meaningful has been said as long as only comments, pings, usage and openings (role-only chunk, message_start,
/// response.created) came. Until then a bad status, a cut, a stall, an empty end or an error inside a 200 is a failure that another target
/// may mend. JSON answers are held back whole up to 1 MiB, for the same reason.
class Attempt final : public TransportHandler {
public:
    Attempt(const AttemptContext& context, AttemptOwner& owner, Operation operation, bool localUpstream);
    ~Attempt() override;

    void start(const Endpoint& endpoint, HeaderList headers, SplicedBody body, const UpstreamSettings& settings, bool freshConnection);
    void pause();
    void resume();

    bool committed() const { return m_phase == Phase::Relaying; }
    const TokenUsage& usage() const { return m_usage; }
    /// Microseconds since the start; -1 = did not come to it.
    std::int64_t connectUs() const { return m_connectUs; }
    std::int64_t firstByteUs() const { return m_firstByteUs; }
    std::int64_t firstFrameUs() const { return m_firstFrameUs; }
    std::int64_t elapsedUs() const;
    int status() const { return m_status; }

    void transportHead(int status, HeaderList headers) override;
    void transportData(std::string_view piece) override;
    void transportDone(const TransportResult& result) override;

private:
    enum class Phase : std::uint8_t { Waiting, ErrorBody, HoldingJson, HoldingStream, Relaying, Over };

    void feedStream(std::string_view piece);
    /// False when the frame ended the attempt.
    bool takeHeldFrame(std::string_view frame);
    void commitStream();
    void finishJson();
    void finishStream();
    void failWith(AttemptFailure failure);
    AttemptFailure failureOf(const AnswerError& error) const;
    void endWith(AnswerEnd end, AttemptFailure failure);
    void relay(std::string_view bytes);
    void checkReadiness();
    std::string_view headerValue(std::string_view name) const;

    AttemptContext m_context;
    AttemptOwner& m_owner;
    Operation m_operation;
    bool m_localUpstream;
    std::unique_ptr<TransportCall> m_call;
    Phase m_phase = Phase::Waiting;
    MonoTime m_startedAt{};
    Timer m_limit;
    MonoTime m_deadline{};
    MonoTime m_readyBy{};
    Millis m_readinessTimeout{0};

    int m_status = 0;
    HeaderList m_headers;
    std::int64_t m_length = -1;
    bool m_eventStream = false;
    std::string m_held;  ///< body or frames not handed on yet
    SseSplitter m_splitter;
    StreamInspector m_inspector;
    bool m_frameOpen = false;  ///< part of an oversized frame has been handed on
    TokenUsage m_usage;
    std::int64_t m_connectUs = -1, m_firstByteUs = -1, m_firstFrameUs = -1;
};

}  // namespace omni
