#pragma once

#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omni::client_setup {

/// One key of a TOML document. `value` is TOML ("\"text\"", "true", "{ a = 1 }"); unset = the key goes.
struct TomlSetting {
    std::vector<std::string> table;  ///< empty = before the first table
    std::string key;
    std::optional<std::string> value;
};

/// The document with the keys set: in place where they are, in whichever spelling; else behind the last key of their table, which is made
/// at the end when it is missing. Refuses what is broken, and what has the table in a form that cannot be added to (inline, an array).
Result<std::string> withTomlSettings(std::string_view text, const std::vector<TomlSetting>& settings);

/// The text at the key; unset when there is none.
Result<std::optional<std::string>> tomlText(std::string_view text, const std::vector<std::string>& table, const std::string& key);

/// As a basic string, quotes included.
std::string tomlString(std::string_view text);

}  // namespace omni::client_setup
