#include "store/nodes_table.h"

#include "store/json_text.h"

namespace omni {

NodesTable::NodesTable(Database& database)
    : m_put(database, R"(
        INSERT INTO provider_nodes (id, name, prefix, base_url, chat_path, models_path, custom_headers_json, created_at, updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, prefix = excluded.prefix, base_url = excluded.base_url,
            chat_path = excluded.chat_path, models_path = excluded.models_path,
            custom_headers_json = excluded.custom_headers_json, created_at = excluded.created_at,
            updated_at = excluded.updated_at)"),
      m_remove(database, "DELETE FROM provider_nodes WHERE id = ?"),
      m_all(database, R"(
        SELECT id, name, prefix, base_url, chat_path, models_path, custom_headers_json, created_at, updated_at
        FROM provider_nodes ORDER BY created_at, rowid)")
{
}

Status NodesTable::put(const ProviderNode& node)
{
    m_put.bind(node.id.str()).bind(node.name).bind(node.prefix).bind(node.baseUrl).bind(node.chatPath).bind(node.modelsPath);
    m_put.bind(pairsToText(node.headers)).bind(node.createdAt).bind(node.updatedAt);
    return m_put.run();
}

Status NodesTable::remove(const ProviderId& id) { return m_remove.bind(id.str()).run(); }

Result<std::vector<ProviderNode>> NodesTable::all()
{
    if (const Status ran = m_all.run(); !ran)
        return ran.error();
    std::vector<ProviderNode> nodes;
    while (m_all.next()) {
        ProviderNode node;
        node.id = ProviderId(m_all.text(0));
        node.name = m_all.text(1);
        node.prefix = m_all.text(2);
        node.baseUrl = m_all.text(3);
        node.chatPath = m_all.text(4);
        node.modelsPath = m_all.text(5);
        node.headers = pairsFromText(m_all.text(6));
        node.createdAt = m_all.time(7);
        node.updatedAt = m_all.time(8);
        nodes.push_back(std::move(node));
    }
    if (const Status ended = m_all.end(); !ended)
        return ended.error();
    return nodes;
}

}  // namespace omni
