#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace omni {

/// What a scan refuses a request body for; every way of scanning says it in the same words. All InvalidArgument.
Error notAnObject(const std::string& why);
Error givenTwice(std::string_view member);
Error notAString(std::string_view member);
Error notABoolean(std::string_view member);

}  // namespace omni
