#pragma once

#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni::client_setup {

/// A key and its value as plain text; it is quoted where YAML asks for it.
using YamlPairs = std::vector<std::pair<std::string, std::string>>;

/// The document (one block mapping) with keys of its first level set. Understands what hand-written settings look like; refuses tabs as
/// indentation, a second document, and a key whose value is not on its own line.
Result<std::string> withYamlScalars(std::string_view text, const YamlPairs& pairs);

/// The document with one element of the list `list` set: the one whose `pairs.front()` matches gets the others, else it is put behind the
/// last. A list that is missing, empty or "[]" is made.
Result<std::string> withYamlItem(std::string_view text, const std::string& list, const YamlPairs& pairs);

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
