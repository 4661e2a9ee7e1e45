#include "routing/target_check.h"

#include <algorithm>

namespace omni {

namespace {

bool offers(const Connection& connection, const Provider& provider, const std::string& model)
{
    if (connection.passthroughModels.value_or(provider.passthroughModels) || (connection.models.empty() && provider.models.empty()))
        return true;
    return connection.defaultModel == model ||
           std::find(connection.models.begin(), connection.models.end(), model) != connection.models.end() ||
           std::any_of(provider.models.begin(), provider.models.end(), [&](const ModelInfo& info) { return info.id == model; });
}

}  // namespace

TargetCheck::TargetCheck(const Configuration& configuration) : m_configuration(configuration)
{
    for (const Connection& connection : configuration.connections)
        m_connections[connection.provider].push_back(&connection);
}

const std::vector<const Connection*>& TargetCheck::connectionsOf(const ProviderId& provider) const
{
    static const std::vector<const Connection*> none;
    const auto found = m_connections.find(provider);
    return found == m_connections.end() ? none : found->second;
}

TargetFault TargetCheck::faultOf(const ComboTarget& target) const
{
    const Provider* provider = m_configuration.provider(target.provider);
    if (!provider)
        return TargetFault::ProviderGone;
    std::vector<const Connection*> pinned;
    if (target.connection) {
        const Connection* connection = m_configuration.connection(*target.connection);
        if (!connection)
            return TargetFault::ConnectionGone;
        if (connection->provider != target.provider)
            return TargetFault::ForeignConnection;
        pinned.push_back(connection);
    }
    const std::vector<const Connection*>& candidates = target.connection ? pinned : connectionsOf(target.provider);
    if (candidates.empty())
        return TargetFault::NoConnection;
    bool offered = false;
    for (const Connection* connection : candidates) {
        if (!offers(*connection, *provider, target.model))
            continue;
        if (connection->enabled)
            return TargetFault::None;
        offered = true;
    }
    return offered ? TargetFault::AllDisabled : TargetFault::UnknownModel;
}

}  // namespace omni
