#pragma once

#include "base/random.h"
#include "model/configuration.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace omni {

/// One connection with all that planning asks about it, worked out once.
struct Candidate {
    const Connection* connection = nullptr;
    const Provider* provider = nullptr;
    ProviderClass providerClass = ProviderClass::ApiKey;
    bool perModelQuota = false;
    bool secretMissing = false;
    bool anyModel = false;    ///< passes on models nobody lists, or its list is not known
    std::uint32_t rank = 0;   ///< place in the order of trying among all connections; sandbox last
    std::uint32_t group = 0;  ///< connections of one provider and one priority
};

/// In the order of trying.
using CandidateList = std::vector<const Candidate*>;

struct ProviderRoute {
    const Provider* provider = nullptr;
    CandidateList candidates;
};

/// What a name stands for besides a model.
struct NamedRoute {
    const Combo* combo = nullptr;
    const ModelAlias* alias = nullptr;
};

/// The look-up tables of one configuration. Everything points into it, so it must outlive the table. Immutable but for the places where
/// round robin goes on. Not thread-safe.
class RoutingTable {
public:
    RoutingTable(const Configuration& configuration, Random& random);
    RoutingTable(const RoutingTable&) = delete;
    RoutingTable& operator=(const RoutingTable&) = delete;

    /// Combo before alias; nullptr for neither. Case counts.
    const NamedRoute* named(std::string_view name) const;
    /// By prefix of a node, id or alias of a provider, any case; nullptr when unknown.
    const ProviderRoute* provider(std::string_view name) const;
    /// By id alone, as combos name it: no prefix can come between. nullptr when unknown.
    const ProviderRoute* providerById(const ProviderId& id) const;
    /// The connections that list a model, themselves or by their provider; nullptr for none.
    const CandidateList* model(std::string_view name) const;
    /// `modelRoute` is what `model` told of the model.
    static bool offers(const Candidate& candidate, const CandidateList* modelRoute);
    const Candidate* connection(const ConnectionId& id) const;

    const std::vector<Candidate>& candidates() const { return m_candidates; }  ///< by rank
    /// The members of `list` from `begin` that share the group of the first.
    static std::size_t groupEnd(const CandidateList& list, std::size_t begin);
    /// Where in [begin, end), one group, round robin goes on.
    std::size_t resume(const CandidateList& list, std::size_t begin, std::size_t end) const;
    void used(const Candidate& candidate) { m_lastUsed[candidate.group] = candidate.rank; }

    void forEachName(const std::function<void(std::string_view)>& call) const;
    void forEachProviderName(const std::function<void(std::string_view)>& call) const;
    void forEachModel(const std::function<void(std::string_view)>& call) const;

    /// What an enabled connection with this candidate's list offers: its own list, else the provider's, else its default.
    static std::vector<std::string_view> offeredModels(const Candidate& candidate);

private:
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };

    void addCandidates(const Configuration& configuration);
    void addProviders(const Configuration& configuration);
    void addProviderName(std::string_view name, ProviderRoute& route);
    ProviderRoute& routeOf(const Provider& provider);

    std::vector<Candidate> m_candidates;
    std::unordered_map<std::string_view, const Candidate*> m_connections;
    std::deque<ProviderRoute> m_routes;
    std::unordered_map<std::string_view, ProviderRoute*> m_routeById;
    std::unordered_map<std::string, ProviderRoute*, TextHash, std::equal_to<>> m_providerNames;  ///< lower case
    std::unordered_map<std::string_view, NamedRoute> m_named;
    std::unordered_map<std::string_view, CandidateList> m_models;
    std::vector<std::uint32_t> m_lastUsed;  ///< rank, by group
};

}  // namespace omni
