#pragma once

#include "base/ids.h"
#include "model/connection.h"
#include "resilience/instant.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace omni {

/// Which address the requests of a connection went out from last: those of providers that count by address fail together (guide §7,
/// spec 2-around §10.5). An address is known by the way to it: the connection's proxy, or this machine itself. In memory only.
class EgressRegistry {
public:
    /// Connections used within this long share the fate of their address.
    static constexpr Millis kLookBack{86'400'000};

    /// A request of the connection is let go.
    void note(const Connection& connection, const Instant& now);
    void forget(const ConnectionId& id) { m_seen.erase(id); }

    struct Sibling {
        ConnectionId id;
        bool coolingDisabled = false;
    };
    /// The other connections whose last request went out from the same address.
    std::vector<Sibling> siblings(const ConnectionId& id, const Instant& now) const;

private:
    struct Seen {
        std::string address;
        bool coolingDisabled = false;
        Instant at;
    };
    std::unordered_map<ConnectionId, Seen> m_seen;
};

}  // namespace omni
