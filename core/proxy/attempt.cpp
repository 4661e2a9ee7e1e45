#include "proxy/attempt.h"

#include "base/text.h"
#include "stream/request_scan.h"

#include <algorithm>
#include <utility>

namespace omni {

namespace {

constexpr std::size_t kErrorBodyLimit = 64 * 1024;
constexpr std::size_t kHeldJsonLimit = 1024 * 1024;
constexpr std::size_t kHeldStreamLimit = 64 * 1024;
/// A frame may be larger (a picture in base64); from here on its pieces are handed on as they come.
constexpr std::size_t kOpenFrameLimit = 256 * 1024;
/// Each arriving piece may put the readiness limit off, but never beyond this (spec 2-around §8.2).
constexpr Millis kReadinessCeiling{180'000};

std::string firstLine(std::string_view text)
{
    return redactSecrets(clippedUtf8(text.substr(0, text.find_first_of("\r\n")), 500));
}

bool isJsonType(std::string_view type)
{
    return type.empty() || startsWithIgnoreCase(type, "application/json") || type.find("+json") != std::string_view::npos;
}

}  // namespace

Attempt::Attempt(const AttemptContext& context, AttemptOwner& owner, Operation operation, bool localUpstream)
    : m_context(context), m_owner(owner), m_operation(operation), m_localUpstream(localUpstream),
      m_limit(context.scheduler, [this] { checkReadiness(); }), m_inspector(operation, context.peek)
{
}

Attempt::~Attempt() = default;

std::int64_t Attempt::elapsedUs() const { return (m_context.scheduler.clock().mono() - m_startedAt).count(); }

void Attempt::start(const Endpoint& endpoint, HeaderList headers, SplicedBody body, const UpstreamSettings& settings, bool freshConnection)
{
    m_startedAt = m_context.scheduler.clock().mono();
    m_readinessTimeout = settings.readinessTimeout;
    m_deadline = m_startedAt + settings.attemptDeadline;
    TransportRequest request;
    request.url = endpoint.url;
    request.headers = std::move(headers);
    request.body = std::move(body);
    request.proxyUrl = endpoint.proxyUrl;
    request.proxyUserPassword = endpoint.proxyUserPassword;
    request.caBundle = settings.caBundle;
    request.http2 = endpoint.http2;
    request.freshConnection = freshConnection;
    request.connectTimeout = settings.connectTimeout;
    request.firstByteTimeout = settings.firstByteTimeout;
    request.idleTimeout = settings.idleTimeout;
    m_call = m_context.transport.start(std::move(request), *this);
}

void Attempt::pause()
{
    if (m_call)
        m_call->pause();
}

void Attempt::resume()
{
    if (m_call)
        m_call->resume();
}

std::string_view Attempt::headerValue(std::string_view name) const
{
    for (const auto& [key, value] : m_headers)
        if (key == name)
            return value;
    return {};
}

void Attempt::transportHead(int status, HeaderList headers)
{
    m_firstByteUs = elapsedUs();
    m_status = status;
    m_headers = std::move(headers);
    m_length = -1;
    if (const auto length = parseUnsigned(headerValue("content-length")))
        m_length = static_cast<std::int64_t>(*length);
    if (status >= 300) {
        m_phase = Phase::ErrorBody;
        return;
    }
    if (startsWithIgnoreCase(headerValue("content-type"), "text/event-stream")) {
        m_eventStream = true;
        m_phase = Phase::HoldingStream;
        m_readyBy = m_context.scheduler.clock().mono() + m_readinessTimeout;
        m_limit.start(std::min<Micros>(m_readinessTimeout, m_deadline - m_context.scheduler.clock().mono()));
        return;
    }
    m_phase = Phase::HoldingJson;
    if (m_length > 0 && static_cast<std::size_t>(m_length) <= kHeldJsonLimit)
        m_held.reserve(static_cast<std::size_t>(m_length));
}

void Attempt::transportData(std::string_view piece)
{
    switch (m_phase) {
    case Phase::ErrorBody:
        m_held.append(piece.substr(0, kErrorBodyLimit - std::min(kErrorBodyLimit, m_held.size())));
        return;
    case Phase::HoldingJson:
        m_held.append(piece);
        if (m_held.size() > kHeldJsonLimit) {
            // Too large to hold: begins like an answer, so it is handed on as it comes.
            m_phase = Phase::Relaying;
            m_firstFrameUs = elapsedUs();
            m_owner.attemptCommitted(m_status, std::move(m_headers), m_length, false);
            relay(std::exchange(m_held, {}));
        }
        return;
    case Phase::HoldingStream: feedStream(piece); return;
    case Phase::Relaying:
        if (m_eventStream)
            feedStream(piece);
        else
            relay(piece);
        return;
    case Phase::Waiting:
    case Phase::Over: return;
    }
}

void Attempt::relay(std::string_view bytes)
{
    if (!bytes.empty())
        m_owner.attemptData(bytes);
}

void Attempt::feedStream(std::string_view piece)
{
    // Whole frames that stand together in the piece leave together and uncopied.
    std::string_view run;
    m_splitter.feed(piece, [&](std::string_view frame) {
        if (m_phase == Phase::HoldingStream)
            return takeHeldFrame(frame);
        const FrameMeaning meaning = m_inspector.inspect(frame);
        const std::string missing = meaning == FrameMeaning::Terminal ? m_inspector.missingFinish() : std::string();
        const bool joins = missing.empty() && !run.empty() && run.data() + run.size() == frame.data();
        if (joins) {
            run = {run.data(), run.size() + frame.size()};
        } else {
            relay(run);
            relay(missing);
            // A frame put together from several pieces lives only during this call.
            const bool inPiece = frame.data() >= piece.data() && frame.data() < piece.data() + piece.size();
            run = inPiece ? frame : std::string_view();
            if (!inPiece)
                relay(frame);
        }
        m_frameOpen = false;
        return meaning != FrameMeaning::Error;
    });
    if (m_phase == Phase::Over)
        return;
    relay(run);
    if (m_phase == Phase::HoldingStream) {
        m_readyBy = m_context.scheduler.clock().mono() + m_readinessTimeout;
        if (m_held.size() + m_splitter.partial().size() > kHeldStreamLimit)
            commitStream();
        return;
    }
    if (m_inspector.errorSeen()) {
        // Told in the client's own dialect: it has been handed on as it is, and the answer is over.
        AttemptFailure failure = failureOf(m_inspector.error());
        failure.wholeBody = true;
        endWith(AnswerEnd::Broken, std::move(failure));
        return;
    }
    if (m_splitter.partial().size() > kOpenFrameLimit) {
        relay(m_splitter.releasePartial());
        m_frameOpen = true;
    }
}

bool Attempt::takeHeldFrame(std::string_view frame)
{
    switch (m_inspector.inspect(frame)) {
    case FrameMeaning::Noise:
    case FrameMeaning::Preamble: m_held.append(frame); return true;
    case FrameMeaning::Error: failWith(failureOf(m_inspector.error())); return false;
    case FrameMeaning::Malformed: {
        AttemptFailure failure;
        failure.status = 502;
        failure.transport = TransportFailure::BadResponse;
        failure.body = frame.substr(0, 1024);
        failure.message = "The upstream's first event is broken JSON.";
        failWith(std::move(failure));
        return false;
    }
    case FrameMeaning::Finish:
    case FrameMeaning::Terminal:
        // An end before any content is an empty turn, unless its reason explains it: held, and judged when the stream is over.
        m_held.append(frame);
        if (m_inspector.contentSeen() || m_inspector.emptyEndingIsFine())
            commitStream();
        return true;
    case FrameMeaning::Content:
        m_held.append(frame);
        commitStream();
        return true;
    }
    return true;
}

void Attempt::commitStream()
{
    m_phase = Phase::Relaying;
    m_firstFrameUs = elapsedUs();
    m_limit.start(m_deadline - m_context.scheduler.clock().mono());
    m_owner.attemptCommitted(m_status, std::move(m_headers), -1, true);
    relay(std::exchange(m_held, {}));
}

AttemptFailure Attempt::failureOf(const AnswerError& error) const
{
    AttemptFailure failure;
    failure.status = error.status;
    failure.headers = m_headers;
    failure.message = firstLine(error.message.empty() ? error.type : error.message);
    // For the verdict's markers, in the shape that errors have.
    failure.body = R"({"error":{"type":)" + jsonQuoted(error.type) + R"(,"code":)" + jsonQuoted(error.code) + R"(,"message":)"
                   + jsonQuoted(redactSecrets(error.message)) + "}}";
    return failure;
}

void Attempt::transportDone(const TransportResult& result)
{
    m_connectUs = result.connectUs;
    m_limit.stop();
    if (result.failure == TransportFailure::None) {
        switch (m_phase) {
        case Phase::ErrorBody: {
            AttemptFailure failure;
            failure.status = m_status;
            failure.headers = std::move(m_headers);
            failure.wholeBody = m_held.size() < kErrorBodyLimit;
            failure.body = std::move(m_held);
            if (m_status < 400) {
                failure.status = 502;
                failure.transport = TransportFailure::BadResponse;
                failure.message = "The upstream answered with a redirect (HTTP " + std::to_string(m_status) + "), which is never followed with a key.";
                failure.wholeBody = false;
            } else {
                const AnswerFacts facts = m_context.peek.look(failure.body);
                failure.message = facts.errorOnly && !facts.error.message.empty() ? firstLine(facts.error.message)
                                                                                  : "HTTP " + std::to_string(m_status);
            }
            failWith(std::move(failure));
            return;
        }
        case Phase::HoldingJson: finishJson(); return;
        case Phase::HoldingStream:
        case Phase::Relaying: finishStream(); return;
        case Phase::Waiting:
        case Phase::Over: return;
        }
        return;
    }
    AttemptFailure failure;
    failure.transport = result.failure;
    failure.message = result.message;
    failure.staleConnection = result.reusedConnection && !result.anyByteReceived
                              && (result.failure == TransportFailure::Reset || result.failure == TransportFailure::ClosedEarly);
    if (m_phase == Phase::ErrorBody) {
        // The status is known; that its text broke off does not make it another failure.
        failure.status = m_status;
        failure.transport = TransportFailure::None;
        failure.headers = std::move(m_headers);
        failure.body = std::move(m_held);
        failure.message = "HTTP " + std::to_string(m_status);
    }
    if (m_phase == Phase::Relaying) {
        if (m_eventStream && m_inspector.complete()) {
            // Everything had been said; how the socket went down afterwards does not matter.
            finishStream();
            return;
        }
        endWith(AnswerEnd::Broken, std::move(failure));
        return;
    }
    failWith(std::move(failure));
}

void Attempt::finishJson()
{
    AttemptFailure failure;
    const std::string_view type = headerValue("content-type");
    if (trimmed(m_held).empty() && m_operation != Operation::CountTokens) {
        failure.transport = TransportFailure::EmptyAnswer;
        failure.message = "The upstream answered HTTP " + std::to_string(m_status) + " without a body.";
        failWith(std::move(failure));
        return;
    }
    const AnswerFacts facts = m_context.peek.look(m_held);
    if (!facts.valid) {
        failure.transport = TransportFailure::BadResponse;
        failure.body = m_held.substr(0, 1024);
        failure.message = isJsonType(type) ? "The upstream's answer is broken JSON."
                                           : "The upstream answered with " + std::string(type.substr(0, 60)) + " instead of JSON.";
        failWith(std::move(failure));
        return;
    }
    if (facts.errorOnly) {
        failure.status = facts.error.status;
        failure.headers = std::move(m_headers);
        failure.message = firstLine(facts.error.message.empty() ? facts.error.type : facts.error.message);
        failure.body = std::move(m_held);
        failure.wholeBody = true;
        failWith(std::move(failure));
        return;
    }
    m_usage = facts.usage;
    m_phase = Phase::Relaying;
    m_firstFrameUs = elapsedUs();
    m_owner.attemptCommitted(m_status, std::move(m_headers), static_cast<std::int64_t>(m_held.size()), false);
    relay(m_held);
    endWith(AnswerEnd::Complete, {});
}

void Attempt::finishStream()
{
    if (!m_eventStream) {
        endWith(AnswerEnd::Complete, {});
        return;
    }
    // A last frame without its blank line is still a frame.
    if (const std::string_view last = m_splitter.partial(); !m_frameOpen && last.find_first_not_of("\r\n") != std::string_view::npos) {
        feedStream(last.ends_with('\n') ? "\n" : "\n\n");
        if (m_phase == Phase::Over)
            return;
    }
    m_usage = m_inspector.usage();
    AttemptFailure failure;
    if (m_phase == Phase::HoldingStream) {
        failure.transport = TransportFailure::EmptyAnswer;
        failure.message = m_inspector.complete() ? "The upstream's stream ended without any content." : "The upstream closed its stream before it said anything.";
        failWith(std::move(failure));
        return;
    }
    if (!m_inspector.complete() && !m_localUpstream) {
        failure.transport = TransportFailure::ClosedEarly;
        failure.message = "The upstream's stream ended without a finish reason; the answer is likely cut off.";
        endWith(AnswerEnd::Broken, std::move(failure));
        return;
    }
    // Local servers are known to end by simply closing: their client gets the end they left out (field-faults B04, B05).
    if (!m_inspector.terminalSeen()) {
        if (const std::string finish = m_inspector.missingFinish(); !finish.empty())
            relay(finish);
        if (const std::string end = m_inspector.missingEnd(); !end.empty())
            relay(end);
    }
    endWith(AnswerEnd::Complete, {});
}

void Attempt::failWith(AttemptFailure failure)
{
    m_phase = Phase::Over;
    m_limit.stop();
    m_usage = m_eventStream ? m_inspector.usage() : m_usage;
    m_call.reset();
    m_owner.attemptFailed(std::move(failure));
}

void Attempt::endWith(AnswerEnd end, AttemptFailure failure)
{
    // An event that follows must not stick to half of one.
    if (m_frameOpen && end == AnswerEnd::Broken)
        relay("\n\n");
    m_phase = Phase::Over;
    m_limit.stop();
    if (m_eventStream)
        m_usage = m_inspector.usage();
    m_call.reset();
    m_owner.attemptEnded(end, std::move(failure));
}

void Attempt::checkReadiness()
{
    const MonoTime now = m_context.scheduler.clock().mono();
    AttemptFailure failure;
    if (now >= m_deadline) {
        failure.transport = TransportFailure::DeadlineExceeded;
        failure.message = "The attempt reached its deadline.";
        if (m_phase == Phase::Relaying)
            endWith(AnswerEnd::Broken, std::move(failure));
        else
            failWith(std::move(failure));
        return;
    }
    if (m_phase == Phase::HoldingStream) {
        const MonoTime due = std::min({m_readyBy, m_startedAt + std::max<Micros>(kReadinessCeiling, m_readinessTimeout), m_deadline});
        if (now >= due) {
            failure.transport = TransportFailure::ReadinessTimeout;
            failure.message = "The stream began, but nothing meaningful came within " + std::to_string(m_readinessTimeout.count()) + " ms.";
            failWith(std::move(failure));
            return;
        }
        m_limit.start(due - now);
        return;
    }
    m_limit.start(m_deadline - now);
}

}  // namespace omni
