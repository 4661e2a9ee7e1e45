#pragma once

#include "model/request_record.h"
#include "model/usage.h"
#include "store/database.h"
#include "store/local_day.h"

#include <map>
#include <string>
#include <tuple>

namespace omni {

/// usage_daily: the sums of finished requests by day, provider, connection, model and client key. Written here, in the transaction of
/// the log rows, read by UsageHistory.
class UsageTable {
public:
    explicit UsageTable(Database& database);

    /// Takes a request into the sums that `write` adds to those stored.
    void add(const RequestRecord& record);
    /// Within a transaction. What was gathered is forgotten, whether or not it could be written.
    Status write();
    void forget() { m_sums.clear(); }
    Status clear();

private:
    using Key = std::tuple<int, ProviderId, ConnectionId, std::string, ApiKeyId>;
    struct Sum {
        std::string connectionName;
        std::string apiKeyName;
        UsageCounts counts;
    };
    Status put(const Key& key, const Sum& sum);

    Database& m_database;
    DirectStatement m_put;
    LocalDays m_days;
    std::map<Key, Sum> m_sums;
};

}  // namespace omni
