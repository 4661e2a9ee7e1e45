#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace omni {

// Files and folders that only their owner may read, whatever the umask. All block on the disk; errors are of kind Storage
// and name the path and the system's reason.

/// Makes the folder, with its parents, when it is missing. Mode 0700; one that existed is tightened only when it is empty or
/// holds `marker`, that is, when it is ours: the user may have named a folder that others share.
Status makePrivateFolder(const std::string& path, const std::string& marker);

/// Makes an empty file of mode 0600, durably, when it is missing; an existing one gets that mode.
/// The value tells whether it was made.
Result<bool> ensurePrivateFile(const std::string& path);

/// Mode 0600 for a file that may be absent.
Status restrictToOwner(const std::string& path);

/// Puts `content` in the place of the file, mode 0600: after a crash at any moment there is the old content or the new, and once
/// this returns success it is the new.
Status replaceFile(const std::string& path, std::string_view content);

/// The same for a file of another program's: what a symbolic link leads to is replaced, a file that exists keeps its mode, a new one gets
/// 0600. Its folder must exist.
Status rewriteFile(const std::string& path, std::string_view content);

/// Gives the file another name, which nothing has, and flushes it and the folders: it has the new name after a loss of power, too.
/// With an error it may have either.
Status moveFile(const std::string& from, const std::string& to);

/// The whole file. NotFound when there is none; LimitExceeded above `limit` bytes.
Result<std::string> readFile(const std::string& path, std::size_t limit);

}  // namespace omni
