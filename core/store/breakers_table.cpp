#include "store/breakers_table.h"

#include "store/json_text.h"

#include <nlohmann/json.hpp>

namespace omni {

namespace {

std::string optionsOf(const BreakerStatus& breaker)
{
    nlohmann::json kinds = nlohmann::json::object();
    for (const auto& [kind, count] : breaker.kindCounts)
        kinds[std::string(toString(kind))] = count;
    nlohmann::json options = {{"failureThreshold", breaker.failureThreshold},
                              {"degradationThreshold", breaker.degradationThreshold},
                              {"resetTimeout", breaker.resetTimeout.count()},
                              // One probe at a time (spec 0-decisions, "half-open").
                              {"halfOpenRequests", 1},
                              {"openCycleCount", breaker.openCycleCount},
                              {"kindFailureCounts", std::move(kinds)}};
    if (breaker.lastFailureKind)
        options["lastFailureKind"] = std::string(toString(*breaker.lastFailureKind));
    if (breaker.heldUntil)
        options["heldUntil"] = epochMillis(*breaker.heldUntil);
    if (breaker.evidence)
        options["evidence"] = evidenceToJson(*breaker.evidence);
    return toText(options);
}

void readOptions(std::string_view text, BreakerStatus& breaker)
{
    const nlohmann::json options = objectFrom(text);
    breaker.failureThreshold = static_cast<int>(numberAt(options, "failureThreshold"));
    breaker.degradationThreshold = static_cast<int>(numberAt(options, "degradationThreshold"));
    breaker.resetTimeout = Millis(numberAt(options, "resetTimeout"));
    breaker.openCycleCount = static_cast<int>(numberAt(options, "openCycleCount"));
    breaker.lastFailureKind = failureKindFromString(stringAt(options, "lastFailureKind"));
    if (options.contains("heldUntil"))
        breaker.heldUntil = fromEpochMillis(numberAt(options, "heldUntil"));
    if (const auto evidence = options.find("evidence"); evidence != options.end())
        breaker.evidence = evidenceFrom(*evidence);
    const auto kinds = options.find("kindFailureCounts");
    if (kinds == options.end() || !kinds->is_object())
        return;
    for (const auto& [name, count] : kinds->items()) {
        const std::optional<FailureKind> kind = failureKindFromString(name);
        if (kind && count.is_number_integer())
            breaker.kindCounts[*kind] = count.get<int>();
    }
}

}  // namespace

BreakersTable::BreakersTable(Database& database)
    : m_put(database, R"(
        INSERT INTO domain_circuit_breakers (name, state, failure_count, last_failure_time, options) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET state = excluded.state, failure_count = excluded.failure_count,
            last_failure_time = excluded.last_failure_time, options = excluded.options)"),
      m_remove(database, "DELETE FROM domain_circuit_breakers WHERE name = ?"),
      m_all(database, "SELECT name, state, failure_count, last_failure_time, options FROM domain_circuit_breakers ORDER BY name")
{
}

Status BreakersTable::put(const BreakerStatus& breaker)
{
    m_put.bind(breaker.provider.str()).bind(toString(breaker.state)).bind(std::int64_t{breaker.failureCount});
    m_put.bind(breaker.lastFailureAt).bind(optionsOf(breaker));
    return m_put.run();
}

Status BreakersTable::remove(const ProviderId& provider) { return m_remove.bind(provider.str()).run(); }

Result<std::vector<BreakerStatus>> BreakersTable::all()
{
    if (const Status ran = m_all.run(); !ran)
        return ran.error();
    std::vector<BreakerStatus> breakers;
    while (m_all.next()) {
        BreakerStatus breaker;
        breaker.provider = ProviderId(m_all.text(0));
        breaker.state = breakerStateFromString(m_all.text(1)).value_or(BreakerState::Closed);
        breaker.failureCount = static_cast<int>(m_all.number(2));
        breaker.lastFailureAt = m_all.maybeTime(3);
        readOptions(m_all.text(4), breaker);
        breakers.push_back(std::move(breaker));
    }
    if (const Status ended = m_all.end(); !ended)
        return ended.error();
    return breakers;
}

}  // namespace omni
