#pragma once

#include "model/connection.h"
#include "model/provider.h"
#include "model/routing_config.h"
#include "model/settings.h"

#include <memory>
#include <vector>

namespace omni {

/// All that is configured, as one value. Published as `shared_ptr<const Configuration>`: never changed in place, so any
/// thread may read the one it holds.
struct Configuration {
    std::shared_ptr<const ProviderCatalogue> catalogue;
    std::vector<ProviderNode> nodes;
    std::vector<Connection> connections;
    std::vector<Combo> combos;
    std::vector<ModelAlias> aliases;
    std::vector<ApiKey> apiKeys;
    Settings settings;

    const Connection* connection(const ConnectionId& id) const;
    /// Catalogue entry or user-defined endpoint, by id.
    const Provider* provider(const ProviderId& id) const;
    ProviderClass providerClass(const Connection& connection) const;
    /// Rebuilds the providers made from `nodes`; call after changing them.
    void refreshNodeProviders();

private:
    std::vector<Provider> m_nodeProviders;
};

using ConfigurationPtr = std::shared_ptr<const Configuration>;

}  // namespace omni
