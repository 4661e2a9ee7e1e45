#include "proxy/access_control.h"

#include "base/private_file.h"
#include "base/random.h"
#include "base/text.h"

#include <algorithm>

namespace omni {

namespace {

constexpr std::size_t kTokenBytes = 32;
/// Tokens set by hand are taken when they are at least this long.
constexpr std::size_t kShortestToken = 32;
constexpr std::size_t kLongestToken = 512;

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

    const Result<std::string> stored = readFile(token.m_path, kLongestToken + 2);
    if (stored) {
        token.m_value = *stored;
        while (!token.m_value.empty() && (token.m_value.back() == '\n' || token.m_value.back() == '\r'))
            token.m_value.pop_back();
        if (usable(token.m_value)) {
            // Copies and restores lose the mode, and whoever reads the token owns the proxy.
            if (const Status restricted = restrictToOwner(token.m_path); !restricted)
                return restricted.error();
            return token;
        }
    } else if (stored.error().kind == ErrorKind::Storage) {
        return stored.error();
    }

    token.m_value = secureRandomHex(kTokenBytes);
    if (const Status written = replaceFile(token.m_path, token.m_value + "\n"); !written)
        return written.error();
    return token;
}

bool ManagementToken::matches(std::string_view presented) const
{
    return !m_value.empty() && equalsConstantTime(presented, m_value);
}

}  // namespace omni
