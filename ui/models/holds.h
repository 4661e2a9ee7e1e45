#pragma once

#include "control/control.h"
#include "model/configuration.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace omni {

enum class HoldKind : std::uint8_t {
    Breaker,     ///< an open breaker holds a provider
    Provider,    ///< the provider cooldown, of a whole provider or of one connection
    Connection,  ///< a connection rests, or is out until someone acts
    Model        ///< one model of a connection is locked
};

/// One thing that is out of service.
struct HoldItem {
    HoldKind kind = HoldKind::Connection;
    Exclusion reason = Exclusion::None;
    ProviderId provider;
    ConnectionId connection;                   ///< empty for a whole provider
    std::string model;                         ///< for Model, as the engine names it
    LockoutScope scope = LockoutScope::Exact;  ///< for Model
    QString title;                             ///< "Groq · old key"
    QString explanation;                       ///< "429, Retry-After: 120"
    QString evidence;                          ///< everything known about it, several lines; where it was asked for
    std::optional<WallTime> until;

    /// Passing holds can be ended by the user at once; the others need the connection mended.
    bool clearable() const { return until.has_value(); }
    /// The same hold, whatever has become of it meanwhile.
    bool sameAs(const HoldItem& other) const;
    bool operator==(const HoldItem&) const = default;
};

/// What is out of service, as far as it is to be shown, and how much there is in all.
struct HoldList {
    std::vector<HoldItem> first;
    std::size_t total = 0;
    std::size_t clearable = 0;
    std::size_t connections = 0;  ///< of the total: connections that are held themselves

    bool operator==(const HoldList&) const = default;
};

enum class HoldFilter : std::uint8_t { All, AllButModels, Models };

/// Open breakers first, then other holds of whole providers, then what ends by itself (soonest first), then what waits for the user.
/// Words are made only for the first `limit`: a thousand resting keys cost no more than a look at each. What adds nothing is left out: the
/// locked models of a connection that is out until someone acts, and the provider cooldown of a connection that rests longer itself.
HoldList listHolds(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now, std::size_t limit,
    HoldFilter filter = HoldFilter::All, bool withEvidence = true);
/// All of them but the models, in the same order and without evidence.
std::vector<HoldItem> holdsOf(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now);
/// What keeps `connection` or models of it from being used, its provider's holds included, with evidence.
std::vector<HoldItem> holdsConcerning(
    const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now, const Connection& connection);

/// "gpt-4o on work key: model resting".
QString whyHeading(const HoldItem& hold);
/// Everything known about `holds`, one after the other.
QString whyText(const std::vector<HoldItem>& holds);
/// "gpt-4o", or "codex models" for the family of a quota.
QString lockedModelText(const ModelLockout& lockout);
/// "gpt-4o: not found, 3 failures, until 14:30".
QString lockoutLine(const ModelLockout& lockout);

}  // namespace omni
