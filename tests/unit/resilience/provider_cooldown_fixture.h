#pragma once

#include "base/clock.h"
#include "resilience/provider_cooldown.h"

namespace omni {

inline ProviderCooldownSettings switchedOn()
{
    ProviderCooldownSettings settings;
    settings.enabled = true;
    return settings;
}

/// A tracker that is switched on, under simulated time.
struct ProviderBench {
    explicit ProviderBench(ProviderClass usedClass = ProviderClass::OAuth, const ProviderCooldownSettings& settings = switchedOn())
        : providerClass(usedClass)
    {
        tracker.applySettings(settings);
    }

    Instant now() const { return Instant::of(clock); }
    void fail(const char* on = "") { tracker.recordFailure(provider, providerClass, ConnectionId(on), now()); }
    void succeed(const char* on = "") { tracker.recordSuccess(provider, ConnectionId(on)); }
    /// What is left for a connection that has not failed itself.
    Millis providerLeft() const { return left("other"); }
    Millis left(const char* on) const
    {
        const auto cooling = tracker.cooling(provider, ConnectionId(on), now());
        return cooling ? cooling->remaining : Millis(0);
    }

    ProviderClass providerClass;
    SimulatedClock clock;
    ProviderCooldown tracker;
    ProviderId provider{"p"};
};

}  // namespace omni
