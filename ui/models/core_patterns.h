#pragma once

#include <QString>

#include <vector>

namespace omni {

/// Texts of the core that hold names or numbers, with %1, %2, … in their places: what `coreText` translates besides the fixed ones of
/// coreTexts(). Kept in step with the core's sources by tests/gui/core_patterns_test.
const std::vector<const char*>& corePatterns();

/// `english` as the first pattern it fits, translated, its parts put back (and themselves translated where they can be). Empty when none
/// fits, or the language has no words for it.
QString translatedByPattern(const QString& english);

}  // namespace omni
