#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace omni {

/// The names of an enumeration in the order of its values. `Last` ties the table to the enumeration: a value added to one and not to
/// the other does not compile.
template <typename Enum, Enum Last>
struct EnumNames {
    static constexpr std::size_t kCount = static_cast<std::size_t>(Last) + 1;
    std::array<std::string_view, kCount> names;

    template <typename... Text>
    constexpr explicit EnumNames(Text... text) : names{std::string_view(text)...}
    {
        static_assert(sizeof...(Text) == kCount, "one name for each value");
    }

    std::string_view nameOf(Enum value) const
    {
        const auto at = static_cast<std::size_t>(value);
        return at < kCount ? names[at] : std::string_view();
    }

    std::optional<Enum> valueOf(std::string_view name) const
    {
        for (std::size_t i = 0; i < kCount; ++i) {
            if (names[i] == name)
                return static_cast<Enum>(i);
        }
        return std::nullopt;
    }
};

}  // namespace omni
