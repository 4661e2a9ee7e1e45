#pragma once

#include <QString>

#include <string>
#include <vector>

namespace omni {

/// The rule that matched, as evidence tells it, in the user's language: parts that are known are translated, the others stay as they are.
///   "HTTP 429: rate limit; step 2 of the ladder"
QString ruleText(const std::string& english);

/// The parts that hold neither names nor numbers; those that do are among corePatterns(). Kept in step with the engine's sources by
/// tests/gui/core_patterns_test.
const std::vector<const char*>& ruleTexts();

}  // namespace omni
