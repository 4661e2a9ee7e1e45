#include "store/combos_table.h"

#include "store/json_text.h"

#include <nlohmann/json.hpp>

namespace omni {

namespace {

std::string documentOf(const Combo& combo)
{
    nlohmann::json targets = nlohmann::json::array();
    for (const ComboTarget& target : combo.targets) {
        nlohmann::json item = {{"id", target.id}, {"provider", target.provider.str()}, {"model", target.model}, {"label", target.label}};
        if (target.connection)
            item["connectionId"] = target.connection->str();
        targets.push_back(std::move(item));
    }
    return toText({{"version", 2}, {"strategy", combo.strategy}, {"targets", std::move(targets)}});
}

void readDocument(std::string_view text, Combo& combo)
{
    const nlohmann::json document = objectFrom(text);
    if (std::string strategy = stringAt(document, "strategy"); !strategy.empty())
        combo.strategy = std::move(strategy);
    const auto targets = document.find("targets");
    if (targets == document.end() || !targets->is_array())
        return;
    for (const nlohmann::json& item : *targets) {
        if (!item.is_object())
            continue;
        ComboTarget target;
        target.id = stringAt(item, "id");
        target.provider = ProviderId(stringAt(item, "provider"));
        target.model = stringAt(item, "model");
        target.label = stringAt(item, "label");
        if (item.contains("connectionId"))
            target.connection = ConnectionId(stringAt(item, "connectionId"));
        combo.targets.push_back(std::move(target));
    }
}

}  // namespace

CombosTable::CombosTable(Database& database)
    : m_put(database, R"(
        INSERT INTO combos (id, name, data, sort_order, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, data = excluded.data, sort_order = excluded.sort_order,
            created_at = excluded.created_at, updated_at = excluded.updated_at)"),
      m_remove(database, "DELETE FROM combos WHERE id = ?"),
      m_all(database, "SELECT id, name, data, sort_order, created_at, updated_at FROM combos ORDER BY sort_order, name")
{
}

Status CombosTable::put(const Combo& combo)
{
    m_put.bind(combo.id.str()).bind(combo.name).bind(documentOf(combo)).bind(std::int64_t{combo.sortOrder});
    m_put.bind(combo.createdAt).bind(combo.updatedAt);
    return m_put.run();
}

Status CombosTable::remove(const ComboId& id) { return m_remove.bind(id.str()).run(); }

Result<std::vector<Combo>> CombosTable::all()
{
    if (const Status ran = m_all.run(); !ran)
        return ran.error();
    std::vector<Combo> combos;
    while (m_all.next()) {
        Combo combo;
        combo.id = ComboId(m_all.text(0));
        combo.name = m_all.text(1);
        readDocument(m_all.text(2), combo);
        combo.sortOrder = static_cast<int>(m_all.number(3));
        combo.createdAt = m_all.time(4);
        combo.updatedAt = m_all.time(5);
        combos.push_back(std::move(combo));
    }
    if (const Status ended = m_all.end(); !ended)
        return ended.error();
    return combos;
}

}  // namespace omni
