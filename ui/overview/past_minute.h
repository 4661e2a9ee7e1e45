#pragma once

#include "model/request_record.h"
#include "telemetry/breaker_history.h"

#include <optional>
#include <vector>

namespace omni {

inline constexpr Millis kOneMinute{60'000};
/// A request that began longer before a minute is not looked for in it.
inline constexpr Millis kLongestTry{300'000};

/// The beginning of the minute that `at` lies in.
WallTime minuteOf(WallTime at);

/// What a provider's breaker was at one moment; unset = not known.
std::optional<BreakerState> stateAt(const BreakerHistory& history, const ProviderId& provider, WallTime at);

/// The worst state in [from, to): a breaker that was open for seconds of a minute was open in it. Unset when nothing of that time is known.
std::optional<BreakerState> worstDuring(const BreakerHistory& history, const ProviderId& provider, WallTime from, WallTime to);

/// One thing that happened to a provider within a minute.
struct MinuteEvent {
    WallTime at{};
    ProviderId provider;
    std::optional<BreakerState> became;  ///< set: the breaker changed to this; else an attempt ended
    RequestId request;                   ///< of the attempt
    AttemptRecord attempt;
};

/// How one provider fared in it.
struct ProviderMinute {
    ProviderId provider;
    std::optional<BreakerState> state;  ///< the worst; unset = not known
    int failed = 0;                     ///< attempts
    int answered = 0;
};

struct PastMinute {
    WallTime from{};
    std::vector<ProviderMinute> providers;
    /// Oldest first: changes of breakers, failed attempts, and those that succeeded while the breaker was not CLOSED, since only then a
    /// success moves anything. The newest kMostEvents.
    std::vector<MinuteEvent> events;

    bool whole = true;  ///< false: there were more requests than were looked at

    static constexpr std::size_t kMostEvents = 500;
    int failed() const;
    int answered() const;
};

/// The minute that begins at `from`, for `providers`, in their order. `records` with their attempts, in any order; those that ended at
/// another time do not count.
PastMinute pastMinute(WallTime from, const std::vector<ProviderId>& providers, const BreakerHistory& history,
                      const std::vector<RequestRecord>& records);

}  // namespace omni
