#pragma once

#include "model/usage.h"
#include "store/database.h"

#include <vector>

namespace omni {

/// model_prices: what the user pays for models.
class PricesTable {
public:
    explicit PricesTable(Database& database);

    Status put(const ModelPrice& price);
    Status remove(const PricedModel& model);
    /// By provider and model.
    Result<std::vector<ModelPrice>> all();

private:
    Statement m_put;
    Statement m_remove;
    Statement m_all;
};

}  // namespace omni
