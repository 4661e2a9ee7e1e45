#include "base/logging.h"
#include "base/private_file.h"
#include "base/random.h"
#include "base/text.h"
#include "secrets/file_secret_store.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QEventLoop>
#include <QFile>
#include <QTimer>

#include <utility>

namespace omni {

namespace {

constexpr int kPatienceMs = 3'000;
constexpr std::size_t kMaxSecretsFile = 64u << 20;
constexpr std::size_t kMaxKeyFile = 4096;

/// Asks the key store and waits, in a loop of its own, until it answers or the deadline has passed. An answer that comes later goes
/// to `late`.
class PatientKeyStore {
public:
    PatientKeyStore(std::shared_ptr<KeyStore> store, int patienceMs) : m_store(std::move(store)), m_deadline(patienceMs) {}

    bool available() const { return m_store != nullptr && qApp != nullptr; }

    std::optional<KeyStore::Answer> read(const std::string& name, KeyStore::Reply late)
    {
        return wait([&](KeyStore::Reply reply) { m_store->read(name, std::move(reply)); }, std::move(late));
    }

    /// What came late is taken back.
    bool write(const std::string& name, const std::string& value)
    {
        const auto takeBack = [store = m_store, name](const KeyStore::Answer&) { store->remove(name, [](const KeyStore::Answer&) {}); };
        return succeeded(wait([&](KeyStore::Reply reply) { m_store->write(name, value, std::move(reply)); }, takeBack));
    }

    bool remove(const std::string& name)
    {
        return succeeded(wait([&](KeyStore::Reply reply) { m_store->remove(name, std::move(reply)); }, {}));
    }

    /// Writes an entry of no meaning, reads it back and deletes it: the only way to know that it works.
    bool probe()
    {
        const std::string name = "probe-" + secureRandomHex(8);
        const std::string value = secureRandomHex(16);
        if (!write(name, value))
            return false;
        const std::optional<KeyStore::Answer> answer = read(name, {});
        const bool same = succeeded(answer) && answer->value == value;
        return remove(name) && same;
    }

private:
    struct Pending {
        std::optional<KeyStore::Answer> answer;
        QEventLoop* loop = nullptr;
        bool givenUp = false;
        KeyStore::Reply late;
    };

    static bool succeeded(const std::optional<KeyStore::Answer>& answer)
    {
        return answer && answer->outcome == KeyStore::Outcome::Done;
    }

    std::optional<KeyStore::Answer> wait(const std::function<void(KeyStore::Reply)>& ask, KeyStore::Reply late)
    {
        auto pending = std::make_shared<Pending>();
        pending->late = std::move(late);
        ask([pending, store = m_store](KeyStore::Answer answer) {
            if (pending->givenUp) {
                if (pending->late)
                    pending->late(std::move(answer));
                return;
            }
            pending->answer = std::move(answer);
            if (pending->loop != nullptr)
                pending->loop->quit();
        });
        if (!pending->answer && !m_deadline.hasExpired()) {
            QEventLoop loop;
            pending->loop = &loop;
            QTimer::singleShot(static_cast<int>(m_deadline.remainingTime()), &loop, &QEventLoop::quit);
            loop.exec(QEventLoop::ExcludeUserInputEvents);
            pending->loop = nullptr;
        }
        pending->givenUp = !pending->answer;
        return pending->answer;
    }

    std::shared_ptr<KeyStore> m_store;
    QDeadlineTimer m_deadline;
};

/// One opening: which key, from where, and what to say when it cannot be had.
class Opening {
public:
    Opening(const SecretStoreOptions& options, std::shared_ptr<KeyStore> keyStore, int patienceMs)
        : m_options(options), m_path(options.dataDir + "/secrets.bin"), m_keyPath(options.dataDir + "/secrets.key"),
          m_keyStore(std::move(keyStore), patienceMs)
    {
    }

    Result<std::shared_ptr<SecretVault>> run()
    {
        if (const Status made = makePrivateFolder(m_options.dataDir, "storage.sqlite"); !made)
            return made.error();
        m_vault = std::make_shared<SecretVault>(m_path, SecretStatus{SecretProtection::KeyFile, true, {}});
        const Result<std::string> file = readFile(m_path, kMaxSecretsFile);
        Status opened;
        if (file)
            opened = openExisting(*file);
        else if (file.error().kind == ErrorKind::NotFound)
            opened = begin();
        else
            m_vault->lock(SecretProtection::KeyFile, "Your keys cannot be read: " + file.error().message + '.');
        if (!opened)
            return opened.error();
        return m_vault;
    }

private:
    static std::string entryName(const SecretFileHeader& header) { return "secrets-key-" + toHex(header.salt); }

