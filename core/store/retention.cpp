#include "store/retention.h"

#include <algorithm>
#include <string>
#include <utility>

namespace omni {

namespace {

constexpr int kRowsPerStep = 500;
constexpr int kPagesPerStep = 256;

}  // namespace

void Retention::begin(const LogSettings& limits, WallTime now)
{
    if (!active())
        m_removed = 0;
    m_limits = limits;
    m_oldest = now - std::chrono::hours(24) * limits.maxAgeDays;
    m_phase = Phase::Age;
}

Status Retention::step()
{
    Status stepped = advance();
    if (!stepped)
        m_phase = Phase::Done;
    return stepped;
}

Status Retention::advance()
{
    switch (m_phase) {
    case Phase::Age: return trim(m_log.removeBefore(m_oldest, kRowsPerStep), Phase::Rows);
    case Phase::Rows: {
        const Result<std::int64_t> count = m_log.count();
        if (!count)
            return count.error();
        const std::int64_t excess = *count - m_limits.maxRows;
        if (excess > 0)
            return trim(m_log.removeOldest(static_cast<int>(std::min<std::int64_t>(excess, kRowsPerStep))), Phase::Size);
        m_phase = Phase::Size;
        return {};
    }
    case Phase::Size: {
        const Result<std::int64_t> used = usedBytes();
        if (!used)
            return used.error();
        if (*used > m_limits.maxMegabytes * 1024 * 1024)
            return trim(m_log.removeOldest(kRowsPerStep), Phase::Vacuum);
        m_phase = Phase::Vacuum;
        return {};
    }
    case Phase::Vacuum: {
        const Result<std::int64_t> free = m_database.number("PRAGMA freelist_count");
        if (!free)
            return free.error();
        if (*free > 0) {
            m_shrunk = true;
            return m_database.run("PRAGMA incremental_vacuum(" + std::to_string(kPagesPerStep) + ")");
        }
        m_phase = Phase::Checkpoint;
        return {};
    }
    case Phase::Checkpoint:
        m_phase = Phase::Done;
        // The file shrinks when its log is carried into it.
        return std::exchange(m_shrunk, false) ? m_database.run("PRAGMA wal_checkpoint(PASSIVE)") : Status();
    case Phase::Done: break;
    }
    return {};
}

Status Retention::trim(Result<std::int64_t> removed, Phase next)
{
    if (!removed)
        return removed.error();
    m_removed += *removed;
    if (*removed == 0)
        m_phase = next;
    return {};
}

Result<std::int64_t> Retention::usedBytes()
{
    const Result<std::int64_t> pages = m_database.number("PRAGMA page_count");
    const Result<std::int64_t> free = pages ? m_database.number("PRAGMA freelist_count") : pages;
    const Result<std::int64_t> size = free ? m_database.number("PRAGMA page_size") : free;
    if (!size)
        return size;
    return (*pages - *free) * *size;
}

}  // namespace omni
