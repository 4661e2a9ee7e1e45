#pragma once

#include "control/client_setup/yaml_read.h"

#include <string>
#include <string_view>

namespace omni::client_setup {

/// The document (one block mapping) with keys of its first level set. Understands what hand-written settings look like; refuses tabs as
/// indentation, a second document, and a key whose value is not on its own line.
Result<std::string> withYamlScalars(std::string_view text, const YamlPairs& pairs);

/// The document with one element of the list `list` set: the one whose `pairs.front()` matches gets the others, else it is put behind the
/// last. A list that is missing, empty or "[]" is made.
Result<std::string> withYamlItem(std::string_view text, const std::string& list, const YamlPairs& pairs);

}  // namespace omni::client_setup
