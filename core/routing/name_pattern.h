#pragma once

#include <string_view>

namespace omni {

/// Whether the whole of `name` fits `pattern`, in which "*" stands for anything, "/" included. Case counts, as it does in model names.
bool matchesPattern(std::string_view pattern, std::string_view name);

}  // namespace omni
