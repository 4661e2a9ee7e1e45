#pragma once

#include "ui/shell/main_window.h"

#include <functional>

namespace omni::shots {

/// Saves the window as it is now under a name.
using Save = std::function<void(const QString& name)>;

/// The command palette with nothing typed, and with a few letters.
void takePalette(MainWindow& window, const Save& save);
/// The overview with the minute before the present one kept in view.
void takeMinute(MainWindow& window, const Save& save);

}  // namespace omni::shots
