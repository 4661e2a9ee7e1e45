#include "store/write_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace omni {

namespace {

template <typename... Texts>
std::size_t lengths(const Texts&... texts)
{
    return (texts.size() + ...);
}

std::size_t lengthOf(const std::vector<std::pair<std::string, std::string>>& headers)
{
    std::size_t bytes = headers.size() * sizeof(headers[0]);
    for (const auto& [name, value] : headers)
        bytes += name.size() + value.size();
    return bytes;
}

}  // namespace

std::size_t footprint(const RequestRecord& record)
{
    std::size_t bytes = sizeof record;
    bytes += lengths(record.id.str(), record.path, record.requestedModel, record.model, record.combo, record.provider.str(),
                     record.connection.str(), record.connectionName, record.apiKey.str(), record.apiKeyName, record.client, record.error);
    for (const AttemptRecord& attempt : record.attempts) {
        bytes += sizeof attempt
                 + lengths(attempt.provider.str(), attempt.connection.str(), attempt.connectionName, attempt.model, attempt.error,
                           attempt.decision);
    }
    for (const ExcludedTarget& target : record.excluded)
        bytes += sizeof target + lengths(target.provider.str(), target.connection.str(), target.connectionName, target.model);
    return bytes + lengthOf(record.requestHeaders) + lengthOf(record.responseHeaders);
}

bool WriteQueue::post(Order order)
{
    const std::lock_guard lock(m_mutex);
    if (m_stopped)
        return false;
    m_orders.push_back(std::move(order));
    m_wake.notify_one();
    return true;
}

void WriteQueue::append(std::vector<RequestRecord> records)
{
    if (records.empty())
        return;
    // Pieces no larger than a transaction; all that costs time is done before the lock is taken.
    std::vector<RequestPiece> pieces;
    const std::size_t total = records.size();
    if (total <= m_limits.maxBatchRows) {
        pieces.push_back({std::move(records), 0});
    } else {
        for (std::size_t at = 0; at < total; at += m_limits.maxBatchRows) {
            const auto first = records.begin() + static_cast<std::ptrdiff_t>(at);
            const auto last = records.begin() + static_cast<std::ptrdiff_t>(std::min(total, at + m_limits.maxBatchRows));
            pieces.push_back({{std::make_move_iterator(first), std::make_move_iterator(last)}, 0});
        }
    }
    for (RequestPiece& piece : pieces) {
        for (const RequestRecord& record : piece.records)
            piece.bytes += footprint(record);
    }

    const std::lock_guard lock(m_mutex);
    if (m_stopped) {
        m_statistics.droppedRows += static_cast<std::int64_t>(total);
        return;
    }
    const bool wasDue = m_behind.rows >= m_limits.batchRows;
    for (RequestPiece& piece : pieces) {
        m_behind.rows += piece.records.size();
        m_bytes += piece.bytes;
        m_behind.requests.push_back(std::move(piece));
    }
    dropOldest();
    pendingSince();
    // One wake-up for a batch, not one for each row.
    if (!wasDue && m_behind.rows >= m_limits.batchRows)
        m_wake.notify_one();
}

void WriteQueue::save(BreakerStatus breaker)
{
    const std::lock_guard lock(m_mutex);
    ProviderId id = breaker.provider;
    m_behind.breakers.insert_or_assign(std::move(id), std::move(breaker));
    pendingSince();
}

void WriteQueue::remove(ProviderId provider)
{
    const std::lock_guard lock(m_mutex);
    m_behind.breakers.insert_or_assign(std::move(provider), std::nullopt);
    pendingSince();
}

void WriteQueue::save(ConnectionHealth health)
{
    const std::lock_guard lock(m_mutex);
    ConnectionId id = health.id;
    m_behind.healths.insert_or_assign(std::move(id), std::move(health));
    pendingSince();
}

void WriteQueue::touch(ApiKeyId id, WallTime at)
{
    const std::lock_guard lock(m_mutex);
    const auto [entry, added] = m_behind.touches.try_emplace(std::move(id), at);
    entry->second = std::max(entry->second, at);
    if (added)
        m_wake.notify_one();
}

void WriteQueue::stop()
{
    const std::lock_guard lock(m_mutex);
    m_stopped = true;
    m_wake.notify_one();
}

bool WriteQueue::behindPending() const { return m_behind.rows > 0 || !m_behind.breakers.empty() || !m_behind.healths.empty(); }

/// Called with the lock held, after something was added: the first entry starts the clock of its batch.
void WriteQueue::pendingSince()
{
    if (m_since)
        return;
    m_since = Clock::now();
    m_wake.notify_one();
}

WriteQueue::Clock::time_point WriteQueue::batchDueAt() const
{
    Clock::time_point due = Clock::time_point::max();
    if (behindPending()) {
        const bool full = m_behind.rows >= m_limits.batchRows;
        due = full || !m_since ? Clock::time_point::min() : *m_since + m_limits.batchDelay;
    }
    if (const auto touch = nextTouchDue())
        due = std::min(due, *touch);
    return due == Clock::time_point::max() ? due : std::max(due, m_pausedUntil);
}

bool WriteQueue::batchDue(Clock::time_point now) const
{
    // At the end everything goes, whatever it waits for.
    return m_stopped ? behindPending() || !m_behind.touches.empty() : batchDueAt() <= now;
}

