#include "base/private_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <cerrno>
#include <cstring>

#ifdef Q_OS_UNIX
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace omni {

namespace {

constexpr QFileDevice::Permissions kOwnerFile = QFileDevice::ReadOwner | QFileDevice::WriteOwner;
constexpr QFileDevice::Permissions kOwnerFolder = kOwnerFile | QFileDevice::ExeOwner;
constexpr QFileDevice::Permissions kOthers = QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ExeGroup
                                             | QFileDevice::ReadOther | QFileDevice::WriteOther | QFileDevice::ExeOther;

QString native(const std::string& path) { return QString::fromStdString(path); }

Error failure(std::string_view what, const std::string& path, const std::string& why)
{
    return Error{ErrorKind::Storage, std::string(what) + " " + path + ": " + why + ". Check the disk and the permissions of the folder."};
}

#ifdef Q_OS_UNIX
Error systemFailure(std::string_view what, const std::string& path, int code) { return failure(what, path, std::strerror(code)); }

class Descriptor {
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int get() const { return m_fd; }
    bool valid() const { return m_fd >= 0; }
    int close()
    {
        const int fd = m_fd;
        m_fd = -1;
        return fd < 0 ? 0 : ::close(fd);
    }

private:
    int m_fd;
};

/// A new or renamed name is durable only once its folder is.
Status syncFolderOf(const std::string& path)
{
    const std::string folder = QFileInfo(native(path)).absolutePath().toStdString();
    const Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Some file systems refuse to sync a folder (EINVAL); there is nothing more to be done on them.
    if (!fd.valid() || (::fsync(fd.get()) != 0 && errno != EINVAL))
        return systemFailure("Cannot flush the folder", folder, errno);
    return {};
}

/// Qt's bits are the owner's, the group's and the others', a hexadecimal digit each.
mode_t modeOf(QFileDevice::Permissions permissions)
{
    const auto bits = static_cast<unsigned>(permissions);
    return ((bits >> 12U) & 7U) << 6U | ((bits >> 4U) & 7U) << 3U | (bits & 7U);
}

Status writeAll(int fd, std::string_view content, const std::string& path)
{
    while (!content.empty()) {
        const ssize_t written = ::write(fd, content.data(), content.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return systemFailure("Cannot write", path, errno);
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}
#endif

/// Puts `content` in the place of the file by way of a temporary one beside it.
Status replaceWith(const std::string& path, std::string_view content, QFileDevice::Permissions mode, const char* suffix)
{
#ifdef Q_OS_UNIX
    const std::string temporary = path + suffix;
    // Left over by a crash in mid-write.
    ::unlink(temporary.c_str());
    Descriptor fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!fd.valid())
        return systemFailure("Cannot make", temporary, errno);
    const auto abandon = [&temporary](Error error) {
        ::unlink(temporary.c_str());
        return error;
    };
    if (::fchmod(fd.get(), modeOf(mode)) != 0)
        return abandon(systemFailure("Cannot set the mode of", temporary, errno));
    if (const Status written = writeAll(fd.get(), content, temporary); !written)
        return abandon(written.error());
    if (::fsync(fd.get()) != 0 || fd.close() != 0)
        return abandon(systemFailure("Cannot flush", temporary, errno));
    if (::rename(temporary.c_str(), path.c_str()) != 0)
        return abandon(systemFailure("Cannot replace", path, errno));
    return syncFolderOf(path);
#else
    Q_UNUSED(suffix)
    QSaveFile file(native(path));
    if (!file.open(QIODevice::WriteOnly) || !file.setPermissions(mode)
        || file.write(content.data(), static_cast<qint64>(content.size())) != static_cast<qint64>(content.size()) || !file.commit())
        return failure("Cannot replace", path, file.errorString().toStdString());
    return {};
#endif
}

}  // namespace

Status makePrivateFolder(const std::string& path, const std::string& marker)
{
    const QString folder = native(path);
    const QFileInfo before(folder);
    if (before.exists() && !before.isDir())
        return failure("Cannot use the folder", path, "it is a file");
    if (!before.exists()) {
        if (!QDir().mkpath(folder))
            return failure("Cannot make the folder", path, "the system refused");
    } else if (!QDir(folder).isEmpty() && !QFile::exists(folder + QLatin1Char('/') + native(marker))) {
        return {};
    }
    const bool open = (QFileInfo(folder).permissions() & kOthers) != QFileDevice::Permissions();
    if (open && !QFile::setPermissions(folder, kOwnerFolder))
        return failure("Cannot make private the folder", path, "the system refused");
    return {};
}

Result<bool> ensurePrivateFile(const std::string& path)
{
#ifdef Q_OS_UNIX
    const Descriptor fd(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!fd.valid()) {
        if (errno != EEXIST)
            return systemFailure("Cannot make", path, errno);
        if (const Status restricted = restrictToOwner(path); !restricted)
            return restricted.error();
        return false;
    }
    if (::fchmod(fd.get(), 0600) != 0 || ::fsync(fd.get()) != 0)
        return systemFailure("Cannot make", path, errno);
    if (const Status synced = syncFolderOf(path); !synced)
        return synced.error();
    return true;
#else
    if (QFile::exists(native(path)))
        return false;
    QFile file(native(path));
    if (!file.open(QIODevice::WriteOnly | QIODevice::NewOnly))
        return failure("Cannot make", path, file.errorString().toStdString());
    file.setPermissions(kOwnerFile);
    return true;
#endif
}

Status restrictToOwner(const std::string& path)
{
    const QString file = native(path);
    if (!QFile::exists(file))
        return {};
    if (!QFileInfo(file).isFile())
        return failure("Cannot use", path, "it is not a file");
    if (!QFile::setPermissions(file, kOwnerFile))
        return failure("Cannot make private", path, "the system refused");
    return {};
}

Status replaceFile(const std::string& path, std::string_view content) { return replaceWith(path, content, kOwnerFile, ".new"); }

Status rewriteFile(const std::string& path, std::string_view content)
{
    QString target = native(path);
    // A link may lead to a file that is yet to be made.
    for (int links = 0; links < 40 && QFileInfo(target).isSymLink(); ++links)
        target = QFileInfo(target).symLinkTarget();
    const QFileInfo before(target);
    if (before.exists() && !before.isFile())
        return failure("Cannot use", path, "it is not a file");
    return replaceWith(target.toStdString(), content, before.exists() ? before.permissions() : kOwnerFile, ".omniroute-new");
}

Status moveFile(const std::string& from, const std::string& to)
{
    if (!QFile::rename(native(from), native(to)))
        return Error{ErrorKind::Storage, from + " cannot be moved to " + to + ". Check the permissions of the folder."};
#ifdef Q_OS_UNIX
    // A way to read is enough to flush what others wrote; a file that its mode forbids even that was not written to lately.
    if (const Descriptor fd(::open(to.c_str(), O_RDONLY | O_CLOEXEC)); fd.valid() && ::fsync(fd.get()) != 0 && errno != EINVAL)
        return systemFailure("Cannot flush", to, errno);
    if (const Status synced = syncFolderOf(to); !synced)
        return synced;
    return syncFolderOf(from);
#else
    return {};
#endif
}

Result<std::string> readFile(const std::string& path, std::size_t limit)
{
    QFile file(native(path));
    if (!file.exists())
        return Error{ErrorKind::NotFound, "There is no file " + path};
    if (!file.open(QIODevice::ReadOnly))
        return failure("Cannot read", path, file.errorString().toStdString());
    if (file.size() > static_cast<qint64>(limit))
        return Error{ErrorKind::LimitExceeded, path + " is larger than such a file can be"};
    const QByteArray content = file.readAll();
    if (file.error() != QFileDevice::NoError)
        return failure("Cannot read", path, file.errorString().toStdString());
    return content.toStdString();
}

}  // namespace omni
