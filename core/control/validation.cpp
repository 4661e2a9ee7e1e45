#include "control/validation.h"

#include "base/text.h"
#include "upstream/endpoint.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace omni {

namespace {

using Errors = std::vector<FieldError>;

constexpr std::size_t kNameLimit = 100;
constexpr std::size_t kModelLimit = 300;
constexpr std::size_t kPrefixLimit = 50;
constexpr std::size_t kComboTargetLimit = 100;
constexpr std::size_t kHeaderLimit = 32;
constexpr std::size_t kHeaderValueLimit = 4096;
constexpr int kPriorityLimit = 1'000'000;
constexpr int kConcurrencyLimit = 10'000;
constexpr int kAliasDepth = 8;
constexpr double kPriceLimit = 100'000.0;

/// People count characters, not bytes.
std::size_t characters(std::string_view text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool hasControlCharacter(std::string_view text)
{
    return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

bool isLetterOrDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool isPlainName(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return isLetterOrDigit(c) || c == '-' || c == '_' || c == '.'; });
}

/// RFC 9110 token.
bool isHeaderName(std::string_view text)
{
    constexpr std::string_view others = "!#$%&'*+-.^_`|~";
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [&](char c) { return isLetterOrDigit(c) || others.find(c) != std::string_view::npos; });
}

/// Adds what is wrong with a label for people: 1…100 characters on one line. True when it is fine.
bool checkLabel(Errors& errors, std::string_view field, std::string_view value)
{
    if (trimmed(value).empty())
        errors.push_back({std::string(field), "A name is needed."});
    else if (characters(value) > kNameLimit)
        errors.push_back({std::string(field), "At most 100 characters."});
    else if (hasControlCharacter(value))
        errors.push_back({std::string(field), "Line breaks and control characters are not allowed."});
    else
        return true;
    return false;
}

bool checkModel(Errors& errors, std::string field, std::string_view value)
{
    if (trimmed(value).empty())
        errors.push_back({std::move(field), "A model is needed."});
    else if (characters(value) > kModelLimit)
        errors.push_back({std::move(field), "At most 300 characters."});
    else if (hasControlCharacter(value))
        errors.push_back({std::move(field), "Line breaks and control characters are not allowed."});
    else
        return true;
    return false;
}

void checkUrl(Errors& errors, std::string_view field, const Status& status)
{
    if (!status)
        errors.push_back({std::string(field), status.error().message});
}

bool leadsToItself(const ModelAlias& alias, const Configuration& configuration, int& depth)
{
    std::string at = alias.model;
    for (depth = 1; depth <= kAliasDepth; ++depth) {
        if (at == alias.name)
            return true;
        const auto next = std::find_if(configuration.aliases.begin(), configuration.aliases.end(),
                                       [&](const ModelAlias& other) { return other.name == at && other.name != alias.name; });
        if (next == configuration.aliases.end())
            return false;
        at = next->model;
    }
    return false;
}

/// Headers that we set ourselves, that belong to one hop, or that carry a credential: those are kept encrypted with the connection.
bool isReservedHeader(std::string_view name)
{
    constexpr std::array<std::string_view, 12> reserved = {
        "host",    "content-length", "transfer-encoding", "connection",      "keep-alive",  "upgrade", "te",
        "trailer", "expect",         "proxy-connection",  "accept-encoding", "content-type"};
    return std::any_of(reserved.begin(), reserved.end(), [&](std::string_view one) { return equalsIgnoreCase(name, one); });
}

bool isCredentialHeader(std::string_view name)
{
    constexpr std::array<std::string_view, 7> credentials = {
        "authorization", "proxy-authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie", "x-auth-token"};
    return std::any_of(credentials.begin(), credentials.end(), [&](std::string_view one) { return equalsIgnoreCase(name, one); });
}