    Status openExisting(const std::string& file)
    {
        if (Status restricted = restrictToOwner(m_path); !restricted)
            return restricted;
        const Result<SecretFileHeader> header = secretHeader(file);
        if (!header) {
            m_vault->lock(SecretProtection::KeyFile, header.error().message + ". It is left as it is; restore secrets.bin from a backup.");
            return {};
        }
        switch (header->protection) {
        case SecretProtection::SystemKeyStore: openWithKeyStore(file, *header); break;
        case SecretProtection::KeyFile: openWithKeyFile(file, *header); break;
        case SecretProtection::Passphrase: openWithPassphrase(file, *header); break;
        case SecretProtection::Memory: break;
        }
        if (!m_options.passphrase.empty() && header->protection != SecretProtection::Passphrase && !m_vault->status().locked)
            return moveToPassphrase(*header);
        return {};
    }

    /// Unlocks with that key, or tells why not.
    static void tryKey(SecretVault& vault, const std::string& file, const SecretFileHeader& header, const SecretKey& key,
                       const std::string& advice)
    {
        Result<SecretMap> secrets = openSecrets(file, key);
        if (secrets)
            vault.unlock(header, key, std::move(*secrets));
        else
            vault.lock(header.protection, secrets.error().message + ". " + advice);
    }

    void openWithKeyFile(const std::string& file, const SecretFileHeader& header)
    {
        const std::string advice = "Nothing was overwritten; restore the file secrets.key that belongs to secrets.bin.";
        const Result<std::string> text = readFile(m_keyPath, kMaxKeyFile);
        if (!text) {
            m_vault->lock(header.protection, "Your keys cannot be read, for the key to them is missing: " + text.error().message + ". "
                                                 + advice);
            return;
        }
        if (const Status restricted = restrictToOwner(m_keyPath); !restricted)
            qCWarning(lcSecrets, "%s", restricted.error().message.c_str());
        tryKey(*m_vault, file, header, SecretKey::fromHex(*text), advice);
    }

    void openWithPassphrase(const std::string& file, const SecretFileHeader& header)
    {
        if (m_options.passphrase.empty()) {
            m_vault->lock(header.protection, "Your keys are encrypted with a passphrase. Start the program with it in "
                                             "OMNIROUTE_PASSPHRASE.");
            return;
        }
        const Result<SecretKey> key = keyFromPassphrase(m_options.passphrase, header);
        if (!key) {
            m_vault->lock(header.protection, key.error().message + '.');
            return;
        }
        tryKey(*m_vault, file, header, *key, "Check the passphrase in OMNIROUTE_PASSPHRASE; nothing was overwritten.");
    }

    /// Whatever the options say: the key is nowhere else. "No such entry" is no proof that it was deleted, so the file stays as it is.
    void openWithKeyStore(const std::string& file, const SecretFileHeader& header)
    {
        const std::string advice = "Nothing was overwritten; unlock the key store and start the program again.";
        if (!m_keyStore.available()) {
            m_vault->lock(header.protection, "Your keys cannot be read: the key to them is in the system's key store, which cannot be used "
                                             "here. Start the program in the desktop session in which they were entered.");
            return;
        }
        const auto use = [file, header, advice](SecretVault& vault, const KeyStore::Answer& answer) {
            if (answer.outcome == KeyStore::Outcome::Done)
                tryKey(vault, file, header, SecretKey::fromHex(answer.value), advice);
            else
                vault.lock(header.protection, "Your keys cannot be read, for the system's key store does not give the key to them ("
                                                  + answer.reason + "). " + advice);
        };
        // The user may still be typing the password of the key ring.
        const auto late = [weak = std::weak_ptr<SecretVault>(m_vault), use](const KeyStore::Answer& answer) {
            if (const std::shared_ptr<SecretVault> vault = weak.lock())
                use(*vault, answer);
        };
        m_vault->lock(header.protection, "Your keys cannot be read yet: the system's key store has not answered. They are read when it is "
                                         "unlocked.");
        if (const std::optional<KeyStore::Answer> answer = m_keyStore.read(entryName(header), late))
            use(*m_vault, *answer);
    }

