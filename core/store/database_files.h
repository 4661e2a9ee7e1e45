#pragma once

#include "base/result.h"

#include <array>
#include <string>

namespace omni {

// A database as files: it, and the logs SQLite lays beside it, without which it would be another one. All block on the disk. A move writes
// down first where it leads ("<database>.moving"), so that one that was broken off, by a kill or a loss of power, is known for what it is.

/// The endings of its files.
inline constexpr std::array<const char*, 4> kDatabaseParts = {"", "-wal", "-journal", "-shm"};

/// Is there anything of that name, be it a link that leads nowhere?
bool isThere(const std::string& path);

/// Moves a database with its logs into `folder` as "<prefix><time>.sqlite" and tells that path. Nothing in it is changed; the newest `keep`
/// of that prefix are kept. All of it is moved or, with an error, nothing.
Result<std::string> moveAside(const std::string& databasePath, const std::string& folder, const std::string& prefix, int keep);

/// The same, and the file `by` takes the database's place. Where there is no database, a log that lies there alone is moved aside, for it is
/// not that of `by`, and what is told is empty. With an error everything is as it was, or `takeBackBrokenMove` makes it so.
Result<std::string> replaceDatabase(const std::string& databasePath, const std::string& by, const std::string& folder,
                                    const std::string& prefix, int keep);

/// What a move into `folder` that was broken off had moved goes back to its place. Nothing happens when none was.
Status takeBackBrokenMove(const std::string& databasePath, const std::string& folder);

/// The newest database of that prefix in `folder` goes where none is; false when there is none.
Result<bool> bringBackNewest(const std::string& databasePath, const std::string& folder, const std::string& prefix);

}  // namespace omni
