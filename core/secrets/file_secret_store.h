#pragma once

#include "base/delivery.h"
#include "secrets/key_store.h"
#include "secrets/secret_file.h"
#include "secrets/secret_store.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>

namespace omni {

/// The decrypted content of "secrets.bin", or the fact that it cannot be had. Shared with an answer of the key store that may come late.
/// Thread-safe.
class SecretVault {
public:
    /// Nothing can be read until `unlock`.
    SecretVault(std::string path, SecretStatus status) : m_path(std::move(path)), m_status(std::move(status)) {}

    const std::string& path() const { return m_path; }
    SecretStatus status() const;
    Result<std::string> read(const std::string& reference) const;

    void unlock(SecretFileHeader header, SecretKey key, SecretMap secrets);
    void lock(SecretProtection protection, std::string explanation);

    struct Change {
        std::string reference;
        std::optional<std::string> value;  ///< nothing = remove
    };
    /// All of them in one write of the file. Blocks on the disk; one thread at a time. Nothing has changed after an error.
    Status apply(const std::deque<Change>& changes);
    /// The same secrets under another key. Blocks like `apply`.
    Status protectAnew(SecretFileHeader header, SecretKey key);

private:
    const std::string m_path;
    mutable std::shared_mutex m_mutex;
    SecretStatus m_status;
    SecretFileHeader m_header;
    SecretKey m_key;
    SecretMap m_secrets;
};

/// A vault, and the thread that writes it. What is asked for while a write is under way goes into the next one, together.
class FileSecretStore final : public SecretStore {
public:
    explicit FileSecretStore(std::shared_ptr<SecretVault> vault) : m_vault(std::move(vault)) {}
    /// Writes what was asked for.
    ~FileSecretStore() override;

    Result<std::string> read(const std::string& reference) const override { return m_vault->read(reference); }
    void write(const std::string& reference, std::string value, QObject* context, std::function<void(Status)> done) override;
    void remove(const std::string& reference, QObject* context, std::function<void(Status)> done) override;
    SecretStatus status() const override { return m_vault->status(); }

private:
    struct Answer {
        Delivery delivery;
        std::function<void(Status)> done;
    };

    void ask(SecretVault::Change change, QObject* context, std::function<void(Status)> done);
    void run();

    const std::shared_ptr<SecretVault> m_vault;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<SecretVault::Change> m_changes;
    std::deque<Answer> m_answers;
    bool m_stopping = false;
    std::thread m_thread;
};

/// As `openSecretStore`, with the key store handed in (nullptr = there is none) and the time it gets.
Result<std::unique_ptr<SecretStore>> openSecretStore(const SecretStoreOptions& options, std::shared_ptr<KeyStore> keyStore, int patienceMs);

}  // namespace omni
