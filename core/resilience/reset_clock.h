#pragma once

#include "base/clock.h"
#include "model/settings.h"

namespace omni {

/// Time to the next daily reset strictly after `now` (spec 1-core §4.10): the operator's hour in the operator's time zone, else the
/// machine's next local midnight. More than 0 and at most 25 h (a day that is an hour longer); 24 h when the zone cannot tell. An hour that
/// the clocks leap over is the moment they do; one they show twice counts the first time.
Millis untilDailyReset(const DailyResetSettings& settings, WallTime now);

}  // namespace omni
