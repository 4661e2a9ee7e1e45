#pragma once

#include "model/connection.h"
#include "store/database.h"

#include <vector>

namespace omni {

/// provider_connections (spec 4-surfaces §1.1): what the user configured. The engine's findings are in connection_health.
class ConnectionsTable {
public:
    explicit ConnectionsTable(Database& database);

    Status put(const Connection& connection);
    Status remove(const ConnectionId& id);
    /// By provider, then priority, then age.
    Result<std::vector<Connection>> all();

private:
    Statement m_put;
    Statement m_remove;
    Statement m_all;
};

}  // namespace omni
