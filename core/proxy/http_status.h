#pragma once

#include <string_view>

namespace omni {

/// "Too Many Requests" for 429; "Unknown" for numbers without a name.
std::string_view reasonPhrase(int status);

}  // namespace omni
