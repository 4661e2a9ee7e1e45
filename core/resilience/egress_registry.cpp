#include "resilience/egress_registry.h"

namespace omni {

void EgressRegistry::note(const Connection& connection, const Instant& now)
{
    Seen& seen = m_seen[connection.id];
    if (seen.address != connection.proxyUrl)
        seen.address = connection.proxyUrl;
    seen.coolingDisabled = connection.disableCooling;
    seen.at = now;
}

std::vector<EgressRegistry::Sibling> EgressRegistry::siblings(const ConnectionId& id, const Instant& now) const
{
    std::vector<Sibling> found;
    const auto own = m_seen.find(id);
    if (own == m_seen.end())
        return found;
    for (const auto& [other, seen] : m_seen) {
        if (other != id && seen.address == own->second.address && elapsed(seen.at, now) <= kLookBack)
            found.push_back({other, seen.coolingDisabled});
    }
    return found;
}

}  // namespace omni
