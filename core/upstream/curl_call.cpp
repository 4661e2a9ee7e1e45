#include "upstream/curl_call.h"

#include "base/text.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace omni {

namespace {

/// Up to here a spliced body is copied into one piece, so that head and body leave in one packet; above it the pieces are read in turn.
constexpr std::size_t kContiguousBodyLimit = 64 * 1024;

TransportFailure failureOf(CURLcode code)
{
    switch (code) {
    case CURLE_OK: return TransportFailure::None;
    case CURLE_COULDNT_RESOLVE_HOST: return TransportFailure::ResolveFailed;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_PROXY: return TransportFailure::ProxyFailed;
    case CURLE_COULDNT_CONNECT:
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_INTERFACE_FAILED: return TransportFailure::ConnectFailed;
    case CURLE_OPERATION_TIMEDOUT: return TransportFailure::ConnectTimeout;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_ENGINE_INITFAILED: return TransportFailure::TlsFailed;
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE: return TransportFailure::ClosedEarly;
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_CONTENT_ENCODING: return TransportFailure::BadResponse;
    default: return TransportFailure::Reset;
    }
}

}  // namespace

CurlCall::CurlCall(CurlCallHost& host, Scheduler& scheduler, TransportRequest request, TransportHandler& handler)
    : m_host(host), m_request(std::move(request)), m_handler(&handler), m_limit(scheduler, [this] { checkLimit(); })
{
    m_startedAt = m_phaseSince = m_host.clock().mono();
    m_limit.start(m_request.connectTimeout);
}

void CurlCall::resume()
{
    m_pauseWanted = false;
    if (m_paused) {
        m_paused = false;
        m_phaseSince = m_host.clock().mono();
        m_host.resumeTransfer(*this);
    }
}

void CurlCall::prepare(std::unique_ptr<CurlEasy> easy)
{
    m_easy = std::move(easy);
    m_easy->call = this;
    m_easy->errorText[0] = '\0';
    m_easy->setHeaders(m_request.headers);
    CURL* handle = m_easy->handle;
    curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, m_request.freshConnection ? 1L : 0L);
    if (m_request.method == "GET") {
        curl_easy_setopt(handle, CURLOPT_HTTPGET, 1L);
        return;
    }
    const SplicedBody& body = m_request.body;
    curl_easy_setopt(handle, CURLOPT_POST, 1L);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    if (body.size() > kContiguousBodyLimit) {
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, nullptr);
        return;
    }
    const std::string_view original = body.original ? std::string_view(*body.original) : std::string_view();
    m_contiguousBody.reserve(body.size());
    m_contiguousBody.append(original.substr(0, body.cutAt));
    m_contiguousBody.append(body.insert);
    m_contiguousBody.append(original.substr(body.cutAt + body.cutLength));
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, m_contiguousBody.data());
}

void CurlCall::startLimits() { m_phase = Phase::Connecting; }

void CurlCall::checkLimit()
{
    if (m_phase == Phase::Done)
        return;
    const MonoTime now = m_host.clock().mono();
    Millis limit{0};
    TransportFailure failure = TransportFailure::None;
    const char* what = "";
    switch (m_phase) {
    case Phase::Resolving:
    case Phase::Connecting:
        limit = m_request.connectTimeout;
        failure = TransportFailure::ConnectTimeout;
        what = "No connection within ";
        break;
    case Phase::Waiting:
        limit = m_request.firstByteTimeout;
        failure = TransportFailure::FirstByteTimeout;
        what = "No answer began within ";
        break;
    case Phase::Receiving:
        limit = m_request.idleTimeout;
        failure = TransportFailure::IdleTimeout;
        what = "The answer stopped for ";
        // While our own reader is the slow one, the upstream is not to blame.
        if (m_paused) {
            m_limit.start(limit);
            return;
        }
        break;
    case Phase::Done: return;
    }
    const auto left = m_phaseSince + limit - now;
    if (left > Micros(0)) {
        m_limit.start(left);
        return;
    }
    m_host.expire(*this, failure, what + std::to_string(limit.count()) + " ms.");
}

int CurlCall::prereqCallback(void* self, char*, char*, int, int)
{
    CurlCall* call = static_cast<CurlEasy*>(self)->call;
    // The second send of the same request is libcurl's silent resend on a connection that died: refused, the decision is ours.
    if (!call || call->m_sends > 0)
        return CURL_PREREQFUNC_ABORT;
    ++call->m_sends;
    const MonoTime now = call->m_host.clock().mono();
    long newConnections = 0;
    curl_easy_getinfo(call->m_easy->handle, CURLINFO_NUM_CONNECTS, &newConnections);
    call->m_result.reusedConnection = newConnections == 0;
    if (newConnections > 0)
        call->m_result.connectUs = (now - call->m_startedAt).count();
    call->m_phase = Phase::Waiting;
    call->m_phaseSince = now;
    if (call->m_limit.deadline() > now + call->m_request.firstByteTimeout)
        call->m_limit.start(call->m_request.firstByteTimeout);
    return CURL_PREREQFUNC_OK;
}

std::size_t CurlCall::readCallback(char* data, std::size_t size, std::size_t count, void* self)
{
    CurlCall* call = static_cast<CurlEasy*>(self)->call;
    return call ? call->fillBody(data, size * count) : CURL_READFUNC_ABORT;
}

