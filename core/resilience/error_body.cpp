#include "resilience/error_body.h"

#include "base/text.h"

#include <simdjson.h>

#include <utility>

namespace omni {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

constexpr std::size_t kTextLimit = 8 * 1024;  ///< of one field: a message, not the request it quotes
constexpr std::size_t kViolationLimit = 16;
constexpr std::uint64_t kLargestLimit = 1'000'000'000'000;

std::string textOf(const object& from, std::string_view key)
{
    std::string_view text;
    if (from[key].get(text) == simdjson::SUCCESS)
        return std::string(text.substr(0, kTextLimit));
    std::int64_t number = 0;
    if (from[key].get(number) == simdjson::SUCCESS)
        return std::to_string(number);
    return {};
}

std::optional<double> numberOf(const object& from, std::string_view key)
{
    const auto field = from[key];
    double number = 0;
    if (field.error() || field.is_string() || field.get(number) != simdjson::SUCCESS)
        return std::nullopt;
    return number;
}

void addLine(std::string& to, std::string_view line)
{
    if (line.empty() || to.size() > kTextLimit)
        return;
    if (!to.empty())
        to += '\n';
    to += line;
}

void setIfEmpty(std::string& to, std::string value)
{
    if (to.empty())
        to = std::move(value);
}

QuotaViolation violationOf(const object& from)
{
    QuotaViolation violation{textOf(from, "quotaId"), {}, 0};
    const std::optional<std::uint64_t> limit = parseUnsigned(textOf(from, "quotaValue"));
    if (limit && *limit <= kLargestLimit)
        violation.limit = static_cast<std::int64_t>(*limit);
    object dimensions;
    if (from["quotaDimensions"].get(dimensions) == simdjson::SUCCESS)
        violation.model = textOf(dimensions, "model");
    return violation;
}

/// google.rpc details, and the "detail" lists of FastAPI (whose "input" quotes the request and is left out on purpose).
void readDetails(const array& details, ErrorBody& body)
{
    for (const element item : details) {
        object entry;
        if (item.get(entry) != simdjson::SUCCESS)
            continue;
        const std::string type = textOf(entry, "@type");
        if (type.find("RetryInfo") != std::string::npos)
            setIfEmpty(body.retryDelay, textOf(entry, "retryDelay"));
        const std::string reason = textOf(entry, "reason");
        body.keyInvalid = body.keyInvalid || reason == "API_KEY_INVALID";
        for (const std::string& text : {reason, textOf(entry, "msg"), textOf(entry, "message"), textOf(entry, "type")})
            addLine(body.details, text);
        array violations;
        if (entry["violations"].get(violations) != simdjson::SUCCESS)
            continue;
        for (const element violation : violations) {
            object one;
            if (violation.get(one) != simdjson::SUCCESS)
                continue;
            QuotaViolation quota = violationOf(one);
            addLine(body.details, quota.id);
            addLine(body.details, textOf(one, "quotaMetric"));
            if (!quota.id.empty() && body.violations.size() < kViolationLimit)
                body.violations.push_back(std::move(quota));
        }
    }
}

void readFields(const object& from, ErrorBody& body)
{
    setIfEmpty(body.code, textOf(from, "code"));
    setIfEmpty(body.type, textOf(from, "type"));
    setIfEmpty(body.message, textOf(from, "message"));
    addLine(body.details, textOf(from, "status"));
    for (const std::string_view key : {"retry_after_ms", "retryAfterMs"}) {
        if (!body.retryAfterMs)
            body.retryAfterMs = numberOf(from, key);
    }
    for (const std::string_view key : {"retry_after", "retryAfter", "reset_seconds"}) {
        if (!body.retryAfterSec)
            body.retryAfterSec = numberOf(from, key);
    }
    for (const std::string_view key : {"retryAfter", "retry_after", "reset_at"}) {
        std::string_view text;
        if (from[key].get(text) == simdjson::SUCCESS)
            setIfEmpty(body.retryAt, std::string(text.substr(0, 64)));
    }
    for (const std::string_view key : {"details", "detail", "errors"}) {
        array details;
        if (from[key].get(details) == simdjson::SUCCESS)
            readDetails(details, body);
    }
}

}  // namespace

std::string ErrorBody::prose() const
{
    std::string all = message;
    for (const std::string* part : {&code, &type, &details})
        addLine(all, *part);
    return all;
}

struct ErrorBodyReader::Private {
    simdjson::dom::parser parser;
};

ErrorBodyReader::ErrorBodyReader() : d(std::make_unique<Private>()) {}

ErrorBodyReader::~ErrorBodyReader() = default;

ErrorBody ErrorBodyReader::read(std::string_view text)
{
    ErrorBody body;
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos || (text[start] != '{' && text[start] != '['))
        return body;
    element root;
    if (d->parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS)
        return body;
    body.json = true;
    array list;
    if (root.get(list) == simdjson::SUCCESS && list.at(0).get(root) != simdjson::SUCCESS)
        return body;
    object top;
    if (root.get(top) != simdjson::SUCCESS)
        return body;

    object error;
    if (top["error"].get(error) == simdjson::SUCCESS) {
        readFields(error, body);
    } else {
        body.errorText = textOf(top, "error");
        body.message = body.errorText;
    }
    readFields(top, body);
    setIfEmpty(body.message, textOf(top, "detail"));
    return body;
}

}  // namespace omni
