#pragma once

#include "model/configuration.h"
#include "store/opening.h"
#include "store/retention.h"
#include "store/store.h"
#include "store/tables.h"
#include "store/write_queue.h"

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QThread;

namespace omni {

/// The thread that owns the one writing connection. Takes its work from a WriteQueue: orders at once and in their order, everything
/// else in batches, and deletes old log rows in between.
class Writer {
public:
    Writer(WriteQueue& queue, const DataFolder& folder);
    ~Writer();

    /// Starts the thread and opens the database in it. Blocks until that is done.
    Result<StoreOpening> start();
    /// After `WriteQueue::stop`: waits until everything is written. Error when something was given up, with the cause.
    Status finish();

    // For orders, in the writer's thread.
    Status apply(const std::vector<ConfigChange>& changes);
    Result<Configuration> loadConfiguration(std::shared_ptr<const ProviderCatalogue> catalogue);
    Result<RuntimeState> loadRuntimeState();
    Result<std::string> fact(const std::string& key);
    Status clearRequests();
    Status clearUsage();
    /// `done` with the number of rows deleted, when the limits hold.
    void prune(std::function<void(std::int64_t)> done);
    /// The file is damaged: says so once, and sees to it that the next start looks closely.
    void reportDamage(const std::string& report);
    void onDamage(std::function<void(std::string)> callback);

private:
    void run(std::promise<Result<StoreOpening>> opened);
    Result<StoreOpening> open();
    void work();
    void writeBehind(WriteBatch batch);
    Status store(const WriteBatch& batch, std::size_t& lost);
    void pruneStep();
    void shutDown();
    void noteFileBytes(bool now);

    WriteQueue& m_queue;
    const DataFolder& m_folder;
    std::unique_ptr<QThread> m_thread;
    WritableDatabase m_writable;
    std::optional<Tables> m_tables;
    std::optional<Retention> m_retention;
    LogSettings m_limits;
    std::vector<std::function<void(std::int64_t)>> m_pruneWaiters;
    WriteQueue::Clock::time_point m_nextPrune;
    WriteQueue::Clock::time_point m_nextFileBytes;
    int m_failuresInRow = 0;
    std::string m_damage;
    bool m_damageTold = false;
    std::function<void(std::string)> m_onDamage;
    Status m_lastFailure;
};

}  // namespace omni
