#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omni::client_setup {

/// One value of a JSON document and the names that lead to it.
struct JsonSetting {
    std::vector<std::string> path;
    nlohmann::ordered_json value;
};

/// The document with the values set; objects on the way are made. Comments and trailing commas are read as VS Code reads them, and stay;
/// new lines follow the indentation around them. An empty text is an empty object. Refuses what is broken, and what has something else
/// than an object on the way.
Result<std::string> withJsonSettings(std::string_view text, const std::vector<JsonSetting>& settings);

/// The text at the path; unset when there is none.
Result<std::optional<std::string>> jsonText(std::string_view text, const std::vector<std::string>& path);

}  // namespace omni::client_setup
