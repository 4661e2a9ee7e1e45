#include "proxy/management_call.h"

#include "base/text.h"

#include <utility>

namespace omni {

namespace {

/// No resource of the API is larger; the proxy's own limit is for prompts.
constexpr std::size_t kMaxBody = 1024 * 1024;

int statusOf(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::InvalidArgument: return 400;
    case ErrorKind::NotFound: return 404;
    case ErrorKind::Conflict: return 409;
    case ErrorKind::Unauthorized: return 401;
    case ErrorKind::Forbidden: return 403;
    case ErrorKind::LimitExceeded: return 429;
    case ErrorKind::Unavailable: return 503;
    case ErrorKind::Timeout: return 504;
    case ErrorKind::Cancelled: return 503;
    case ErrorKind::Network: return 502;
    case ErrorKind::Protocol: return 502;
    case ErrorKind::Storage: return 500;
    case ErrorKind::Secret: return 500;
    case ErrorKind::Internal: return 500;
    }
    return 500;
}

/// "application/json", with or without parameters, or anything ending in "+json". Absent counts as JSON.
bool isJson(std::string_view contentType)
{
    const std::string_view type = trimmed(contentType.substr(0, contentType.find(';')));
    return type.empty() || equalsIgnoreCase(type, "application/json")
           || (type.size() > 5 && equalsIgnoreCase(type.substr(type.size() - 5), "+json"));
}

std::string firstLine(std::string_view text)
{
    return redactSecrets(text.substr(0, text.find_first_of("\r\n")));
}

}  // namespace

ManagementCall::ManagementCall(HttpRequest request, ResponseWriter& writer, bool authenticated, std::string requestId)
    : m_request(std::move(request)), m_writer(&writer), m_requestId(std::move(requestId)), m_authenticated(authenticated)
{
}

std::optional<Json> ManagementCall::object()
{
    const std::string_view text = m_request.body ? std::string_view(*m_request.body) : std::string_view();
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return Json::object();
    if (!isJson(m_request.header("content-type"))) {
        fail(415, "The body must be JSON: send it with Content-Type: application/json.", "unsupported_media_type");
        return std::nullopt;
    }
    if (text.size() > kMaxBody) {
        fail(413, "The body of a management request is limited to 1 MiB.", "request_too_large");
        return std::nullopt;
    }
    Json parsed = Json::parse(text, nullptr, false);
    if (parsed.is_discarded()) {
        invalid({{"body", "Invalid JSON body"}});
        return std::nullopt;
    }
    if (!parsed.is_object()) {
        invalid({{"body", "Must be a JSON object."}});
        return std::nullopt;
    }
    return parsed;
}

void ManagementCall::answer(int status, const Json& body, HeaderList extra)
{
    ResponseWriter* writer = std::exchange(m_writer, nullptr);
    if (!writer)
        return;
    const std::string text = dumpJson(body);
    extra.emplace_back("Content-Type", "application/json");
    extra.emplace_back("Cache-Control", "no-store");
    extra.emplace_back("x-request-id", m_requestId);
    writer->sendHead(status, extra, static_cast<std::int64_t>(text.size()));
    writer->sendBody(text);
    writer->finish();
}

void ManagementCall::answerText(int status, std::string_view type, std::string_view body)
{
    ResponseWriter* writer = std::exchange(m_writer, nullptr);
    if (!writer)
        return;
    writer->sendHead(status, {{"Content-Type", std::string(type)}, {"Cache-Control", "no-store"}, {"x-request-id", m_requestId}},
                     static_cast<std::int64_t>(body.size()));
    writer->sendBody(body);
    writer->finish();
}

void ManagementCall::fail(int status, std::string_view message, std::string_view code, HeaderList extra)
{
    answer(status, {{"error", {{"message", firstLine(message)}, {"code", code}}}}, std::move(extra));
}

void ManagementCall::invalid(const std::vector<FieldError>& details)
{
    Json list = Json::array();
    for (const FieldError& detail : details)
        list.push_back({{"field", detail.field}, {"message", firstLine(detail.message)}});
    answer(400, {{"error", {{"message", "Invalid request"}, {"details", std::move(list)}}}});
}

void ManagementCall::fail(const Error& error)
{
    if (error.kind == ErrorKind::InvalidArgument && !error.details.empty())
        return invalid(error.details);
    fail(statusOf(error.kind), error.message, toString(error.kind));
}

}  // namespace omni
