#pragma once

#include "base/result.h"

#include <functional>
#include <memory>
#include <string>

class QObject;

namespace omni {

/// Where the key that encrypts the secrets file is kept.
enum class SecretProtection { SystemKeyStore, KeyFile, Passphrase, Memory };

/// What the user is told about the protection of their keys.
struct SecretStatus {
    SecretProtection protection = SecretProtection::KeyFile;
    bool locked = false;  ///< secrets exist but cannot be read now (key store locked, key file missing, no passphrase)
    std::string explanation;  ///< one plain English sentence (the windows have their own translated ones)
};

struct SecretStoreOptions {
    std::string dataDir;
    /// For a new file; probed: write, read, delete a random entry. False for headless and tests. A file whose key is already in the
    /// system's key store is read with it whatever this says.
    bool useSystemKeyStore = true;
    std::string passphrase;         ///< when set (OMNIROUTE_PASSPHRASE), the key is derived from it and never stored
};

/// Keys and passwords by reference, in one file ("secrets.bin", 0600) encrypted with AES-256-GCM. The file's key is held by the
/// operating system's key store, by a file "secrets.key" (0600), or is derived from a passphrase (scrypt). One blob rather than an
/// entry for each secret in the key store: one unlock at the start instead of a D-Bus round trip for each of a thousand keys, no size
/// limit, and backups of the database hold none of it.
///
/// Reading is from memory and never blocks. A file that exists but cannot be decrypted is never overwritten: the store is `locked`,
/// reads fail with Secret, writes are refused. Thread-safe.
class SecretStore {
public:
    virtual ~SecretStore() = default;

    virtual Result<std::string> read(const std::string& reference) const = 0;
    /// Durable (written to a temporary file, flushed, renamed) before `done` runs in `context`'s thread.
    virtual void write(const std::string& reference, std::string value, QObject* context, std::function<void(Status)> done) = 0;
    virtual void remove(const std::string& reference, QObject* context, std::function<void(Status)> done) = 0;
    virtual SecretStatus status() const = 0;
};

/// Opens, or makes, the store of a data folder. Blocks at most 3 s for the system's key store; falls back to the key file, never
/// treating "no such entry" as "the key was deleted" when the file says that the system's key store holds its key. An answer of the key
/// store that comes later (the user was asked for a password) still unlocks it: `status` and `read` then change by themselves.
/// Call it in the application's thread; in another one the system's key store is not used. A passphrase given for a file that has another
/// protection is taken into use.
Result<std::unique_ptr<SecretStore>> openSecretStore(const SecretStoreOptions& options);

/// For tests, and for a program told to keep nothing.
std::unique_ptr<SecretStore> makeMemorySecretStore();

}  // namespace omni
