#pragma once

#include <vector>

namespace omni {

/// What the core says in fixed English sentences and users get to read: named here for the translators, who do not look into the core. A
/// test compares the list with the core's sources. Shown by `coreText` (ui/models/display_text.h), context "omni::core".
const std::vector<const char*>& coreTexts();

}  // namespace omni
