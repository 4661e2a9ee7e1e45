#include "store/request_log_table.h"

#include "store/request_detail.h"

#include "base/random.h"

#include <sqlite3.h>

#include <algorithm>
#include <limits>

namespace omni {

namespace {

constexpr std::int64_t kSerialMask = (std::int64_t{1} << kSequenceBits) - 1;
constexpr std::int64_t kMaxMillis = std::numeric_limits<std::int64_t>::max() >> kSequenceBits;
/// Rows of one millisecond collide only after a restart with the clock set back; a few steps find a free number.
constexpr int kSerialTries = 64;

}  // namespace

bool isFailure(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Answered:
    case Outcome::ClientGone: return false;
    case Outcome::UpstreamFailed:
    case Outcome::Broken:
    case Outcome::Refused: return true;
    }
    return false;
}

std::int64_t firstSequenceAt(std::int64_t millis)
{
    return std::clamp<std::int64_t>(millis, 0, kMaxMillis) << kSequenceBits;
}

RequestLogTable::RequestLogTable(Database& database)
    : m_database(database), m_insert(database, R"(
        INSERT INTO call_logs (seq, id, status, outcome, failed, provider, connection_id, account, model, requested_model, path,
            error_summary, method, request_type, combo_name, api_key_id, api_key_name, client, stream, duration, added,
            first_frame, request_bytes, response_bytes, tokens_in, tokens_out, tokens_cache_read, attempts, detail)
        VALUES (?, CAST(? AS TEXT), ?, CAST(? AS TEXT), ?, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),
            CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),
            CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT)))"),
      m_remove(database, "DELETE FROM call_logs WHERE seq IN (SELECT seq FROM call_logs WHERE seq < ? ORDER BY seq LIMIT ?)"),
      m_serial(SystemRandom().next())
{
}

Status RequestLogTable::insert(const RequestRecord& record)
{
    m_detail.clear();
    appendDetail(record, m_detail);
    const std::int64_t first = firstSequenceAt(epochMillis(record.startedAt));
    Status inserted;
    for (int attempt = 0; attempt < kSerialTries; ++attempt) {
        m_insert.bind(first | (static_cast<std::int64_t>(m_serial++) & kSerialMask)).bind(record.id.str());
        m_insert.bind(std::int64_t{record.status}).bind(toString(record.outcome));
        m_insert.bind(std::int64_t{isFailure(record.outcome)}).bind(record.provider.str());
        m_insert.bind(record.connection.str()).bind(record.connectionName).bind(record.model);
        m_insert.bind(record.requestedModel).bind(record.path).bind(record.error).bind(record.method);
        m_insert.bind(record.operation ? toString(*record.operation) : std::string_view()).bind(record.combo);
        m_insert.bind(record.apiKey.str()).bind(record.apiKeyName).bind(record.client);
        m_insert.bind(std::int64_t{record.stream}).bind(record.durationUs).bind(record.addedUs).bind(record.firstFrameUs);
        m_insert.bind(record.requestBytes).bind(record.responseBytes);
        m_insert.bind(record.tokensIn).bind(record.tokensOut).bind(record.tokensCached);
        m_insert.bind(static_cast<std::int64_t>(record.attempts.size())).bind(m_detail);
        inserted = m_insert.run();
        if (inserted || m_database.lastCode() != SQLITE_CONSTRAINT)
            break;
    }
    if (inserted && m_count)
        ++*m_count;
    return inserted;
}

Result<std::int64_t> RequestLogTable::count()
{
    if (!m_count) {
        const Result<std::int64_t> counted = m_database.number("SELECT count(*) FROM call_logs");
        if (!counted)
            return counted;
        m_count = *counted;
    }
    return *m_count;
}

Result<std::int64_t> RequestLogTable::removeBefore(WallTime end, int limit)
{
    return removeBelow(firstSequenceAt(epochMillis(end)), limit);
}

Result<std::int64_t> RequestLogTable::removeOldest(int limit)
{
    return removeBelow(std::numeric_limits<std::int64_t>::max(), limit);
}

Result<std::int64_t> RequestLogTable::removeBelow(std::int64_t sequence, int limit)
{
    if (const Status removed = m_remove.bind(sequence).bind(std::int64_t{limit}).run(); !removed)
        return removed.error();
    const std::int64_t removed = m_remove.changed();
    if (m_count)
        *m_count -= removed;
    return removed;
}

Status RequestLogTable::clear()
{
    Status cleared = m_database.run("DELETE FROM call_logs");
    if (cleared)
        m_count = 0;
    return cleared;
}

}  // namespace omni
