#pragma once

#include "model/routing_config.h"
#include "store/database.h"

#include <vector>

namespace omni {

/// model_aliases: other names for models.
class AliasesTable {
public:
    explicit AliasesTable(Database& database);

    Status put(const ModelAlias& alias);
    Status remove(const std::string& name);
    /// By name.
    Result<std::vector<ModelAlias>> all();

private:
    Statement m_put;
    Statement m_remove;
    Statement m_all;
};

}  // namespace omni
