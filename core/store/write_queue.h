#pragma once

#include "model/hold.h"
#include "model/request_record.h"
#include "store/store.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

namespace omni {

/// What may wait for the disk, and how long.
struct QueueLimits {
    std::size_t maxRows = StoreOptions{}.maxQueuedRows;
    std::size_t maxBytes = StoreOptions{}.maxQueuedBytes;
    /// A batch is written when it has this many rows …
    std::size_t batchRows = 100;
    /// … or its oldest entry has waited this long.
    Millis batchDelay{250};
    /// Rows in one transaction when the disk is behind: larger is faster, but a configuration change waits for it to end.
    std::size_t maxBatchRows = 1'000;
    /// A key's use is written at most this often (spec 4-surfaces §1.6).
    Millis touchInterval{300'000};
};

/// Log rows as they were handed in, and the memory they occupy.
struct RequestPiece {
    std::vector<RequestRecord> records;
    std::size_t bytes = 0;
};

/// What is written behind, in one transaction.
struct WriteBatch {
    std::deque<RequestPiece> requests;
    std::size_t rows = 0;
    std::map<ProviderId, std::optional<BreakerStatus>> breakers;  ///< nothing = delete
    std::map<ConnectionId, ConnectionHealth> healths;
    std::map<ApiKeyId, WallTime> touches;
};

/// Between the threads that have something to store and the one that stores it. Thread-safe; no method waits but `next`.
///
/// Two lanes: orders (configuration changes, loads) go first and are never dropped. Everything else is written behind: of runtime
/// state the newest of each id wins, and of log rows the oldest are dropped, and counted, when the disk cannot keep pace.
class WriteQueue {
public:
    using Clock = std::chrono::steady_clock;
    using Order = std::function<void()>;
    struct Idle {};      ///< nothing is due; `wakeAt` has come, or idle work is wanted
    struct Finished {};  ///< stopped, and everything was handed out
    using Work = std::variant<Idle, Finished, Order, WriteBatch>;

    explicit WriteQueue(QueueLimits limits) : m_limits(limits) {}

    /// False after `stop`: the order will not be run.
    bool post(Order order);
    void append(std::vector<RequestRecord> records);
    void save(BreakerStatus breaker);
    void remove(ProviderId provider);
    void save(ConnectionHealth health);
    void touch(ApiKeyId id, WallTime at);
    /// Takes no more; `next` hands out what is there and then tells that it is finished.
    void stop();

    /// The next thing to do, in the writer's thread. Blocks until there is one, or `wakeAt`; not at all when `busy`.
    Work next(bool busy, Clock::time_point wakeAt);
    /// The batch could not be written. It goes back to its place, unless newer state has come, and is handed out again after `pause`.
    /// After `stop` there is no again: it is given up, and all that waits with it.
    void giveBack(WriteBatch batch, Millis pause);
    /// The batch is on disk, but for `lost` rows that were given up.
    void wrote(const WriteBatch& batch, std::size_t lost);
    /// Rows that wait are not written to the log any more; they still count in the usage figures.
    void keepNoRequests();

    void noteFailure(const std::string& error);
    void noteFileBytes(std::int64_t bytes);
    StoreStatistics statistics() const;
    /// Something could not be written before the end.
    bool gaveUp() const;

private:
    bool behindPending() const;
    void pendingSince();
    bool batchDue(Clock::time_point now) const;
    Clock::time_point batchDueAt() const;
    WriteBatch takeBatch(Clock::time_point now);
    void takeTouches(WriteBatch& batch, Clock::time_point now);
    std::optional<Clock::time_point> nextTouchDue() const;
    void dropOldest();
    void giveUp();

    const QueueLimits m_limits;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Order> m_orders;
    WriteBatch m_behind;
    std::size_t m_bytes = 0;
    std::map<ApiKeyId, Clock::time_point> m_touched;
    std::optional<Clock::time_point> m_since;
    Clock::time_point m_pausedUntil{};
    bool m_stopped = false;
    bool m_gaveUp = false;
    StoreStatistics m_statistics;
};

/// Memory a record occupies, roughly.
std::size_t footprint(const RequestRecord& record);

}  // namespace omni
