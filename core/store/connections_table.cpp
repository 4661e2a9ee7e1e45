#include "store/connections_table.h"

#include "store/json_text.h"

namespace omni {

ConnectionsTable::ConnectionsTable(Database& database)
    : m_put(database, R"(
        INSERT INTO provider_connections (id, provider, name, priority, is_active, secret_ref, key_hint, base_url, proxy_url,
            proxy_secret_ref, default_model, models_json, disable_cooling, passthrough_models, max_concurrent, http2, "group",
            created_at, updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET provider = excluded.provider, name = excluded.name, priority = excluded.priority,
            is_active = excluded.is_active, secret_ref = excluded.secret_ref, key_hint = excluded.key_hint,
            base_url = excluded.base_url, proxy_url = excluded.proxy_url, proxy_secret_ref = excluded.proxy_secret_ref,
            default_model = excluded.default_model, models_json = excluded.models_json,
            disable_cooling = excluded.disable_cooling, passthrough_models = excluded.passthrough_models,
            max_concurrent = excluded.max_concurrent, http2 = excluded.http2, "group" = excluded."group",
            created_at = excluded.created_at, updated_at = excluded.updated_at)"),
      m_remove(database, "DELETE FROM provider_connections WHERE id = ?"),
      m_all(database, R"(
        SELECT id, provider, name, priority, is_active, secret_ref, key_hint, base_url, proxy_url, proxy_secret_ref,
            default_model, models_json, disable_cooling, passthrough_models, max_concurrent, http2, "group", created_at,
            updated_at
        FROM provider_connections ORDER BY provider, priority, created_at, rowid)")
{
}

Status ConnectionsTable::put(const Connection& connection)
{
    const auto asNumber = [](auto value) { return value ? std::optional<std::int64_t>(*value) : std::nullopt; };
    m_put.bind(connection.id.str()).bind(connection.provider.str()).bind(connection.name);
    m_put.bind(std::int64_t{connection.priority}).bind(std::int64_t{connection.enabled});
    m_put.bind(connection.secretRef).bind(connection.keyHint).bind(connection.baseUrl);
    m_put.bind(connection.proxyUrl).bind(connection.proxySecretRef);
    m_put.bind(connection.defaultModel).bind(listToText(connection.models));
    m_put.bind(std::int64_t{connection.disableCooling}).bindMaybe(asNumber(connection.passthroughModels));
    m_put.bindMaybe(asNumber(connection.maxConcurrent)).bind(std::int64_t{connection.http2}).bind(connection.group);
    m_put.bind(connection.createdAt).bind(connection.updatedAt);
    return m_put.run();
}

Status ConnectionsTable::remove(const ConnectionId& id) { return m_remove.bind(id.str()).run(); }

Result<std::vector<Connection>> ConnectionsTable::all()
{
    if (const Status ran = m_all.run(); !ran)
        return ran.error();
    std::vector<Connection> connections;
    while (m_all.next()) {
        Connection connection;
        connection.id = ConnectionId(m_all.text(0));
        connection.provider = ProviderId(m_all.text(1));
        connection.name = m_all.text(2);
        connection.priority = static_cast<int>(m_all.number(3));
        connection.enabled = m_all.flag(4);
        connection.secretRef = m_all.text(5);
        connection.keyHint = m_all.text(6);
        connection.baseUrl = m_all.text(7);
        connection.proxyUrl = m_all.text(8);
        connection.proxySecretRef = m_all.text(9);
        connection.defaultModel = m_all.text(10);
        connection.models = listFrom(m_all.text(11));
        connection.disableCooling = m_all.flag(12);
        if (const auto passthrough = m_all.maybeNumber(13))
            connection.passthroughModels = *passthrough != 0;
        if (const auto limit = m_all.maybeNumber(14))
            connection.maxConcurrent = static_cast<int>(*limit);
        connection.http2 = m_all.flag(15);
        connection.group = m_all.text(16);
        connection.createdAt = m_all.time(17);
        connection.updatedAt = m_all.time(18);
        connections.push_back(std::move(connection));
    }
    if (const Status ended = m_all.end(); !ended)
        return ended.error();
    return connections;
}

}  // namespace omni
