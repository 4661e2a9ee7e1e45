#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "model/connection.h"
#include "model/hold.h"
#include "model/settings.h"
#include "model/transport_failure.h"
#include "resilience/instant.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni {

/// What the engine must know of a target. Views into things the caller keeps alive during the call.
struct EngineTarget {
    const ProviderId& provider;
    ProviderClass providerClass;
    const Connection& connection;
    std::string_view model;
    bool perModelQuota = false;  ///< quota is counted by model (`hasPerModelQuota`): a 402 or 403 need not mean the account
    bool ofCombo = false;        ///< the opt-in provider cooldown is asked for combos only (guide §1)
};

/// What came back. `headers` names are lower case; `body` is at most the first 64 KiB, decoded.
struct Failure {
    int status = 0;  ///< 0 = no HTTP answer: see `transport`. An error inside a 200 carries the status its type stands for
    TransportFailure transport = TransportFailure::None;
    const std::vector<std::pair<std::string, std::string>>* headers = nullptr;
    std::string_view body;
    RequestId request;
    bool afterCommit = false;  ///< the answer had begun to reach the client, and `recordSuccess` was told so
    bool insideOk = false;     ///< the answer came with status 200 and told of the error in its body: its status is never restated
};

/// What a failure means, and what the router should do (spec 1-core §4).
struct Verdict {
    bool tryNextTarget = true;  ///< false: the request itself is at fault, the answer goes to the client
    FailureReason reason = FailureReason::Unknown;
    Millis cooldown{0};                ///< what now stands on the connection, or on the model where that alone is held; 0 = nothing
    bool modelLocked = false;          ///< `cooldown` is the model's: other models of the connection stay in use
    bool providerLacksModel = false;   ///< no other account of the provider serves the model either
    bool contextOverflow = false;      ///< only a model with a larger window can answer (field-faults H20)
    int status = 0;                    ///< of the answer, restated where the upstream's says something else than it means (guide §7)
    std::optional<Millis> retryAfter;  ///< what the upstream asked for, whether or not it was obeyed
    HintSource hintSource = HintSource::None;
    bool countsOnBreaker = false;
    TerminalState terminal = TerminalState::None;
    std::string rule;  ///< in words, for traces and evidence
    std::optional<std::size_t> ownRule;  ///< which of `ResilienceSettings::providerErrorRules` decided, where one of them did
};

/// A yes, or a typed no with its end.
struct Eligibility {
    Exclusion reason = Exclusion::None;
    WallTime until{};     ///< meaningless for None and for states without end
    Millis remaining{0};  ///< 0 = no known end

    explicit operator bool() const { return reason == Exclusion::None; }
};

/// The right to try one target. Holds the breaker's probe slot when there is one; give it back by one of the `record…` calls. A success
/// told when the answer is committed may be followed by a failure `afterCommit`.
struct Permit {
    bool granted = false;
    Eligibility refused;  ///< why, when not granted
    bool probe = false;
    std::uint64_t probeGeneration = 0;
    std::uint64_t episode = 0;  ///< of the connection's marks: tells the failures of one episode from those of the next
    std::uint64_t lockoutEpisode = 0;  ///< the same of the models' locks
};

/// Told of facts; implemented by whoever persists and shows them. Called in the engine's thread, after the change.
class EngineObserver {
public:
    virtual ~EngineObserver() = default;
    virtual void breakerChanged(const BreakerStatus& breaker) = 0;
    virtual void breakerRemoved(const ProviderId& provider) = 0;
    virtual void connectionChanged(const ConnectionHealth& health) = 0;
    /// A model was locked, or its lock changed; `remaining` 0 = it is over.
    virtual void lockoutChanged(const ModelLockout& lockout) = 0;
    /// What the opt-in provider cooldown holds has changed.
    virtual void providerCooldownsChanged() = 0;
    /// The connection was banned, and the settings want it switched off (spec 1-core §8 step 24).
    virtual void disableWanted(const ConnectionId& id) = 0;
};

/// The one door to the resilience policies: asked before each attempt, told of each outcome. Core thread only; no I/O, no timers.
/// Time and chance come from outside, so that a test replays a day in a millisecond.
class Engine {
public:
    Engine(const Clock& clock, Random& random, EngineObserver& observer);
    ~Engine();

    void applySettings(const ResilienceSettings& settings);
    /// State of an earlier run; deadlines already past are dropped, and holds that would end later than their own length allow
    /// (a wall clock set back) are shortened to it.
    void restore(const std::vector<BreakerStatus>& breakers, const std::vector<ConnectionHealth>& healths);
    /// Connections that exist no more lose their state.
    void forgetConnection(const ConnectionId& id);

    /// No side effect but the lazy refresh. At most 1 µs, without allocation when the answer is yes.
    Eligibility eligible(const EngineTarget& target);
    /// A refusal stays what it is for as long as `revision` does and its own end is not reached.
    struct Standing {
        std::uint64_t revision = 0;
        Instant at;
    };
    Standing standing() const;
    /// `eligible`, and takes the breaker's probe slot when it is half-open.
    Permit acquire(const EngineTarget& target);

    void recordSuccess(const EngineTarget& target, const Permit& permit);
    /// Judges, holds what must be held, and says what to do next.
    Verdict recordFailure(const EngineTarget& target, const Permit& permit, const Failure& failure);
    /// The client left, or our own queue refused: nobody's failure. Gives the probe slot back.
    void recordAbandoned(const EngineTarget& target, const Permit& permit);
    /// A test by the user, isolated: success closes a DEGRADED breaker and clears cooldown, errors and terminal state (spec 1-core §8.2);
    /// failure only notes lastError.
    void recordTest(const EngineTarget& target, const std::optional<Failure>& failure);
    void noteSecretUnreadable(const ConnectionId& id, bool unreadable);

    struct Cleared {
        int cleared = 0;
        int unchanged = 0;
        int skippedTerminal = 0;
        int lockoutsCleared = 0;
    };
    /// Operator: ends transient cooldowns and puts the ladder back to its foot, and ends the locks of the connections' models; terminal
    /// states stay. No ids, nothing cleared.
    Cleared clearCooldowns(const std::vector<ConnectionId>& ids);
    /// Credentials changed, or a user enabled the connection anew: also ends terminal states.
    void credentialChanged(const ConnectionId& id);
    /// Also ends provider cooldowns. Returns how many breakers were not CLOSED.
    int resetBreakers(const ProviderId& onlyProvider = {});

    /// Operator: ends the locks of a model on one connection, or on all of its provider's for an empty id. `model` as `lockouts` tells it or
    /// as a client spells it. Returns how many ended.
    int clearLockouts(const ProviderId& provider, const ConnectionId& connection, std::string_view model);
    int clearAllLockouts();
    /// Operator: ends what holds whole providers without their breakers, and the window gate's memory. Returns how many entries cooled.
    int clearProviderCooldowns(const ProviderId& onlyProvider = {});

    /// Lets time act on everything that is held; observers are told of what is over.
    void refresh();
    BreakerStatus breaker(const ProviderId& provider);
    std::vector<BreakerStatus> breakers();
    ConnectionHealth health(const ConnectionId& id);
    std::vector<ConnectionHealth> healths();
    /// Models that are locked now, by provider, connection and model.
    std::vector<ModelLockout> lockouts();
    /// What the opt-in provider cooldown and the operator's rules hold now.
    std::vector<ProviderCooldownStatus> providerCooldowns() const;
    /// The earliest time at which a lazy read would show something else (a hold ends), for countdowns and re-evaluation; max() = none.
    WallTime nextChange() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
