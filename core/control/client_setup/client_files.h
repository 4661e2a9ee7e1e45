#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omni::client_setup {

/// A file of a client and what turns its present text into the wanted one.
struct FileEdit {
    std::string path;
    std::function<Result<std::string>(std::string_view)> edit;
};

/// What would be written, beside what is there now.
struct PlannedFile {
    std::string path;
    bool existed = false;
    std::string before;
    std::string after;

    bool changes() const { return !existed || before != after; }
};

/// A file that was written, as the journal keeps it.
struct WrittenFile {
    std::string path;
    std::string backup;  ///< empty = there was no file before
    std::string sha256;  ///< of what was written
};

struct AppliedChange {
    WallTime at{};
    std::vector<WrittenFile> files;
};

/// Writes the settings files of other programs, and takes that back. Blocks on the disk; used by one thread at a time. Errors name the
/// file; what one file refuses changes none of the others.
class ClientFiles {
public:
    /// `journal` remembers what was written, so that it can be taken back after a restart too.
    explicit ClientFiles(std::string journal) : m_journal(std::move(journal)) {}

    /// InvalidArgument when a file cannot be read as what it should be; nothing is written.
    static Result<std::vector<PlannedFile>> plan(const std::vector<FileEdit>& edits);
    /// Conflict when a file is no longer what it was when the change was planned. Each file that exists is copied beside itself first.
    Status apply(const std::string& client, const std::vector<PlannedFile>& files, WallTime now) const;
    /// The newest change of this client that was not taken back.
    std::optional<AppliedChange> lastChange(const std::string& client) const;
    /// Puts back what was there before the newest change. Conflict when one of its files was changed since; its copies stay then.
    Status undo(const std::string& client) const;

private:
    std::string m_journal;
};

/// Where a client's own text stands in the file: 8 MiB at most. Unset = there is no such file.
Result<std::optional<std::string>> readClientFile(const std::string& path);

}  // namespace omni::client_setup
