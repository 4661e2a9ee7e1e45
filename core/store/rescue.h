#pragma once

#include "store/database.h"

#include <string>

namespace omni {

/// Copies every row that can still be read from the damaged file into `fresh`, table by table, the log last. Never fails; tells
/// in words what was saved and what was not.
std::string carryOver(const std::string& damagedPath, Database& fresh);

}  // namespace omni
