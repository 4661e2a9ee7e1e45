#pragma once

#include "model/hold.h"
#include "model/provider.h"
#include "model/settings.h"
#include "resilience/instant.h"
#include "resilience/recent_map.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace omni {

/// The opt-in memory of providers that have just failed (guide "Opt-in global provider cooldown", spec 1-core §7). Asked only while targets
/// are chosen; it neither knows of the breakers nor moves them. In memory only, so a restart begins with nothing. A pure state machine
/// without a timer; what is older than the longest thing that could matter goes when something fails. Not thread-safe.
class ProviderCooldown {
public:
    ProviderCooldown();

    /// Applies to entries there are, too; switched off, all of them are forgotten.
    void applySettings(const ProviderCooldownSettings& settings);

    /// Nothing for a provider without a name or called "unknown". The caller leaves out failures that are part of an episode it has told of
    /// already: each one told counts. `connection` may be empty.
    void recordFailure(const ProviderId& provider, ProviderClass providerClass, const ConnectionId& connection, const Instant& now);
    /// Forgets the provider's failures and those of the connection, cooling ones too. Whether there were any.
    bool recordSuccess(const ProviderId& provider, const ConnectionId& connection);

    struct Cooling {
        Millis remaining{0};
        bool wholeProvider = false;  ///< false: only this connection of it

        bool operator==(const Cooling&) const = default;
    };
    /// The one that ends later, when both cool; the provider's on a tie. One branch while nothing has failed or all is switched off;
    /// never allocates.
    std::optional<Cooling> cooling(const ProviderId& provider, const ConnectionId& connection, const Instant& now) const
    {
        return m_providers.empty() && m_connections.empty() ? std::nullopt : coolingNow(provider, connection, now);
    }

    /// Something has failed lately: only then need anything be asked or told.
    bool any() const { return !m_providers.empty() || !m_connections.empty(); }
    /// All that cool now: by provider, and the whole provider before its connections.
    std::vector<ProviderCooldownStatus> list(const Instant& now) const;
    /// Time until the next one ends; nullopt when none cools.
    std::optional<Millis> nextEnd(const Instant& now) const;

    /// By the operator: the provider's entry and those of its connections. Returns how many there were, cooling or not.
    std::size_t clear(const ProviderId& provider);
    /// The connection was cleared, changed or removed.
    bool clearConnection(const ConnectionId& connection);

private:
    struct ProviderEntry {
        std::deque<Instant> failures;  ///< the latest, as many as the threshold at most; oldest first
        std::optional<Instant> tripped;
        ProviderClass providerClass = ProviderClass::ApiKey;
    };
    struct ConnectionEntry {
        ProviderId provider;
        int failures = 0;
        Instant last;
    };

    const ProviderCooldownWindow& windowOf(ProviderClass providerClass) const;
    Millis retention() const;
    Millis remaining(const ProviderEntry& entry, const Instant& now) const;
    Millis remaining(const ConnectionEntry& entry, const Instant& now) const;
    std::optional<Cooling> coolingNow(const ProviderId& provider, const ConnectionId& connection, const Instant& now) const;
    void sweep(const Instant& now);

    ProviderCooldownSettings m_settings;
    RecentMap<ProviderId, ProviderEntry> m_providers;
    RecentMap<ConnectionId, ConnectionEntry> m_connections;
};

}  // namespace omni
