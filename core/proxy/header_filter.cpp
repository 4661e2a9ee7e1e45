#include "proxy/header_filter.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace omni {

namespace {

constexpr std::array<std::string_view, 9> kToUpstream = {
    "accept", "anthropic-version", "anthropic-beta", "openai-beta", "openai-organization", "openai-project", "idempotency-key",
    "http-referer", "x-title"};

constexpr std::array<std::string_view, 11> kToClient = {
    "content-type",  "content-language", "retry-after",      "retry-after-ms", "x-should-retry", "request-id",
    "x-request-id",  "openai-model",     "openai-processing-ms", "openai-version", "x-model-quota-remaining"};
constexpr std::array<std::string_view, 3> kToClientPrefixes = {"x-ratelimit-", "anthropic-ratelimit-", "ratelimit-"};

constexpr std::array<std::string_view, 8> kCredentials = {
    "authorization", "proxy-authorization", "x-api-key", "x-goog-api-key", "cookie", "set-cookie", "x-omniroute-lease-owner", "api-key"};

constexpr std::size_t kLoggedValue = 256;

template <std::size_t N>
bool listed(const std::array<std::string_view, N>& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void addClientHeaders(HeaderList& headers, const HeaderList& client)
{
    for (const auto& [name, value] : client) {
        if (!listed(kToUpstream, name))
            continue;
        const auto fixed = std::find_if(headers.begin(), headers.end(), [&name = name](const auto& header) { return header.first == name; });
        if (fixed != headers.end())
            fixed->second = value;
        else
            headers.emplace_back(name, value);
    }
}

HeaderList clientHeadersOf(const HeaderList& upstream)
{
    HeaderList headers;
    headers.reserve(12);
    for (const auto& [name, value] : upstream) {
        const bool prefixed = std::any_of(kToClientPrefixes.begin(), kToClientPrefixes.end(),
                                          [&name = name](std::string_view prefix) { return std::string_view(name).starts_with(prefix); });
        if (prefixed || listed(kToClient, name))
            headers.emplace_back(name, value);
    }
    return headers;
}

HeaderList redactedHeaders(const HeaderList& headers)
{
    HeaderList redacted;
    redacted.reserve(headers.size());
    for (const auto& [name, value] : headers)
        redacted.emplace_back(name, listed(kCredentials, name) ? maskedSecret(value) : std::string(clippedUtf8(value, kLoggedValue)));
    return redacted;
}

}  // namespace omni
