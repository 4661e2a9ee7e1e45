#include "store/database_files.h"

#include "base/logging.h"
#include "base/private_file.h"
#include "store/data_folder.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace omni {

namespace {

constexpr std::size_t kLongestName = 1024;

QString native(const std::string& path) { return QString::fromStdString(path); }

std::string noteOf(const std::string& databasePath) { return databasePath + ".moving"; }

bool anyPartThere(const std::string& path)
{
    return std::any_of(kDatabaseParts.begin(), kDatabaseParts.end(), [&path](const char* part) { return isThere(path + part); });
}

/// A name in `folder` that nothing has.
std::string freeName(const std::string& folder, const std::string& prefix)
{
    const std::string stem = prefix + fileStamp();
    std::string name = stem + ".sqlite";
    for (int attempt = 1; anyPartThere(folder + "/" + name); ++attempt)
        name = stem + "-" + std::to_string(attempt) + ".sqlite";
    return name;
}

/// The file itself first: as long as it is not in its place and the note is there, the move is one that was broken off.
Status movePartsAside(const std::string& path, const std::string& aside)
{
    for (const char* part : kDatabaseParts) {
        if (!isThere(path + part))
            continue;
        if (const Status moved = moveFile(path + part, aside + part); !moved)
            return moved;
    }
    return {};
}

/// And last on the way back, for the same reason.
Status movePartsBack(const std::string& aside, const std::string& path)
{
    for (auto part = kDatabaseParts.rbegin(); part != kDatabaseParts.rend(); ++part) {
        if (!isThere(aside + *part))
            continue;
        if (const Status moved = moveFile(aside + *part, path + *part); !moved)
            return moved;
    }
    return {};
}

/// Leaves the note for `finishMove` or `takeBackBrokenMove`.
Result<std::string> beginMove(const std::string& path, const std::string& folder, const std::string& prefix)
{
    if (const Status made = makePrivateFolder(folder, "."); !made)
        return made.error();
    const std::string name = freeName(folder, prefix);
    if (const Status noted = replaceFile(noteOf(path), name); !noted)
        return noted.error();
    if (const Status moved = movePartsAside(path, folder + "/" + name); !moved) {
        (void)takeBackBrokenMove(path, folder);
        return moved.error();
    }
    return folder + "/" + name;
}

void finishMove(const std::string& path, const std::string& folder, const std::string& prefix, int keep)
{
    QFile::remove(native(noteOf(path)));
    keepNewest(folder, prefix, keep);
}

/// A log without its database is kept, for whoever knows which one it belongs to.
Status moveLogsAside(const std::string& path, const std::string& folder, const std::string& prefix)
{
    if (!anyPartThere(path))
        return {};
    if (const Status made = makePrivateFolder(folder, "."); !made)
        return made;
    const std::string aside = folder + "/" + freeName(folder, prefix);
    qCWarning(lcStore, "A log without its database was beside %s; it is kept as %s-…", path.c_str(), aside.c_str());
    return movePartsAside(path, aside);
}

}  // namespace

bool isThere(const std::string& path)
{
    const QFileInfo file(native(path));
    return file.exists() || file.isSymLink();
}

Result<std::string> moveAside(const std::string& databasePath, const std::string& folder, const std::string& prefix, int keep)
{
    Result<std::string> aside = beginMove(databasePath, folder, prefix);
    if (aside)
        finishMove(databasePath, folder, prefix, keep);
    return aside;
}

Result<std::string> replaceDatabase(const std::string& databasePath, const std::string& by, const std::string& folder,
                                    const std::string& prefix, int keep)
{
    if (!isThere(databasePath)) {
        if (const Status moved = moveLogsAside(databasePath, folder, prefix); !moved)
            return moved.error();
        if (const Status placed = moveFile(by, databasePath); !placed)
            return placed.error();
        return std::string();
    }
    Result<std::string> aside = beginMove(databasePath, folder, prefix);
    if (!aside)
        return aside;
    // Once it has the name, all that may have failed is the flushing.
    if (const Status placed = moveFile(by, databasePath); !placed && !isThere(databasePath)) {
        (void)takeBackBrokenMove(databasePath, folder);
        return placed.error();
    }
    finishMove(databasePath, folder, prefix, keep);
    return aside;
}

Status takeBackBrokenMove(const std::string& databasePath, const std::string& folder)
{
    const std::string note = noteOf(databasePath);
    if (!isThere(note))
        return {};
    const Result<std::string> name = readFile(note, kLongestName);
    if (!name)
        return name.error();
    // With the database in its place, nothing had been moved yet, or all of it and another one is there.
    if (!isThere(databasePath) && !name->empty() && name->find('/') == std::string::npos) {
        if (const Status moved = movePartsBack(folder + "/" + *name, databasePath); !moved)
            return moved;
    }
    QFile::remove(native(note));
    return {};
}

Result<bool> bringBackNewest(const std::string& databasePath, const std::string& folder, const std::string& prefix)
{
    const std::vector<std::string> names = namedByProgram(folder, prefix);
    if (names.empty())
        return false;
    if (const Status moved = moveLogsAside(databasePath, folder, prefix); !moved)
        return moved.error();
    if (const Status noted = replaceFile(noteOf(databasePath), names.front()); !noted)
        return noted.error();
    if (const Status moved = takeBackBrokenMove(databasePath, folder); !moved)
        return moved.error();
    qCWarning(lcStore, "There was no database; %s is it again", names.front().c_str());
    return true;
}

}  // namespace omni
