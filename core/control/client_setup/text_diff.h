#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace omni::client_setup {

/// One line of what a change does to a text, without its line end.
struct DiffLine {
    enum class Kind : std::uint8_t { Same, Added, Removed, Gap };
    Kind kind = Kind::Same;
    std::string text;  ///< empty for a gap
    int oldLine = 0;   ///< from 1; 0 = not there
    int newLine = 0;

    bool operator==(const DiffLine&) const = default;
};

/// The lines that differ with `context` lines around them; a Gap stands for the equal ones left out. Empty for equal texts.
std::vector<DiffLine> textDiff(std::string_view before, std::string_view after, int context = 3);

}  // namespace omni::client_setup
