#pragma once

#include "store/aliases_table.h"
#include "store/api_keys_table.h"
#include "store/breakers_table.h"
#include "store/combos_table.h"
#include "store/connection_health_table.h"
#include "store/connections_table.h"
#include "store/key_value_table.h"
#include "store/nodes_table.h"
#include "store/prices_table.h"
#include "store/request_log_table.h"
#include "store/usage_table.h"

#include <array>
#include <string_view>

namespace omni {

/// Every table of one connection, with its prepared statements. Dies before the database.
struct Tables {
    explicit Tables(Database& database)
        : connections(database), nodes(database), combos(database), aliases(database), apiKeys(database), keyValue(database),
          prices(database), breakers(database), health(database), requestLog(database), usage(database)
    {
    }

    ConnectionsTable connections;
    NodesTable nodes;
    CombosTable combos;
    AliasesTable aliases;
    ApiKeysTable apiKeys;
    KeyValueTable keyValue;
    PricesTable prices;
    BreakersTable breakers;
    ConnectionHealthTable health;
    RequestLogTable requestLog;
    UsageTable usage;
};

/// What the program cannot start without: small, checked at every start, and first to be carried over from a damaged file.
/// A table that others refer to comes before them.
inline constexpr std::array<std::string_view, 9> kSmallTables = {
    "provider_connections", "provider_nodes", "combos", "model_aliases", "api_keys", "key_value", "model_prices",
    "domain_circuit_breakers", "connection_health"};
inline constexpr std::string_view kUsageTable = "usage_daily";
inline constexpr std::string_view kLogTable = "call_logs";

}  // namespace omni
