#pragma once

#include "control/control.h"
#include "model/configuration.h"

#include <QString>

#include <optional>
#include <unordered_map>
#include <vector>

namespace omni {

/// Whether a connection can be used now, and if not, why and until when.
struct Standing {
    Exclusion reason = Exclusion::None;
    std::optional<WallTime> since;
    std::optional<WallTime> until;  ///< unset = until someone acts

    bool operator==(const Standing&) const = default;
};

/// What a connection's own state, its provider's breaker and the provider cooldown make of it together at `now`. Own states that need the
/// user come first, then whichever hold ends later; the provider cooldown, which keeps combos away only, counts where nothing else holds.
/// `health`, `breaker` and `cooling` may be null: nothing is known against it.
Standing standingOf(const Connection& connection, const Configuration& configuration, const ConnectionHealth* health,
    const BreakerStatus* breaker, WallTime now, const ProviderCooldownStatus* cooling = nullptr);

/// The connection rests because its key was refused: the key is tried again when the rest is over.
bool awaitsKeyRetry(const ConnectionHealth& health);

/// Look-ups into a snapshot at the cost of one pass, for those who ask for every connection. Views into `snapshot`.
class SnapshotIndex {
public:
    explicit SnapshotIndex(const EngineSnapshot& snapshot);
    const ConnectionHealth* health(const ConnectionId& id) const;
    const BreakerStatus* breaker(const ProviderId& id) const;
    /// Of the provider as a whole or of the connection, whichever ends later.
    const ProviderCooldownStatus* cooling(const ProviderId& provider, const ConnectionId& connection) const;
    /// The connection's locked models, in the snapshot's order.
    const std::vector<const ModelLockout*>& lockouts(const ConnectionId& connection) const;

private:
    std::unordered_map<ConnectionId, const ConnectionHealth*> m_healths;
    std::unordered_map<ProviderId, const BreakerStatus*> m_breakers;
    std::unordered_map<ProviderId, const ProviderCooldownStatus*> m_coolingProviders;
    std::unordered_map<ConnectionId, const ProviderCooldownStatus*> m_coolingConnections;
    std::unordered_map<ConnectionId, std::vector<const ModelLockout*>> m_lockouts;
};

/// Several lines in words: what was answered, when, what rule matched, what followed.
QString evidenceText(const Evidence& evidence);

}  // namespace omni
