#include "base/delivery.h"
#include "secrets/secret_store.h"

#include <map>
#include <mutex>
#include <utility>

namespace omni {

namespace {

class MemorySecretStore final : public SecretStore {
public:
    Result<std::string> read(const std::string& reference) const override
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_secrets.find(reference);
        if (found == m_secrets.end())
            return Error{ErrorKind::NotFound, "There is no secret for this entry. Enter its key again"};
        return found->second;
    }

    void write(const std::string& reference, std::string value, QObject* context, std::function<void(Status)> done) override
    {
        {
            const std::lock_guard lock(m_mutex);
            m_secrets.insert_or_assign(reference, std::move(value));
        }
        answer(context, std::move(done));
    }

    void remove(const std::string& reference, QObject* context, std::function<void(Status)> done) override
    {
        {
            const std::lock_guard lock(m_mutex);
            m_secrets.erase(reference);
        }
        answer(context, std::move(done));
    }

    SecretStatus status() const override
    {
        return {SecretProtection::Memory, false, "Your keys are kept in memory only and are gone when the program ends."};
    }

private:
    static void answer(QObject* context, std::function<void(Status)> done)
    {
        if (done)
            Delivery(context).run([done = std::move(done)] { done({}); });
    }

    mutable std::mutex m_mutex;
    std::map<std::string, std::string> m_secrets;
};

}  // namespace

std::unique_ptr<SecretStore> makeMemorySecretStore() { return std::make_unique<MemorySecretStore>(); }

}  // namespace omni
