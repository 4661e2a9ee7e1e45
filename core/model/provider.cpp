#include "model/provider.h"

#include "base/text.h"
#include "model/enum_text.h"
#include "model/url.h"

#include <QByteArray>

#include <algorithm>

namespace omni {

namespace {

constexpr EnumNames<ProviderClass, ProviderClass::Local> kClasses("oauth", "apikey", "local");
constexpr EnumNames<ProviderCategory, ProviderCategory::Sandbox> kCategories("hosted", "local", "compatible", "sandbox");
constexpr EnumNames<AuthHeader, AuthHeader::XGoogApiKey> kAuthHeaders("none", "bearer", "x-api-key", "x-goog-api-key");

bool endsWith(std::string_view text, std::string_view end)
{
    return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

std::string_view toString(ProviderClass value)
{
    return kClasses.nameOf(value);
}

std::optional<ProviderClass> providerClassFromString(std::string_view text)
{
    return kClasses.valueOf(text);
}

std::string_view toString(ProviderCategory value)
{
    return kCategories.nameOf(value);
}

std::optional<ProviderCategory> providerCategoryFromString(std::string_view text)
{
    return kCategories.valueOf(text);
}

std::string_view toString(AuthHeader value)
{
    return kAuthHeaders.nameOf(value);
}

std::optional<AuthHeader> authHeaderFromString(std::string_view text)
{
    return kAuthHeaders.valueOf(text);
}

Dialect Provider::dialect() const
{
    // The map is ordered as the enumeration is: chat before messages.
    return paths.empty() ? Dialect::OpenAi : dialectOf(paths.begin()->first);
}

bool isLocalBaseUrl(std::string_view url, const std::vector<std::string>& localHostnames)
{
    const Result<Url> parsed = parseUrl(url);
    if (!parsed)
        return false;
    if (parsed->address)
        return parsed->address->isLoopback() || parsed->address->isPrivate();
    const std::string& host = parsed->host;
    // Names below "localhost" never leave the machine (RFC 6761).
    if (host == "localhost" || endsWith(host, ".localhost") || endsWith(host, ".local"))
        return true;
    return std::any_of(localHostnames.begin(), localHostnames.end(),
                       [&host](const std::string& name) { return equalsIgnoreCase(name, host); });
}

std::vector<std::string> localHostnamesFromEnvironment()
{
    const QByteArray list = qgetenv("LOCAL_HOSTNAMES");
    std::vector<std::string> names;
    std::string_view rest(list.constData(), static_cast<std::size_t>(list.size()));
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        if (const std::string_view name = trimmed(rest.substr(0, comma)); !name.empty())
            names.push_back(toLower(name));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return names;
}

}  // namespace omni
