#include "store/prices_table.h"

namespace omni {

PricesTable::PricesTable(Database& database)
    : m_put(database, R"(
        INSERT INTO model_prices (provider, model, input, output, cached) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (provider, model) DO UPDATE SET input = excluded.input, output = excluded.output, cached = excluded.cached)"),
      m_remove(database, "DELETE FROM model_prices WHERE provider = ? AND model = ?"),
      m_all(database, "SELECT provider, model, input, output, cached FROM model_prices ORDER BY provider, model")
{
}

Status PricesTable::put(const ModelPrice& price)
{
    m_put.bind(price.provider.str()).bind(price.model).bindReal(price.input).bindReal(price.output).bindReal(price.cached);
    return m_put.run();
}

Status PricesTable::remove(const PricedModel& model)
{
    return m_remove.bind(model.provider.str()).bind(model.model).run();
}

Result<std::vector<ModelPrice>> PricesTable::all()
{
    if (const Status ran = m_all.run(); !ran)
        return ran.error();
    std::vector<ModelPrice> prices;
    while (m_all.next()) {
        prices.push_back({ProviderId(m_all.text(0)), m_all.text(1), m_all.maybeReal(2).value_or(0.0), m_all.maybeReal(3).value_or(0.0),
                          m_all.maybeReal(4)});
    }
    if (const Status ended = m_all.end(); !ended)
        return ended.error();
    return prices;
}

}  // namespace omni
