#include "routing/key_policy.h"

#include "routing/name_pattern.h"

#include <algorithm>
#include <string>

namespace omni {

bool KeyPolicy::allowsName(std::string_view name) const
{
    return !restrictsModels() || std::any_of(m_key->allowedModels.begin(), m_key->allowedModels.end(),
                                             [name](const std::string& pattern) { return matchesPattern(pattern, name); });
}

bool KeyPolicy::allowsModel(const Provider& provider, std::string_view model) const
{
    if (!restrictsModels() || allowsName(model))
        return true;
    const auto allowsBelow = [this, model](const std::string& prefix) {
        return !prefix.empty() && allowsName(prefix + "/" + std::string(model));
    };
    return allowsBelow(provider.id.str()) || allowsBelow(provider.alias);
}

bool KeyPolicy::allowsConnection(const ConnectionId& id) const
{
    return !m_key || m_key->allowedConnections.empty() ||
           std::find(m_key->allowedConnections.begin(), m_key->allowedConnections.end(), id) != m_key->allowedConnections.end();
}

}  // namespace omni
