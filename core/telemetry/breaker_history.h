#pragma once

#include "base/clock.h"
#include "model/hold.h"

#include <string>
#include <vector>

namespace omni {

/// A breaker's state over a stretch of time.
struct BreakerSpan {
    ProviderId provider;
    BreakerState state = BreakerState::Closed;
    WallTime from{};
    WallTime to{};
    int failureCount = 0;  ///< the highest during it

    bool operator==(const BreakerSpan&) const = default;
};

/// A stretch of time in which the program ran and saw what breakers did.
struct WatchedTime {
    WallTime from{};
    WallTime to{};

    bool operator==(const WatchedTime&) const = default;
};

/// How breakers stood, over restarts of the program. Nothing is known of the time outside `watched`. Within a stretch a provider is CLOSED
/// before its first span that begins in it, and as in its last one after that.
struct BreakerHistory {
    std::vector<WatchedTime> watched;  ///< oldest first, apart from each other
    std::vector<BreakerSpan> spans;    ///< each within one stretch

    /// The stretch that holds `at`; the newest one goes on for ever. Null = nothing is known of then.
    const WatchedTime* watchedAt(WallTime at) const;
    /// What lies after `since`; spans and stretches that reach over it are cut.
    BreakerHistory after(WallTime since) const;
    /// What lies before `until`, cut likewise.
    BreakerHistory before(WallTime until) const;
};

/// For the store.
std::string toJson(const BreakerHistory& history);
/// What `toJson` wrote. What cannot be understood is left out.
BreakerHistory breakerHistoryFromJson(const std::string& text);

}  // namespace omni
