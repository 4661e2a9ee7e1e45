#include "secrets/file_secret_store.h"

#include "base/private_file.h"

#include <utility>

namespace omni {

namespace {

std::string explanationOf(SecretProtection protection)
{
    switch (protection) {
    case SecretProtection::SystemKeyStore: return "Your keys are encrypted; the key to them is kept by the system's key store.";
    case SecretProtection::KeyFile:
        return "Your keys are encrypted; the key to them is the file secrets.key in the data folder, which only you can read.";
    case SecretProtection::Passphrase: return "Your keys are encrypted with your passphrase, which is kept nowhere.";
    case SecretProtection::Memory: return "Your keys are kept in memory only and are gone when the program ends.";
    }
    return {};
}

}  // namespace

SecretStatus SecretVault::status() const
{
    const std::shared_lock lock(m_mutex);
    return m_status;
}

Result<std::string> SecretVault::read(const std::string& reference) const
{
    const std::shared_lock lock(m_mutex);
    if (m_status.locked)
        return Error{ErrorKind::Secret, m_status.explanation};
    const auto found = m_secrets.find(reference);
    if (found == m_secrets.end())
        return Error{ErrorKind::NotFound, "There is no secret for this entry. Enter its key again"};
    return found->second;
}

void SecretVault::unlock(SecretFileHeader header, SecretKey key, SecretMap secrets)
{
    const std::unique_lock lock(m_mutex);
    m_status = {header.protection, false, explanationOf(header.protection)};
    m_header = std::move(header);
    m_key = std::move(key);
    m_secrets = std::move(secrets);
}

void SecretVault::lock(SecretProtection protection, std::string explanation)
{
    const std::unique_lock lock(m_mutex);
    m_status = {protection, true, std::move(explanation)};
}

Status SecretVault::apply(const std::deque<Change>& changes)
{
    std::unique_lock lock(m_mutex);
    if (m_status.locked)
        return Error{ErrorKind::Secret, "The secret cannot be kept. " + m_status.explanation};
    SecretMap secrets = m_secrets;
    const SecretFileHeader header = m_header;
    const SecretKey key = m_key;
    lock.unlock();

    for (const Change& change : changes) {
        if (change.value)
            secrets.insert_or_assign(change.reference, *change.value);
        else
            secrets.erase(change.reference);
    }
    const Result<std::string> sealed = sealSecrets(header, secrets, key);
    if (!sealed)
        return sealed.error();
    if (const Status written = replaceFile(m_path, *sealed); !written)
        return Error{ErrorKind::Secret, "The secret cannot be kept. " + written.error().message};

    lock.lock();
    m_secrets = std::move(secrets);
    return {};
}

Status SecretVault::protectAnew(SecretFileHeader header, SecretKey key)
{
    std::unique_lock lock(m_mutex);
    SecretMap secrets = m_secrets;
    lock.unlock();
    const Result<std::string> sealed = sealSecrets(header, secrets, key);
    if (!sealed)
        return sealed.error();
    if (const Status written = replaceFile(m_path, *sealed); !written)
        return Error{ErrorKind::Secret, "The file of secrets cannot be written. " + written.error().message};
    unlock(std::move(header), std::move(key), std::move(secrets));
    return {};
}

FileSecretStore::~FileSecretStore()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
        m_wake.notify_one();
    }
    if (m_thread.joinable())
        m_thread.join();
}

void FileSecretStore::write(const std::string& reference, std::string value, QObject* context, std::function<void(Status)> done)
{
    ask({reference, std::move(value)}, context, std::move(done));
}

void FileSecretStore::remove(const std::string& reference, QObject* context, std::function<void(Status)> done)
{
    ask({reference, std::nullopt}, context, std::move(done));
}

void FileSecretStore::ask(SecretVault::Change change, QObject* context, std::function<void(Status)> done)
{
    Answer answer{Delivery(context), std::move(done)};
    const std::lock_guard lock(m_mutex);
    m_changes.push_back(std::move(change));
    m_answers.push_back(std::move(answer));
    // A thread that is rarely needed is begun with the first write.
    if (!m_thread.joinable())
        m_thread = std::thread([this] { run(); });
    m_wake.notify_one();
}

void FileSecretStore::run()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [this] { return m_stopping || !m_changes.empty(); });
        if (m_changes.empty())
            return;
        const std::deque<SecretVault::Change> changes = std::exchange(m_changes, {});
        const std::deque<Answer> answers = std::exchange(m_answers, {});
        lock.unlock();
        const Status applied = m_vault->apply(changes);
        for (const Answer& answer : answers) {
            if (answer.done)
                answer.delivery.run([done = answer.done, applied] { done(applied); });
        }
        lock.lock();
    }
}

}  // namespace omni
