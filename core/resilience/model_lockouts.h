#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "model/hold.h"
#include "model/settings.h"
#include "resilience/instant.h"
#include "resilience/lockout_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omni {

/// "codex:c1:codex", "openai:c1:exact:gpt-4o": how the guide §3 writes the key of a lock.
std::string lockoutKey(const ModelLockout& lockout);

/// Whether a combo may wait for a lock with this reason to end (spec 1-core §6.3).
bool isTransientLockout(FailureReason reason);

/// The `FailureEvent::exactLength` for a wait that an upstream asked for (spec 1-core §6.3): the wait when it is longer than the base
/// cooldown, else 0 for the ladder, or the base where locks do not climb.
Millis lockLengthFromHint(Millis hint, const ModelLockoutSettings& settings);

/// Models that are out of routing for a while, by provider, connection and model (guide §3, spec 1-core §6), and the failures that count
/// towards the next lock. In memory only: a restart forgets them. A pure registry without a timer: locks end when time is looked at.
/// A wall clock set back lengthens no lock. Whether a failure is one of a model at all is for the caller to judge. Not thread-safe.
///
/// A lock is known by provider, connection, scope and model. At most `LockoutTable::kCapacity` records are kept, about 20 MB; for want of
/// room counts without a lock leave first, then the lock that ends first.
class ModelLockouts {
public:
    /// Longer names come from no catalogue; they are never locked.
    static constexpr std::size_t kLongestModelName = 512;

    /// A failure of one model.
    struct FailureEvent {
        const ProviderId& provider;  ///< id or alias
        const ConnectionId& connection;
        std::string_view model;  ///< as it was sent
        int status = 0;          ///< HTTP status, 0 = no answer
        FailureReason reason = FailureReason::Unknown;
        Millis fallbackBase{0};  ///< foot of the ladder; 0 = the setting's
        /// What the evidence itself says. 0 = the ladder, whatever the reason; unset = `untilDailyReset` for a used-up quota, else the
        /// ladder.
        std::optional<Millis> exactLength = std::nullopt;
        bool authoritative = false;  ///< a header or typed RetryInfo said so: may exceed `maxCooldown` (spec 0-decisions)
        std::optional<Millis> untilDailyReset = std::nullopt;  ///< spec 1-core §6.4
        Millis escalationWindow{1'800'000};  ///< the reset time of the provider's breaker; 30 min for one without a profile
        std::optional<LockoutScope> scope = std::nullopt;  ///< wins over the one that status and reason stand for
        /// `episode()` when the request was let go. One that began before the last failure under its key, as long as
        /// that counts, tells nothing new: it takes no step on the ladder, and only an exact length can prolong the lock. Unset = counts.
        std::optional<std::uint64_t> asOf = std::nullopt;
        std::optional<Evidence> evidence = std::nullopt;  ///< kept with the lock, its length set
    };

    /// What the hot path asks for.
    struct Active {
        FailureReason reason = FailureReason::Unknown;
        LockoutScope scope = LockoutScope::Exact;
        int failureCount = 0;
        WallTime until{};
        Millis remaining{0};  ///< at least 1 ms while locked
    };

    /// What a success did.
    struct Decayed {
        bool cleared = false;  ///< a count has come to 0
        int failureCount = 0;  ///< the highest one left
        std::vector<ModelLockout> changed;
        std::vector<ModelLockout> ended;
    };

    /// Later locks are made by these; running ones stay as they are. A `maxCooldown` of 0 caps nothing.
    void applySettings(const ModelLockoutSettings& settings) { m_settings = settings; }

    /// No lock at all: then nothing else need be asked.
    bool empty() const { return m_table.lockCount() == 0; }
    /// Whether `find` can answer yes for any model of the connection; asks for no time.
    bool concerns(const ConnectionId& connection) const { return !empty() && m_table.of(connection) != nullptr; }
    /// The lock that ends last of the three that may concern the model. Allocates nothing; about 0.3 µs among 10,000 locks.
    std::optional<Active> find(const ProviderId& provider, const ConnectionId& connection, std::string_view model,
                               const Instant& now) const;
    /// The same with everything known of it.
    std::optional<ModelLockout> describe(const ProviderId& provider, const ConnectionId& connection, std::string_view model,
                                         const Instant& now) const;

    /// Counts the failure and locks; a shorter lock never replaces a longer one that is running. Answers with the lock that stands under
    /// the key now; nullopt when none does, as without a provider, connection or model, or for a failure that tells nothing new.
    std::optional<ModelLockout> recordFailure(const FailureEvent& event, const Instant& now);
    /// Halves the failures counted under each of the three keys; at 0 count and lock go (spec 0-decisions, "success-decay"). Keys that
    /// failed after `asOf`, the `episode()` when the request was let go, stay: its success is older news.
    Decayed decayOnSuccess(const ProviderId& provider, const ConnectionId& connection, std::string_view model, const Instant& now,
                           std::optional<std::uint64_t> asOf = std::nullopt);
    /// Grows with each failure that is recorded.
    std::uint64_t episode() const { return m_episode; }

    /// By the operator: ends locks and counts under all three keys, on every connection for an empty one. `model` may be the name of a
    /// family or "exact:<model>" as well. Returns the locks that ended by it.
    std::vector<ModelLockout> clear(const ProviderId& provider, const ConnectionId& connection, std::string_view model, const Instant& now);
    std::vector<ModelLockout> clearConnection(const ConnectionId& connection, const Instant& now);
    std::vector<ModelLockout> clearAll(const Instant& now);
    /// The connection exists no more: nothing of it is told any more either.
    void forgetConnection(const ConnectionId& connection);

    /// Running locks by provider, connection, model and scope; of all connections for an empty one.
    std::vector<ModelLockout> list(const Instant& now, const ConnectionId& onlyConnection = {}) const;
    /// How long until the first lock is over; 0 = one is, and `takeExpired` tells which. nullopt without locks.
    std::optional<Millis> nextEnd(const Instant& now) const { return m_table.nextEnd(now); }
    /// Locks that ended by themselves or for want of room since the last call, without evidence. Cheap when there are none.
    std::vector<ModelLockout> takeExpired(const Instant& now);
    /// Forgets counts that count no longer and ends locks that are over, at most every 15 s.
    void sweep(const Instant& now);

    /// Records kept, counts without a lock included.
    std::size_t size() const { return m_table.size(); }

private:
    const LockoutRecord* longest(const ProviderId& provider, const ConnectionId& connection, std::string_view model,
                                 const Instant& now) const;
    void lock(LockoutRecord& record, const FailureEvent& event, Millis length, int count, const Instant& now);
    void makeRoom(const Instant& now);
    void endOver(const Instant& now);
    void noteEnded(const LockoutRecord& record, const Instant& now);
    std::vector<ModelLockout> drop(const std::vector<LockoutRecord*>& records, const Instant& now);

    ModelLockoutSettings m_settings;
    LockoutTable m_table;
    std::vector<ModelLockout> m_ended;
    std::uint64_t m_episode = 0;
    MonoTime m_lastSweep{};
};

}  // namespace omni
