#pragma once

// A sanitizer keeps its own count of memory and makes everything slower, as does code that is not optimised.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OMNI_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OMNI_SANITIZED 1
#endif
#endif
#ifndef OMNI_SANITIZED
#define OMNI_SANITIZED 0
#endif

namespace omni {

/// Whether times and counts of allocations can be judged in this build.
#if defined(__OPTIMIZE__) && !OMNI_SANITIZED
constexpr bool kMeasured = true;
#else
constexpr bool kMeasured = false;
#endif

}  // namespace omni
