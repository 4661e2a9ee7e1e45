#pragma once

#include "ui/shell/shell_status.h"

#include <QIcon>

namespace omni {

/// The program's icon, 16 to 256 pixels.
QIcon appIcon();

/// The same with the state as a mark in its corner (shape and colour) and grey when stopped; on a coloured ground, so that it can be seen
/// on dark and light panels alike. 16 to 64 pixels.
QIcon trayIcon(ShellState state);

}  // namespace omni
