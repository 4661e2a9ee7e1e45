#include "store/aliases_table.h"

namespace omni {

AliasesTable::AliasesTable(Database& database)
    : m_put(database, "INSERT INTO model_aliases (name, model) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET model = excluded.model"),
      m_remove(database, "DELETE FROM model_aliases WHERE name = ?"),
      m_all(database, "SELECT name, model FROM model_aliases ORDER BY name")
{
}

Status AliasesTable::put(const ModelAlias& alias) { return m_put.bind(alias.name).bind(alias.model).run(); }

Status AliasesTable::remove(const std::string& name) { return m_remove.bind(name).run(); }

Result<std::vector<ModelAlias>> AliasesTable::all()
{
    if (const Status ran = m_all.run(); !ran)
        return ran.error();
    std::vector<ModelAlias> aliases;
    while (m_all.next())
        aliases.push_back({m_all.text(0), m_all.text(1)});
    if (const Status ended = m_all.end(); !ended)
        return ended.error();
    return aliases;
}

}  // namespace omni
