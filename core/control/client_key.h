#pragma once

#include <string_view>

namespace omni {

/// How the keys begin that this proxy gives to its clients.
inline constexpr std::string_view kClientKeyBegin = "sk-omni-";

}  // namespace omni
