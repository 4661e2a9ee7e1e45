#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace omni {

/// The few top-level members of a request body that decide where it goes.
struct RequestScan {
    std::string model;            ///< unescaped; empty when absent
    std::size_t modelAt = 0;      ///< offset of the model's JSON text, quotes included
    std::size_t modelLength = 0;  ///< 0 when absent
    bool stream = false;
};

/// Up to here `scanRequest` is the way; larger bodies are read by LargeRequestScan.
constexpr std::size_t kLargeRequestBytes = 512 * 1024;

/// Reads a body without building it. `capacity` is that of the buffer behind `body`: at least size + 64. InvalidArgument for what is no JSON
/// object, for a model that is no string, and for a member given twice. Any thread; about 0.3 ms per megabyte.
Result<RequestScan> scanRequest(std::string_view body, std::size_t capacity);

/// A JSON string literal, quotes included.
std::string jsonQuoted(std::string_view text);

}  // namespace omni
