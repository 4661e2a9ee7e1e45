#include "routing/routing_table.h"

#include "base/text.h"
#include "resilience/per_model_quota.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace omni {

RoutingTable::RoutingTable(const Configuration& configuration, Random& random)
{
    addCandidates(configuration);
    addProviders(configuration);

    for (const Combo& combo : configuration.combos) {
        if (!combo.targets.empty())
            m_named.try_emplace(combo.name, NamedRoute{&combo, nullptr});
    }
    for (const ModelAlias& alias : configuration.aliases)
        m_named.try_emplace(alias.name, NamedRoute{nullptr, &alias});

    // Round robin begins anywhere, so that a configuration changed often does not always favour the first.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> spans;  // first rank and number, by group
    for (const Candidate& candidate : m_candidates) {
        if (candidate.group >= spans.size())
            spans.emplace_back(candidate.rank, 0);
        ++spans[candidate.group].second;
    }
    for (const auto& [first, count] : spans)
        m_lastUsed.push_back(first + static_cast<std::uint32_t>(random.below(count)));
}

void RoutingTable::addCandidates(const Configuration& configuration)
{
    m_candidates.reserve(configuration.connections.size());
    std::unordered_map<const Provider*, std::size_t> providerOrder;
    for (const Connection& connection : configuration.connections) {
        const Provider* provider = configuration.provider(connection.provider);
        // A connection of a provider that is gone (an endpoint removed by hand) has nowhere to go.
        if (!provider)
            continue;
        providerOrder.try_emplace(provider, providerOrder.size());
        Candidate candidate;
        candidate.connection = &connection;
        candidate.provider = provider;
        candidate.providerClass = configuration.providerClass(connection);
        candidate.perModelQuota = hasPerModelQuota(*provider, connection);
        candidate.secretMissing = connection.secretRef.empty() && provider->auth != AuthHeader::None && !provider->keyOptional;
        candidate.anyModel =
            connection.passthroughModels.value_or(provider->passthroughModels) || (connection.models.empty() && provider->models.empty());
        m_candidates.push_back(candidate);
    }
    const auto standing = [&providerOrder](const Candidate& candidate) {
        return std::tuple(candidate.provider->category == ProviderCategory::Sandbox, candidate.connection->priority,
                          providerOrder[candidate.provider]);
    };
    std::stable_sort(m_candidates.begin(), m_candidates.end(), [&standing](const Candidate& a, const Candidate& b) {
        const auto one = standing(a);
        const auto other = standing(b);
        return one != other ? one < other : a.connection->createdAt < b.connection->createdAt;
    });
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < m_candidates.size(); ++i) {
        if (i > 0 && standing(m_candidates[i - 1]) != standing(m_candidates[i]))
            ++group;
        m_candidates[i].rank = static_cast<std::uint32_t>(i);
        m_candidates[i].group = group;
    }
    // In the order of rank, so that every list is in the order of trying.
    for (const Candidate& candidate : m_candidates) {
        m_connections.try_emplace(candidate.connection->id.str(), &candidate);
        routeOf(*candidate.provider).candidates.push_back(&candidate);
        const auto list = [&](std::string_view model) {
            CandidateList& members = m_models[model];
            if (members.empty() || members.back() != &candidate)
                members.push_back(&candidate);
        };
        for (const std::string& model : candidate.connection->models)
            list(model);
        for (const ModelInfo& model : candidate.provider->models)
            list(model.id);
        if (!candidate.connection->defaultModel.empty())
            list(candidate.connection->defaultModel);
    }
}

ProviderRoute& RoutingTable::routeOf(const Provider& provider)
{
    ProviderRoute*& route = m_routeById[provider.id.str()];
    if (!route) {
        m_routes.push_back({&provider, {}});
        route = &m_routes.back();
    }
    return *route;
}

void RoutingTable::addProviderName(std::string_view name, ProviderRoute& route)
{
    if (!name.empty())
        m_providerNames.try_emplace(toLower(name), &route);
}

