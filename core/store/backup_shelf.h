#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace omni {

/// Why a copy of the database was made.
enum class BackupKind : std::uint8_t {
    BeforeUpdate,   ///< by itself, before a new version changed the schema
    ByHand,         ///< the user asked for it, or put it there
    BeforeImport,   ///< before a configuration was imported
    BeforeRestore,  ///< what another backup took the place of
    Rescue          ///< found damaged: what could be read was carried over to a new database
};

struct BackupFile {
    std::string name;  ///< in the folder
    BackupKind kind = BackupKind::ByHand;
    WallTime at{};
    std::int64_t bytes = 0;  ///< with a log that lies beside it
    int schema = 0;          ///< 0 = this is no database of ours, or not readable as one
};

/// The copies of a database, in "backups/" beside it, and what is laid ready to take its place. Every method blocks on the disk and may be
/// called in any thread; none touches the database itself but to read it. Errors say what happened and what to do.
class BackupShelf {
public:
    explicit BackupShelf(const std::string& databasePath);

    const std::string& folder() const { return m_folder; }
    /// The newest schema this program can read.
    static int knownSchema();

    /// Newest first.
    std::vector<BackupFile> list() const;
    /// A consistent copy; `kind` is ByHand or BeforeImport. Of those made before imports the newest five are kept.
    Result<BackupFile> make(BackupKind kind) const;
    /// NotFound when it is gone already.
    Status remove(const std::string& name) const;

    /// Looks through the whole backup and lays a copy of it ready: it takes the database's place when the store is opened the next time,
    /// and the database goes among the backups. Conflict when it is damaged, of a newer version, or no backup; nothing is changed then, nor with any error.
    Status prepareRestore(const std::string& name) const;
    /// When the backup that is laid ready was made; unset = none is.
    std::optional<WallTime> prepared() const;
    Status forgetPrepared() const;

private:
    Result<std::string> pathOf(const std::string& name) const;

    std::string m_database;
    std::string m_folder;
    std::string m_prepared;
};

}  // namespace omni
