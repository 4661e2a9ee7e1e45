#pragma once

#include "model/routing_config.h"
#include "store/database.h"

#include <vector>

namespace omni {

/// api_keys (spec 4-surfaces §1.6): clients' keys to this proxy, by hash. Hashes are unique (Conflict).
class ApiKeysTable {
public:
    explicit ApiKeysTable(Database& database);

    /// An older `lastUsedAt` than the stored one does not replace it: an editor holds the value of when it was opened.
    Status put(const ApiKey& key);
    Status remove(const ApiKeyId& id);
    Status touch(const ApiKeyId& id, WallTime at);
    /// By age.
    Result<std::vector<ApiKey>> all();

private:
    Statement m_put;
    Statement m_remove;
    Statement m_touch;
    Statement m_all;
};

}  // namespace omni
