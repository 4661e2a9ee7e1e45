#pragma once

#include "model/hold.h"
#include "store/database.h"

#include <vector>

namespace omni {

/// connection_health: what the engine knows of each connection (the columns marked ● in spec 4-surfaces §1.1). Apart from
/// provider_connections, because it is written behind, often, while that table is written rarely and durably.
class ConnectionHealthTable {
public:
    explicit ConnectionHealthTable(Database& database);

    /// Does nothing when the connection was deleted meanwhile.
    Status put(const ConnectionHealth& health);
    Result<std::vector<ConnectionHealth>> all();

private:
    Statement m_put;
    Statement m_all;
};

}  // namespace omni
