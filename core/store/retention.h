#pragma once

#include "model/settings.h"
#include "store/database.h"
#include "store/request_log_table.h"

#include <cstdint>

namespace omni {

/// Deletes old rows of the request log until its limits hold, then gives the freed pages back to the file system. Works in steps of a
/// few milliseconds, each complete in itself, so that whoever has something to write waits for one step at most.
class Retention {
public:
    Retention(Database& database, RequestLogTable& log) : m_database(database), m_log(log) {}

    /// Begins anew with these limits; a run that is under way goes on under them, and `removed` with it.
    void begin(const LogSettings& limits, WallTime now);
    bool active() const { return m_phase != Phase::Done; }
    /// One step. An error ends the run.
    Status step();
    /// Rows deleted since the last run ended.
    std::int64_t removed() const { return m_removed; }

private:
    enum class Phase { Age, Rows, Size, Vacuum, Checkpoint, Done };

    Status advance();
    Status trim(Result<std::int64_t> removed, Phase next);
    /// Bytes in use: free pages do not count.
    Result<std::int64_t> usedBytes();

    Database& m_database;
    RequestLogTable& m_log;
    LogSettings m_limits;
    WallTime m_oldest{};
    Phase m_phase = Phase::Done;
    std::int64_t m_removed = 0;
    bool m_shrunk = false;
};

}  // namespace omni
