#pragma once

#include "model/configuration.h"

#include <unordered_map>
#include <vector>

namespace omni {

/// What makes a combo's target lead nowhere, whatever the engine holds.
enum class TargetFault : std::uint8_t {
    None,
    ProviderGone,       ///< no such provider (any more)
    NoConnection,       ///< the provider has none
    ConnectionGone,     ///< the pinned one does not exist (any more)
    ForeignConnection,  ///< the pinned one belongs to another provider
    UnknownModel,       ///< nobody it may go to lists the model, or passes on models nobody lists
    AllDisabled         ///< everybody it may go to is switched off
};

/// Finds targets that lead nowhere, by the rules of `Router`. Points into the configuration, which must outlive it.
class TargetCheck {
public:
    explicit TargetCheck(const Configuration& configuration);

    TargetFault faultOf(const ComboTarget& target) const;
    /// In the configuration's order; empty for a provider without connections.
    const std::vector<const Connection*>& connectionsOf(const ProviderId& provider) const;

private:
    const Configuration& m_configuration;
    std::unordered_map<ProviderId, std::vector<const Connection*>> m_connections;
};

}  // namespace omni
