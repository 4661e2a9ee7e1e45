#include "store/opening.h"

#include "base/logging.h"
#include "base/private_file.h"
#include "store/database_files.h"
#include "store/prepared_restore.h"
#include "store/rescue.h"
#include "store/tables.h"

#include <QFile>

#include <algorithm>

namespace omni {

namespace {

constexpr const char* kOk = "ok";

struct Inspection {
    int version = 0;
    bool empty = false;
    std::string damage;  ///< empty = sound
};

Error newerSchema(const std::string& path, int version, int known)
{
    return Error{ErrorKind::Storage, "The database " + path + " was written by a newer OmniRoute Desktop (schema " + std::to_string(version)
                                         + ", this program knows up to " + std::to_string(known)
                                         + "). Install that version again, or choose another data folder. Nothing was changed"};
}

Error foreignDatabase(const std::string& path)
{
    return Error{ErrorKind::Storage, "The database " + path
                                         + " belongs to another program. Choose another data folder. Nothing was changed"};
}

/// Turns a failure of SQLite to read into damage found, and passes on any other.
Status noteDamage(Database& database, const Error& error, Inspection& inspection)
{
    if (!database.foundDamage())
        return error;
    inspection.damage = database.lastReason();
    return {};
}

Status checkSmallTables(Database& database, Inspection& inspection)
{
    for (const std::string_view table : kSmallTables) {
        const Result<std::int64_t> exists =
            database.number("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '" + std::string(table) + "'");
        if (!exists)
            return noteDamage(database, exists.error(), inspection);
        if (*exists == 0)
            continue;
        const Result<std::string> found = quickCheck(database, table);
        if (!found)
            return found.error();
        if (*found != kOk) {
            inspection.damage = std::string(table) + ": " + *found;
            return {};
        }
    }
    return {};
}

/// Reads, and changes nothing.
Result<Inspection> inspect(Database& database, int known, bool whole)
{
    Inspection inspection;
    // These two are in the first bytes of the file, and tell whose it is even when the rest is lost.
    const Result<std::int64_t> application = database.number("PRAGMA application_id");
    const Result<std::int64_t> version = application ? database.number("PRAGMA user_version") : application;
    if (!version) {
        if (const Status noted = noteDamage(database, version.error(), inspection); !noted)
            return noted.error();
        return inspection;
    }
    inspection.version = static_cast<int>(*version);
    const Result<std::int64_t> entries = database.number("SELECT count(*) FROM sqlite_schema");
    inspection.empty = entries.ok() && *entries == 0 && *version == 0;
    if (inspection.empty)
        return inspection;
    if (*application != kApplicationId)
        return foreignDatabase(database.path());
    if (inspection.version > known)
        return newerSchema(database.path(), inspection.version, known);
    if (!entries) {
        if (const Status noted = noteDamage(database, entries.error(), inspection); !noted)
            return noted.error();
        return inspection;
    }
    if (const Status checked = checkSmallTables(database, inspection); !checked)
        return checked.error();
    if (whole && inspection.damage.empty()) {
        const Result<std::string> found = quickCheck(database, {});
        if (!found)
            return found.error();
        if (*found != kOk)
            inspection.damage = *found;
    }
    return inspection;
}

Status configure(WritableDatabase& writable)
{
    Database& database = *writable.database;
    const Result<std::string> mode = database.text("PRAGMA journal_mode = WAL");
    if (!mode)
        return mode.error();
    writable.writeAheadLog = *mode == "wal";
    if (!writable.writeAheadLog) {
        qCWarning(lcStore, "The file system of the data folder has no shared memory; the database is slower there");
        if (Status set = database.run("PRAGMA journal_mode = DELETE"); !set)
            return set;
    }
    // A page cache of 4 MB: the log is only appended to. Freed pages are wiped where that costs no extra write.
    for (const char* pragma : {"PRAGMA foreign_keys = ON", "PRAGMA temp_store = MEMORY", "PRAGMA wal_autocheckpoint = 1000",
                               "PRAGMA journal_size_limit = 16777216", "PRAGMA cache_size = -4096", "PRAGMA secure_delete = FAST"}) {
        if (Status set = database.run(pragma); !set)
            return set;
    }
    return database.run(writable.writeAheadLog ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL");
}

/// An empty file becomes a database with the schema of `migrations`.
Result<WritableDatabase> begin(const std::string& path, const std::vector<Migration>& migrations)
{
    if (const Result<bool> made = ensurePrivateFile(path); !made)
        return made.error();
    Result<std::unique_ptr<Database>> opened = Database::open(path, Database::Access::ReadWrite);
    if (!opened)
        return opened.error();
    WritableDatabase writable;
    writable.database = std::move(*opened);
    // Must come before the first page is written.
    if (const Status set = writable.database->run("PRAGMA auto_vacuum = INCREMENTAL"); !set)
        return set.error();
    if (const Status set = configure(writable); !set)
        return set.error();
    if (const Status done = migrate(*writable.database, migrations, 0); !done)
        return done.error();
    if (const Status set = configure(writable); !set)
        return set.error();
    return writable;
}

Status restrictParts(const std::string& path)
{
    for (const char* part : kDatabaseParts) {
        if (Status restricted = restrictToOwner(path + part); !restricted)
            return restricted;
    }
    return {};
}

Status upgrade(WritableDatabase& writable, const std::vector<Migration>& migrations, int version, const DataFolder& folder,
               StoreOpening& opening)
{
    if (Status made = makePrivateFolder(folder.backupFolder(), "."); !made)
        return made;
    const std::string prefix = kBeforeUpdate + migrations.back().name.substr(0, 4);
    const std::string backup = folder.backupFolder() + "/" + prefix + "-" + fileStamp() + ".sqlite";
    if (const Status copied = copyDatabase(*writable.database, backup); !copied)
        return Error{ErrorKind::Storage, "The database must be brought to a newer form, and no copy of it could be made before; nothing "
                                         "was changed. " + copied.error().message};
    if (Status done = migrate(*writable.database, migrations, version); !done)
        return done;
    keepNewest(folder.backupFolder(), kBeforeUpdate, kKeptBackups);
    opening.migratedFrom = version;
    opening.migrationBackup = backup;
    qCInfo(lcStore, "The database was brought from schema %d to %d; a copy from before is in %s", version, migrations.back().version,
           backup.c_str());
    return configure(writable);
}

Result<WritableDatabase> rescue(const DataFolder& folder, const std::vector<Migration>& migrations, const Inspection& inspection,
                                StoreOpening& opening)
{
    qCWarning(lcStore, "The database is damaged (%s); a new one is begun", inspection.damage.c_str());
    const Result<std::string> copy = moveAside(folder.databasePath(), folder.backupFolder(), kDamaged, kKeptDamaged);
    if (!copy)
        return copy.error();
    // Rows are carried over in the form they have, and then migrated like any others.
    std::vector<Migration> steps = migrations;
    if (inspection.version > 0)
        steps.resize(std::min(steps.size(), static_cast<std::size_t>(inspection.version)));
    Result<WritableDatabase> fresh = begin(folder.databasePath(), steps);
    if (!fresh)
        return fresh;
    opening.rescueCopy = *copy;
    opening.rescueReport = carryOver(*copy, *fresh->database);
    qCWarning(lcStore, "%s. The damaged file is kept as %s", opening.rescueReport.c_str(), copy->c_str());
    if (steps.size() < migrations.size()) {
        if (const Status done = migrate(*fresh->database, migrations, inspection.version); !done)
            return done.error();
        if (const Status set = configure(*fresh); !set)
            return set.error();
    }
    return fresh;
}

}  // namespace

Status WritableDatabase::setDurability(Durability durability)
{
    if (durability == m_durability || !writeAheadLog)
        return {};
    Status set = database->run(durability == Durability::Flushed ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    if (set)
        m_durability = durability;
    return set;
}

Result<std::string> damageIn(Database& database, int known)
{
    const Result<Inspection> inspection = inspect(database, known, true);
    if (!inspection)
        return inspection.error();
    return inspection->empty ? std::string("the file is empty") : inspection->damage;
}

Result<std::string> quickCheck(Database& database, std::string_view table)
{
    const Result<std::string> found =
        database.text(table.empty() ? std::string("PRAGMA quick_check(1)") : "PRAGMA quick_check('" + std::string(table) + "')");
    if (!found && database.foundDamage())
        return database.lastReason();
    return found;
}

Status copyDatabase(Database& database, const std::string& path)
{
    if (QFile::exists(QString::fromStdString(path)))
        return Error{ErrorKind::Conflict, "There is a file " + path + " already. Choose another name"};
    // SQLite writes into an empty file that is there, so the copy never has a wider mode.
    if (const Result<bool> made = ensurePrivateFile(path); !made)
        return made.error();
    std::string quoted = path;
    for (std::size_t at = quoted.find('\''); at != std::string::npos; at = quoted.find('\'', at + 2))
        quoted.insert(at, 1, '\'');
    Status copied = database.run("VACUUM INTO '" + quoted + "'");
    if (!copied)
        QFile::remove(QString::fromStdString(path));
    return copied;
}

Result<WritableDatabase> openForWriting(const DataFolder& folder, const std::vector<Migration>& migrations, StoreOpening& opening)
{
    const int known = migrations.back().version;
    if (const Status placed = putPreparedInPlace(folder, known, opening); !placed)
        return placed.error();
    const std::string path = folder.databasePath();
    const Result<bool> made = ensurePrivateFile(path);
    if (!made)
        return made.error();
    if (const Status restricted = restrictParts(path); !restricted)
        return restricted.error();
    Result<std::unique_ptr<Database>> opened = Database::open(path, Database::Access::ReadWrite);
    if (!opened)
        return opened.error();
    const QString marker = QString::fromStdString(folder.damageMarker());
    const Result<Inspection> inspection = inspect(**opened, known, QFile::exists(marker));
    if (!inspection)
        return inspection.error();
    if (!inspection->damage.empty()) {
        opened->reset();
        Result<WritableDatabase> rescued = rescue(folder, migrations, *inspection, opening);
        if (rescued)
            QFile::remove(marker);
        return rescued;
    }
    QFile::remove(marker);
    if (inspection->empty) {
        opened->reset();
        opening.created = true;
        return begin(path, migrations);
    }
    WritableDatabase writable;
    writable.database = std::move(*opened);
    if (const Status set = configure(writable); !set)
        return set.error();
    if (inspection->version < known) {
        if (const Status done = upgrade(writable, migrations, inspection->version, folder, opening); !done)
            return done.error();
    }
    return writable;
}

}  // namespace omni
