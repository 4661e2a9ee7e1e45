#pragma once

#include "store/database.h"

#include <string>

namespace omni {

/// Moves a database with its write-ahead log into `folder` as "damaged-<time>.sqlite" and tells that path. Nothing in it is changed;
/// the newest three are kept.
Result<std::string> moveAside(const std::string& databasePath, const std::string& folder);

/// Copies every row that can still be read from the damaged file into `fresh`, table by table, the log last. Never fails; tells
/// in words what was saved and what was not.
std::string carryOver(const std::string& damagedPath, Database& fresh);

}  // namespace omni
