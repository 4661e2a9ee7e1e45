#pragma once

#include "ui/shell/main_window.h"

#include <string>
#include <vector>

namespace omni {

class Autostart;

/// The pages of this version, in the rail's order. `link` and `autostart` (may be null) must outlive the window they go into.
std::vector<PageEntry> desktopPages(CoreLink& link, Autostart* autostart, const std::string& databasePath);

}  // namespace omni
