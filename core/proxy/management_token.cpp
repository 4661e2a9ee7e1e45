#include "proxy/access_control.h"

#include "base/random.h"
#include "base/text.h"

#include <QFile>
#include <QSaveFile>

#include <algorithm>

namespace omni {

namespace {

constexpr std::size_t kTokenBytes = 32;
/// Tokens set by hand are taken when they are at least this long.
constexpr std::size_t kShortestToken = 32;
constexpr std::size_t kLongestToken = 512;
constexpr auto kOwnerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

Error storageError(const std::string& path, const char* what, const QFileDevice& file)
{
    return Error{ErrorKind::Storage, "The management token " + path + " cannot be " + what + ": " + file.errorString().toStdString()};
}

bool usable(std::string_view token)
{
    return token.size() >= kShortestToken && token.size() <= kLongestToken
           && std::all_of(token.begin(), token.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

}  // namespace

Result<ManagementToken> ManagementToken::loadOrCreate(const std::string& dataDir)
{
    ManagementToken token;
    token.m_path = dataDir + "/management.token";
    const QString path = QString::fromStdString(token.m_path);

    QFile file(path);
    if (file.exists()) {
        // Copies and restores lose the mode; whoever reads the token owns the proxy.
        if ((file.permissions() & ~(kOwnerOnly | QFileDevice::ReadUser | QFileDevice::WriteUser)) && !file.setPermissions(kOwnerOnly))
            return storageError(token.m_path, "kept from other users", file);
        if (!file.open(QIODevice::ReadOnly))
            return storageError(token.m_path, "read", file);
        std::string text = file.read(kLongestToken + 2).toStdString();
        while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
            text.pop_back();
        token.m_value = std::string(trimmed(text));
        if (usable(token.m_value))
            return token;
        file.close();
    }

    token.m_value = secureRandomHex(kTokenBytes);
    QSaveFile fresh(path);
    if (!fresh.open(QIODevice::WriteOnly))
        return storageError(token.m_path, "made", fresh);
    // Before the first byte: nobody else may hold the file open when the token goes in.
    if (!fresh.setPermissions(kOwnerOnly))
        return storageError(token.m_path, "kept from other users", fresh);
    const std::string line = token.m_value + "\n";
    if (fresh.write(line.data(), static_cast<qint64>(line.size())) != static_cast<qint64>(line.size()) || !fresh.commit())
        return storageError(token.m_path, "written", fresh);
    return token;
}

bool ManagementToken::matches(std::string_view presented) const
{
    return !m_value.empty() && equalsConstantTime(presented, m_value);
}

}  // namespace omni
