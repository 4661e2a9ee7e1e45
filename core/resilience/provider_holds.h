#pragma once

#include "model/hold.h"
#include "resilience/instant.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace omni {

/// Providers that a rule of the operator keeps out of routing whole, for a while (`scope: provider`, spec 2-around §10.2). In memory only.
class ProviderHolds {
public:
    bool empty() const { return m_holds.empty(); }

    /// A shorter hold never replaces a longer one that runs.
    void hold(const ProviderId& provider, Millis length, const Instant& now);
    /// 0 = not held.
    Millis remaining(const ProviderId& provider, const Instant& now) const;
    std::vector<ProviderCooldownStatus> list(const Instant& now) const;
    std::optional<Millis> nextEnd(const Instant& now) const;
    bool clear(const ProviderId& provider) { return m_holds.erase(provider) > 0; }

private:
    struct Hold {
        Instant since;
        Millis length{0};
        int failures = 0;
    };
    std::unordered_map<ProviderId, Hold> m_holds;
};

}  // namespace omni
