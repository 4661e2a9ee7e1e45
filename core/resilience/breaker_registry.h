#pragma once

#include "model/hold.h"
#include "model/provider.h"
#include "model/settings.h"
#include "resilience/circuit_breaker.h"
#include "resilience/dedup_window.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace omni {

/// All breakers by provider, with the rules for recording on them (spec 1-core §1.9, §1.10). A provider without failures has none: it is
/// CLOSED, and costs nothing. Not thread-safe.
class BreakerRegistry {
public:
    struct Entry {
        CircuitBreaker breaker;
        std::optional<ProviderClass> providerClass;  ///< unset after a restart until the provider is asked for
        std::optional<Evidence> evidence;            ///< of the last counted failure
    };

    /// A failure to be counted, if the dedup windows and the state let it.
    struct FailureEvent {
        const ProviderId& provider;
        ProviderClass providerClass;
        const ConnectionId& connection;
        bool network = false;  ///< no connection came about, or it broke: counted once in 10 s for the whole provider
        std::optional<FailureKind> kind;
        std::optional<std::uint64_t> probe;  ///< the generation, when the request was a probe
        const Evidence& evidence;
    };

    void applySettings(const ResilienceSettings& settings);

    /// nullptr when the provider has no breaker yet.
    Entry* find(const ProviderId& provider);
    /// The same, with the options of the class it is asked for as.
    Entry* find(const ProviderId& provider, ProviderClass providerClass);

    /// Whether anything changed. Not counted: no provider, repeated within a window, while OPEN, in HALF_OPEN any but the probe under way,
    /// so that late failures of earlier requests never keep a provider shut out.
    bool recordFailure(const FailureEvent& event, const Instant& now);
    /// Whether anything changed. While OPEN nothing; in HALF_OPEN only the probe's own success.
    bool recordSuccess(const ProviderId& provider, ProviderClass providerClass, const ConnectionId& connection,
                       std::optional<std::uint64_t> probe, const Instant& now);

    void restore(const BreakerStatus& status, const Instant& now);
    BreakerStatus status(const ProviderId& provider, const Entry* entry, const Instant& now) const;

    /// Removes what has been CLOSED without failures for 30 min, at most every 5 min.
    void sweep(const Instant& now);
    /// Those removed by a sweep or for want of room since the last call.
    std::vector<ProviderId> takeRemoved();
    void forgetConnection(const ConnectionId& connection) { m_byConnection.forget(connection); }

    const std::unordered_map<ProviderId, Entry>& entries() const { return m_entries; }
    std::unordered_map<ProviderId, Entry>& entries() { return m_entries; }

private:
    Entry& create(const ProviderId& provider, ProviderClass providerClass);
    void makeRoom();

    ResilienceSettings m_settings;
    std::unordered_map<ProviderId, Entry> m_entries;
    std::vector<ProviderId> m_removed;
    DedupWindow<ProviderId> m_networkByProvider{Millis(10'000), 1'000};
    DedupWindow<ConnectionId> m_byConnection{Millis(5'000), 10'000};
    MonoTime m_lastSweep{};
};

}  // namespace omni
