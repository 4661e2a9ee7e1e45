#pragma once

#include "base/result.h"

#include <memory>
#include <string>

class QLockFile;

namespace omni {

/// The right to use a data folder: one process at a time, whichever of the programs it is. Given back by `release`, by the
/// destructor, or by the end of the process, however it ends.
class DataFolder {
public:
    /// Makes the folder when it is missing (mode 0700). Conflict names the program and the process that hold it.
    static Result<std::unique_ptr<DataFolder>> take(const std::string& path, const std::string& holderName);
    ~DataFolder();

    void release();

    std::string databasePath() const { return m_path + "/storage.sqlite"; }
    std::string backupFolder() const { return m_path + "/backups"; }
    /// Its presence says that the background check found damage: the next start looks closely.
    std::string damageMarker() const { return m_path + "/storage.damaged"; }

private:
    DataFolder(std::string path, std::unique_ptr<QLockFile> lock);

    std::string m_path;
    std::unique_ptr<QLockFile> m_lock;
};

/// "20261129-230045-123", UTC, for names of files.
std::string fileStamp();

/// Deletes all but the newest `keep` of the files `<prefix>*` in `folder`, judged by name; their sidecars go with them.
void keepNewest(const std::string& folder, const std::string& prefix, int keep);

}  // namespace omni
