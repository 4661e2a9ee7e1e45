#pragma once

#include "store/database.h"

#include <string>

namespace omni {

/// Moves a database with its write-ahead log into `folder` as "<prefix><time>.sqlite" and tells that path. Nothing in it is changed;
/// the newest `keep` of that prefix are kept. All of it is moved or, with an error, nothing.
Result<std::string> moveAside(const std::string& databasePath, const std::string& folder, const std::string& prefix, int keep);

/// Copies every row that can still be read from the damaged file into `fresh`, table by table, the log last. Never fails; tells
/// in words what was saved and what was not.
std::string carryOver(const std::string& damagedPath, Database& fresh);

}  // namespace omni
