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

/// What a connection's own state and its provider's breaker make of it together at `now`. Own states that need the user come first,
/// then whichever hold ends later. `health` and `breaker` may be null: nothing is known against it.
Standing standingOf(const Connection& connection, const Configuration& configuration, const ConnectionHealth* health,
    const BreakerStatus* breaker, WallTime now);

/// Look-ups into a snapshot at the cost of one pass, for those who ask for every connection. Views into `snapshot`.
class SnapshotIndex {
public:
    explicit SnapshotIndex(const EngineSnapshot& snapshot);
    const ConnectionHealth* health(const ConnectionId& id) const;
    const BreakerStatus* breaker(const ProviderId& id) const;

private:
    std::unordered_map<ConnectionId, const ConnectionHealth*> m_healths;
    std::unordered_map<ProviderId, const BreakerStatus*> m_breakers;
};

/// One thing that is out of service: a provider whose breaker is open, or a connection.
struct HoldItem {
    Exclusion reason = Exclusion::None;
    ProviderId provider;
    ConnectionId connection;  ///< empty for a breaker
    QString title;            ///< "Groq · old key"
    QString explanation;      ///< "429, Retry-After: 120"
    QString evidence;         ///< everything known about it, several lines, for a tooltip; only from listHolds
    std::optional<WallTime> until;

    /// Passing holds can be ended by the user at once; the others need the connection mended.
    bool clearable() const { return until.has_value(); }
    bool operator==(const HoldItem&) const = default;
};

/// What is out of service, as far as it is to be shown, and how much there is in all.
struct HoldList {
    std::vector<HoldItem> first;
    std::size_t total = 0;
    std::size_t clearable = 0;
    std::size_t connections = 0;  ///< of the total; the others are breakers
};

/// Breakers first, then what ends by itself (soonest first), then what waits for the user. Words are made only for the first `limit`:
/// a thousand resting keys cost no more than a look at each.
HoldList listHolds(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now, std::size_t limit);
/// All of them, in the same order.
std::vector<HoldItem> holdsOf(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now);

/// Several lines in words: what was answered, when, what rule matched, what followed.
QString evidenceText(const Evidence& evidence);

}  // namespace omni
