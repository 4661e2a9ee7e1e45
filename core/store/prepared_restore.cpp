#include "store/prepared_restore.h"

#include "base/logging.h"
#include "base/private_file.h"
#include "store/database.h"
#include "store/opening.h"
#include "store/rescue.h"

#include <QFile>

namespace omni {

namespace {

QString native(const std::string& path) { return QString::fromStdString(path); }

/// Brings what stands in the write-ahead log into the file, so that one renaming moves all of it. What cannot be, as of a damaged file,
/// is moved along beside it.
void foldLog(const std::string& path)
{
    if (const Result<std::unique_ptr<Database>> database = Database::open(path, Database::Access::ReadWrite))
        (void)(*database)->run("PRAGMA wal_checkpoint(TRUNCATE)");
}

}  // namespace

std::string unfitness(const std::string& path, int knownSchema)
{
    const Result<std::unique_ptr<Database>> database = Database::open(path, Database::Access::ReadOnly);
    if (!database)
        return database.error().message;
    Database& backup = **database;
    // The header tells whose it is; a file of something else has none that SQLite could read.
    const Result<std::int64_t> application = backup.number("PRAGMA application_id");
    const Result<std::int64_t> version = application ? backup.number("PRAGMA user_version") : application;
    if (!version)
        return backup.foundDamage() ? "The backup is damaged, or is no database. Nothing was changed." : version.error().message;
    if (*application != kApplicationId)
        return "This is no backup of OmniRoute Desktop. Nothing was changed.";
    if (*version > knownSchema)
        return "The backup was made by a newer version of OmniRoute Desktop (schema " + std::to_string(*version)
               + ", this program knows up to " + std::to_string(knownSchema) + "). Update the program first. Nothing was changed.";
    const Result<std::string> damage = damageIn(backup, knownSchema);
    if (!damage)
        return damage.error().message;
    return damage->empty() ? std::string() : "The backup is damaged (" + *damage + "). Nothing was changed.";
}

void putPreparedInPlace(const DataFolder& folder, int knownSchema, StoreOpening& opening)
{
    const std::string prepared = folder.preparedRestore();
    if (!QFile::exists(native(prepared)))
        return;
    if (opening.restoreProblem = unfitness(prepared, knownSchema); !opening.restoreProblem.empty()) {
        qCWarning(lcStore, "The backup was not restored: %s", opening.restoreProblem.c_str());
        QFile::remove(native(prepared));  // a copy: the backup itself is where it was
        return;
    }
    const std::string path = folder.databasePath();
    if (QFile::exists(native(path))) {
        foldLog(path);
        const Result<std::string> replaced = moveAside(path, folder.backupFolder(), kReplaced, kKeptBackups);
        if (!replaced) {
            opening.restoreProblem = replaced.error().message;
            return;
        }
        opening.replacedCopy = *replaced;
    }
    if (!QFile::rename(native(prepared), native(path))) {
        if (!opening.replacedCopy.empty())
            QFile::rename(native(opening.replacedCopy), native(path));
        opening.replacedCopy.clear();
        opening.restoreProblem = prepared + " cannot be renamed to " + path + ". Check the permissions of the folder.";
        return;
    }
    // What was found to be damaged is no longer there.
    QFile::remove(native(folder.damageMarker()));
    opening.restored = true;
    qCInfo(lcStore, "A backup was restored; what was there before is kept as %s", opening.replacedCopy.c_str());
}

}  // namespace omni
