#include "store/usage_table.h"

#include "store/request_log_table.h"

#include <algorithm>

namespace omni {

UsageTable::UsageTable(Database& database)
    : m_database(database), m_put(database, R"(
        INSERT INTO usage_daily (day, provider, connection_id, model, api_key_id, account, api_key_name, requests, failed, uncounted,
            tokens_in, tokens_out, tokens_cache_read)
        VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),
            ?, ?, ?, ?, ?, ?)
        ON CONFLICT (day, provider, connection_id, model, api_key_id) DO UPDATE SET
            account = excluded.account, api_key_name = excluded.api_key_name, requests = requests + excluded.requests,
            failed = failed + excluded.failed, uncounted = uncounted + excluded.uncounted, tokens_in = tokens_in + excluded.tokens_in,
            tokens_out = tokens_out + excluded.tokens_out, tokens_cache_read = tokens_cache_read + excluded.tokens_cache_read)")
{
}

void UsageTable::add(const RequestRecord& record)
{
    Sum& sum = m_sums[Key(m_days.of(record.startedAt), record.provider, record.connection, record.model, record.apiKey)];
    sum.connectionName = record.connectionName;
    sum.apiKeyName = record.apiKeyName;
    const bool untold =
        record.outcome == Outcome::Answered && record.tokensIn < 0 && record.tokensOut < 0 && record.operation != Operation::CountTokens;
    UsageCounts& counts = sum.counts;
    ++counts.requests;
    counts.failed += isFailure(record.outcome) ? 1 : 0;
    counts.uncounted += untold ? 1 : 0;
    counts.tokensIn += std::max<std::int64_t>(0, record.tokensIn);
    counts.tokensOut += std::max<std::int64_t>(0, record.tokensOut);
    counts.tokensCached += std::max<std::int64_t>(0, record.tokensCached);
}

Status UsageTable::write()
{
    Status written;
    for (const auto& [key, sum] : m_sums) {
        written = put(key, sum);
        if (!written)
            break;
    }
    m_sums.clear();
    return written;
}

Status UsageTable::put(const Key& key, const Sum& sum)
{
    m_put.bind(std::int64_t{std::get<int>(key)}).bind(std::get<ProviderId>(key).str()).bind(std::get<ConnectionId>(key).str());
    m_put.bind(std::get<std::string>(key)).bind(std::get<ApiKeyId>(key).str()).bind(sum.connectionName).bind(sum.apiKeyName);
    m_put.bind(sum.counts.requests).bind(sum.counts.failed).bind(sum.counts.uncounted);
    m_put.bind(sum.counts.tokensIn).bind(sum.counts.tokensOut).bind(sum.counts.tokensCached);
    return m_put.run();
}

Status UsageTable::clear()
{
    return m_database.run("DELETE FROM usage_daily");
}

}  // namespace omni
