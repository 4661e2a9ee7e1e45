#pragma once

#include "base/clock.h"
#include "model/hold.h"
#include "resilience/error_body.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni {

using HeaderFields = std::vector<std::pair<std::string, std::string>>;

/// How long an upstream asks to be left alone, and where it said so (spec 1-core §4.5).
struct RetryHint {
    Millis wait{0};  ///< 0 = at once
    HintSource source = HintSource::None;
    std::string header;        ///< "Retry-After: 120", when a header said it
    bool windowReset = false;  ///< the end of a quota window, not a mere wish: no hold needs to outlast it (field-faults H08)
};

/// The value of the first header of that name (lower case), or nullptr.
const std::string* findHeader(const HeaderFields* headers, std::string_view name);

/// Seconds as integer or decimal ("1.5" → 1,500 ms), "60s", "5m", "2h", or a date; a past date is 0. Negative, not finite, absurd (more
/// than 30 days) and anything else count as absent (spec 0-decisions).
std::optional<Millis> parseRetryAfter(std::string_view value, WallTime now);

/// The leading integer of X-RateLimit-Reset: above 10^10 epoch milliseconds, from 10^9 epoch seconds, below that seconds from now
/// (field-faults F07). Past or absurd counts as absent.
std::optional<Millis> parseResetHeader(std::string_view value, WallTime now);

/// "33s", "1500ms", "2m", "1h30m", "26.66s"; a bare number is seconds. Rounded up, not capped; absent for anything else.
std::optional<Millis> parseDuration(std::string_view text);

/// A wait that stands in prose.
struct ProseHint {
    Millis wait{0};
    bool shortTerm = false;  ///< T1: "please retry in …"
};

/// T1–T7: the first wording in `text` that names a wait above 0, capped at 24 h (T1) or 30 days. Linear in the text.
std::optional<ProseHint> parseProse(std::string_view text, WallTime now);

/// The hint of an answer: headers, then typed and JSON fields, then prose. The first above 0 wins; a 0 only when there is nothing else.
std::optional<RetryHint> retryHint(const HeaderFields* headers, const ErrorBody& body, const std::optional<ProseHint>& prose, WallTime now);

/// The wait a body states for this one request (RetryInfo or "please retry in"), for telling a rate limit from a spent quota (§5).
std::optional<Millis> declaredWindow(const ErrorBody& body, const std::optional<ProseHint>& prose);

}  // namespace omni
