#include "control/connection_import/stored_keys.h"

#include "base/text.h"
#include "control/control.h"

#include <algorithm>

namespace omni::connection_import {

std::vector<bool> storedAlready(const Control& control, const std::vector<FoundKey>& keys)
{
    std::vector<bool> stored;
    for (const FoundKey& key : keys) {
        const auto& connections = control.configuration()->connections;
        stored.push_back(std::any_of(connections.begin(), connections.end(), [&](const Connection& connection) {
            if (connection.provider != key.provider || connection.secretRef.empty())
                return false;
            const Result<std::string> secret = control.secretOf(connection);
            return secret && equalsConstantTime(*secret, key.key);
        }));
    }
    return stored;
}

}  // namespace omni::connection_import
