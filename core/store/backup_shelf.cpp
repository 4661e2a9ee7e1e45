#include "store/backup_shelf.h"

#include "base/private_file.h"
#include "store/data_folder.h"
#include "store/database.h"
#include "store/database_files.h"
#include "store/facts.h"
#include "store/key_value_table.h"
#include "store/migrations.h"
#include "store/opening.h"
#include "store/prepared_restore.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QtEndian>

#include <algorithm>

namespace omni {

namespace {

constexpr qint64 kHeaderBytes = 100;
constexpr qint64 kVersionAt = 60;
constexpr qint64 kApplicationAt = 68;

QString native(const std::string& path) { return QString::fromStdString(path); }

WallTime wallTime(const QDateTime& time) { return fromEpochMillis(time.toMSecsSinceEpoch()); }

BackupKind kindOf(const std::string& name)
{
    const std::pair<const char*, BackupKind> kinds[] = {{kBeforeUpdate, BackupKind::BeforeUpdate},
                                                        {kBeforeImport, BackupKind::BeforeImport},
                                                        {kReplaced, BackupKind::BeforeRestore},
                                                        {kDamaged, BackupKind::Rescue}};
    const auto* found = std::find_if(std::begin(kinds), std::end(kinds),
                                     [&name](const auto& one) { return isNamedByProgram(name, one.first); });
    return found == std::end(kinds) ? BackupKind::ByHand : found->second;
}

/// The name tells when it was made, wherever the file was copied since; else its own time does.
WallTime timeOf(const QFileInfo& file) { return stampIn(file.fileName().toStdString()).value_or(wallTime(file.lastModified())); }

/// From the file's header, without opening it as a database.
int schemaOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray header = file.read(kHeaderBytes);
    if (header.size() < kHeaderBytes || !header.startsWith("SQLite format 3"))
        return 0;
    const char* bytes = header.constData();
    if (qFromBigEndian<quint32>(bytes + kApplicationAt) != kApplicationId)
        return 0;
    return static_cast<int>(qFromBigEndian<quint32>(bytes + kVersionAt));
}

BackupFile described(const QFileInfo& file)
{
    BackupFile backup;
    backup.name = file.fileName().toStdString();
    backup.kind = kindOf(backup.name);
    backup.at = timeOf(file);
    for (const char* part : {"", "-wal", "-journal"})
        backup.bytes += QFileInfo(file.filePath() + QLatin1String(part)).size();
    backup.schema = schemaOf(file.filePath());
    return backup;
}

/// Secrets that were on their way out when the backup was made: some came back since, and the database that it takes the place of, which
/// can be gone back to, needs them.
Status forgetDiscarded(const std::string& path)
{
    const Result<std::unique_ptr<Database>> database = Database::open(path, Database::Access::ReadWrite);
    return database ? KeyValueTable(**database).putFact(kDiscardedSecretsFact, "[]") : Status(database.error());
}

}  // namespace

BackupShelf::BackupShelf(const std::string& databasePath) : m_database(databasePath)
{
    const std::string folder = QFileInfo(native(databasePath)).absolutePath().toStdString();
    m_folder = backupFolderIn(folder);
    m_prepared = preparedRestoreIn(folder);
}

int BackupShelf::knownSchema()
{
    const Result<std::vector<Migration>> migrations = builtinMigrations();
    return migrations ? migrations->back().version : 0;
}

std::vector<BackupFile> BackupShelf::list() const
{
    std::vector<BackupFile> backups;
    const QDir folder(native(m_folder));
    for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("*.sqlite")}, QDir::Files | QDir::NoSymLinks))
        backups.push_back(described(file));
    std::sort(backups.begin(), backups.end(), [](const BackupFile& a, const BackupFile& b) {
        return a.at != b.at ? a.at > b.at : a.name > b.name;
    });
    return backups;
}

Result<std::string> BackupShelf::pathOf(const std::string& name) const
{
    // What is named is a file of this folder, and nothing else.
    const QFileInfo file(native(m_folder + "/" + name));
    const bool plain = name.find_first_of("/\\") == std::string::npos && file.fileName().endsWith(QStringLiteral(".sqlite"));
    if (!plain || !file.isFile())
        return Error{ErrorKind::NotFound, "The backup " + name + " is no longer there."};
    return file.filePath().toStdString();
}

Result<BackupFile> BackupShelf::make(BackupKind kind) const
{
    if (const Status made = makePrivateFolder(m_folder, "."); !made)
        return made.error();
    const char* prefix = kind == BackupKind::BeforeImport ? kBeforeImport : kByHand;
    const std::string path = m_folder + "/" + prefix + fileStamp() + ".sqlite";
    const Result<std::unique_ptr<Database>> database = Database::open(m_database, Database::Access::ReadOnly);
    if (!database)
        return database.error();
    if (const Status copied = copyDatabase(**database, path); !copied)
        return copied.error();
    if (kind == BackupKind::BeforeImport)
        keepNewest(m_folder, prefix, kKeptBackups);
    return described(QFileInfo(native(path)));
}

Status BackupShelf::remove(const std::string& name) const
{
    const Result<std::string> path = pathOf(name);
    if (!path)
        return path.error();
    // The file itself last: while it is there, the backup is listed.
    for (auto part = kDatabaseParts.rbegin(); part != kDatabaseParts.rend(); ++part) {
        QFile file(native(*path + *part));
        if (file.exists() && !file.remove())
            return Error{ErrorKind::Storage, "The backup " + name + " cannot be deleted. Check the permissions of its folder."};
    }
    return {};
}

Status BackupShelf::prepareRestore(const std::string& name) const
{
    const Result<std::string> path = pathOf(name);
    if (!path)
        return path.error();
    if (const Status fit = checkFitness(*path, knownSchema()); !fit)
        return fit;
    // Under another name until it is whole: what has the right one is taken at the next start.
    const std::string copy = m_prepared + ".new";
    QFile::remove(native(copy));
    {
        const Result<std::unique_ptr<Database>> backup = Database::open(*path, Database::Access::ReadOnly);
        if (!backup)
            return backup.error();
        if (const Status copied = copyDatabase(**backup, copy); !copied)
            return copied;
    }
    if (const Status valid = forgetDiscarded(copy); !valid) {
        QFile::remove(native(copy));
        return valid;
    }
    const Status forgotten = forgetPrepared();
    QFile file(native(copy));
    // Its own time tells which backup it is.
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(epochMillis(timeOf(QFileInfo(native(*path)))));
    const bool dated = file.open(QIODevice::ReadWrite) && file.setFileTime(at, QFileDevice::FileModificationTime);
    file.close();
    if (!forgotten || !dated || !moveFile(copy, m_prepared)) {
        QFile::remove(native(copy));
        (void)forgetPrepared();
        return Error{ErrorKind::Storage, "The backup cannot be laid ready in " + m_prepared + ". Check the permissions of its folder."};
    }
    return {};
}

std::optional<WallTime> BackupShelf::prepared() const
{
    const QFileInfo file(native(m_prepared));
    return file.isFile() ? std::optional(wallTime(file.lastModified())) : std::nullopt;
}

Status BackupShelf::forgetPrepared() const
{
    QFile file(native(m_prepared));
    if (file.exists() && !file.remove())
        return Error{ErrorKind::Storage, m_prepared + " cannot be deleted. Check the permissions of its folder."};
    return {};
}

}  // namespace omni
