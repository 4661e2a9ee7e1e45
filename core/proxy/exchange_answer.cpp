#include "proxy/exchange.h"

#include "base/text.h"
#include "control/control.h"
#include "proxy/final_answer.h"
#include "proxy/header_filter.h"
#include "proxy/http_connection.h"

#include <algorithm>
#include <utility>

namespace omni {

namespace {

/// What the client should wait: what the upstream asked for, else the length of the hold.
std::optional<Millis> waitOf(const Verdict& verdict)
{
    if (verdict.retryAfter)
        return verdict.retryAfter;
    return verdict.cooldown > Millis(0) ? std::optional<Millis>(verdict.cooldown) : std::nullopt;
}

}  // namespace

void Exchange::attemptCommitted(int status, HeaderList headers, std::int64_t length, bool eventStream)
{
    m_state = State::Relaying;
    // No other target will need it; a long stream must not keep a large prompt in memory.
    m_request.body.reset();
    m_eventStream = eventStream;
    m_permitOpen = false;
    m_context.engine.recordSuccess(m_target->forEngine(), m_permit);
    m_record.provider = m_target->provider->id;
    m_record.connection = m_target->connection->id;
    m_record.connectionName = m_target->connection->name;
    m_record.model = m_target->model;
    m_record.status = status;
    m_record.firstFrameUs = elapsedUs();
    m_waitedUs += m_attempt->firstFrameUs();
    HeaderList answer = clientHeadersOf(headers);
    for (auto& header : ownHeaders())
        answer.push_back(std::move(header));
    if (eventStream)
        answer.emplace_back("Cache-Control", "no-cache");
    m_writer.sendHead(status, answer, length);
    m_record.responseHeaders = std::move(answer);
}

void Exchange::attemptData(std::string_view bytes)
{
    m_record.responseBytes += static_cast<std::int64_t>(bytes.size());
    m_writer.sendBody(bytes);
    if (m_writer.bufferedBytes() > HttpConnection::kHighWater)
        m_attempt->pause();
}

void Exchange::writerDrained()
{
    if (m_attempt)
        m_attempt->resume();
}

void Exchange::attemptEnded(AnswerEnd end, AttemptFailure failure)
{
    AttemptRecord& record = noteAttempt(end == AnswerEnd::Complete ? nullptr : &failure);
    const TokenUsage& usage = m_attempt->usage();
    m_record.tokensIn = usage.input;
    m_record.tokensOut = usage.output;
    m_record.tokensCached = usage.cached;
    if (end == AnswerEnd::Complete) {
        m_writer.finish();
        finish(Outcome::Answered, m_record.status, {});
        return;
    }
    const Verdict verdict = judge(failure, true);
    record.reason = verdict.reason;
    record.decision = "told as an error: the answer had begun";
    if (!m_eventStream) {
        m_writer.abort();
    } else {
        if (failure.wholeBody) {
            if (m_dialect == Dialect::OpenAi)
                m_writer.sendBody("data: [DONE]\n\n");
        } else {
            ClientError error;
            error.status = failure.status >= 400 ? failure.status : statusOf(failure.transport);
            error.code = "stream_interrupted";
            error.message = "The upstream's answer broke off: " + failure.message;
            error.retryAfter = verdict.retryAfter;
            m_writer.sendBody(renderStreamError(error, m_dialect));
        }
        m_writer.finish();
    }
    finish(Outcome::Broken, m_record.status, failure.message);
}

HeaderList Exchange::ownHeaders() const
{
    HeaderList headers;
    headers.reserve(8);
    headers.emplace_back("X-OmniRoute-Request-Id", m_record.id.str());
    headers.emplace_back("X-OmniRoute-Version", OMNIROUTE_VERSION);
    if (m_target) {
        headers.emplace_back("X-OmniRoute-Selected-Connection-Id", m_target->connection->id.str());
        headers.emplace_back("X-OmniRoute-Provider", m_target->provider->id.str());
        headers.emplace_back("X-OmniRoute-Model", headerSafe(m_target->model));
    }
    if (!m_failures.empty())
        headers.emplace_back("X-OmniRoute-Fallback-Attempts", std::to_string(m_failures.size()));
    return headers;
}

void Exchange::passOn(const Failed& failed)
{
    const AttemptFailure& failure = failed.failure;
    if (!failure.wholeBody || failure.status < 400 || trimmed(failure.body).empty()) {
        answerFailure();
        return;
    }
    // The upstream's own words, in the client's own dialect already.
    HeaderList answer = clientHeadersOf(failure.headers);
    const auto has = [&answer](std::string_view name) {
        return std::any_of(answer.begin(), answer.end(), [name](const auto& header) { return header.first == name; });
    };
    if (!has("content-type"))
        answer.emplace_back("content-type", "application/json");
    if (const auto wait = waitOf(failed.verdict); wait && !has("retry-after"))
        answer.emplace_back("Retry-After", std::to_string(wholeSeconds(*wait)));
    for (auto& header : ownHeaders())
        answer.push_back(std::move(header));
    const int status = failed.verdict.status;
    m_writer.sendHead(status, answer, static_cast<std::int64_t>(failure.body.size()));
    m_writer.sendBody(failure.body);
    m_writer.finish();
    m_record.responseBytes = static_cast<std::int64_t>(failure.body.size());
    m_record.responseHeaders = std::move(answer);
    m_record.provider = m_target->provider->id;
    m_record.connection = m_target->connection->id;
    m_record.connectionName = m_target->connection->name;
    m_record.model = m_target->model;
    finish(Outcome::UpstreamFailed, status, failure.message);
}

void Exchange::answerFailure()
{
    if (m_failures.size() == 1 && m_failures.front().failure.wholeBody && m_failures.front().failure.status >= 400
        && !trimmed(m_failures.front().failure.body).empty() && m_failures.front().verdict.tryNextTarget) {
        m_failures.front().verdict.tryNextTarget = false;
        passOn(m_failures.front());
        return;
    }
    std::vector<TargetFailure> failures;
    failures.reserve(m_failures.size());
    for (const Failed& failed : m_failures)
        failures.push_back({failed.target, failed.verdict.status, failed.failure.transport, failed.failure.message, failed.verdict.reason,
                            waitOf(failed.verdict)});
    ClientError error = finalAnswer(m_scan.model, failures, m_record.attempts, m_plan.excluded,
                                    m_next < m_plan.targets.size());
    sendError(m_writer, error, m_dialect, ownHeaders());
    finish(Outcome::UpstreamFailed, error.status, error.message);
}

void Exchange::refuse(const ClientError& error)
{
    sendError(m_writer, error, m_dialect, ownHeaders());
    finish(Outcome::Refused, error.status, error.message);
}

void Exchange::finish(Outcome outcome, int status, std::string error)
{
    m_state = State::Over;
    m_record.outcome = outcome;
    m_record.status = status;
    m_record.error = redactSecrets(error);
    m_record.durationUs = elapsedUs();
    // What we spent ourselves: up to the first frame for a stream, else over the whole request.
    const std::int64_t until = m_eventStream && m_record.firstFrameUs >= 0 ? m_record.firstFrameUs : m_record.durationUs;
    m_record.addedUs = std::max<std::int64_t>(0, until - m_waitedUs);
    m_record.excluded = std::move(m_plan.excluded);
    m_record.requestHeaders = redactedHeaders(m_request.headers);
    m_context.control.requestFinished(std::move(m_record), m_keepInLog);
}

}  // namespace omni
