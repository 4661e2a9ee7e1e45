#pragma once

#include "ui/core_link.h"
#include "ui/shell/main_window.h"

#include <vector>

namespace omni {

// What each page can be opened at, for PageEntry::doors: made of the configuration and the engine's state as the link knows them. Object
// ids are those the pages' `showObject` takes.

std::vector<PageDoor> connectionDoors(const CoreLink& link);
std::vector<PageDoor> comboDoors(const CoreLink& link);
std::vector<PageDoor> lockoutDoors(const CoreLink& link);
std::vector<PageDoor> apiKeyDoors(const CoreLink& link);
std::vector<PageDoor> clientDoors(const CoreLink& link);
std::vector<PageDoor> usageDoors(const CoreLink& link);
std::vector<PageDoor> settingsDoors(const CoreLink& link);
std::vector<PageDoor> helpDoors(const CoreLink& link);

}  // namespace omni
