#include "model/settings_values.h"

#include "base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace omni {

using Json = nlohmann::json;

std::optional<std::int64_t> wholeNumber(const Json& value)
{
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(INT64_MAX))
            return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (value.is_number_float()) {
        const double number = value.get<double>();
        if (std::isfinite(number) && std::trunc(number) == number && std::abs(number) < 9e15)
            return static_cast<std::int64_t>(number);
    }
    return std::nullopt;
}

std::optional<std::int64_t> lenientNumber(const Json& value, std::int64_t minimum, std::int64_t maximum)
{
    double number = 0;
    if (value.is_number()) {
        number = value.get<double>();
    } else if (value.is_string()) {
        const std::string_view text = trimmed(value.get_ref<const std::string&>());
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || stop != text.data() + text.size())
            return std::nullopt;
    } else {
        return std::nullopt;
    }
    if (!std::isfinite(number))
        return std::nullopt;
    // Within the range a double holds every whole number exactly, and outside it only the side counts.
    if (number <= static_cast<double>(minimum))
        return minimum;
    if (number >= static_cast<double>(maximum))
        return maximum;
    return static_cast<std::int64_t>(std::trunc(number));
}

std::string rangeText(std::int64_t minimum, std::int64_t maximum)
{
    return "must be a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum);
}

std::size_t characterCount(std::string_view utf8)
{
    const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), starts));
}

}  // namespace omni
