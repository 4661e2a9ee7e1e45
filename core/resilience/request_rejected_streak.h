#pragma once

#include "base/clock.h"
#include "resilience/instant.h"

#include <cstdint>

namespace omni {

/// How often in a row an upstream has turned requests of one connection away without a reason that names the account (guide §2,
/// spec 1-core §8.3): the first two cool it for 60 s and 300 s, the third bans it (spec 0-decisions). In memory only.
class RequestRejectedStreak {
public:
    enum class Step : std::uint8_t {
        SameEpisode,  ///< the cooldown of the last one runs, so nothing was counted
        Cool,         ///< for `length()`
        Ban           ///< the third; nothing is left of the streak
    };

    /// One more. It goes on with the last when that is less than 24 h ago, and begins anew otherwise.
    Step refuse(const Instant& now);

    /// What the last counted one asks for.
    Millis length() const { return m_length; }
    int count() const { return m_count; }

    /// After a restart one earlier refusal counts, unless it is 24 h old. `running` is what is left of its cooldown, 0 when it is over.
    void seed(const Instant& refusedAt, Millis running, const Instant& now);
    void clear();

private:
    int m_count = 0;
    Instant m_last;      ///< when the last one came
    Instant m_held;      ///< from when on its cooldown runs
    Millis m_length{0};  ///< of that cooldown
};

}  // namespace omni
