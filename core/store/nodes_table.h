#pragma once

#include "model/routing_config.h"
#include "store/database.h"

#include <vector>

namespace omni {

/// provider_nodes (spec 4-surfaces §1.2): user-defined compatible endpoints.
class NodesTable {
public:
    explicit NodesTable(Database& database);

    Status put(const ProviderNode& node);
    Status remove(const ProviderId& id);
    /// By age.
    Result<std::vector<ProviderNode>> all();

private:
    Statement m_put;
    Statement m_remove;
    Statement m_all;
};

}  // namespace omni