std::size_t CurlCall::fillBody(char* to, std::size_t room)
{
    const SplicedBody& body = m_request.body;
    const std::string_view original = body.original ? std::string_view(*body.original) : std::string_view();
    std::size_t written = 0;
    std::size_t base = 0;
    for (const std::string_view part : {original.substr(0, body.cutAt), std::string_view(body.insert), original.substr(body.cutAt + body.cutLength)}) {
        if (m_bodySent < base + part.size() && written < room) {
            const std::size_t from = m_bodySent - base;
            const std::size_t take = std::min(part.size() - from, room - written);
            std::memcpy(to + written, part.data() + from, take);
            written += take;
            m_bodySent += take;
        }
        base += part.size();
    }
    // A large upload that moves on is no silence of the upstream.
    m_phaseSince = m_host.clock().mono();
    return written;
}

std::size_t CurlCall::headerCallback(char* data, std::size_t size, std::size_t count, void* self)
{
    CurlCall* call = static_cast<CurlEasy*>(self)->call;
    return call && !call->detached() ? call->takeHeaderLine({data, size * count}) : 0;
}

std::size_t CurlCall::takeHeaderLine(std::string_view line)
{
    const std::size_t taken = line.size();
    if (m_headReady)
        return taken;  // trailers: read and dropped
    m_result.anyByteReceived = true;
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r'))
        line.remove_suffix(1);
    if (line.starts_with("HTTP/")) {
        m_headers.clear();
        const std::size_t blank = line.find(' ');
        m_status = blank == std::string_view::npos
                       ? 0
                       : static_cast<int>(parseUnsigned(line.substr(blank + 1, 3)).value_or(0));
        return taken;
    }
    if (!line.empty()) {
        const std::size_t colon = line.find(':');
        if (colon != std::string_view::npos)
            m_headers.emplace_back(toLower(line.substr(0, colon)), std::string(trimmed(line.substr(colon + 1))));
        return taken;
    }
    if (m_status >= 200) {
        m_headReady = true;
        m_phase = Phase::Receiving;
        m_phaseSince = m_host.clock().mono();
        if (m_limit.deadline() > m_phaseSince + m_request.idleTimeout)
            m_limit.start(m_request.idleTimeout);
        if (mayDeliver())
            deliverHead();
    }
    return taken;
}

bool CurlCall::mayDeliver() const { return !m_deferred && !m_host.starting(); }

void CurlCall::deliverHead()
{
    m_headDelivered = true;
    // The body is handed on decoded, so its encoding and its length are no longer those of the head.
    const auto encoded = std::find_if(m_headers.begin(), m_headers.end(), [](const auto& header) { return header.first == "content-encoding"; });
    if (encoded != m_headers.end() && !equalsIgnoreCase(encoded->second, "identity"))
        std::erase_if(m_headers, [](const auto& header) { return header.first == "content-encoding" || header.first == "content-length"; });
    if (m_handler)
        m_handler->transportHead(m_status, std::move(m_headers));
}

std::size_t CurlCall::writeCallback(char* data, std::size_t size, std::size_t count, void* self)
{
    CurlCall* call = static_cast<CurlEasy*>(self)->call;
    return call && !call->detached() ? call->takeData({data, size * count}) : CURL_WRITEFUNC_ERROR;
}

std::size_t CurlCall::takeData(std::string_view piece)
{
    if (m_pauseWanted) {
        m_paused = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    m_phaseSince = m_host.clock().mono();
    if (!mayDeliver()) {
        m_deferredData.append(piece);
        if (!m_deferred) {
            m_deferred = true;
            m_host.deferDelivery(*this);
        }
        return piece.size();
    }
    m_handler->transportData(piece);
    return m_handler ? piece.size() : CURL_WRITEFUNC_ERROR;
}

void CurlCall::transferFinished(CURLcode code)
{
    m_phase = Phase::Done;
    m_limit.stop();
    if (!m_resultReady) {
        m_result.failure = failureOf(code);
        if (m_sends > 0 && code == CURLE_ABORTED_BY_CALLBACK) {
            m_result.failure = TransportFailure::Reset;
            m_result.message = "The pooled connection was closed by the upstream before it answered.";
        } else if (code != CURLE_OK) {
            const char* text = m_easy && m_easy->errorText[0] != '\0' ? m_easy->errorText.data() : curl_easy_strerror(code);
            m_result.message = redactSecrets(text);
        }
    }
    m_resultReady = true;
    if (!mayDeliver()) {
        if (!m_deferred) {
            m_deferred = true;
            m_host.deferDelivery(*this);
        }
        return;
    }
    finish();
}

void CurlCall::fail(TransportFailure failure, std::string message)
{
    m_phase = Phase::Done;
    m_limit.stop();
    m_result.failure = failure;
    m_result.message = std::move(message);
    m_resultReady = true;
    if (mayDeliver()) {
        finish();
    } else if (!m_deferred) {
        m_deferred = true;
        m_host.deferDelivery(*this);
    }
}

void CurlCall::deliverDeferred()
{
    const auto self = shared_from_this();
    m_deferred = false;
    if (m_handler && m_headReady && !m_headDelivered)
        deliverHead();
    if (m_handler && !m_deferredData.empty())
        m_handler->transportData(std::exchange(m_deferredData, {}));
    if (m_handler && m_resultReady)
        finish();
}

void CurlCall::finish()
{
    if (TransportHandler* handler = std::exchange(m_handler, nullptr)) {
        const TransportResult result = std::move(m_result);
        handler->transportDone(result);
    }
}

}  // namespace omni
