#include "proxy/client_error.h"

#include "base/random.h"
#include "base/text.h"
#include "proxy/http_status.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <tuple>

namespace omni {

namespace {

using Json = nlohmann::ordered_json;

// Bounds of spec 4-surfaces §4.4 and §4.6.
constexpr std::size_t kMaxMessage = 4096;
constexpr std::size_t kMaxListed = 64;
constexpr std::size_t kMaxProvider = 64;
constexpr std::size_t kMaxModel = 96;
constexpr std::size_t kMaxReason = 200;
constexpr std::size_t kMaxExcludedHeader = 900;
constexpr std::int64_t kMaxRetrySeconds = 3600;

struct Default {
    int status;
    std::string_view type;
    std::string_view code;
    std::string_view message;
};

constexpr std::array<Default, 11> kDefaults = {{
    {400, "invalid_request_error", "bad_request", "Bad request"},
    {401, "authentication_error", "invalid_api_key", "Invalid API key provided"},
    {402, "billing_error", "payment_required", "Payment required"},
    {403, "permission_error", "insufficient_quota", "You exceeded your current quota"},
    {404, "invalid_request_error", "model_not_found", "Model not found"},
    {406, "invalid_request_error", "model_not_supported", "Model not supported"},
    {429, "rate_limit_error", "rate_limit_exceeded", "Rate limit exceeded"},
    {500, "server_error", "internal_server_error", "Internal server error"},
    {502, "server_error", "bad_gateway", "The upstream provider answered with an error"},
    {503, "server_error", "service_unavailable", "Temporarily unavailable"},
    {504, "server_error", "gateway_timeout", "Gateway timeout"},
}};

Default defaultsOf(int status)
{
    for (const Default& row : kDefaults) {
        if (row.status == status)
            return row;
    }
    if (status >= 500)
        return {status, "server_error", "internal_server_error", reasonPhrase(status)};
    return {status, "invalid_request_error", "", reasonPhrase(status)};
}

/// Types an Anthropic client knows; anything else would be taken for a bug of the API.
std::string_view anthropicType(const ClientError& error)
{
    constexpr std::array<std::string_view, 9> known = {"invalid_request_error", "authentication_error", "billing_error",
                                                       "permission_error",      "not_found_error",      "request_too_large",
                                                       "rate_limit_error",      "api_error",            "overloaded_error"};
    if (std::find(known.begin(), known.end(), error.type) != known.end())
        return error.type;
    switch (error.status) {
    case 401: return "authentication_error";
    case 402: return "billing_error";
    case 403: return "permission_error";
    case 404: return "not_found_error";
    case 413: return "request_too_large";
    case 429: return "rate_limit_error";
    case 503: return "overloaded_error";
    case 504: return "timeout_error";
    case 529: return "overloaded_error";
    default: return error.status >= 500 ? "api_error" : "invalid_request_error";
    }
}

/// google.rpc.Code of an HTTP status.
std::string_view geminiStatus(int status)
{
    switch (status) {
    case 401: return "UNAUTHENTICATED";
    case 402:
    case 403: return "PERMISSION_DENIED";
    case 404: return "NOT_FOUND";
    case 409: return "ABORTED";
    case 429: return "RESOURCE_EXHAUSTED";
    case 499: return "CANCELLED";
    case 501: return "UNIMPLEMENTED";
    case 502:
    case 503:
    case 529: return "UNAVAILABLE";
    case 408:
    case 504: return "DEADLINE_EXCEEDED";
    default: return status >= 500 ? "INTERNAL" : "INVALID_ARGUMENT";
    }
}

std::int64_t wholeSeconds(Millis length)
{
    return std::max<std::int64_t>(1, (std::max<std::int64_t>(0, length.count()) + 999) / 1000);
}

std::string oneLine(std::string_view text, std::size_t limit)
{
    std::string out(clippedUtf8(text, limit));
    std::replace_if(out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
    return out;
}

std::string codeOf(const ClientError& error)
{
    return error.code.empty() ? std::string(defaultsOf(error.status).code) : error.code;
}

std::string typeOf(const ClientError& error)
{
    return error.type.empty() ? std::string(defaultsOf(error.status).type) : error.type;
}

std::string messageOf(const ClientError& error)
{
    std::string message = sanitisedMessage(error.message);
    return message.empty() ? std::string(defaultsOf(error.status).message) : message;
}

/// Targets that stood behind the request: tried ones and those left out, each once.
std::size_t poolSize(const ClientError& error)
{
    std::set<std::tuple<std::string_view, std::string_view, std::string_view>> pool;
    for (const AttemptRecord& attempt : error.attempts)
        pool.emplace(attempt.provider.str(), attempt.connection.str(), attempt.model);
    for (const ExcludedTarget& target : error.excluded)
        pool.emplace(target.provider.str(), target.connection.str(), target.model);
    return pool.size();
}

/// What the client should do now: "wait", "retry" or "switch-combo" (§4.4).
std::string_view recoveryAction(const ClientError& error)
{
    if (error.retryAfter)
        return "wait";
    return error.status == 404 || error.status == 406 ? "switch-combo" : "retry";
}

std::string recoveryStep(const ClientError& error)
{
    if (error.retryAfter)
        return "Retry after " + std::to_string(wholeSeconds(*error.retryAfter)) + " s.";
    return error.status == 404 || error.status == 406 ? "Choose another model or combo, or add a connection that offers it."
                                                      : "Retry, or look at the connections in OmniRoute.";
}

/// Whether all that will come back is held for a model's sake: another model may be served at once (spec 1-core §9).
std::string_view scopeOf(const std::vector<ExcludedTarget>& excluded)
{
    bool model = false;
    for (const ExcludedTarget& target : excluded) {
        if (target.remainingMs > 0 && target.reason != Exclusion::ModelLockout)
            return "connection";
        model = model || target.remainingMs > 0;
    }
    return model ? "model" : "";
}

/// Ids, reasons and counts only: nothing of what a connection holds may leave.
Json diagnosticsOf(const ClientError& error)
{
    Json excluded = Json::array();
    for (const ExcludedTarget& target : error.excluded) {
        if (excluded.size() == kMaxListed)
            break;
        Json row = {{"provider", oneLine(target.provider.str(), kMaxProvider)},
                    {"model", oneLine(target.model, kMaxModel)},
                    {"reason", toString(target.reason)}};
        if (!target.connection.empty())
            row["connection"] = oneLine(target.connection.str(), kMaxProvider);
        if (target.remainingMs > 0)
            row["retry_after_seconds"] = wholeSeconds(Millis(target.remainingMs));
        excluded.push_back(std::move(row));
    }
    Json attempts = Json::array();
    for (const AttemptRecord& attempt : error.attempts) {
        if (attempts.size() == kMaxListed)
            break;
        Json row = {{"provider", oneLine(attempt.provider.str(), kMaxProvider)}, {"model", oneLine(attempt.model, kMaxModel)}};
        if (!attempt.connection.empty())
            row["connection"] = oneLine(attempt.connection.str(), kMaxProvider);
        row["status"] = attempt.status;
        row["reason"] = toString(attempt.reason);
        attempts.push_back(std::move(row));
    }
    Json recovery = {{"action", recoveryAction(error)}, {"next_step", recoveryStep(error)}};
    if (error.retryAfter)
        recovery["retry_after_seconds"] = std::min(kMaxRetrySeconds, wholeSeconds(*error.retryAfter));
    if (const std::string_view scope = scopeOf(error.excluded); !scope.empty())
        recovery["scope"] = scope;
    return {{"poolSize", poolSize(error)},
            {"attempted", error.attempts.size()},
            {"excluded", std::move(excluded)},
            {"attempts", std::move(attempts)},
            {"terminalReason", oneLine(codeOf(error), kMaxReason)},
            {"recovery", std::move(recovery)}};
}

Json bodyOf(const ClientError& error, Dialect dialect)
{
    Json body;
    switch (dialect) {
    case Dialect::OpenAi:
    case Dialect::OpenAiResponses: {
        const std::string code = codeOf(error);
        body["error"] = {{"message", messageOf(error)}, {"type", typeOf(error)}, {"code", code.empty() ? Json() : Json(code)}};
        break;
    }
    case Dialect::Anthropic:
        body = {{"type", "error"}, {"error", {{"type", anthropicType(error)}, {"message", messageOf(error)}}}};
        break;
    case Dialect::Gemini:
        body["error"] = {{"code", error.status}, {"message", messageOf(error)}, {"status", geminiStatus(error.status)}};
        if (error.retryAfter) {
            body["error"]["details"] = Json::array({{{"@type", "type.googleapis.com/google.rpc.RetryInfo"},
                                                     {"retryDelay", std::to_string(wholeSeconds(*error.retryAfter)) + "s"}}});
        }
        break;
    }
    if (!error.excluded.empty() || !error.attempts.empty())
        body["diagnostics"] = diagnosticsOf(error);
    return body;
}

std::string dumped(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// UTF-8 to Latin-1 with "?" for everything beyond it or invisible (§4.4).
std::string latin1Header(std::string_view text, std::size_t limit)
{
    std::string out;
    for (std::size_t i = 0; i < text.size() && out.size() < limit; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte >= 0x20 && byte < 0x7f) {
            out += text[i];
        } else if ((byte == 0xC2 || byte == 0xC3) && i + 1 < text.size() && (static_cast<unsigned char>(text[i + 1]) & 0xC0) == 0x80) {
            const auto point = static_cast<unsigned char>(((byte & 3) << 6) | (static_cast<unsigned char>(text[++i]) & 0x3F));
            out += point >= 0xA0 ? static_cast<char>(point) : '?';
        } else if ((byte & 0xC0) != 0x80) {
            out += '?';
        }
    }
    return out;
}

}  // namespace

Dialect dialectOfPath(std::string_view path)
{
    path = path.substr(0, path.find('?'));
    if (path.substr(0, 7) == "/api/v1")
        path.remove_prefix(4);
    const auto isOrIsBelow = [path](std::string_view root) {
        return path.substr(0, root.size()) == root && (path.size() == root.size() || path[root.size()] == '/');
    };
    if (isOrIsBelow("/v1/messages") || isOrIsBelow("/messages"))
        return Dialect::Anthropic;
    if (isOrIsBelow("/v1/responses") || path == "/responses")
        return Dialect::OpenAiResponses;
    if (isOrIsBelow("/v1beta"))
        return Dialect::Gemini;
    return Dialect::OpenAi;
}

std::string renderError(const ClientError& error, Dialect dialect)
{
    return dumped(bodyOf(error, dialect));
}

std::string renderStreamError(const ClientError& error, Dialect dialect, const StreamPosition& position)
{
    switch (dialect) {
    case Dialect::OpenAi:
        return "data: " + dumped(bodyOf(error, dialect)) + "\n\ndata: [DONE]\n\n";
    case Dialect::Anthropic:
        return "event: error\ndata: " + dumped(bodyOf(error, dialect)) + "\n\n";
    case Dialect::Gemini:
        return "data: " + dumped(bodyOf(error, dialect)) + "\n\n";
    case Dialect::OpenAiResponses:
        break;
    }
    const std::int64_t now = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    const std::string code = codeOf(error);
    Json event = {{"type", "response.failed"}};
    event["sequence_number"] = std::max<std::int64_t>(1, position.nextSequence);
    event["response"] = {{"id", position.responseId.empty() ? "resp_" + secureRandomHex(12) : position.responseId},
                         {"object", "response"},
                         {"created_at", position.createdAt > 0 ? position.createdAt : now},
                         {"status", "failed"},
                         {"error", {{"code", code.empty() ? typeOf(error) : code}, {"message", messageOf(error)}}},
                         {"output", Json::array()}};
    if (!error.excluded.empty() || !error.attempts.empty())
        event["diagnostics"] = diagnosticsOf(error);
    return "event: response.failed\ndata: " + dumped(event) + "\n\n";
}

HeaderList errorHeaders(const ClientError& error)
{
    HeaderList headers;
    if (error.retryAfter) {
        const std::string seconds = std::to_string(wholeSeconds(*error.retryAfter));
        headers.emplace_back("Retry-After", seconds);
        headers.emplace_back("x-omniroute-retry-after-seconds", seconds);
    }
    if (error.excluded.empty() && error.attempts.empty())
        return headers;
    headers.emplace_back("x-omniroute-combo-pool-size", std::to_string(poolSize(error)));
    headers.emplace_back("x-omniroute-combo-attempted", std::to_string(error.attempts.size()));
    if (!error.excluded.empty()) {
        std::string list;
        for (const ExcludedTarget& target : error.excluded) {
            const std::string entry = latin1Header(target.provider.str(), kMaxProvider) + "/" + latin1Header(target.model, kMaxModel) + "="
                                      + std::string(toString(target.reason));
            if (list.size() + entry.size() + 2 > kMaxExcludedHeader)
                break;
            list += (list.empty() ? "" : ", ") + entry;
        }
        headers.emplace_back("x-omniroute-combo-excluded", std::move(list));
    }
    headers.emplace_back("x-omniroute-combo-terminal-reason", latin1Header(codeOf(error), kMaxReason));
    headers.emplace_back("x-omniroute-recovery-action", recoveryAction(error));
    headers.emplace_back("x-omniroute-recovery-next-step", recoveryStep(error));
    return headers;
}

void sendError(ResponseWriter& writer, const ClientError& error, Dialect dialect, const HeaderList& extra)
{
    const std::string body = renderError(error, dialect);
    HeaderList headers = {{"Content-Type", "application/json"}};
    for (auto& header : errorHeaders(error))
        headers.push_back(std::move(header));
    for (const auto& [name, value] : extra)
        headers.emplace_back(name, latin1Header(value, kMaxMessage));
    writer.sendHead(error.status, headers, static_cast<std::int64_t>(body.size()));
    writer.sendBody(body);
    writer.finish();
}

}  // namespace omni