std::optional<WriteQueue::Clock::time_point> WriteQueue::nextTouchDue() const
{
    std::optional<Clock::time_point> due;
    for (const auto& [id, at] : m_behind.touches) {
        const auto last = m_touched.find(id);
        const Clock::time_point when = last == m_touched.end() ? Clock::time_point::min() : last->second + m_limits.touchInterval;
        due = due ? std::min(*due, when) : when;
    }
    return due;
}

WriteQueue::Work WriteQueue::next(bool busy, Clock::time_point wakeAt)
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        const Clock::time_point now = Clock::now();
        if (!m_orders.empty()) {
            Order order = std::move(m_orders.front());
            m_orders.pop_front();
            return order;
        }
        if (batchDue(now))
            return takeBatch(now);
        if (m_stopped)
            return Finished{};
        if (busy || now >= wakeAt)
            return Idle{};
        m_wake.wait_until(lock, std::min(wakeAt, batchDueAt()));
    }
}

WriteBatch WriteQueue::takeBatch(Clock::time_point now)
{
    WriteBatch batch;
    batch.breakers.swap(m_behind.breakers);
    batch.healths.swap(m_behind.healths);
    takeTouches(batch, now);
    // Whole pieces: moving them costs the senders, who wait for the lock, next to nothing.
    while (!m_behind.requests.empty()
           && (batch.rows == 0 || batch.rows + m_behind.requests.front().records.size() <= m_limits.maxBatchRows)) {
        RequestPiece& piece = m_behind.requests.front();
        batch.rows += piece.records.size();
        m_bytes -= piece.bytes;
        batch.requests.push_back(std::move(piece));
        m_behind.requests.pop_front();
    }
    m_behind.rows -= batch.rows;
    if (m_behind.rows == 0)
        m_since.reset();
    return batch;
}

void WriteQueue::takeTouches(WriteBatch& batch, Clock::time_point now)
{
    for (auto entry = m_behind.touches.begin(); entry != m_behind.touches.end();) {
        const auto last = m_touched.find(entry->first);
        if (!m_stopped && last != m_touched.end() && last->second + m_limits.touchInterval > now) {
            ++entry;
            continue;
        }
        m_touched[entry->first] = now;
        batch.touches.insert(m_behind.touches.extract(entry++));
    }
}

void WriteQueue::giveBack(WriteBatch batch, Millis pause)
{
    const std::lock_guard lock(m_mutex);
    m_pausedUntil = Clock::now() + pause;
    for (auto& [id, breaker] : batch.breakers)
        m_behind.breakers.try_emplace(id, std::move(breaker));
    for (auto& [id, health] : batch.healths)
        m_behind.healths.try_emplace(id, std::move(health));
    for (const auto& [id, at] : batch.touches) {
        m_behind.touches.try_emplace(id, at);
        m_touched.erase(id);
    }
    m_behind.rows += batch.rows;
    while (!batch.requests.empty()) {
        m_bytes += batch.requests.back().bytes;
        m_behind.requests.push_front(std::move(batch.requests.back()));
        batch.requests.pop_back();
    }
    if (m_stopped)
        giveUp();
    dropOldest();
    if (!m_since && behindPending())
        m_since = Clock::now();
}

void WriteQueue::giveUp()
{
    m_statistics.droppedRows += static_cast<std::int64_t>(m_behind.rows);
    m_behind = WriteBatch();
    m_bytes = 0;
    m_gaveUp = true;
}

void WriteQueue::dropOldest()
{
    const auto tooMuch = [this] { return m_behind.rows > m_limits.maxRows || (m_bytes > m_limits.maxBytes && m_behind.rows > 0); };
    while (tooMuch()) {
        RequestPiece& oldest = m_behind.requests.front();
        std::size_t dropped = 0;
        while (dropped < oldest.records.size() && tooMuch()) {
            const std::size_t bytes = footprint(oldest.records[dropped]);
            oldest.bytes -= bytes;
            m_bytes -= bytes;
            --m_behind.rows;
            ++dropped;
        }
        m_statistics.droppedRows += static_cast<std::int64_t>(dropped);
        if (dropped == oldest.records.size())
            m_behind.requests.pop_front();
        else
            oldest.records.erase(oldest.records.begin(), oldest.records.begin() + static_cast<std::ptrdiff_t>(dropped));
    }
}

void WriteQueue::wrote(const WriteBatch& batch, std::size_t lost)
{
    const std::lock_guard lock(m_mutex);
    m_statistics.writtenRows += static_cast<std::int64_t>(batch.rows - lost);
    m_statistics.droppedRows += static_cast<std::int64_t>(lost);
    if (lost == 0)
        m_statistics.lastError.clear();
    m_pausedUntil = {};
}

void WriteQueue::keepNoRequests()
{
    const std::lock_guard lock(m_mutex);
    for (RequestPiece& piece : m_behind.requests) {
        for (RequestRecord& record : piece.records)
            record.keepInLog = false;
    }
}

void WriteQueue::noteFailure(const std::string& error)
{
    const std::lock_guard lock(m_mutex);
    ++m_statistics.failedWrites;
    m_statistics.lastError = error;
}

void WriteQueue::noteFileBytes(std::int64_t bytes)
{
    const std::lock_guard lock(m_mutex);
    m_statistics.fileBytes = bytes;
}

StoreStatistics WriteQueue::statistics() const
{
    const std::lock_guard lock(m_mutex);
    StoreStatistics statistics = m_statistics;
    statistics.queuedRows = static_cast<std::int64_t>(m_behind.rows);
    return statistics;
}

bool WriteQueue::gaveUp() const
{
    const std::lock_guard lock(m_mutex);
    return m_gaveUp;
}

}  // namespace omni
