#include "proxy/exchange.h"

#include "base/text.h"
#include "control/control.h"
#include "proxy/header_filter.h"
#include "stream/large_request_scan.h"

#include <algorithm>
#include <utility>

namespace omni {

namespace {

constexpr std::size_t kClientNameLimit = 120;
/// Bytes of a large body between two turns of the loop: well under a millisecond even where nothing but structure is in them.
constexpr std::size_t kScanSlice = 256 * 1024;

ClientError clientErrorOf(const Error& error)
{
    ClientError result;
    result.message = describe(error);
    switch (error.kind) {
    case ErrorKind::NotFound:
        result.status = 404;
        result.code = "model_not_found";
        break;
    case ErrorKind::Forbidden: result.status = 403; break;
    case ErrorKind::InvalidArgument: result.status = 400; break;
    case ErrorKind::Unauthorized: result.status = 401; break;
    default: result.status = 500; break;
    }
    return result;
}

/// In tokens; 0 = not known.
int contextLengthOf(const Target& target)
{
    const std::vector<ModelInfo>& models = target.provider->models;
    const auto found = std::find_if(models.begin(), models.end(), [&target](const ModelInfo& model) { return model.id == target.model; });
    return found == models.end() ? 0 : found->contextLength;
}

}  // namespace

struct Exchange::LargeScan {
    LargeScan(Scheduler& scheduler, std::string_view body, std::function<void()> turn) : scan(body), nextTurn(scheduler, std::move(turn)) {}