void RoutingTable::addProviders(const Configuration& configuration)
{
    // What the user named goes before what the catalogue calls so (spec 3-routing §2).
    for (const ProviderNode& node : configuration.nodes) {
        const Provider* provider = configuration.provider(node.id);
        if (!provider)
            continue;
        addProviderName(node.prefix, routeOf(*provider));
        addProviderName(node.id.str(), routeOf(*provider));
    }
    if (!configuration.catalogue)
        return;
    for (const Provider& provider : configuration.catalogue->all())
        addProviderName(provider.id.str(), routeOf(provider));
    for (const Provider& provider : configuration.catalogue->all())
        addProviderName(provider.alias, routeOf(provider));
}

const NamedRoute* RoutingTable::named(std::string_view name) const
{
    const auto found = m_named.find(name);
    return found == m_named.end() ? nullptr : &found->second;
}

const ProviderRoute* RoutingTable::provider(std::string_view name) const
{
    auto found = m_providerNames.find(name);
    if (found == m_providerNames.end() && std::any_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
        found = m_providerNames.find(toLower(name));
    return found == m_providerNames.end() ? nullptr : found->second;
}

const ProviderRoute* RoutingTable::providerById(const ProviderId& id) const
{
    const auto found = m_routeById.find(id.str());
    return found == m_routeById.end() ? nullptr : found->second;
}

const CandidateList* RoutingTable::model(std::string_view name) const
{
    const auto found = m_models.find(name);
    return found == m_models.end() ? nullptr : &found->second;
}

bool RoutingTable::offers(const Candidate& candidate, const CandidateList* modelRoute)
{
    if (candidate.anyModel)
        return true;
    if (!modelRoute)
        return false;
    const auto at = std::lower_bound(modelRoute->begin(), modelRoute->end(), candidate.rank,
                                     [](const Candidate* listed, std::uint32_t rank) { return listed->rank < rank; });
    return at != modelRoute->end() && *at == &candidate;
}

const Candidate* RoutingTable::connection(const ConnectionId& id) const
{
    const auto found = m_connections.find(id.str());
    return found == m_connections.end() ? nullptr : found->second;
}

std::size_t RoutingTable::groupEnd(const CandidateList& list, std::size_t begin)
{
    const auto from = list.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto end = std::upper_bound(from, list.end(), list[begin]->group,
                                      [](std::uint32_t group, const Candidate* candidate) { return group < candidate->group; });
    return static_cast<std::size_t>(end - list.begin());
}

std::size_t RoutingTable::resume(const CandidateList& list, std::size_t begin, std::size_t end) const
{
    const auto from = list.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = list.begin() + static_cast<std::ptrdiff_t>(end);
    const auto next = std::upper_bound(from, to, m_lastUsed[list[begin]->group],
                                       [](std::uint32_t last, const Candidate* candidate) { return last < candidate->rank; });
    return next == to ? begin : static_cast<std::size_t>(next - list.begin());
}

void RoutingTable::forEachName(const std::function<void(std::string_view)>& call) const
{
    for (const auto& [name, route] : m_named)
        call(name);
}

void RoutingTable::forEachProviderName(const std::function<void(std::string_view)>& call) const
{
    for (const auto& [name, route] : m_providerNames)
        call(name);
}

void RoutingTable::forEachModel(const std::function<void(std::string_view)>& call) const
{
    for (const auto& [name, route] : m_models)
        call(name);
}

std::vector<std::string_view> RoutingTable::offeredModels(const Candidate& candidate)
{
    std::vector<std::string_view> models(candidate.connection->models.begin(), candidate.connection->models.end());
    if (models.empty()) {
        for (const ModelInfo& model : candidate.provider->models)
            models.push_back(model.id);
    }
    if (models.empty() && !candidate.connection->defaultModel.empty())
        models.push_back(candidate.connection->defaultModel);
    return models;
}

}  // namespace omni
