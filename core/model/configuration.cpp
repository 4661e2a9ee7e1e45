#include "model/configuration.h"

#include <algorithm>

namespace omni {

namespace {

constexpr std::string_view kAnthropicNodePrefix = "anthropic-compatible-";

/// What stands before the operation's usual path in a path the user gave: "/api/v2" of "/api/v2/chat/completions". Nothing when the path
/// has another shape; then its neighbours cannot be known.
std::optional<std::string> stemOf(std::string_view path, Operation operation)
{
    const std::string_view usual = defaultPath(operation);
    if (path.size() < usual.size() || path.substr(path.size() - usual.size()) != usual)
        return std::nullopt;
    return std::string(path.substr(0, path.size() - usual.size()));
}

Provider providerOf(const ProviderNode& node)
{
    const bool anthropic = node.id.str().rfind(kAnthropicNodePrefix, 0) == 0;
    Provider provider;
    provider.id = node.id;
    provider.alias = node.prefix;
    provider.name = node.name;
    provider.category = ProviderCategory::Compatible;
    provider.auth = anthropic ? AuthHeader::XApiKey : AuthHeader::Bearer;
    provider.keyOptional = true;  // many self-hosted gateways ask for none
    provider.passthroughModels = true;
    provider.baseUrl = node.baseUrl;
    while (!provider.baseUrl.empty() && provider.baseUrl.back() == '/')
        provider.baseUrl.pop_back();
    provider.modelsPath = node.modelsPath.empty() ? "/models" : node.modelsPath;
    if (provider.modelsPath.front() != '/' && provider.modelsPath.find("://") == std::string::npos)
        provider.modelsPath.insert(0, 1, '/');
    provider.headers = node.headers;

    const Operation main = anthropic ? Operation::Messages : Operation::ChatCompletions;
    std::string mainPath = node.chatPath.empty() ? std::string(defaultPath(main)) : node.chatPath;
    if (mainPath.front() != '/')
        mainPath.insert(0, 1, '/');
    provider.paths[main] = mainPath;
    if (const std::optional<std::string> stem = stemOf(mainPath, main)) {
        const auto add = [&](Operation operation) { provider.paths[operation] = *stem + std::string(defaultPath(operation)); };
        if (anthropic) {
            add(Operation::CountTokens);
        } else {
            add(Operation::Completions);
            add(Operation::Embeddings);
            add(Operation::Responses);
        }
    }
    return provider;
}

/// The position by index when it is fresh, else by search: the public vectors may have been changed since.
template <typename Item, typename Id>
const Item* findById(const std::vector<Item>& items, const std::unordered_map<Id, std::size_t>& index, const Id& id)
{
    if (const auto hit = index.find(id); hit != index.end() && hit->second < items.size() && items[hit->second].id == id)
        return &items[hit->second];
    const auto found = std::find_if(items.begin(), items.end(), [&id](const Item& item) { return item.id == id; });
    return found == items.end() ? nullptr : &*found;
}

template <typename Item, typename Id>
void rebuild(const std::vector<Item>& items, std::unordered_map<Id, std::size_t>& index)
{
    index.clear();
    index.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
        index.emplace(items[i].id, i);
}

}  // namespace

const Connection* Configuration::connection(const ConnectionId& id) const
{
    return findById(connections, m_connectionIndex, id);
}

const Provider* Configuration::provider(const ProviderId& id) const
{
    if (catalogue) {
        const Provider* found = catalogue->find(id.str());
        if (found && found->id == id)
            return found;
    }
    return findById(m_nodeProviders, m_nodeIndex, id);
}

ProviderClass Configuration::providerClass(const Connection& connection) const
{
    const Provider* known = provider(connection.provider);
    if (known && known->category == ProviderCategory::Sandbox)
        return ProviderClass::ApiKey;
    const std::string& url = connection.baseUrl.empty() && known ? known->baseUrl : connection.baseUrl;
    return isLocalBaseUrl(url, localHostnames) ? ProviderClass::Local : ProviderClass::ApiKey;
}

void Configuration::refreshNodeProviders()
{
    m_nodeProviders.clear();
    m_nodeProviders.reserve(nodes.size());
    for (const ProviderNode& node : nodes)
        m_nodeProviders.push_back(providerOf(node));
    refreshIndexes();
}

void Configuration::refreshIndexes()
{
    rebuild(connections, m_connectionIndex);
    rebuild(m_nodeProviders, m_nodeIndex);
}

}  // namespace omni
