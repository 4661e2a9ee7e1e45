#pragma once

#include "ui/theme/theme.h"

#include <QPalette>

namespace omni {

/// The two tables behind `coloursFor`. Every text colour reaches a contrast of 4.5 on each background it is used on
/// (tests/gui/theme_test).
const Colours& lightColours();
const Colours& darkColours();

/// All palette roles Fusion paints with, filled from one table.
QPalette paletteFrom(const Colours& colours);

/// What the palette alone cannot say: rounded buttons, quiet headers, thin scroll bars.
QString styleSheetFrom(const Colours& colours);

}  // namespace omni
