#pragma once

#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni::client_setup {

/// A .env file with the variables set: in place where they are ("export" and comments stay), else at the end. Refuses a quoted value that
/// has no end, and a line that sets nothing.
Result<std::string> withVariables(std::string_view text, const std::vector<std::pair<std::string, std::string>>& variables);

/// Unset when the file does not set it.
Result<std::optional<std::string>> variableOf(std::string_view text, const std::string& name);

}  // namespace omni::client_setup
