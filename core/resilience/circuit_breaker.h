#pragma once

#include "model/hold.h"
#include "model/provider.h"
#include "model/settings.h"
#include "resilience/instant.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace omni {

/// What one breaker goes by (spec 1-core §1.1).
struct BreakerOptions {
    int failureThreshold = 5;
    int degradationThreshold = 0;  ///< 0 = derived: 60 % of the failure threshold, rounded up
    Millis resetTimeout{30'000};
    int maxBackoffMultiplier = 16;
    int backoffEscalationCount = 3;
    /// Holds by the kind of the last failure, indexed by FailureKind; unset = `resetTimeout` (spec 1-core §1.3).
    std::array<std::optional<Millis>, 3> holdByKind{};

    bool operator==(const BreakerOptions&) const = default;
};

/// ceil(60 %): 1→1, 2→2, 3→2, 5→3, 8→5, 10→6, 12→8 (spec 1-core §1.1).
int derivedDegradationThreshold(int failureThreshold);

/// The options of a class as set, made consistent: except for local servers the degradation threshold stays below the failure threshold
/// (spec 1-core §3.2), and the per-kind holds apply where 429 hints are trusted (§3.4).
BreakerOptions breakerOptions(ProviderClass providerClass, const ResilienceSettings& settings);

/// The circuit breaker of one provider: CLOSED, DEGRADED (serving, watched), OPEN (refusing), HALF_OPEN (one probe at a time). A pure
/// state machine without a timer: `refresh` first, then read. Every mutator answers whether anything changed that an observer would see.
/// Not thread-safe.
class CircuitBreaker {
public:
    explicit CircuitBreaker(const BreakerOptions& options);

    /// Keeps state and counters; holds are measured by the new figures from now on.
    void setOptions(const BreakerOptions& options);
    const BreakerOptions& options() const { return m_options; }

    /// Lets time act (spec 1-core §1.4): OPEN whose hold is over becomes HALF_OPEN, an overdue probe gives up its slot, a DEGRADED that was
    /// quiet long enough becomes CLOSED.
    bool refresh(const Instant& now);
    /// CLOSED without failures: nothing that time or a success could change. The hot path stops here.
    bool pristine() const { return m_state == BreakerState::Closed && m_failureCount == 0; }

    BreakerState state() const { return m_state; }
    int failureCount() const { return m_failureCount; }
    int openCycleCount() const { return m_openCycleCount; }
    std::uint64_t generation() const { return m_generation; }
    std::optional<Instant> lastFailure() const { return m_lastFailure; }
    /// False while OPEN, and while HALF_OPEN with its probe under way.
    bool canExecute() const { return m_state != BreakerState::Open && !(m_state == BreakerState::HalfOpen && m_probeStart); }
    /// 0 when a request may go now. HALF_OPEN with a probe under way: until that probe's deadline.
    Millis retryAfter(const Instant& now) const;
    /// Length of the hold an OPEN state has, escalated by failed probes (spec 1-core §1.5).
    Millis holdLength() const;
    /// Time until `refresh` would change the state by itself; unset when it never would.
    std::optional<Millis> untilChange(const Instant& now) const;

    /// Takes the only probe slot; unset unless HALF_OPEN with a free slot. The number must come back with the result.
    std::optional<std::uint64_t> takeProbe(const Instant& now);
    /// The probe told nothing about the provider (a client fault, an abandoned request): its slot is free again.
    bool releaseProbe(std::uint64_t generation);

    bool recordSuccess(const Instant& now);
    bool recordFailure(std::optional<FailureKind> kind, const Instant& now);
    /// A connection test succeeded: DEGRADED becomes CLOSED.
    bool endDegraded(const Instant& now);
    /// By the operator: CLOSED, everything cleared.
    bool reset(const Instant& now);

    /// Provider and evidence are the caller's.
    BreakerStatus status(const Instant& now) const;
    /// State of an earlier run (spec 1-core §1.11): HALF_OPEN gets its slot back, thresholds are not taken over.
    void restore(const BreakerStatus& status, const Instant& now);

private:
    void transition(BreakerState to, const Instant& now, std::string reason);
    Millis baseHold() const;
    Millis quietWindow() const;
    void clearCounters();
    std::string failuresText() const;

    BreakerOptions m_options;
    BreakerState m_state = BreakerState::Closed;
    int m_failureCount = 0;
    std::optional<Instant> m_lastFailure;
    std::optional<FailureKind> m_lastKind;
    std::array<int, 3> m_kindCounts{};
    int m_openCycleCount = 0;  ///< failed probes since the last CLOSED
    std::optional<MonoTime> m_probeStart;
    std::uint64_t m_generation = 0;
    std::vector<BreakerTransition> m_history;
};

}  // namespace omni
