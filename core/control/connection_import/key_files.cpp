#include "control/connection_import/key_files.h"

#include "base/private_file.h"
#include "control/client_setup/edit_text.h"
#include "control/connection_import/key_readers.h"

#include <QDir>
#include <QFileInfo>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

namespace omni::connection_import {

namespace {

constexpr std::size_t kLargestFile = 1u << 20;

QString native(const std::string& path) { return QString::fromStdString(path); }

std::string folderOf(const char* variable, std::string otherwise)
{
    const QString set = qEnvironmentVariable(variable);
    return QDir::isAbsolutePath(set) ? set.toStdString() : std::move(otherwise);
}

/// "~/.codex/auth.json"
std::string shortened(const std::string& path, const std::string& home)
{
    return path.starts_with(home + "/") ? "~" + path.substr(home.size()) : path;
}

/// The text of a file that may be read; unset when there is none.
Result<std::optional<std::string>> ownText(const std::string& path, const Surroundings& surroundings)
{
    QFileInfo file(native(path));
    if (!file.exists())
        return std::optional<std::string>();
    const QString real = file.canonicalFilePath();
    const QString home = QFileInfo(native(surroundings.home)).canonicalFilePath();
    if (file.isSymLink() && !real.startsWith(home + QLatin1Char('/')))
        return Error{ErrorKind::Forbidden, "It is a link to something outside your home folder."};
    file.setFile(real);
    if (!file.isFile())
        return Error{ErrorKind::InvalidArgument, "It is no file."};
#ifdef Q_OS_UNIX
    if (file.ownerId() != surroundings.owner)
        return Error{ErrorKind::Forbidden, "It belongs to another user."};
#endif
    if (file.size() > static_cast<qint64>(kLargestFile))
        return Error{ErrorKind::LimitExceeded, "It is larger than 1 MiB."};
    const Result<std::string> text = readFile(real.toStdString(), kLargestFile);
    if (!text)
        return Error{text.error().kind, "It cannot be read. Check its permissions."};
    if (text->empty())
        return std::optional<std::string>();
    if (!client_setup::checkText(*text))
        return Error{ErrorKind::InvalidArgument, "It is no text in UTF-8."};
    return std::optional(*text);
}

}  // namespace

Surroundings Surroundings::ofThisUser()
{
    Surroundings here;
    here.home = QDir::homePath().toStdString();
    here.config = folderOf("XDG_CONFIG_HOME", here.home + "/.config");
    here.data = folderOf("XDG_DATA_HOME", here.home + "/.local/share");
#ifdef Q_OS_UNIX
    here.owner = ::geteuid();
#endif
    for (const std::string& name : knownVariables()) {
        if (const QByteArray value = qgetenv(name.c_str()); !value.isEmpty())
            here.environment.emplace(name, value.toStdString());
    }
    return here;
}

std::vector<KeyFile> knownKeyFiles(const Surroundings& surroundings)
{
    const std::string& home = surroundings.home;
    std::vector<KeyFile> files = {
        {"Claude Code", home + "/.claude/settings.json", &readClaudeCode},
        {"Codex", home + "/.codex/auth.json", &readCodex},
        {"Cline", home + "/.cline/data/secrets.json", &readCline},
        {"Continue", home + "/.continue/config.yaml", &readContinueYaml},
        {"Continue", home + "/.continue/config.json", &readContinueJson},
        {"Continue", home + "/.continue/.env", &readAssignments},
        {"aider", home + "/.aider.conf.yml", &readAider},
        {"opencode", surroundings.data + "/opencode/auth.json", &readOpenCodeKeys},
        {"opencode", surroundings.config + "/opencode/opencode.json", &readOpenCode},
        {"Gemini CLI", home + "/.gemini/.env", &readAssignments},
        {"Qwen Code", home + "/.qwen/.env", &readAssignments},
        {"Goose", surroundings.config + "/goose/secrets.yaml", &readGoose},
        {"Crush", surroundings.config + "/crush/crush.json", &readCrush},
        {"Crush", surroundings.data + "/crush/crush.json", &readCrush},
        {"llm", surroundings.config + "/io.datasette.llm/keys.json", &readLlm},
    };
    // A program of the desktop does not see what a shell sets, so its files are looked into.
    for (const char* name : {"/.env", "/.profile", "/.bash_profile", "/.bashrc", "/.zshenv", "/.zprofile", "/.zshrc"})
        files.push_back({{}, home + name, &readAssignments});
    files.push_back({{}, surroundings.config + "/fish/config.fish", &readAssignments});
    return files;
}

Findings keysInEnvironment(const Surroundings& surroundings, const ProviderCatalogue& catalogue)
{
    KeyCollector keys(catalogue);
    keys.addVariables({surroundings.environment.begin(), surroundings.environment.end()});
    return keys.take();
}

Findings keysInFiles(const Surroundings& surroundings, const ProviderCatalogue& catalogue)
{
    KeyCollector keys(catalogue);
    for (const KeyFile& file : knownKeyFiles(surroundings)) {
        keys.at(shortened(file.path, surroundings.home));
        const Result<std::optional<std::string>> text = ownText(file.path, surroundings);
        if (!text)
            keys.refuse(text.error().message);
        if (!text || !text->has_value())
            continue;
        if (const Status read = file.read(**text, keys); !read)
            keys.refuse(read.error().message);
    }
    return keys.take();
}

}  // namespace omni::connection_import
