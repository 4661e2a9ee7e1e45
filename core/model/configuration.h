#pragma once

#include "model/connection.h"
#include "model/provider.h"
#include "model/routing_config.h"
#include "model/settings.h"
#include "model/usage.h"

#include <memory>
#include <unordered_map>
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
    std::vector<ModelPrice> prices;
    Settings settings;
    /// Names that count as local beside the built-in rules; from LOCAL_HOSTNAMES when the first configuration is made, copies keep it.
    std::vector<std::string> localHostnames = localHostnamesFromEnvironment();

    const Connection* connection(const ConnectionId& id) const;
    /// Catalogue entry or user-defined endpoint, by id.
    const Provider* provider(const ProviderId& id) const;
    /// By the base URL it leads to. The sandbox plays a hosted upstream, so it is judged as one although it listens on loopback.
    ProviderClass providerClass(const Connection& connection) const;
    /// Rebuilds the providers made from `nodes`, and the indexes; call after changing them.
    void refreshNodeProviders();
    /// Rebuilds the look-up by id; call after changing `connections`. Without it look-ups stay right and become linear.
    void refreshIndexes();

private:
    std::vector<Provider> m_nodeProviders;
    std::unordered_map<ConnectionId, std::size_t> m_connectionIndex;
    std::unordered_map<ProviderId, std::size_t> m_nodeIndex;
};

using ConfigurationPtr = std::shared_ptr<const Configuration>;

}  // namespace omni
