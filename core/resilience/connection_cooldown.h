#pragma once

#include "model/hold.h"
#include "model/provider.h"
#include "model/settings.h"
#include "resilience/failure_verdict.h"
#include "resilience/instant.h"
#include "resilience/request_rejected_streak.h"

#include <cstdint>
#include <optional>

namespace omni {

/// Whether a ban also switches the connection off (spec 1-core §8 step 24).
bool shouldDisable(const AutoDisableBanned& setting, ProviderClass providerClass);

/// Runtime state of one connection: its transient cooldown, the level of its ladder, its terminal state, its last error
/// (guide §2, spec 1-core §8). A pure state machine without a timer; every mutator answers whether anything changed that an observer
/// would see. Not thread-safe: the engine serialises all marking.
class ConnectionCooldown {
public:
    explicit ConnectionCooldown(const ConnectionId& id);

    /// The state as of the last `refresh`.
    const ConnectionHealth& health() const { return m_health; }

    /// Lets time act: a cooldown that is over goes (the level stays, spec 0-decisions), and one whose end a wall clock set back would
    /// push away is brought back to its own length.
    bool refresh(const Instant& now);
    bool cooling() const { return m_health.coolingUntil.has_value(); }
    Millis remaining(const Instant& now) const;
    /// The key was refused, and the connection waits for one of its retries.
    bool awaitingKeyRetry() const { return cooling() && m_keyHold; }
    /// Neither held nor marked by any failure: what the hot path asks.
    bool healthy() const { return !m_marked; }
    /// Counts marks, and clearings by people; not those by a success, after which its own stream may still break. A request that was let
    /// go under an earlier number fails or succeeds for a state that is no more.
    std::uint64_t episode() const { return m_episode; }

    /// What a failure does to the connection. `outdated`: the request began before the last mark, so it is part of that episode: it takes
    /// no step on the ladder and ends nothing (the guide's anti-thundering-herd guard, exact). A cooldown never outlives the reset of the
    /// quota that is spent (field-faults H08). `cooldown` of `judgement` is set to what now stands on the connection, `terminal` and
    /// `permanent` to what this failure has made of it: permanent means that it was banned just now.
    bool apply(Judgement& judgement, const Failure& failure, bool coolingDisabled, bool outdated, const Instant& now);
    /// A failed test by the user: notes the error, and nothing else (spec 1-core §1.12).
    bool noteFailedTest(const Judgement& judgement, int status, const Instant& now);

    /// A request succeeded. Terminal states stay; a running cooldown stays when the success is `outdated`.
    bool recordSuccess(bool outdated, const Instant& now);
    /// A test by the user succeeded: everything is cleared, terminal states too.
    bool recordTestSuccess(const Instant& now);
    /// By the operator: ends what is transient.
    bool clearTransient();
    /// Credentials changed: ends everything.
    bool clearAll();
    bool setSecretUnreadable(bool unreadable);
    /// At most once a minute; never worth telling anyone.
    void touch(const Instant& now);

    void restore(const ConnectionHealth& health, const Instant& now);

private:
    void mark(const Judgement& judgement, const Failure& failure, Millis length, const Instant& now);
    void hold(Millis length, const Instant& now);
    void endHold();
    bool giveUp(Judgement& judgement, const Failure& failure, const Instant& now);
    bool refuseKey(Judgement& judgement, const Failure& failure, bool outdated, const Instant& now);
    bool refuseRequest(Judgement& judgement, const Failure& failure, bool coolingDisabled, bool outdated, const Instant& now);
    void clampToReset(Judgement& judgement, const Instant& now);
    void clearErrors();
    void updateMarked();

    ConnectionHealth m_health;
    Instant m_since;
    Millis m_length{0};
    RequestRejectedStreak m_rejections;
    std::optional<Instant> m_quotaKnown;  ///< when the end of a spent quota was last told
    Millis m_quotaReset{0};               ///< and how long it was to then
    int m_keyRefusals = 0;   ///< refusals of the key since the last success, at most one for each hold
    bool m_keyHold = false;  ///< the running cooldown is one of the key's
    bool m_marked = false;
    std::uint64_t m_episode = 0;
};

}  // namespace omni