void checkPrefix(Errors& errors, const ProviderNode& node, const Configuration& configuration)
{
    if (node.prefix.empty()) {
        errors.push_back({"prefix", "A prefix is needed: clients write it before the model, as in \"prefix/model\"."});
    } else if (node.prefix.size() > kPrefixLimit || !isPlainName(node.prefix)) {
        errors.push_back({"prefix", "1 to 50 letters, digits, \"-\", \"_\" or \".\"."});
    } else if (const Provider* builtIn = configuration.catalogue ? configuration.catalogue->find(node.prefix) : nullptr) {
        errors.push_back({"prefix", "This prefix belongs to " + builtIn->name + "."});
    } else {
        for (const ProviderNode& other : configuration.nodes)
            if (other.id != node.id && (equalsIgnoreCase(other.prefix, node.prefix) || equalsIgnoreCase(other.id.str(), node.prefix)))
                errors.push_back({"prefix", "The endpoint \"" + other.name + "\" has this prefix already."});
    }
}

void checkPaths(Errors& errors, const ProviderNode& node)
{
    const auto isPath = [](std::string_view path) {
        return path.front() == '/' && path.find_first_of(" \t\\#") == std::string_view::npos && !hasControlCharacter(path);
    };
    if (!node.chatPath.empty() && !isPath(node.chatPath))
        errors.push_back({"chatPath", "A path that begins with \"/\", such as \"/chat/completions\"."});
    if (node.modelsPath.empty() || isPath(node.modelsPath))
        return;
    const Status url = validateBaseUrl(node.modelsPath, ProviderCategory::Compatible);
    if (!url)
        errors.push_back({"modelsPath", "A path that begins with \"/\", such as \"/models\", or a whole URL."});
}

void checkHeaders(Errors& errors, const ProviderNode& node)
{
    if (node.headers.size() > kHeaderLimit)
        errors.push_back({"headers", "At most 32 headers."});
    std::set<std::string> seen;
    for (const auto& [name, value] : node.headers) {
        if (!isHeaderName(name))
            errors.push_back({"headers", "\"" + std::string(clippedUtf8(name, 60)) + "\" is no header name."});
        else if (isReservedHeader(name))
            errors.push_back({"headers", "\"" + name + "\" is set by the proxy itself."});
        else if (isCredentialHeader(name))
            errors.push_back(
                {"headers", "\"" + name + "\" carries a credential: it belongs into the connection's key, which is encrypted."});
        else if (!seen.insert(toLower(name)).second)
            errors.push_back({"headers", "\"" + name + "\" is named twice."});
        else if (value.size() > kHeaderValueLimit || hasControlCharacter(value))
            errors.push_back({"headers", "The value of \"" + name + "\" must be one line of at most 4,096 bytes."});
    }
}

}  // namespace

std::vector<FieldError> validateSharedFields(const Connection& connection)
{
    Errors errors;
    if (connection.priority < 1 || connection.priority > kPriorityLimit)
        errors.push_back({"priority", "1 to 1,000,000; lower is tried first."});
    if (!connection.proxyUrl.empty())
        checkUrl(errors, "proxyUrl", validateProxyUrl(connection.proxyUrl));
    return errors;
}

