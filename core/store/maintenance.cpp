#include "store/maintenance.h"

#include "base/logging.h"
#include "store/database.h"
#include "store/opening.h"
#include "store/thread_priority.h"

#include <QThread>

#include <optional>
#include <utility>

namespace omni {

Maintenance::Maintenance(std::string databasePath, Millis checkDelay, std::function<void(std::string)> onDamage)
    : m_path(std::move(databasePath)), m_onDamage(std::move(onDamage)), m_checkDelay(checkDelay)
{
}

Maintenance::~Maintenance() { stop(); }

void Maintenance::start()
{
    m_thread.reset(QThread::create([this] { run(); }));
    m_thread->setObjectName(QStringLiteral("store-check"));
    m_thread->start();
}

void Maintenance::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopped = true;
        if (m_database != nullptr)
            m_database->interrupt();
        m_wake.notify_one();
    }
    if (m_thread)
        m_thread->wait();
    m_thread.reset();
}

void Maintenance::backup(std::string path, std::function<void(Status)> done)
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_stopped) {
            m_backups.push_back({std::move(path), std::move(done)});
            m_wake.notify_one();
            return;
        }
    }
    done(Error{ErrorKind::Cancelled, "The store is closed; no backup was made"});
}

void Maintenance::run()
{
    beNice(19);
    useIdleDisk();
    const auto checkAt = std::chrono::steady_clock::now() + m_checkDelay;
    bool checked = false;
    for (;;) {
        std::optional<Backup> backup;
        {
            std::unique_lock lock(m_mutex);
            const auto wanted = [this] { return m_stopped || !m_backups.empty(); };
            if (checked)
                m_wake.wait(lock, wanted);
            else
                m_wake.wait_until(lock, checkAt, wanted);
            if (!m_backups.empty()) {
                backup = std::move(m_backups.front());
                m_backups.pop_front();
            } else if (m_stopped) {
                return;
            }
        }
        if (backup) {
            backup->done(withDatabase([&backup](Database& database) { return copyDatabase(database, backup->path); }));
        } else if (!checked) {
            checked = true;
            check();
        }
    }
}

Status Maintenance::withDatabase(const std::function<Status(Database&)>& use)
{
    const Result<std::unique_ptr<Database>> database = Database::open(m_path, Database::Access::ReadOnly);
    if (!database)
        return database.error();
    {
        const std::lock_guard lock(m_mutex);
        if (m_stopped)
            return Error{ErrorKind::Cancelled, "The store is closed; the work on " + m_path + " was broken off"};
        m_database = database->get();
    }
    Status used = use(**database);
    const std::lock_guard lock(m_mutex);
    m_database = nullptr;
    return used;
}

void Maintenance::check()
{
    const Status checked = withDatabase([this](Database& database) {
        const Result<std::string> found = quickCheck(database, {});
        if (!found)
            return Status(found.error());
        if (*found != "ok")
            m_onDamage(*found);
        return Status();
    });
    if (!checked && checked.error().kind != ErrorKind::Cancelled)
        qCWarning(lcStore, "The database could not be checked: %s", checked.error().message.c_str());
}

}  // namespace omni
