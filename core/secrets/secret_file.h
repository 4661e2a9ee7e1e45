#pragma once

#include "base/result.h"
#include "secrets/secret_store.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace omni {

using SecretMap = std::map<std::string, std::string, std::less<>>;

inline constexpr std::size_t kSecretKeyBytes = 32;
inline constexpr std::size_t kSecretSaltBytes = 16;

/// A key of 32 bytes that is wiped from memory when it dies.
class SecretKey {
public:
    SecretKey() = default;
    explicit SecretKey(std::string bytes) : m_bytes(std::move(bytes)) {}
    ~SecretKey();
    SecretKey(const SecretKey&) = default;
    SecretKey& operator=(const SecretKey&) = default;

    const std::string& bytes() const { return m_bytes; }
    bool valid() const { return m_bytes.size() == kSecretKeyBytes; }

    static SecretKey random();
    /// 64 hex digits, blanks around them allowed; not valid when `text` is anything else.
    static SecretKey fromHex(std::string_view text);

private:
    std::string m_bytes;
};

/// What the file says of itself in the clear.
struct SecretFileHeader {
    SecretProtection protection = SecretProtection::KeyFile;
    std::string salt;       ///< random; scrypt's salt, and the name of the key in the system's key store
    int scryptCost = 15;    ///< log2 of scrypt's N: 32 MB and about 0.1 s; r = 8, p = 1
};

// The file: "OMNISEC", version (1), protection, scrypt cost, salt (16), nonce (12), then the secrets, encrypted with AES-256-GCM, and
// its tag (16). Everything before the secrets is authenticated with them, so that nothing of it can be exchanged.

/// Secret when it is not such a file, or of a version this program does not know.
Result<SecretFileHeader> secretHeader(std::string_view file);
/// Secret when the key does not fit or a bit of the file was changed; the two cannot be told apart.
Result<SecretMap> openSecrets(std::string_view file, const SecretKey& key);
/// A nonce is drawn anew each time.
Result<std::string> sealSecrets(const SecretFileHeader& header, const SecretMap& secrets, const SecretKey& key);
/// scrypt. Takes about 0.1 s on purpose.
Result<SecretKey> keyFromPassphrase(std::string_view passphrase, const SecretFileHeader& header);

}  // namespace omni
