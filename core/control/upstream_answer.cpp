#include "control/upstream_answer.h"

#include "base/text.h"

#include <simdjson.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace omni {

namespace {

constexpr std::size_t kMostModels = 5'000;
constexpr std::size_t kLongestModelId = 300;
constexpr std::size_t kLongestMessage = 300;

namespace json = simdjson::dom;

std::optional<std::string_view> textAt(const json::element& value, std::string_view key)
{
    std::string_view text;
    if (!value.is_object() || value[key].get(text) != simdjson::SUCCESS || text.empty())
        return std::nullopt;
    return text;
}

/// The list itself, wherever it lies.
std::optional<json::array> listIn(const json::element& document)
{
    json::array list;
    if (document.get(list) == simdjson::SUCCESS)
        return list;
    if (!document.is_object())
        return std::nullopt;
    for (const char* key : {"data", "models"})
        if (document[key].get(list) == simdjson::SUCCESS)
            return list;
    return std::nullopt;
}

/// {"error":{"message"}}, {"error":"…"}, {"message"}, {"detail"}.
std::string messageIn(const std::string& body)
{
    json::parser parser;
    json::element document;
    if (parser.parse(body).get(document) != simdjson::SUCCESS || !document.is_object())
        return {};
    json::element error;
    if (document["error"].get(error) == simdjson::SUCCESS) {
        std::string_view text;
        if (error.get(text) == simdjson::SUCCESS)
            return std::string(text);
        if (const auto message = textAt(error, "message"))
            return std::string(*message);
    }
    for (const char* key : {"message", "detail", "msg"})
        if (const auto message = textAt(document, key))
            return std::string(*message);
    return {};
}

/// Line breaks and other control characters become blanks.
std::string oneLine(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
    return std::string(trimmed(text));
}

std::string withoutSecret(std::string text, std::string_view secret)
{
    if (secret.size() >= 4)
        for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at))
            text.replace(at, secret.size(), "[redacted]");
    return redactSecrets(text);
}

ErrorKind kindOf(const BufferedCall::Answer& answer)
{
    if (answer.failure == TransportFailure::DeadlineExceeded || answer.failure == TransportFailure::FirstByteTimeout ||
        answer.failure == TransportFailure::ConnectTimeout || answer.failure == TransportFailure::IdleTimeout)
        return ErrorKind::Timeout;
    if (answer.failure != TransportFailure::None)
        return ErrorKind::Network;
    switch (answer.status) {
    case 401: return ErrorKind::Unauthorized;
    case 403: return ErrorKind::Forbidden;
    case 404: return ErrorKind::NotFound;
    case 429: return ErrorKind::LimitExceeded;
    default: return answer.status >= 500 ? ErrorKind::Unavailable : ErrorKind::Protocol;
    }
}

}  // namespace

Result<std::vector<std::string>> readModelList(const std::string& body)
{
    json::parser parser;
    json::element document;
    if (parser.parse(body).get(document) != simdjson::SUCCESS)
        return Error{ErrorKind::Protocol, "The model list is not JSON."};
    const std::optional<json::array> list = listIn(document);
    if (!list)
        return Error{ErrorKind::Protocol, "The answer holds no model list."};
    std::vector<std::string> models;
    std::unordered_set<std::string_view> seen;
    for (const json::element entry : *list) {
        std::optional<std::string_view> id = textAt(entry, "id");
        for (const char* key : {"name", "model"})
            if (!id)
                id = textAt(entry, key);
        std::string_view text;
        if (!id && entry.get(text) == simdjson::SUCCESS && !text.empty())
            id = text;
        if (!id || id->size() > kLongestModelId || !seen.insert(*id).second)
            continue;
        models.emplace_back(*id);
        if (models.size() == kMostModels)
            break;
    }
    return models;
}

std::string failureText(const BufferedCall::Answer& answer, std::string_view secret)
{
    if (answer.failure != TransportFailure::None)
        return withoutSecret(answer.message.empty() ? std::string(toString(answer.failure)) : oneLine(answer.message), secret);
    std::string said = messageIn(answer.body);
    if (said.empty() && answer.body.find('<') == std::string::npos)
        said = answer.body;  // plain text; a page of HTML tells nobody anything
    said = oneLine(withoutSecret(std::move(said), secret));
    said = std::string(clippedUtf8(said, kLongestMessage));
    const std::string status = "HTTP " + std::to_string(answer.status);
    return said.empty() ? status : status + ": " + said;
}

Error failureError(const BufferedCall::Answer& answer, std::string_view secret) { return {kindOf(answer), failureText(answer, secret)}; }

}  // namespace omni
