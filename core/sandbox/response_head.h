#pragma once

#include "sandbox/plan.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace omni::sandbox {

/// What a head says besides what the plan says.
struct HeadFacts {
    std::string requestId;
    std::string_view behaviour;  ///< told in X-Sandbox; empty = none was found
    bool anthropic = false;
    bool stream = false;
    bool keepAlive = true;
    Framing framing = Framing::Length;
    std::uint64_t length = 0;  ///< of the body, for Framing::Length
    WallTime now;
};

/// Status line and headers up to the empty line, an interim answer before them when the plan wants one.
std::string responseHead(const Plan& plan, const HeadFacts& facts);
std::string_view reasonPhrase(int status);

}  // namespace omni::sandbox
