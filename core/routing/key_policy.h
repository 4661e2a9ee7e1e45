#pragma once

#include "model/provider.h"
#include "model/routing_config.h"

#include <string_view>

namespace omni {

/// What an API key may use. Without a key everything is allowed.
class KeyPolicy {
public:
    explicit KeyPolicy(const ApiKey* key) : m_key(key) {}

    bool restrictsModels() const { return m_key && !m_key->allowedModels.empty(); }
    /// The name itself fits one of the key's patterns: a combo, an alias or a model as the client wrote it.
    bool allowsName(std::string_view name) const;
    /// A model under any name it has here: "provider/model", "prefix/model" or bare.
    bool allowsModel(const Provider& provider, std::string_view model) const;
    bool allowsConnection(const ConnectionId& id) const;

private:
    const ApiKey* m_key;
};

}  // namespace omni
