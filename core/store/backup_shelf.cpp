#include "store/backup_shelf.h"

#include "base/private_file.h"
#include "store/data_folder.h"
#include "store/database.h"
#include "store/migrations.h"
#include "store/opening.h"
#include "store/prepared_restore.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QtEndian>

#include <algorithm>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

namespace omni {

namespace {

constexpr qint64 kHeaderBytes = 100;
constexpr qint64 kVersionAt = 60;
constexpr qint64 kApplicationAt = 68;

QString native(const std::string& path) { return QString::fromStdString(path); }

WallTime wallTime(const QDateTime& time) { return fromEpochMillis(time.toMSecsSinceEpoch()); }

BackupKind kindOf(const QString& name)
{
    const std::pair<const char*, BackupKind> kinds[] = {{kBeforeUpdate, BackupKind::BeforeUpdate},
                                                        {kBeforeImport, BackupKind::BeforeImport},
                                                        {kReplaced, BackupKind::BeforeRestore},
                                                        {kDamaged, BackupKind::Rescue}};
    const auto* found = std::find_if(std::begin(kinds), std::end(kinds),
                                     [&name](const auto& one) { return name.startsWith(QLatin1String(one.first)); });
    return found == std::end(kinds) ? BackupKind::ByHand : found->second;
}

/// The name tells when it was made, wherever the file was copied since; else its own time does.
WallTime timeOf(const QFileInfo& file)
{
    static const QRegularExpression stamp(QStringLiteral("(\\d{8}-\\d{6}-\\d{3})(-\\d+)?\\.sqlite$"));
    const QRegularExpressionMatch match = stamp.match(file.fileName());
    QDateTime time = QDateTime::fromString(match.captured(1), QStringLiteral("yyyyMMdd-HHmmss-zzz"));
    time.setTimeSpec(Qt::UTC);
    return wallTime(time.isValid() ? time : file.lastModified());
}

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
    backup.kind = kindOf(file.fileName());
    backup.at = timeOf(file);
    backup.bytes = file.size() + QFileInfo(file.filePath() + QStringLiteral("-wal")).size();
    backup.schema = schemaOf(file.filePath());
    return backup;
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
    for (const char* part : {"-wal", "-shm", ""}) {
        QFile file(native(*path + part));
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
    if (const std::string why = unfitness(*path, knownSchema()); !why.empty())
        return Error{ErrorKind::Conflict, why};
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
    const Status forgotten = forgetPrepared();
    QFile file(native(copy));
    // Its own time tells which backup it is.
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(epochMillis(timeOf(QFileInfo(native(*path)))));
    const bool dated = file.open(QIODevice::ReadWrite) && file.setFileTime(at, QFileDevice::FileModificationTime);
#ifdef Q_OS_UNIX
    // SQLite leaves a copy to the system's leisure, and this one will be the database.
    if (dated)
        ::fsync(file.handle());
#endif
    file.close();
    if (!forgotten || !dated || !QFile::rename(native(copy), native(m_prepared))) {
        QFile::remove(native(copy));
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
