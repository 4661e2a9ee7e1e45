#pragma once

#include "model/routing_config.h"
#include "store/database.h"

#include <vector>

namespace omni {

/// combos (spec 4-surfaces §1.5): the document of each is one JSON text. Names are unique (Conflict).
class CombosTable {
public:
    explicit CombosTable(Database& database);

    Status put(const Combo& combo);
    Status remove(const ComboId& id);
    /// By sort order, then name.
    Result<std::vector<Combo>> all();

private:
    Statement m_put;
    Statement m_remove;
    Statement m_all;
};

}  // namespace omni