    LargeRequestScan scan;
    Timer nextTurn;
};

Exchange::Exchange(const ExchangeContext& context, HttpRequest request, ResponseWriter& writer, Operation operation, const ApiKey* apiKey)
    : m_context(context), m_request(std::move(request)), m_writer(writer), m_operation(operation), m_dialect(dialectOf(operation))
{
    m_startedAt = context.clock.mono();
    m_record.startedAt = context.clock.wall();
    m_record.id = context.requestIds.next(m_record.startedAt, context.random.next());
    m_record.method = m_request.method;
    m_record.path = m_request.path();
    m_record.operation = operation;
    m_record.client = clippedUtf8(m_request.header("user-agent"), kClientNameLimit);
    m_record.requestBytes = static_cast<std::int64_t>(m_request.body ? m_request.body->size() : 0);
    if (apiKey) {
        m_record.apiKey = apiKey->id;
        m_record.apiKeyName = apiKey->name;
        m_keepInLog = !apiKey->noLog;
    }
    context.control.requestStarted();
}

Exchange::~Exchange()
{
    // Only when the whole server goes down with requests under way.
    if (m_state != State::Over)
        clientGone();
}

std::int64_t Exchange::elapsedUs() const { return (m_context.clock.mono() - m_startedAt).count(); }

void Exchange::begin()
{
    const std::string_view type = m_request.header("content-type");
    if (!type.empty() && !startsWithIgnoreCase(type, "application/json")) {
        ClientError error;
        error.status = 415;
        error.type = "invalid_request_error";
        error.code = "unsupported_media_type";
        error.message = "The body must be application/json; this request says " + std::string(clippedUtf8(type, 80)) + ".";
        refuse(error);
        return;
    }
    static const std::string kEmpty;
    const std::string& body = m_request.body ? *m_request.body : kEmpty;
    if (body.size() > kLargeRequestBytes) {
        m_largeScan = std::make_unique<LargeScan>(m_context.scheduler, body, [this] { scanSlice(); });
        scanSlice();
        return;
    }
    scanned(scanRequest(body, body.capacity()));
}

void Exchange::scanSlice()
{
    std::optional<Result<RequestScan>> scan = m_largeScan->scan.advance(kScanSlice);
    if (!scan) {
        m_largeScan->nextTurn.start(Micros(0));
        return;
    }
    scanned(*std::move(scan));
}

void Exchange::scanned(Result<RequestScan> scan)
{
    if (!scan) {
        refuse(clientErrorOf(scan.error()));
        return;
    }
    m_scan = std::move(*scan);
    m_record.stream = m_scan.stream;
    m_record.requestedModel = m_scan.model;
    if (m_scan.model.empty()) {
        refuse(clientErrorOf({ErrorKind::InvalidArgument, "The request names no model.", {{"model", "is required"}}}));
        return;
    }
    const ConfigurationPtr& configuration = m_context.router.configuration();
    const ApiKey* key = nullptr;
    if (!m_record.apiKey.empty())
        for (const ApiKey& candidate : configuration->apiKeys)
            if (candidate.id == m_record.apiKey)
                key = &candidate;
    // Deleted while a long body was read: without it, nothing would restrict what it may use.
    if (!m_record.apiKey.empty() && (!key || !key->active || key->revokedAt)) {
        refuse(clientErrorOf({ErrorKind::Unauthorized, "The API key is unknown, revoked or expired."}));
        return;
    }
    Result<Plan> plan = m_context.router.plan({m_scan.model, m_operation, key}, m_context.engine);
    if (!plan) {
        refuse(clientErrorOf(plan.error()));
        return;
    }
    m_plan = std::move(*plan);
    m_record.combo = m_plan.combo;
    m_state = State::Trying;
    tryNext();
}

void Exchange::tryNext()
{
    const auto limit = static_cast<std::size_t>(m_plan.configuration->settings.routing.maxAttempts);
    while (m_next < m_plan.targets.size() && m_failures.size() < limit) {
        const Target& target = m_plan.targets[m_next++];
        if (m_lacking && m_lacking->provider == target.provider && m_lacking->model == target.model) {
            leaveOut(target, {Exclusion::ModelNotOffered});
            continue;
        }
        if (m_tooSmall && !hasLargerWindow(target)) {
            leaveOut(target, {Exclusion::ContextWindow});
            continue;
        }
        // What held when the plan was made may not hold any more: asked again right before sending (field-faults H11).
        const Permit permit = m_context.engine.acquire(target.forEngine());
        if (!permit.granted) {
            leaveOut(target, permit.refused);
            continue;
        }
        m_target = &target;
        m_permit = permit;
        m_permitOpen = true;
        m_freshRetried = false;
        const auto endpoint = m_context.endpoints.find(*target.provider, *target.connection, m_operation, m_plan.configuration);
        if (!endpoint) {
            m_context.engine.recordAbandoned(target.forEngine(), m_permit);
            m_permitOpen = false;
            if (endpoint.error().kind == ErrorKind::Secret)
                m_context.engine.noteSecretUnreadable(target.connection->id, true);
            Eligibility why;
            why.reason = endpoint.error().kind == ErrorKind::Secret ? Exclusion::SecretUnreadable : Exclusion::Unavailable;
            leaveOut(target, why);
            continue;
        }
        startAttempt(target, **endpoint, false);
        return;
    }
    answerFailure();
}

void Exchange::startAttempt(const Target& target, const EndpointCache::Entry& endpoint, bool freshConnection)
{
    HeaderList headers = endpoint.headers;
    addClientHeaders(headers, m_request.headers);
    SplicedBody body;
    body.original = m_request.body;
    // The upstream's spelling in place of the client's; nothing else of the body is touched.
    if (target.model != m_scan.model) {
        body.cutAt = m_scan.modelAt;
        body.cutLength = m_scan.modelLength;
        body.insert = jsonQuoted(target.model);
    }
    if (m_attempt)
        m_past.push_back(std::move(m_attempt));
    m_attemptStartUs = elapsedUs();
    m_attempt = std::make_unique<Attempt>(m_context.attempts, *this, m_operation, endpoint.local);
    m_attempt->start(endpoint.endpoint, std::move(headers), std::move(body), m_plan.configuration->settings.upstream, freshConnection);
}

void Exchange::leaveOut(const Target& target, const Eligibility& why)
{
    m_plan.excluded.push_back({target.provider->id, target.connection->id, target.connection->name, target.model, why.reason, why.remaining.count()});
}

bool Exchange::hasLargerWindow(const Target& target) const
{
    if (target.model == m_tooSmall->model && target.provider == m_tooSmall->provider)
        return false;
    const int length = contextLengthOf(target);
    // Of a model whose window nobody knows only a try can tell.
    return length == 0 || length > contextLengthOf(*m_tooSmall);
}

AttemptRecord& Exchange::noteAttempt(const AttemptFailure* failure)
{
    AttemptRecord& record = m_record.attempts.emplace_back();
    record.provider = m_target->provider->id;
    record.connection = m_target->connection->id;
    record.connectionName = m_target->connection->name;
    record.model = m_target->model;
    record.startedUs = m_attemptStartUs;
    record.connectUs = m_attempt->connectUs();
    record.firstByteUs = m_attempt->firstByteUs();
    record.firstFrameUs = m_attempt->firstFrameUs();
    record.totalUs = m_attempt->elapsedUs();
    record.status = m_attempt->status();
    record.success = failure == nullptr;
    if (failure) {
        record.error = failure->message;
        if (failure->status != 0)
            record.status = failure->status;
    }
    return record;
}

Verdict Exchange::judge(const AttemptFailure& failure, bool afterCommit)
{
    Failure told;
    told.status = failure.status;
    told.transport = failure.transport;
    told.headers = &failure.headers;
    told.body = failure.body;
    told.request = m_record.id;
    told.afterCommit = afterCommit;
    told.insideOk = m_attempt->status() == 200;
    m_permitOpen = false;
    return m_context.engine.recordFailure(m_target->forEngine(), m_permit, told);
}

void Exchange::attemptFailed(AttemptFailure failure)
{
    AttemptRecord& record = noteAttempt(&failure);
    m_waitedUs += record.totalUs;
    if (failure.staleConnection && !m_freshRetried) {
        // A pooled socket that the upstream had already closed says nothing of the upstream: once more, on a new one.
        m_freshRetried = true;
        record.reason = FailureReason::Transport;
        record.decision = "retried on a fresh connection";
        const auto endpoint = m_context.endpoints.find(*m_target->provider, *m_target->connection, m_operation, m_plan.configuration);
        if (endpoint) {
            startAttempt(*m_target, **endpoint, true);
            return;
        }
    }
    Verdict verdict = judge(failure, false);
    record.reason = verdict.reason;
    if (verdict.providerLacksModel)
        m_lacking = m_target;
    if (verdict.contextOverflow && (!m_tooSmall || contextLengthOf(*m_target) > contextLengthOf(*m_tooSmall)))
        m_tooSmall = m_target;
    m_failures.push_back({record.provider.str() + "/" + record.model + " (" + record.connectionName + ")", std::move(failure), std::move(verdict)});
    if (!m_failures.back().verdict.tryNextTarget) {
        record.decision = "passed on";
        passOn(m_failures.back());
        return;
    }
    record.decision = m_next < m_plan.targets.size() ? "next target" : "no target left";
    tryNext();
}

void Exchange::clientGone()
{
    if (m_state == State::Over)
        return;
    if (m_attempt && m_state != State::Planning) {
        AttemptRecord& record = noteAttempt(nullptr);
        record.success = false;
        record.decision = "cancelled: the client left";
        const TokenUsage& usage = m_attempt->usage();
        m_record.tokensIn = usage.input;
        m_record.tokensOut = usage.output;
    }
    m_largeScan.reset();
    m_attempt.reset();
    if (m_permitOpen) {
        m_permitOpen = false;
        m_context.engine.recordAbandoned(m_target->forEngine(), m_permit);
    }
    finish(Outcome::ClientGone, 499, "The client closed the connection.");
}

}  // namespace omni
