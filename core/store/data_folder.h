#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

class QLockFile;

namespace omni {

/// Copies of the database, beside which it lies.
std::string backupFolderIn(const std::string& dataFolder);
/// Takes the database's place at the next start.
std::string preparedRestoreIn(const std::string& dataFolder);

/// The right to use a data folder: one process at a time, whichever of the programs it is. Given back by `release`, by the
/// destructor, or by the end of the process, however it ends.
class DataFolder {
public:
    /// Makes the folder when it is missing (mode 0700). Conflict names the program and the process that hold it.
    static Result<std::unique_ptr<DataFolder>> take(const std::string& path, const std::string& holderName);
    ~DataFolder();

    void release();

    std::string databasePath() const { return m_path + "/storage.sqlite"; }
    std::string backupFolder() const { return backupFolderIn(m_path); }
    std::string preparedRestore() const { return preparedRestoreIn(m_path); }
    /// Its presence says that the background check found damage: the next start looks closely.
    std::string damageMarker() const { return m_path + "/storage.damaged"; }

private:
    DataFolder(std::string path, std::unique_ptr<QLockFile> lock);

    std::string m_path;
    std::unique_ptr<QLockFile> m_lock;
};

// How the names of what lies among the backups begin; a time follows, and ".sqlite".
inline constexpr const char* kBeforeUpdate = "before-";
inline constexpr const char* kDamaged = "damaged-";
inline constexpr const char* kReplaced = "replaced-";
inline constexpr const char* kBeforeImport = "import-";
inline constexpr const char* kByHand = "manual-";
/// So many of each that was made without being asked for are kept.
inline constexpr int kKeptBackups = 5;
inline constexpr int kKeptDamaged = 3;

/// "20261129-230045-123", UTC, for names of files.
std::string fileStamp();

/// The time at the end of a copy's name, with ".sqlite" or a number and it behind; unset = there is none.
std::optional<WallTime> stampIn(const std::string& fileName);

/// Did the program give the file this name, of that prefix? A name that a user chose only begins like it.
bool isNamedByProgram(const std::string& fileName, const std::string& prefix);

/// The names in `folder` that the program gave, newest first.
std::vector<std::string> namedByProgram(const std::string& folder, const std::string& prefix);

/// Deletes all but the newest `keep` of these, judged by name; their logs go with them.
void keepNewest(const std::string& folder, const std::string& prefix, int keep);

}  // namespace omni
