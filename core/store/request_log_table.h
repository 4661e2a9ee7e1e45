#pragma once

#include "model/request_record.h"
#include "store/database.h"

#include <cstdint>
#include <optional>
#include <string>

namespace omni {

/// Does the history count this as a failure? A client that left is nobody's.
bool isFailure(Outcome outcome);

/// The key of a row is its start in milliseconds times 2^20, plus a number that keeps it unique.
inline constexpr int kSequenceBits = 20;
/// The lowest key of rows that started at `millis` or later; clamped to what a key can hold.
std::int64_t firstSequenceAt(std::int64_t millis);

/// call_logs: one row for each client request. Written and pruned here, read by RequestHistory.
class RequestLogTable {
public:
    explicit RequestLogTable(Database& database);

    Status insert(const RequestRecord& record);

    /// Rows in the table. Counted once, then kept up to date.
    Result<std::int64_t> count();
    /// Deletes the oldest rows that started before `end`, at most `limit`; tells how many.
    Result<std::int64_t> removeBefore(WallTime end, int limit);
    Result<std::int64_t> removeOldest(int limit);
    Status clear();
    /// A transaction with insertions in it was rolled back.
    void forgetCount() { m_count.reset(); }

private:
    Result<std::int64_t> removeBelow(std::int64_t sequence, int limit);

    Database& m_database;
    DirectStatement m_insert;
    Statement m_remove;
    std::optional<std::int64_t> m_count;
    std::uint64_t m_serial;
    std::string m_detail;
};

}  // namespace omni
