#pragma once

#include "resilience/failure_verdict.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace omni {

/// The first `limit` bytes of what an upstream said, safe to store and show: credentials are taken out before it is cut, so that half of
/// one is not taken for a word. Looks at no more than twice `limit`.
std::string redactedHead(std::string_view text, std::size_t limit);

/// What is kept of a failure with every hold it leads to; `length` of the hold, 0 = until someone acts, or none.
Evidence evidenceOf(const Judgement& judgement, const Failure& failure, Millis length, WallTime now);

}  // namespace omni
