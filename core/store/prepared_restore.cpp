#include "store/prepared_restore.h"

#include "base/logging.h"
#include "store/database.h"
#include "store/database_files.h"
#include "store/opening.h"

#include <QFile>

#include <utility>

namespace omni {

namespace {

QString native(const std::string& path) { return QString::fromStdString(path); }

/// Brings what stands in the logs into the file, so that the copy is one file. What cannot be, as of a damaged one, is moved along beside it.
void foldLog(const std::string& path)
{
    const Result<std::unique_ptr<Database>> database = Database::open(path, Database::Access::ReadWrite);
    if (!database)
        return;
    // Reading takes back what a rollback journal says.
    const Result<std::int64_t> read = (*database)->number("SELECT count(*) FROM sqlite_schema");
    const Status folded = read ? (*database)->run("PRAGMA wal_checkpoint(TRUNCATE)") : Status(read.error());
    if (!folded)
        qCInfo(lcStore, "The log of the database is moved along: %s", folded.error().message.c_str());
}

Error unfit(std::string why) { return Error{ErrorKind::Conflict, std::move(why)}; }

/// The database stays the one that was there; when a start broke off after it was moved, it is brought back. Never is an empty one begun
/// in its place.
Status keepPresent(const DataFolder& folder, const std::string& problem)
{
    const std::string path = folder.databasePath();
    if (isThere(path))
        return {};
    const Result<bool> back = bringBackNewest(path, folder.backupFolder(), kReplaced);
    if (!back)
        return back.error();
    if (*back)
        return {};
    return Error{ErrorKind::Storage, "The database " + path + " is missing, and the backup that was to take its place cannot: " + problem
                                         + " Put a database or a backup there under this name, or delete " + folder.preparedRestore()
                                         + " to begin with an empty one."};
}

}  // namespace

Status checkFitness(const std::string& path, int knownSchema)
{
    const Result<std::unique_ptr<Database>> database = Database::open(path, Database::Access::ReadOnly);
    if (!database)
        return database.error();
    Database& backup = **database;
    // The header tells whose it is; a file of something else has none that SQLite could read.
    const Result<std::int64_t> application = backup.number("PRAGMA application_id");
    const Result<std::int64_t> version = application ? backup.number("PRAGMA user_version") : application;
    if (!version)
        return backup.foundDamage() ? unfit("The backup is damaged, or is no database. Nothing was changed.") : version.error();
    if (*application != kApplicationId)
        return unfit("This is no backup of OmniRoute Desktop. Nothing was changed.");
    if (*version > knownSchema)
        return unfit("The backup was made by a newer version of OmniRoute Desktop (schema " + std::to_string(*version)
                     + ", this program knows up to " + std::to_string(knownSchema) + "). Update the program first. Nothing was changed.");
    const Result<std::string> damage = damageIn(backup, knownSchema);
    if (!damage)
        return damage.error();
    return damage->empty() ? Status() : unfit("The backup is damaged (" + *damage + "). Nothing was changed.");
}

Status putPreparedInPlace(const DataFolder& folder, int knownSchema, StoreOpening& opening)
{
    const std::string path = folder.databasePath();
    if (const Status whole = takeBackBrokenMove(path, folder.backupFolder()); !whole)
        return whole;
    const std::string prepared = folder.preparedRestore();
    if (!isThere(prepared))
        return {};
    if (const Status fit = checkFitness(prepared, knownSchema); !fit) {
        opening.restoreProblem = fit.error().message;
        qCWarning(lcStore, "The backup was not restored: %s", opening.restoreProblem.c_str());
        if (const Status kept = keepPresent(folder, opening.restoreProblem); !kept)
            return kept;
        // A copy: the backup itself is where it was. What could only not be read now waits for the next start.
        if (fit.error().kind == ErrorKind::Conflict)
            QFile::remove(native(prepared));
        return {};
    }
    if (isThere(path))
        foldLog(path);
    const Result<std::string> replaced = replaceDatabase(path, prepared, folder.backupFolder(), kReplaced, kKeptBackups);
    if (!replaced) {
        opening.restoreProblem = replaced.error().message;
        qCWarning(lcStore, "The backup was not restored: %s", opening.restoreProblem.c_str());
        return keepPresent(folder, opening.restoreProblem);
    }
    opening.replacedCopy = *replaced;
    // What was found to be damaged is no longer there.
    QFile::remove(native(folder.damageMarker()));
    opening.restored = true;
    qCInfo(lcStore, "A backup was restored; %s",
           replaced->empty() ? "there was no database before" : ("what was there before is kept as " + *replaced).c_str());
    return {};
}

}  // namespace omni
