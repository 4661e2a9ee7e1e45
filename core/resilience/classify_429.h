#pragma once

#include "model/hold.h"
#include "resilience/error_body.h"
#include "resilience/markers.h"
#include "resilience/retry_hints.h"

#include <optional>

namespace omni {

/// The kind of failure a breaker is told (spec 1-core §5): anything but a 429 is transient; a 429 is a spent quota when its body says so
/// and does not offer a retry within the hour, or says it in words no offer outweighs.
FailureKind classify429(int status, const MarkerSet& markers, const ErrorBody& body, const std::optional<ProseHint>& prose);

/// A quota wording of §5.1, the bare {"error": "usage limit reached"} included.
bool namesQuota(const MarkerSet& markers, const ErrorBody& body);

}  // namespace omni
