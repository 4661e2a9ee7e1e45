#include "store/api_keys_table.h"

#include "store/json_text.h"

namespace omni {

ApiKeysTable::ApiKeysTable(Database& database)
    : m_put(database, R"(
        INSERT INTO api_keys (id, name, key_prefix, key_hash, allowed_models, allowed_connections, scopes, is_active, no_log,
            expires_at, revoked_at, last_used_at, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, key_prefix = excluded.key_prefix, key_hash = excluded.key_hash,
            allowed_models = excluded.allowed_models, allowed_connections = excluded.allowed_connections,
            scopes = excluded.scopes, is_active = excluded.is_active, no_log = excluded.no_log,
            expires_at = excluded.expires_at, revoked_at = excluded.revoked_at,
            last_used_at = CASE WHEN last_used_at > coalesce(excluded.last_used_at, -1) THEN last_used_at
                                ELSE excluded.last_used_at END,
            created_at = excluded.created_at)"),
      m_remove(database, "DELETE FROM api_keys WHERE id = ?"),
      m_touch(database, "UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, -1), ?) WHERE id = ?"),
      m_all(database, R"(
        SELECT id, name, key_prefix, key_hash, allowed_models, allowed_connections, scopes, is_active, no_log, expires_at,
            revoked_at, last_used_at, created_at
        FROM api_keys ORDER BY created_at, rowid)")
{
}

Status ApiKeysTable::put(const ApiKey& key)
{
    std::vector<std::string> connections;
    for (const ConnectionId& id : key.allowedConnections)
        connections.push_back(id.str());
    m_put.bind(key.id.str()).bind(key.name).bind(key.prefix).bind(key.hash);
    m_put.bind(listToText(key.allowedModels)).bind(listToText(connections)).bind(listToText(key.scopes));
    m_put.bind(std::int64_t{key.active}).bind(std::int64_t{key.noLog});
    m_put.bind(key.expiresAt).bind(key.revokedAt).bind(key.lastUsedAt).bind(key.createdAt);
    return m_put.run();
}

Status ApiKeysTable::remove(const ApiKeyId& id) { return m_remove.bind(id.str()).run(); }

Status ApiKeysTable::touch(const ApiKeyId& id, WallTime at) { return m_touch.bind(at).bind(id.str()).run(); }

Result<std::vector<ApiKey>> ApiKeysTable::all()
{
    if (const Status ran = m_all.run(); !ran)
        return ran.error();
    std::vector<ApiKey> keys;
    while (m_all.next()) {
        ApiKey key;
        key.id = ApiKeyId(m_all.text(0));
        key.name = m_all.text(1);
        key.prefix = m_all.text(2);
        key.hash = m_all.text(3);
        key.allowedModels = listFrom(m_all.text(4));
        for (std::string& id : listFrom(m_all.text(5)))
            key.allowedConnections.emplace_back(std::move(id));
        key.scopes = listFrom(m_all.text(6));
        key.active = m_all.flag(7);
        key.noLog = m_all.flag(8);
        key.expiresAt = m_all.maybeTime(9);
        key.revokedAt = m_all.maybeTime(10);
        key.lastUsedAt = m_all.maybeTime(11);
        key.createdAt = m_all.time(12);
        keys.push_back(std::move(key));
    }
    if (const Status ended = m_all.end(); !ended)
        return ended.error();
    return keys;
}

}  // namespace omni
