#pragma once

#include "base/random.h"
#include "base/request_ids.h"
#include "model/request_record.h"
#include "proxy/attempt.h"
#include "proxy/client_error.h"
#include "proxy/endpoint_cache.h"
#include "proxy/http_message.h"
#include "routing/router.h"
#include "stream/request_scan.h"

#include <memory>
#include <string>
#include <vector>

namespace omni {

class Control;

/// What all exchanges share; owned by the proxy server.
struct ExchangeContext {
    const Clock& clock;
    Scheduler& scheduler;
    Random& random;
    Engine& engine;
    Router& router;
    Control& control;
    EndpointCache& endpoints;
    AttemptContext attempts;
    RequestIds& requestIds;
};

/// One client request on its way through: scanned, planned, tried at one target after the other until one has really begun to answer,
/// relayed, and finished exactly once with its record. Owned by the client's connection.
///
///   Planning → Trying (attempt by attempt) → Relaying → Over
///
/// A client that leaves ends everything within the same turn of the loop and is nobody's failure.
class Exchange final : public RequestHandler, public AttemptOwner {
public:
    Exchange(const ExchangeContext& context, HttpRequest request, ResponseWriter& writer, Operation operation, const ApiKey* apiKey);
    ~Exchange() override;

    /// May answer before it returns.
    void begin();

    void clientGone() override;
    void writerDrained() override;

    void attemptFailed(AttemptFailure failure) override;
    void attemptCommitted(int status, HeaderList headers, std::int64_t length, bool eventStream) override;
    void attemptData(std::string_view bytes) override;
    void attemptEnded(AnswerEnd end, AttemptFailure failure) override;

private:
    enum class State : std::uint8_t { Planning, Trying, Relaying, Over };

    /// One target's failure, as far as the last answer needs it.
    struct Failed {
        std::string target;  ///< for people
        AttemptFailure failure;
        Verdict verdict;
    };

    /// A body of many megabytes is read in slices, between which others have their turn.
    void scanSlice();
    void scanned(Result<RequestScan> scan);
    void tryNext();
    void startAttempt(const Target& target, const EndpointCache::Entry& endpoint, bool freshConnection);
    void leaveOut(const Target& target, const Eligibility& why);
    /// Than the one the prompt was too long for (field-faults H20).
    bool hasLargerWindow(const Target& target) const;
    AttemptRecord& noteAttempt(const AttemptFailure* failure);
    Verdict judge(const AttemptFailure& failure, bool afterCommit);
    void passOn(const Failed& failed);
    /// After the last target: the only failure's own words, or the sum of all.
    void answerFailure();
    void refuse(const ClientError& error);
    HeaderList ownHeaders() const;
    void finish(Outcome outcome, int status, std::string error);
    std::int64_t elapsedUs() const;

    const ExchangeContext& m_context;
    HttpRequest m_request;
    ResponseWriter& m_writer;
    Operation m_operation;
    Dialect m_dialect;
    RequestRecord m_record;
    bool m_keepInLog = true;
    ApiKeyId m_apiKeyId;
    MonoTime m_startedAt{};
    State m_state = State::Planning;

    /// Of a large body, while it is scanned.
    struct LargeScan;
    std::unique_ptr<LargeScan> m_largeScan;
    RequestScan m_scan;
    Plan m_plan;
    std::size_t m_next = 0;
    const Target* m_target = nullptr;  ///< being tried; points into the plan
    Permit m_permit;
    bool m_permitOpen = false;
    bool m_freshRetried = false;
    const Target* m_lacking = nullptr;   ///< its provider has just said that none of its accounts serves the model
    const Target* m_tooSmall = nullptr;  ///< with the largest window, of those the prompt was too long for
    std::unique_ptr<Attempt> m_attempt;
    std::vector<std::unique_ptr<Attempt>> m_past;  ///< kept to the end: one of them may be on the stack
    std::int64_t m_attemptStartUs = 0;
    std::int64_t m_waitedUs = 0;  ///< for upstreams
    std::vector<Failed> m_failures;
    bool m_eventStream = false;
};

}  // namespace omni
