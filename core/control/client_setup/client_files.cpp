#include "control/client_setup/client_files.h"

#include "base/private_file.h"
#include "base/text.h"

#include <nlohmann/json.hpp>

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace omni::client_setup {

namespace {

using nlohmann::json;

constexpr std::size_t kLargest = 8U * 1024 * 1024;
constexpr std::size_t kKept = 20;  ///< changes remembered for each client

QString native(const std::string& path)
{
    return QString::fromStdString(path);
}

Error fileError(ErrorKind kind, const std::string& path, const std::string& what)
{
    return {kind, path + ": " + what};
}

/// What links lead to, so that copies lie beside the file itself.
std::string realPath(const std::string& path)
{
    const QString real = QFileInfo(native(path)).canonicalFilePath();
    return real.isEmpty() ? path : real.toStdString();
}

Result<std::string> makeBackup(const std::string& path, WallTime now)
{
    const std::string real = realPath(path);
    const QString stamp = QDateTime::fromMSecsSinceEpoch(epochMillis(now)).toString(QStringLiteral("yyyyMMdd-HHmmss"));
    const QString base = native(real) + QStringLiteral(".before-omniroute-") + stamp;
    QString backup = base;
    for (int n = 2; QFileInfo::exists(backup); ++n)
        backup = base + QLatin1Char('-') + QString::number(n);
    // Mode and all.
    QFile file(native(real));
    if (!file.copy(backup))
        return fileError(ErrorKind::Storage, path, "Cannot copy it to " + backup.toStdString() + ": " + file.errorString().toStdString());
    return backup.toStdString();
}

Status makeFolderOf(const std::string& path)
{
    const QString folder = QFileInfo(native(path)).absolutePath();
    if (!QDir().mkpath(folder))
        return fileError(ErrorKind::Storage, path, "Cannot make the folder " + folder.toStdString());
    return {};
}

Status putBack(const WrittenFile& file)
{
    if (file.backup.empty()) {
        QFile written(native(file.path));
        if (!written.remove())
            return fileError(ErrorKind::Storage, file.path, "Cannot remove it: " + written.errorString().toStdString());
        return {};
    }
    const Result<std::string> content = readFile(file.backup, kLargest);
    if (!content)
        return content.error();
    if (const Status status = rewriteFile(file.path, *content); !status)
        return status;
    QFile::remove(native(file.backup));
    return {};
}

json readJournal(const std::string& path)
{
    const Result<std::string> text = readFile(path, kLargest);
    json journal = text ? json::parse(*text, nullptr, false) : json::object();
    return journal.is_object() ? journal : json::object();
}

json toJson(const AppliedChange& change)
{
    json files = json::array();
    for (const WrittenFile& file : change.files)
        files.push_back({{"path", file.path}, {"backup", file.backup}, {"sha256", file.sha256}});
    return {{"atMs", epochMillis(change.at)}, {"files", files}};
}

std::string textAt(const json& object, const char* key)
{
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<AppliedChange> fromJson(const json& entry)
{
    if (!entry.is_object() || !entry.contains("files") || !entry["files"].is_array())
        return std::nullopt;
    AppliedChange change;
    if (entry.contains("atMs") && entry["atMs"].is_number_integer())
        change.at = WallTime(Millis(entry["atMs"].get<std::int64_t>()));
    for (const json& file : entry["files"]) {
        WrittenFile written{textAt(file, "path"), textAt(file, "backup"), textAt(file, "sha256")};
        if (written.path.empty() || written.sha256.empty())
            return std::nullopt;
        change.files.push_back(std::move(written));
    }
    return change.files.empty() ? std::nullopt : std::optional(change);
}

}  // namespace

Result<std::optional<std::string>> readClientFile(const std::string& path)
{
    const QFileInfo info(native(path));
    if (info.exists() && !info.isFile())
        return fileError(ErrorKind::InvalidArgument, path, "This is no file.");
    Result<std::string> content = readFile(path, kLargest);
    if (!content && content.error().kind == ErrorKind::NotFound)
        return std::optional<std::string>();
    if (!content)
        return content.error();
    return std::optional(*std::move(content));
}

Result<std::vector<PlannedFile>> ClientFiles::plan(const std::vector<FileEdit>& edits)
{
    std::vector<PlannedFile> planned;
    for (const FileEdit& edit : edits) {
        Result<std::optional<std::string>> content = readClientFile(edit.path);
        if (!content)
            return content.error();
        PlannedFile file;
        file.path = edit.path;
        file.existed = content->has_value();
        file.before = content->value_or(std::string());
        Result<std::string> after = edit.edit(file.before);
        if (!after) {
            return fileError(ErrorKind::InvalidArgument, edit.path,
                             after.error().message + ". Nothing was changed; mend the file, or move it away and try again.");
        }
        file.after = *std::move(after);
        planned.push_back(std::move(file));
    }
    return planned;
}

Status ClientFiles::apply(const std::string& client, const std::vector<PlannedFile>& files, WallTime now) const
{
    for (const PlannedFile& file : files) {
        const Result<std::optional<std::string>> present = readClientFile(file.path);
        if (!present)
            return present.error();
        if (present->has_value() != file.existed || present->value_or(std::string()) != file.before)
            return fileError(ErrorKind::Conflict, file.path, "It was changed meanwhile. Look at the change again.");
    }
    AppliedChange change;
    change.at = now;
    const auto giveUp = [&change](Error error) {
        for (const WrittenFile& written : change.files) {
            if (const Status back = putBack(written); !back)
                error.message += " " + back.error().message;
        }
        return error;
    };
    for (const PlannedFile& file : files) {
        if (!file.changes())
            continue;
        if (const Status folder = makeFolderOf(file.path); !folder)
            return giveUp(folder.error());
        WrittenFile written{file.path, {}, sha256Hex(file.after)};
        if (file.existed) {
            Result<std::string> backup = makeBackup(file.path, now);
            if (!backup)
                return giveUp(backup.error());
            written.backup = *std::move(backup);
        }
        if (const Status status = rewriteFile(file.path, file.after); !status) {
            if (!written.backup.empty())
                QFile::remove(native(written.backup));
            return giveUp(status.error());
        }
        change.files.push_back(std::move(written));
    }
    if (change.files.empty())
        return {};
    json journal = readJournal(m_journal);
    json& list = journal[client];
    if (!list.is_array())
        list = json::array();
    list.push_back(toJson(change));
    while (list.size() > kKept)
        list.erase(list.begin());
    if (const Status status = replaceFile(m_journal, journal.dump(2)); !status)
        return giveUp(status.error());
    return {};
}

std::optional<AppliedChange> ClientFiles::lastChange(const std::string& client) const
{
    const json journal = readJournal(m_journal);
    const auto list = journal.find(client);
    if (list == journal.end() || !list->is_array() || list->empty())
        return std::nullopt;
    return fromJson(list->back());
}

Status ClientFiles::undo(const std::string& client) const
{
    const std::optional<AppliedChange> change = lastChange(client);
    if (!change)
        return Error{ErrorKind::NotFound, "There is no change to take back."};
    for (const WrittenFile& file : change->files) {
        const Result<std::optional<std::string>> present = readClientFile(file.path);
        if (!present)
            return present.error();
        if (!present->has_value() || sha256Hex(**present) != file.sha256) {
            const std::string copy = file.backup.empty() ? std::string() : " What was there before is in " + file.backup + ".";
            return fileError(ErrorKind::Conflict, file.path, "It was changed since, so it is left as it is." + copy);
        }
        if (!file.backup.empty() && !QFileInfo::exists(native(file.backup)))
            return fileError(ErrorKind::NotFound, file.path, "Its copy " + file.backup + " is gone, so it is left as it is.");
    }
    for (const WrittenFile& file : change->files) {
        if (const Status status = putBack(file); !status)
            return status;
    }
    json journal = readJournal(m_journal);
    journal[client].erase(journal[client].size() - 1);
    return replaceFile(m_journal, journal.dump(2));
}

}  // namespace omni::client_setup
