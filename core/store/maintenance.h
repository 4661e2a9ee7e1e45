#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

class QThread;

namespace omni {

class Database;

/// Long reads of the whole file, in a thread of the lowest priority with a read-only connection, so that the writer never waits for
/// them: the check that is too slow for the start, and backups.
class Maintenance {
public:
    /// `onDamage` is called in this thread, once, with what the check found `checkDelay` after `start`.
    Maintenance(std::string databasePath, Millis checkDelay, std::function<void(std::string)> onDamage);
    ~Maintenance();

    void start();
    /// Breaks off what is running; nothing runs afterwards.
    void stop();
    /// `done` in this thread, or with Cancelled in the caller's after `stop`.
    void backup(std::string path, std::function<void(Status)> done);

private:
    struct Backup {
        std::string path;
        std::function<void(Status)> done;
    };

    void run();
    /// Opens a connection that `stop` can interrupt for as long as `use` runs.
    Status withDatabase(const std::function<Status(Database&)>& use);
    void check();

    const std::string m_path;
    const std::function<void(std::string)> m_onDamage;
    std::unique_ptr<QThread> m_thread;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Backup> m_backups;
    std::chrono::steady_clock::duration m_checkDelay;
    Database* m_database = nullptr;
    bool m_stopped = false;
};

}  // namespace omni