    /// Nothing is there yet: chooses the protection and writes a file without secrets, so that the choice is on record.
    Status begin()
    {
        SecretFileHeader header;
        header.salt = secureRandomBytes(kSecretSaltBytes);
        if (!m_options.passphrase.empty()) {
            header.protection = SecretProtection::Passphrase;
            const Result<SecretKey> key = keyFromPassphrase(m_options.passphrase, header);
            return key ? save(header, *key, {}) : Status(key.error());
        }
        if (m_options.useSystemKeyStore && m_keyStore.available()) {
            const SecretKey key = SecretKey::random();
            if (m_keyStore.probe() && keptByKeyStore(header, key)) {
                header.protection = SecretProtection::SystemKeyStore;
                return save(header, key, {});
            }
            qCInfo(lcSecrets, "The system's key store cannot be used; the key is kept in a file of the data folder");
        }
        header.protection = SecretProtection::KeyFile;
        const Result<SecretKey> key = keyOfFile();
        return key ? save(header, *key, {}) : Status(key.error());
    }

    bool keptByKeyStore(const SecretFileHeader& header, const SecretKey& key)
    {
        const std::string hex = toHex(key.bytes());
        if (!m_keyStore.write(entryName(header), hex))
            return false;
        const std::optional<KeyStore::Answer> answer = m_keyStore.read(entryName(header), {});
        return answer && answer->outcome == KeyStore::Outcome::Done && answer->value == hex;
    }

    /// The key in the file, which is made when there is none.
    Result<SecretKey> keyOfFile()
    {
        if (const Result<std::string> text = readFile(m_keyPath, kMaxKeyFile); text) {
            SecretKey known = SecretKey::fromHex(*text);
            if (known.valid())
                return known;
        }
        SecretKey key = SecretKey::random();
        if (const Status written = replaceFile(m_keyPath, toHex(key.bytes()) + '\n'); !written)
            return Error{ErrorKind::Secret, "The key to your secrets cannot be kept. " + written.error().message};
        return key;
    }

    Status save(const SecretFileHeader& header, const SecretKey& key, SecretMap secrets)
    {
        const Result<std::string> sealed = sealSecrets(header, secrets, key);
        if (!sealed)
            return sealed.error();
        if (const Status written = replaceFile(m_path, *sealed); !written)
            return Error{ErrorKind::Secret, "The file of secrets cannot be written. " + written.error().message};
        m_vault->unlock(header, key, std::move(secrets));
        return {};
    }

    /// The user has set a passphrase since: the secrets are encrypted anew under it, and the old key is done away with.
    Status moveToPassphrase(const SecretFileHeader& old)
    {
        SecretFileHeader header;
        header.protection = SecretProtection::Passphrase;
        header.salt = secureRandomBytes(kSecretSaltBytes);
        const Result<SecretKey> key = keyFromPassphrase(m_options.passphrase, header);
        if (!key)
            return key.error();
        if (Status moved = m_vault->protectAnew(header, *key); !moved)
            return moved;
        if (old.protection == SecretProtection::KeyFile)
            QFile::remove(QString::fromStdString(m_keyPath));
        else if (m_keyStore.available() && !m_keyStore.remove(entryName(old)))
            qCWarning(lcSecrets, "The old key could not be deleted from the system's key store; it opens nothing any more");
        qCInfo(lcSecrets, "The secrets are now encrypted with the passphrase");
        return {};
    }

    const SecretStoreOptions& m_options;
    const std::string m_path;
    const std::string m_keyPath;
    PatientKeyStore m_keyStore;
    std::shared_ptr<SecretVault> m_vault;
};

}  // namespace

Result<std::unique_ptr<SecretStore>> openSecretStore(const SecretStoreOptions& options, std::shared_ptr<KeyStore> keyStore, int patienceMs)
{
    Result<std::shared_ptr<SecretVault>> vault = Opening(options, std::move(keyStore), patienceMs).run();
    if (!vault)
        return vault.error();
    return std::unique_ptr<SecretStore>(std::make_unique<FileSecretStore>(std::move(*vault)));
}

Result<std::unique_ptr<SecretStore>> openSecretStore(const SecretStoreOptions& options)
{
    return openSecretStore(options, makeSystemKeyStore(), kPatienceMs);
}

}  // namespace omni
