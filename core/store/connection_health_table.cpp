#include "store/connection_health_table.h"

#include "store/json_text.h"

#include <nlohmann/json.hpp>

namespace omni {

// Numbered question marks are none to Qt 6.4, so the id is bound twice.
ConnectionHealthTable::ConnectionHealthTable(Database& database)
    : m_put(database, R"(
        INSERT INTO connection_health (connection_id, test_status, rate_limited_until, rate_limited_since, backoff_level,
            last_error_type, error_code, last_error, last_error_at, last_used_at, last_tested, evidence)
        SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM provider_connections WHERE id = ?
        ON CONFLICT (connection_id) DO UPDATE SET test_status = excluded.test_status,
            rate_limited_until = excluded.rate_limited_until, rate_limited_since = excluded.rate_limited_since,
            backoff_level = excluded.backoff_level, last_error_type = excluded.last_error_type,
            error_code = excluded.error_code, last_error = excluded.last_error, last_error_at = excluded.last_error_at,
            last_used_at = excluded.last_used_at, last_tested = excluded.last_tested, evidence = excluded.evidence)"),
      m_all(database, R"(
        SELECT connection_id, test_status, rate_limited_until, rate_limited_since, backoff_level, last_error_type, error_code,
            last_error, last_error_at, last_used_at, last_tested, evidence
        FROM connection_health ORDER BY rowid)")
{
}

Status ConnectionHealthTable::put(const ConnectionHealth& health)
{
    m_put.bind(health.id.str()).bind(toString(health.terminal)).bind(health.coolingUntil).bind(health.coolingSince);
    m_put.bind(std::int64_t{health.backoffLevel}).bind(toString(health.reason)).bind(std::int64_t{health.errorCode});
    m_put.bind(health.lastError).bind(health.lastErrorAt).bind(health.lastUsedAt).bind(health.lastTestedAt);
    m_put.bind(health.evidence ? toText(evidenceToJson(*health.evidence)) : std::string());
    return m_put.bind(health.id.str()).run();
}

Result<std::vector<ConnectionHealth>> ConnectionHealthTable::all()
{
    if (const Status ran = m_all.run(); !ran)
        return ran.error();
    std::vector<ConnectionHealth> healths;
    while (m_all.next()) {
        ConnectionHealth health;
        health.id = ConnectionId(m_all.text(0));
        health.terminal = terminalStateFromString(m_all.text(1));
        health.coolingUntil = m_all.maybeTime(2);
        health.coolingSince = m_all.maybeTime(3);
        health.backoffLevel = static_cast<int>(m_all.number(4));
        health.reason = failureReasonFromString(m_all.text(5));
        health.errorCode = static_cast<int>(m_all.number(6));
        health.lastError = m_all.text(7);
        health.lastErrorAt = m_all.maybeTime(8);
        health.lastUsedAt = m_all.maybeTime(9);
        health.lastTestedAt = m_all.maybeTime(10);
        health.evidence = evidenceFrom(objectFrom(m_all.text(11)));
        healths.push_back(std::move(health));
    }
    if (const Status ended = m_all.end(); !ended)
        return ended.error();
    return healths;
}

}  // namespace omni