std::vector<FieldError> validateConnection(const Connection& connection, bool hasSecret, const Configuration& configuration)
{
    Errors errors;
    const Provider* provider = configuration.provider(connection.provider);
    if (connection.provider.empty())
        errors.push_back({"provider", "Choose a provider."});
    else if (!provider)
        errors.push_back({"provider", "There is no provider \"" + std::string(clippedUtf8(connection.provider.str(), 100)) + "\"."});

    if (checkLabel(errors, "name", connection.name)) {
        for (const Connection& other : configuration.connections) {
            if (other.id == connection.id || other.provider != connection.provider || !equalsIgnoreCase(other.name, connection.name))
                continue;
            errors.push_back({"name", "Another connection of this provider has this name."});
            break;
        }
    }
    for (FieldError& error : validateSharedFields(connection))
        errors.push_back(std::move(error));

    if (!connection.baseUrl.empty())
        checkUrl(errors, "baseUrl", validateBaseUrl(connection.baseUrl, provider ? provider->category : ProviderCategory::Hosted));
    else if (provider && provider->baseUrl.empty())
        errors.push_back({"baseUrl", "This provider needs a base URL."});

    if (connection.maxConcurrent && (*connection.maxConcurrent < 1 || *connection.maxConcurrent > kConcurrencyLimit))
        errors.push_back({"maxConcurrent", "1 to 10,000, or empty for no limit."});
    if (!connection.defaultModel.empty())
        checkModel(errors, "defaultModel", connection.defaultModel);
    if (characters(connection.group) > kNameLimit || hasControlCharacter(connection.group))
        errors.push_back({"group", "At most 100 characters on one line."});

    const bool keyNeeded =
        provider && provider->auth != AuthHeader::None && !provider->keyOptional && provider->category != ProviderCategory::Sandbox;
    if (keyNeeded && !hasSecret)
        errors.push_back({"apiKey", provider->name + " needs an API key."});
    return errors;
}

std::vector<FieldError> validateCombo(const Combo& combo, const Configuration& configuration)
{
    Errors errors;
    if (combo.name.empty() || combo.name.size() > kNameLimit || !isPlainName(combo.name)) {
        errors.push_back({"name", "1 to 100 letters, digits, \"-\", \"_\" or \".\"."});
    } else {
        for (const Combo& other : configuration.combos)
            if (other.id != combo.id && equalsIgnoreCase(other.name, combo.name))
                errors.push_back({"name", "Another combo has this name."});
        for (const ModelAlias& alias : configuration.aliases)
            if (alias.name == combo.name)
                errors.push_back({"name", "An alias has this name."});
    }
    if (std::find(kComboStrategies.begin(), kComboStrategies.end(), combo.strategy) == kComboStrategies.end())
        errors.push_back({"strategy", "Only \"priority\" is supported."});

    if (combo.targets.empty())
        errors.push_back({"models", "A combo needs at least one model."});
    else if (combo.targets.size() > kComboTargetLimit)
        errors.push_back({"models", "At most 100 models."});
    std::set<std::tuple<std::string, std::string, std::string>> seen;
    for (std::size_t i = 0; i < combo.targets.size(); ++i) {
        const ComboTarget& target = combo.targets[i];
        const std::string field = "models[" + std::to_string(i) + "]";
        if (!configuration.provider(target.provider))
            errors.push_back(
                {field + ".provider", "There is no provider \"" + std::string(clippedUtf8(target.provider.str(), 60)) + "\"."});
        checkModel(errors, field + ".model", target.model);
        if (target.connection) {
            const Connection* connection = configuration.connection(*target.connection);
            if (!connection)
                errors.push_back({field + ".connectionId", "This connection does not exist."});
            else if (connection->provider != target.provider)
                errors.push_back({field + ".connectionId", "This connection belongs to another provider."});
        }
        if (characters(target.label) > kNameLimit || hasControlCharacter(target.label))
            errors.push_back({field + ".label", "At most 100 characters on one line."});
        if (!seen.insert({target.provider.str(), target.model, target.connection ? target.connection->str() : std::string()}).second)
            errors.push_back({field, "The same model on the same connection is in the list already."});
    }
    return errors;
}

