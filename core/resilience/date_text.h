#pragma once

#include "base/clock.h"

#include <optional>
#include <string_view>

namespace omni {

/// An HTTP date in any of its three forms (RFC 9110 §5.6.7): "Wed, 21 Oct 2026 07:28:00 GMT", "Wednesday, 21-Oct-26 07:28:00 GMT",
/// "Wed Oct 21 07:28:00 2026". The day's name is not checked. `now` settles the century of the second form.
std::optional<WallTime> parseHttpDate(std::string_view text, WallTime now);

/// "YYYY-MM-DD[T or space]HH:MM[:SS][.fff][Z or ±HH:MM]" at the start of `text`; without a zone UTC (spec 0-decisions). What follows it is
/// not looked at.
std::optional<WallTime> parseIsoDate(std::string_view text);

/// "MM-DD HH:MM[:SS]" at the start of `text`: its next occurrence after `now`, UTC (spec 1-core §4.5, T7).
std::optional<WallTime> parseMonthDay(std::string_view text, WallTime now);

}  // namespace omni
