#pragma once

#include <cstdint>

namespace omni {

/// How often memory was given in this program, on any thread. A program that asks has its operator new counted; a sanitizer, which needs
/// its own, is asked.
std::uint64_t allocationsMade();
/// Bytes given and not yet given back, as the allocator counts them.
std::int64_t allocatedBytes();

}  // namespace omni
