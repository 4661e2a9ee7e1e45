#include "store/data_folder.h"

#include "base/private_file.h"
#include "store/database_files.h"
#include "store/json_text.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QRegularExpression>
#include <QSysInfo>

namespace omni {

namespace {

constexpr QLatin1String kStampForm("yyyyMMdd-HHmmss-zzz");

QString native(const std::string& path) { return QString::fromStdString(path); }

std::string lockPath(const std::string& folder) { return folder + "/omniroute.lock"; }
std::string holderPath(const std::string& folder) { return folder + "/omniroute.holder"; }

/// A process that is dead but not yet collected by its parent still has its number; in a container without an init it keeps it.
bool isZombie(qint64 pid)
{
#ifdef Q_OS_LINUX
    QFile stat(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!stat.open(QIODevice::ReadOnly))
        return false;
    const QByteArray line = stat.readAll();
    const qsizetype name = line.lastIndexOf(')');
    return name >= 0 && line.mid(name + 2, 1) == "Z";
#else
    Q_UNUSED(pid)
    return false;
#endif
}

/// The holder died without giving the lock back, in a way that QLockFile does not see for itself. Removing is safe even if
/// this is wrong: Qt does it only when the system's own lock on the file is free.
bool removeAbandoned(QLockFile& lock)
{
    qint64 pid = 0;
    QString host;
    QString program;
    // No readable content: killed between making the file and filling it.
    const bool known = lock.getLockInfo(&pid, &host, &program);
    if (known && (host != QSysInfo::machineHostName() || !isZombie(pid)))
        return false;
    return lock.removeStaleLockFile();
}

/// While Qt clears a lock of the dead it holds a second one. Whoever is killed in that moment leaves that one empty, and Qt would refuse
/// everybody until it is half a minute old. Removed only when nobody has the system's own lock on it.
bool removeAbandonedClearing(const std::string& folder) { return QLockFile(native(lockPath(folder) + ".rmlock")).removeStaleLockFile(); }

Error heldBy(const QLockFile& lock, const std::string& folder)
{
    qint64 pid = 0;
    QString host;
    QString program;
    lock.getLockInfo(&pid, &host, &program);
    std::string name = program.toStdString();
    if (const Result<std::string> holder = readFile(holderPath(folder), 4096); holder) {
        const nlohmann::json json = objectFrom(*holder);
        if (numberAt(json, "pid") == pid && !stringAt(json, "name").empty())
            name = stringAt(json, "name");
    }
    std::string who = (name.empty() ? std::string("another program") : name) + " (process " + std::to_string(pid);
    if (!host.isEmpty() && host != QSysInfo::machineHostName())
        who += " on " + host.toStdString();
    return Error{ErrorKind::Conflict,
                 "The data folder " + folder + " is in use by " + who + "). Quit that program, or choose another data folder"};
}

}  // namespace

std::string backupFolderIn(const std::string& dataFolder) { return dataFolder + "/backups"; }

std::string preparedRestoreIn(const std::string& dataFolder) { return dataFolder + "/storage.restore.sqlite"; }

DataFolder::DataFolder(std::string path, std::unique_ptr<QLockFile> lock) : m_path(std::move(path)), m_lock(std::move(lock)) {}

DataFolder::~DataFolder() { release(); }

Result<std::unique_ptr<DataFolder>> DataFolder::take(const std::string& path, const std::string& holderName)
{
    if (const Status made = makePrivateFolder(path, "storage.sqlite"); !made)
        return made.error();
    auto lock = std::make_unique<QLockFile>(native(lockPath(path)));
    // A lock is stale when its process is gone, never because it is old.
    lock->setStaleLockTime(0);
    bool taken = lock->tryLock(0);
    if (!taken && lock->error() == QLockFile::LockFailedError && removeAbandonedClearing(path))
        taken = lock->tryLock(0);
    if (!taken && lock->error() == QLockFile::LockFailedError && removeAbandoned(*lock))
        taken = lock->tryLock(0);
    if (!taken && lock->error() == QLockFile::LockFailedError)
        return heldBy(*lock, path);
    if (!taken)
        return Error{ErrorKind::Storage, "The data folder " + path
                                             + " cannot be written. Check its permissions, that the disk is not mounted read-only and that "
                                               "it is not full"};
    if (const Status restricted = restrictToOwner(lockPath(path)); !restricted)
        return restricted.error();
    const nlohmann::json holder = {{"name", holderName}, {"pid", QCoreApplication::applicationPid()}};
    if (const Status told = replaceFile(holderPath(path), toText(holder)); !told)
        return told.error();
    return std::unique_ptr<DataFolder>(new DataFolder(path, std::move(lock)));
}

void DataFolder::release()
{
    if (!m_lock)
        return;
    QFile::remove(native(holderPath(m_path)));
    m_lock.reset();
}

std::string fileStamp() { return QDateTime::currentDateTimeUtc().toString(kStampForm).toStdString(); }

std::optional<WallTime> stampIn(const std::string& fileName)
{
    static const QRegularExpression stamp(QStringLiteral("(\\d{8}-\\d{6}-\\d{3})(-\\d+)?\\.sqlite$"));
    const QRegularExpressionMatch match = stamp.match(native(fileName));
    QDateTime time = QDateTime::fromString(match.captured(1), kStampForm);
    time.setTimeSpec(Qt::UTC);
    return time.isValid() ? std::optional(fromEpochMillis(time.toMSecsSinceEpoch())) : std::nullopt;
}

bool isNamedByProgram(const std::string& fileName, const std::string& prefix)
{
    // Between them stands nothing, or the schema that an update led to.
    static const QRegularExpression form(QStringLiteral("^([a-z]+-)(\\d{4}-)?\\d{8}-\\d{6}-\\d{3}(-\\d+)?\\.sqlite$"));
    const QRegularExpressionMatch match = form.match(native(fileName));
    return match.hasMatch() && match.captured(1).toStdString() == prefix && stampIn(fileName).has_value();
}

std::vector<std::string> namedByProgram(const std::string& folder, const std::string& prefix)
{
    std::vector<std::string> names;
    const QDir dir(native(folder));
    for (const QString& file : dir.entryList({native(prefix) + QStringLiteral("*.sqlite")}, QDir::Files, QDir::Name | QDir::Reversed))
        if (isNamedByProgram(file.toStdString(), prefix))
            names.push_back(file.toStdString());
    return names;
}

void keepNewest(const std::string& folder, const std::string& prefix, int keep)
{
    const std::vector<std::string> names = namedByProgram(folder, prefix);
    for (std::size_t at = static_cast<std::size_t>(keep); at < names.size(); ++at) {
        for (const char* part : kDatabaseParts)
            QFile::remove(native(folder + "/" + names[at] + part));
    }
}

}  // namespace omni
