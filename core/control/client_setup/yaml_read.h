#pragma once

#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni::client_setup {

/// A key and its value as plain text, without quotes.
using YamlPairs = std::vector<std::pair<std::string, std::string>>;

/// A value of the first level; unset when there is none.
Result<std::optional<std::string>> yamlScalar(std::string_view text, const std::string& key);
/// The value of `key` in the element of `list` that `name` picks.
Result<std::optional<std::string>> yamlItemScalar(std::string_view text, const std::string& list,
                                                  const std::pair<std::string, std::string>& name, const std::string& key);

/// All values of the first level that stand in their line alone.
Result<YamlPairs> yamlScalars(std::string_view text);
/// The elements of a list, each with those of its values that stand in their line alone. Empty when there is no such list.
Result<std::vector<YamlPairs>> yamlItems(std::string_view text, const std::string& list);
/// The texts of a list, or the one text that stands in its place.
Result<std::vector<std::string>> yamlTexts(std::string_view text, const std::string& list);

}  // namespace omni::client_setup
