#include "upstream/endpoint.h"

#include "base/text.h"
#include "model/url.h"

#include <algorithm>
#include <array>

namespace omni {

namespace {

/// Sent with every Anthropic operation unless the provider names another; the API refuses requests without it.
constexpr std::string_view kAnthropicVersionHeader = "anthropic-version";
constexpr std::string_view kAnthropicVersion = "2023-06-01";

Error invalid(std::string message)
{
    return Error{ErrorKind::InvalidArgument, std::move(message)};
}

std::string_view withoutTrailingSlashes(std::string_view text)
{
    while (!text.empty() && text.back() == '/')
        text.remove_suffix(1);
    return text;
}

bool endsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Services that hand out a cloud machine's credentials to whoever asks from inside it.
bool isMetadataHost(const Url& url)
{
    static constexpr std::array<std::string_view, 5> kNames = {"metadata", "metadata.google.internal", "metadata.goog", "instance-data",
                                                               "instance-data.ec2.internal"};
    if (std::find(kNames.begin(), kNames.end(), url.host) != kNames.end())
        return true;
    if (!url.address)
        return false;
    static constexpr std::array<std::string_view, 3> kAddresses = {"100.100.100.200", "168.63.129.16", "fd00:ec2::254"};
    return std::any_of(kAddresses.begin(), kAddresses.end(), [&url](std::string_view text) { return url.address == parseIpAddress(text); });
}

/// A query parameter whose value is a key: it would be written to logs along the way.
std::optional<std::string> secretParameter(std::string_view query)
{
    static constexpr std::array<std::string_view, 7> kNames = {"key", "api_key", "api-key", "apikey", "token", "access_token", "x-api-key"};
    while (!query.empty()) {
        const std::string_view parameter = query.substr(0, std::min(query.find('&'), query.size()));
        const std::string name = toLower(parameter.substr(0, std::min(parameter.find('='), parameter.size())));
        if (std::find(kNames.begin(), kNames.end(), name) != kNames.end())
            return name;
        query.remove_prefix(std::min(parameter.size() + 1, query.size()));
    }
    return std::nullopt;
}

bool hasDotSegment(std::string_view path)
{
    while (!path.empty()) {
        path.remove_prefix(1);
        const std::string_view segment = path.substr(0, std::min(path.find('/'), path.size()));
        const std::string plain = toLower(segment);
        if (plain == "." || plain == ".." || plain == "%2e" || plain == "%2e%2e" || plain == ".%2e" || plain == "%2e.")
            return true;
        path.remove_prefix(segment.size());
    }
    return false;
}

Status checkBaseUrl(const Url& url, ProviderCategory category)
{
    if (url.scheme != "http" && url.scheme != "https")
        return invalid("The base URL begins with " + url.scheme + "://; only https:// and http:// can be used.");
    if (!url.userInfo.empty())
        return invalid("The base URL holds a user name or password; enter the key in the key field instead.");
    if (url.fragment)
        return invalid("The base URL must not hold \"#\".");
    if (url.query) {
        if (const std::optional<std::string> name = secretParameter(*url.query))
            return invalid("The base URL holds a credential (\"" + *name + "=…\"); enter it in the key field instead.");
    }
    if (hasDotSegment(url.path))
        return invalid("The path of the base URL must not hold \".\" or \"..\" as a part.");
    const bool linkLocal = url.address && url.address->isLinkLocal();
    if (category != ProviderCategory::Local && (linkLocal || isMetadataHost(url)))
        return invalid("The base URL leads to a link-local or metadata address, where no hosted provider is; such a server can be used "
                       "with a local provider only.");
    return {};
}

Result<Url> parseBaseUrl(std::string_view text, ProviderCategory category)
{
    Result<Url> url = parseUrl(text);
    if (!url)
        return invalid("The base URL cannot be used: " + url.error().message);
    if (Status status = checkBaseUrl(*url, category); !status)
        return status.error();
    return url;
}

/// The connection's base, checked. A host without a path at the provider's own host, or at any host for a local provider, is taken with
/// the provider's path: people write "https://api.anthropic.com" or "http://192.168.1.20:11434" and mean the "/v1" below it.
Result<Url> connectionBase(const Provider& provider, const Connection& connection)
{
    Result<Url> base = parseBaseUrl(baseUrlOf(provider, connection), provider.category);
    if (!base || !base->path.empty() || connection.baseUrl.empty())
        return base;
    const Result<Url> usual = parseUrl(provider.baseUrl);
    if (usual && (provider.category == ProviderCategory::Local || usual->origin() == base->origin()))
        base->path = usual->path;
    return base;
}

/// `base` and `path` as one path; where the end of one is the beginning of the other, whole parts only, it stands once.
std::string joinedPath(std::string_view base, std::string_view path)
{
    base = withoutTrailingSlashes(base);
    for (std::size_t length = std::min(base.size(), path.size()); length > 0; --length) {
        const bool wholeParts = base[base.size() - length] == '/' && (length == path.size() || path[length] == '/');
        if (wholeParts && base.substr(base.size() - length) == path.substr(0, length))
            return std::string(base) + std::string(path.substr(length));
    }
    return std::string(base) + std::string(path);
}

/// Takes the path of any operation off the end of a base path, so that a pasted full address also leads to its neighbours.
std::string_view withoutOperationPath(const Provider& provider, std::string_view base)
{
    base = withoutTrailingSlashes(base);
    std::string_view longest;
    const auto consider = [&](std::string_view path) {
        if (path.size() > longest.size() && endsWith(base, path))
            longest = path;
    };
    for (const auto& [operation, path] : provider.paths) {
        consider(path);
        consider(defaultPath(operation));
    }
    return base.substr(0, base.size() - longest.size());
}

std::string urlBelow(const Provider& provider, const Url& base, const std::string& path)
{
    std::string text = base.origin() + joinedPath(withoutOperationPath(provider, base.path), path);
    if (base.query)
        text += "?" + *base.query;
    return text;
}

bool isHeaderText(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

void setHeader(HeaderList& headers, std::string_view name, std::string value)
{
    const auto hasName = [name](const auto& header) { return equalsIgnoreCase(header.first, name); };
    if (std::none_of(headers.begin(), headers.end(), hasName))
        headers.emplace_back(name, std::move(value));
}

/// Authentication first, so that a fixed header of the same name never takes its place.
HeaderList headersFor(const Provider& provider, std::string_view secret, bool anthropic)
{
    HeaderList headers;
    if (!secret.empty()) {
        switch (provider.auth) {
        case AuthHeader::None: break;
        case AuthHeader::Bearer: headers.emplace_back("authorization", "Bearer " + std::string(secret)); break;
        case AuthHeader::XApiKey: headers.emplace_back("x-api-key", std::string(secret)); break;
        case AuthHeader::XGoogApiKey: headers.emplace_back("x-goog-api-key", std::string(secret)); break;
        }
    }
    for (const auto& [name, value] : provider.headers)
        setHeader(headers, toLower(name), value);
    if (anthropic)
        setHeader(headers, kAnthropicVersionHeader, std::string(kAnthropicVersion));
    return headers;
}

/// All but the URL: what a connection's key, headers and proxy come to.
Result<Endpoint> makeWay(const Provider& provider, const Connection& connection, std::string_view secret, std::string_view proxySecret,
                         bool anthropic)
{
    if (!isHeaderText(secret))
        return invalid("The key of \"" + connection.name + "\" holds a blank, a line break or a letter no key has; enter it again.");
    if (Status status = validateProxyUrl(connection.proxyUrl); !status)
        return status.error();
    Endpoint endpoint;
    endpoint.headers = headersFor(provider, secret, anthropic);
    endpoint.proxyUrl = connection.proxyUrl;
    if (!connection.proxyUrl.empty())
        endpoint.proxyUserPassword = std::string(proxySecret);
    endpoint.http2 = connection.http2;
    return endpoint;
}

}  // namespace

std::string baseUrlOf(const Provider& provider, const Connection& connection)
{
    return std::string(withoutTrailingSlashes(connection.baseUrl.empty() ? provider.baseUrl : connection.baseUrl));
}

Result<Endpoint> makeEndpoint(const Provider& provider, const Connection& connection, Operation operation, std::string_view secret,
                              std::string_view proxySecret)
{
    const auto path = provider.paths.find(operation);
    if (path == provider.paths.end())
        return invalid(provider.name + " does not offer " + std::string(toString(operation)) + ".");
    const Result<Url> base = connectionBase(provider, connection);
    if (!base)
        return base.error();
    Result<Endpoint> endpoint = makeWay(provider, connection, secret, proxySecret, dialectOf(operation) == Dialect::Anthropic);
    if (endpoint)
        endpoint->url = urlBelow(provider, *base, path->second);
    return endpoint;
}

Result<Endpoint> makeModelsEndpoint(const Provider& provider, const Connection& connection, std::string_view secret,
                                    std::string_view proxySecret)
{
    if (provider.modelsPath.empty())
        return Error{ErrorKind::NotFound, provider.name + " has no list of models."};
    const Result<Url> base = connectionBase(provider, connection);
    if (!base)
        return base.error();
    std::string url;
    if (provider.modelsPath.front() == '/') {
        url = urlBelow(provider, *base, provider.modelsPath);
    } else {
        // An address of its own belongs to the provider's usual host: a key for another host must not go there.
        const Result<Url> own = parseBaseUrl(provider.modelsPath, provider.category);
        if (!own)
            return own.error();
        const Result<Url> usual = parseUrl(provider.baseUrl);
        if (!usual || usual->origin() != base->origin())
            return Error{ErrorKind::NotFound, provider.name + " lists its models at its own address, which this connection does not use."};
        url = provider.modelsPath;
    }
    Result<Endpoint> endpoint = makeWay(provider, connection, secret, proxySecret, provider.dialect() == Dialect::Anthropic);
    if (endpoint)
        endpoint->url = std::move(url);
    return endpoint;
}

Status validateBaseUrl(std::string_view url, ProviderCategory category)
{
    const Result<Url> parsed = parseBaseUrl(url, category);
    return parsed ? Status() : Status(parsed.error());
}

Status validateProxyUrl(std::string_view url)
{
    if (url.empty())
        return {};
    const Result<Url> parsed = parseUrl(url);
    if (!parsed)
        return invalid("The proxy's address cannot be used: " + parsed.error().message);
    if (parsed->scheme == "socks5")
        return invalid("Write socks5h:// instead of socks5://, so that the proxy also resolves names and none leaks past it.");
    if (parsed->scheme != "http" && parsed->scheme != "https" && parsed->scheme != "socks5h")
        return invalid("A proxy begins with http://, https:// or socks5h://, not " + parsed->scheme + "://.");
    if (!parsed->userInfo.empty())
        return invalid("The proxy's address holds a user name or password; enter them in the proxy credentials field instead.");
    if (!parsed->port)
        return invalid("The proxy's address names no port; write it like " + parsed->scheme + "://" + parsed->host + ":8080.");
    if ((!parsed->path.empty() && parsed->path != "/") || parsed->query || parsed->fragment)
        return invalid("The proxy's address must hold host and port only.");
    return {};
}

}  // namespace omni
