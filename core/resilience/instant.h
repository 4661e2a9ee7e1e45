#pragma once

#include "base/clock.h"

#include <algorithm>

namespace omni {

/// One moment on both clocks. Holds are measured between two of them, so that neither a wall clock set back nor a machine that slept can
/// lengthen a hold.
struct Instant {
    WallTime wall{};
    MonoTime mono{};

    static Instant of(const Clock& clock) { return {clock.wall(), clock.mono()}; }

    /// The moment of an earlier run of which only the wall time is known, seen from `now`. One that lies in the future (the wall clock was
    /// set back meanwhile) counts as now: nothing of its hold has passed, and nothing is added to it. Nor does it matter how many years
    /// ago one was.
    static Instant restored(WallTime then, const Instant& now)
    {
        const WallTime wall = std::clamp(then, now.wall - std::chrono::hours(24 * 3650), now.wall);
        return {wall, now.mono - std::chrono::duration_cast<Micros>(now.wall - wall)};
    }
};

/// Time from `then` to `now` by the clock on which more has passed (spec 0-decisions, "clocks"); never negative.
inline Millis elapsed(const Instant& then, const Instant& now)
{
    const Millis byWall = now.wall - then.wall;
    const Millis byMono = std::chrono::floor<Millis>(now.mono - then.mono);
    return std::max({byWall, byMono, Millis(0)});
}

}  // namespace omni
