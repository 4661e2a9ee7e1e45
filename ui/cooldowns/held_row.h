#pragma once

#include "control/control.h"
#include "model/configuration.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace omni {

/// One line of the Cooldown Manager: a provider that is left out as a whole, a connection that is out or has models that rest, or one of
/// those models. Lines of models follow that of their connection.
struct HeldRow {
    enum class Kind : std::uint8_t { Provider, Connection, Model };

    std::string key;  ///< the same for the same hold, whatever has become of it meanwhile
    Kind kind = Kind::Connection;
    ProviderId provider;
    ConnectionId connection;                   ///< empty for a provider
    std::string model;                         ///< for Model, as the engine names it
    LockoutScope scope = LockoutScope::Exact;  ///< for Model
    Exclusion state = Exclusion::None;         ///< None: the connection serves, but for some of its models
    std::optional<WallTime> since;
    std::optional<WallTime> until;  ///< unset = serves, or is out until someone acts
    FailureReason reason = FailureReason::Unknown;
    int status = 0;       ///< HTTP status of the last error, 0 = there was no answer, or no error
    int level = 0;        ///< steps climbed on the ladder; failures that count for a model; how often in a row a breaker opened
    bool failed = false;  ///< there is a last error
    std::string lastError;
    int lockCount = 0;  ///< of a connection: models that rest
    bool folded = false;
    QString providerName;
    QString name;                         ///< of the connection, the model, or the connections a provider's hold concerns
    std::optional<ProviderClass> access;  ///< unset for a provider

    bool operator==(const HeldRow&) const = default;

    /// Ends by itself, and at once when the user wants it.
    bool passing() const { return kind == Kind::Model || until.has_value() || lockCount > 0; }
    /// Only something that is mended elsewhere ends it.
    bool lasting() const { return state != Exclusion::None && !until; }
};

/// A line with the models beneath it.
struct HeldGroup {
    HeldRow head;
    std::vector<HeldRow> locks;

    bool operator==(const HeldGroup&) const = default;
};

/// All that is out of routing at `now`, as connections: those that are switched off are left out, and so are the locked models of a
/// connection that is out until someone acts. In no particular order.
std::vector<HeldGroup> gatherHeld(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now);
/// The line of one locked model.
HeldRow heldRowOf(const ModelLockout& lockout, const QString& providerName);
/// How many providers and connections are out at `now`, those that merely have models at rest not counted; what the rail shows.
int countHeld(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now);

/// What ends a state that does not pass by itself, in a few words: "needs a new key".
QString remedyText(Exclusion state);
/// "daily quota", "rate limit", "no key"; for a connection in service how many models rest.
QString heldReasonText(const HeldRow& row);

}  // namespace omni
