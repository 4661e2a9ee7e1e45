#pragma once

#include "resilience/model_lockouts.h"
#include "unit/resilience/resilience_fixture.h"

#include <optional>
#include <string_view>

namespace omni {

/// Lockouts under simulated time, for one connection "c1".
struct LockoutBench {
    LockoutBench() { lockouts.applySettings(settings); }

    Instant now() const { return Instant::of(clock); }
    ModelLockouts::FailureEvent event(std::string_view model, int status, FailureReason reason = FailureReason::ServerError) const
    {
        ModelLockouts::FailureEvent made{.provider = provider, .connection = connection, .model = model, .status = status};
        made.reason = reason;
        made.escalationWindow = Millis(30'000);  // as of API keys
        return made;
    }
    std::optional<ModelLockout> fail(std::string_view model, int status, FailureReason reason = FailureReason::ServerError)
    {
        return lockouts.recordFailure(event(model, status, reason), now());
    }
    /// A lock of exactly this length, as a header says it.
    std::optional<ModelLockout> lockFor(Millis length, std::string_view model = "gpt-4o", int status = 500)
    {
        ModelLockouts::FailureEvent made = event(model, status);
        made.exactLength = length;
        made.authoritative = true;
        return lockouts.recordFailure(made, now());
    }
    bool locked(std::string_view model) const { return lockouts.find(provider, connection, model, now()).has_value(); }
    Millis remaining(std::string_view model) const
    {
        const auto found = lockouts.find(provider, connection, model, now());
        return found ? found->remaining : Millis(0);
    }
    ModelLockouts::Decayed succeed(std::string_view model) { return lockouts.decayOnSuccess(provider, connection, model, now()); }

    SimulatedClock clock;
    ModelLockoutSettings settings;
    ModelLockouts lockouts;
    ProviderId provider{"openai"};
    ConnectionId connection{"c1"};
};

}  // namespace omni
