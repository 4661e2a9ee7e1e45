#pragma once

#include <cstdint>

namespace omni {

/// What operator new gave in this program, on any thread. A program that asks has its operators counted; under a sanitizer, which needs
/// its own, both figures stay 0.
std::uint64_t allocationsMade();
/// Bytes given and not yet given back, as the allocator rounds them.
std::int64_t allocatedBytes();

}  // namespace omni
