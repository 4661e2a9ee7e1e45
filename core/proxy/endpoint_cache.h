#pragma once

#include "control/control.h"
#include "upstream/endpoint.h"

#include <array>
#include <optional>
#include <unordered_map>

namespace omni {

/// Endpoints of the present configuration, made once for each connection and operation: joining addresses and reading secrets for every
/// request would cost more than the rest of the routing.
class EndpointCache {
public:
    explicit EndpointCache(Control& control) : m_control(control) {}

    struct Entry {
        Endpoint endpoint;
        HeaderList headers;  ///< what is sent whoever the client is: authentication, the provider's own, our identity
        bool local = false;  ///< a server on this machine or network
    };
    /// Valid until the next call after a change of configuration. Errors as of makeEndpoint, and Secret when the key cannot be read.
    Result<const Entry*> find(const Provider& provider, const Connection& connection, Operation operation, const ConfigurationPtr& configuration);
    void clear() { m_entries.clear(); }

private:
    Control& m_control;
    const Configuration* m_configuration = nullptr;
    ConfigurationPtr m_keepAlive;
    std::unordered_map<const Connection*, std::array<std::optional<Entry>, kOperationCount>> m_entries;
};

}  // namespace omni
