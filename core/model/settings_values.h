#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace omni {

/// A whole number within 64 bits; 30000.0 counts as one, since JSON knows one kind of number only.
std::optional<std::int64_t> wholeNumber(const nlohmann::json& value);

/// As loading reads a number (spec 1-core §3.1): also from text, fractions cut. Outside of the range the nearer bound.
std::optional<std::int64_t> lenientNumber(const nlohmann::json& value, std::int64_t minimum, std::int64_t maximum);

/// "must be a whole number from 1 to 64".
std::string rangeText(std::int64_t minimum, std::int64_t maximum);

/// Characters of a UTF-8 text, not bytes: what a user counts.
std::size_t characterCount(std::string_view utf8);

}  // namespace omni
