#include "control/buffered_call.h"

#include "base/text.h"
#include "model/settings.h"

#include <algorithm>
#include <utility>

namespace omni {

BufferedCall::BufferedCall(Transport& transport, Scheduler& scheduler, TransportRequest request, Millis limit, std::size_t byteLimit,
                           std::function<void(Answer)> done)
    : m_byteLimit(byteLimit), m_done(std::move(done)), m_limit(limit), m_deadline(scheduler, [this] {
          if (!m_answer.truncated) {
              m_answer.status = 0;
              m_answer.failure = TransportFailure::DeadlineExceeded;
              m_answer.message = "No complete answer within " + std::to_string(m_limit.count() / 1000) + " seconds.";
          }
          finish();
      })
{
    m_deadline.start(limit);
    m_call = transport.start(std::move(request), *this);
}

void BufferedCall::transportHead(int status, HeaderList headers)
{
    m_answer.status = status;
    m_answer.headers = std::move(headers);
}

void BufferedCall::transportData(std::string_view piece)
{
    if (m_answer.truncated)
        return;
    const std::size_t room = m_byteLimit - m_answer.body.size();
    m_answer.body.append(piece.substr(0, room));
    if (piece.size() <= room)
        return;
    // Nothing more is wanted; the call is not ended from inside its own callback but in the next turn.
    m_answer.truncated = true;
    m_call->pause();
    m_deadline.start(Micros(0));
}

void BufferedCall::transportDone(const TransportResult& result)
{
    if (result.failure != TransportFailure::None) {
        m_answer.status = 0;
        m_answer.failure = result.failure;
        m_answer.message = result.message;
    }
    finish();
}

void BufferedCall::finish()
{
    m_deadline.stop();
    m_call.reset();
    // The callback may destroy this object.
    const auto done = std::move(m_done);
    done(std::move(m_answer));
}

TransportRequest makeOwnRequest(const Endpoint& endpoint, const UpstreamSettings& settings, std::string method, std::string body)
{
    TransportRequest request;
    request.method = std::move(method);
    request.url = endpoint.url;
    request.headers = endpoint.headers;
    const auto add = [&](std::string name, std::string value) {
        const bool there = std::any_of(request.headers.begin(), request.headers.end(),
                                       [&](const auto& header) { return equalsIgnoreCase(header.first, name); });
        if (!there)
            request.headers.emplace_back(std::move(name), std::move(value));
    };
    add("accept", "application/json");
    add("user-agent", "OmniRoute-Desktop/" OMNIROUTE_VERSION);
    if (!body.empty())
        add("content-type", "application/json");
    request.body.original = std::make_shared<const std::string>(std::move(body));
    request.proxyUrl = endpoint.proxyUrl;
    request.proxyUserPassword = endpoint.proxyUserPassword;
    request.caBundle = settings.caBundle;
    request.http2 = endpoint.http2;
    request.connectTimeout = settings.connectTimeout;
    request.firstByteTimeout = settings.firstByteTimeout;
    request.idleTimeout = settings.idleTimeout;
    return request;
}

}  // namespace omni
