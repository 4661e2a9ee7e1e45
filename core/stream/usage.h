#pragma once

#include <cstdint>

namespace omni {

/// Tokens as the upstream last told them; -1 = not told. `input` includes what was read from or written to a cache.
struct TokenUsage {
    std::int64_t input = -1;
    std::int64_t output = -1;
    std::int64_t cached = -1;
};

}  // namespace omni
