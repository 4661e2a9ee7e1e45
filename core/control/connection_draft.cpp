#include "control/connection_draft.h"

#include "base/text.h"
#include "control/control_p.h"

#include <algorithm>

namespace omni {

namespace {

constexpr std::size_t kLongestSecret = 16'384;

std::string withoutTrailingSlashes(std::string url)
{
    while (!url.empty() && url.back() == '/')
        url.pop_back();
    return url;
}

}  // namespace

std::string cleaned(std::string_view text)
{
    constexpr std::string_view around = " \t\r\n";
    const std::size_t from = text.find_first_not_of(around);
    return from == std::string_view::npos ? std::string() : std::string(text.substr(from, text.find_last_not_of(around) - from + 1));
}

std::optional<std::string> cleaned(const std::optional<std::string>& text)
{
    return text ? std::optional(cleaned(std::string_view(*text))) : std::nullopt;
}

Connection normalised(Connection connection)
{
    connection.name = cleaned(std::string_view(connection.name));
    connection.baseUrl = withoutTrailingSlashes(cleaned(std::string_view(connection.baseUrl)));
    connection.proxyUrl = withoutTrailingSlashes(cleaned(std::string_view(connection.proxyUrl)));
    connection.defaultModel = cleaned(std::string_view(connection.defaultModel));
    connection.group = cleaned(std::string_view(connection.group));
    return connection;
}

void checkSecret(std::vector<FieldError>& errors, const char* field, const std::optional<std::string>& secret, bool blanksAllowed)
{
    if (!secret)
        return;
    const bool fits =
        std::all_of(secret->begin(), secret->end(), [&](char c) { return (c > ' ' && c < 0x7F) || (c == ' ' && blanksAllowed); });
    if (!fits)
        errors.push_back({field, blanksAllowed ? "Only visible ASCII characters and blanks." : "Only visible ASCII characters."});
    else if (secret->size() > kLongestSecret)
        errors.push_back({field, "At most 16,384 characters."});
}

Error noSuchConnection(const ConnectionId& id) { return {ErrorKind::NotFound, "There is no connection " + inQuotes(id.str()) + ".", {}}; }

}  // namespace omni