std::vector<FieldError> validateAlias(const ModelAlias& alias, const Configuration& configuration)
{
    Errors errors;
    const auto hasBlank = [](std::string_view text) { return text.find_first_of(" \t") != std::string_view::npos; };
    if (alias.name.empty() || characters(alias.name) > kNameLimit || hasControlCharacter(alias.name) || hasBlank(alias.name))
        errors.push_back({"name", "1 to 100 characters without blanks."});
    for (const Combo& combo : configuration.combos)
        if (equalsIgnoreCase(combo.name, alias.name))
            errors.push_back({"name", "A combo has this name."});
    if (checkModel(errors, "model", alias.model)) {
        int depth = 0;
        if (leadsToItself(alias, configuration, depth))
            errors.push_back({"model", "This leads back to the alias itself."});
        else if (depth > kAliasDepth)
            errors.push_back({"model", "More than 8 aliases would lead from one to the next."});
    }
    return errors;
}

std::vector<FieldError> validateNode(const ProviderNode& node, const Configuration& configuration)
{
    Errors errors;
    constexpr std::string_view openAi = "openai-compatible-", anthropic = "anthropic-compatible-";
    if (!node.id.empty() && node.id.str().rfind(openAi, 0) != 0 && node.id.str().rfind(anthropic, 0) != 0)
        errors.push_back({"id", "Must begin with \"openai-compatible-\" or \"anthropic-compatible-\"."});
    else if (node.id.str().size() > kNameLimit || !isPlainName(node.id.str()))
        errors.push_back({"id", "At most 100 letters, digits, \"-\", \"_\" or \".\"."});
    if (checkLabel(errors, "name", node.name)) {
        for (const ProviderNode& other : configuration.nodes)
            if (other.id != node.id && equalsIgnoreCase(other.name, node.name))
                errors.push_back({"name", "Another endpoint has this name."});
    }
    checkPrefix(errors, node, configuration);
    if (node.baseUrl.empty())
        errors.push_back({"baseUrl", "A base URL is needed, such as \"https://host/v1\"."});
    else
        checkUrl(errors, "baseUrl", validateBaseUrl(node.baseUrl, ProviderCategory::Compatible));
    checkPaths(errors, node);
    checkHeaders(errors, node);
    return errors;
}

std::vector<FieldError> validatePrice(const ModelPrice& price)
{
    Errors errors;
    if (price.provider.empty())
        errors.push_back({"provider", "A provider is needed."});
    checkModel(errors, "model", price.model);
    const auto check = [&errors](const char* field, double dollars) {
        if (!(dollars >= 0.0 && dollars <= kPriceLimit))
            errors.push_back({field, "From 0 to 100,000 dollars."});
    };
    check("input", price.input);
    check("output", price.output);
    check("cached", price.cached.value_or(0.0));
    return errors;
}

std::vector<FieldError> validateApiKey(const ApiKey& key, const Configuration& configuration)
{
    Errors errors;
    const auto stored =
        std::find_if(configuration.apiKeys.begin(), configuration.apiKeys.end(), [&](const ApiKey& other) { return other.id == key.id; });
    if (checkLabel(errors, "name", key.name)) {
        for (const ApiKey& other : configuration.apiKeys)
            if (other.id != key.id && equalsIgnoreCase(other.name, key.name))
                errors.push_back({"name", "Another key has this name."});
    }
    for (const std::string& pattern : key.allowedModels)
        checkModel(errors, "allowedModels", pattern);
    for (const ConnectionId& id : key.allowedConnections) {
        // One that was removed meanwhile stays in the list: without it an empty list would open every connection to the key.
        const bool known =
            stored != configuration.apiKeys.end() &&
            std::find(stored->allowedConnections.begin(), stored->allowedConnections.end(), id) != stored->allowedConnections.end();
        if (!known && !configuration.connection(id))
            errors.push_back({"allowedConnections", "There is no connection \"" + std::string(clippedUtf8(id.str(), 100)) + "\"."});
    }
    for (const std::string& scope : key.scopes)
        if (scope != "manage")
            errors.push_back({"scopes", "Only \"manage\" is known."});
    if (key.expiresAt && key.createdAt != WallTime{} && *key.expiresAt <= key.createdAt)
        errors.push_back({"expiresAt", "Must lie in the future."});
    return errors;
}

}  // namespace omni
