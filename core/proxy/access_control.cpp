#include "proxy/access_control.h"

#include "base/text.h"

#include <algorithm>
#include <array>

namespace omni {

namespace {

/// Readable without credentials, and only by these methods.
constexpr std::array<std::string_view, 3> kPublicPaths = {"/health", "/api/health", "/api/monitoring/health"};

/// Exact paths of the client API beside its prefixes (spec 4-surfaces §4.1, aliases).
constexpr std::array<std::string_view, 11> kClientPaths = {"/v1", "/v1beta", "/api/v1", "/api/v1beta",
                                                           "/chat/completions", "/completions", "/embeddings", "/responses",
                                                           "/messages", "/messages/count_tokens", "/models"};
constexpr std::array<std::string_view, 5> kClientPrefixes = {"/v1/", "/v1beta/", "/api/v1/", "/api/v1beta/", "/models/"};

constexpr std::array<std::string_view, 3> kLoopbackNames = {"127.0.0.1", "localhost", "[::1]"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view text)
{
    return std::find(list.begin(), list.end(), text) != list.end();
}

struct HostAndPort {
    std::string_view host;
    std::string_view port;
    bool hasPort = false;
};

/// "name", "name:port", "[v6]" or "[v6]:port"; an empty host for anything else.
HostAndPort splitHost(std::string_view text)
{
    HostAndPort result;
    std::size_t end = 0;
    if (!text.empty() && text.front() == '[') {
        end = text.find(']');
        if (end == std::string_view::npos)
            return {};
        ++end;
    } else {
        end = std::min(text.find(':'), text.size());
    }
    result.host = text.substr(0, end);
    if (end == text.size())
        return result;
    if (text[end] != ':')
        return {};
    result.hasPort = true;
    result.port = text.substr(end + 1);
    return result;
}

/// As it stands in a Host header: brackets around IPv6, no zone, IPv4 out of its mapped form.
std::string hostForm(std::string_view address)
{
    address = address.substr(0, address.find('%'));
    if (startsWithIgnoreCase(address, "::ffff:") && address.find('.') != std::string_view::npos)
        address.remove_prefix(7);
    if (address.find(':') == std::string_view::npos)
        return toLower(address);
    return "[" + toLower(address) + "]";
}

std::string_view withoutTrailingSlash(std::string_view origin)
{
    if (!origin.empty() && origin.back() == '/')
        origin.remove_suffix(1);
    return origin;
}

/// What a client sent, in an error: short, and nothing that could break a line.
std::string asSent(std::string_view text)
{
    std::string out = "\"";
    for (const char c : clippedUtf8(text, 120))
        out += static_cast<unsigned char>(c) < 0x20 || c == '"' ? '?' : c;
    return out + "\"";
}

}  // namespace

RouteClass routeClassOf(std::string_view method, std::string_view path)
{
    if (contains(kPublicPaths, path) && (method == "GET" || method == "HEAD"))
        return RouteClass::Public;
    if (contains(kClientPaths, path))
        return RouteClass::ClientApi;
    const bool prefixed = std::any_of(kClientPrefixes.begin(), kClientPrefixes.end(),
                                      [path](std::string_view prefix) { return path.substr(0, prefix.size()) == prefix; });
    return prefixed ? RouteClass::ClientApi : RouteClass::Management;
}

Status AccessPolicy::checkHostAndOrigin(const HttpRequest& request, std::string_view localAddress) const
{
    const std::string local = exposed ? hostForm(localAddress) : std::string();
    const auto isOurName = [&local](std::string_view host) {
        return std::any_of(kLoopbackNames.begin(), kLoopbackNames.end(),
                           [host](std::string_view name) { return equalsIgnoreCase(host, name); })
               || (!local.empty() && equalsIgnoreCase(host, local));
    };
    const auto isOurPort = [this](std::string_view text) { return parseUnsigned(text) == static_cast<std::uint64_t>(port); };
    const std::string names = "127.0.0.1, localhost or [::1]" + (local.empty() ? std::string() : ", or " + local);

    const std::string_view host = request.header("host");
    const HostAndPort split = splitHost(host);
    if (!isOurName(split.host) || (split.hasPort && !isOurPort(split.port))) {
        return Error{ErrorKind::Forbidden, "Host " + asSent(host) + " is not this proxy. Allowed: " + names + ", with port "
                                               + std::to_string(port) + " or none."};
    }

    for (const auto& [name, value] : request.headers) {
        if (name != "origin")
            continue;
        const std::string_view origin = withoutTrailingSlash(value);
        // "null" is what sandboxed frames and files send: anybody.
        bool allowed = !equalsIgnoreCase(origin, "null")
                       && std::any_of(allowedOrigins.begin(), allowedOrigins.end(), [origin](const std::string& candidate) {
                              return equalsIgnoreCase(origin, withoutTrailingSlash(candidate));
                          });
        if (!allowed && startsWithIgnoreCase(origin, "http://")) {
            const HostAndPort own = splitHost(origin.substr(7));
            allowed = isOurName(own.host) && (own.hasPort ? isOurPort(own.port) : port == 80);
        }
        if (!allowed) {
            return Error{ErrorKind::Forbidden,
                         "Origin " + asSent(value)
                             + " may not use this proxy. A web page may when its exact origin is in the setting proxy.allowedOrigins."};
        }
    }
    return {};
}

std::string_view presentedKey(const HttpRequest& request)
{
    const std::string_view authorization = trimmed(request.header("authorization"));
    if (startsWithIgnoreCase(authorization, "bearer ")) {
        const std::string_view key = trimmed(authorization.substr(7));
        if (!key.empty())
            return key;
    }
    for (const std::string_view name : {std::string_view("x-api-key"), std::string_view("x-goog-api-key")}) {
        const std::string_view key = trimmed(request.header(name));
        if (!key.empty())
            return key;
    }
    return {};
}

}  // namespace omni
