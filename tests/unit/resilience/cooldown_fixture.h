#pragma once

#include "base/clock.h"
#include "resilience/connection_cooldown.h"
#include "unit/resilience/resilience_fixture.h"

#include <string>
#include <utility>

namespace omni {

/// What failures mean, for tests of the connection's state alone.
inline Judgement ladder(Millis cooldown, int level, FailureReason reason = FailureReason::ServerError)
{
    Judgement judgement;
    judgement.reason = reason;
    judgement.cooldown = cooldown;
    judgement.ladder = true;
    judgement.newLevel = level;
    judgement.source = HintSource::Ladder;
    judgement.rule = "the ladder";
    judgement.message = "bad gateway";
    return judgement;
}

/// A wait that the answer names.
inline Judgement stated(Millis cooldown, FailureReason reason = FailureReason::RateLimitExceeded)
{
    Judgement judgement;
    judgement.reason = reason;
    judgement.cooldown = cooldown;
    judgement.newLevel = 0;
    judgement.source = HintSource::Header;
    judgement.rule = "a header";
    return judgement;
}

inline Judgement terminal(TerminalState state)
{
    Judgement judgement;
    judgement.reason = FailureReason::AuthError;
    judgement.terminal = state;
    judgement.permanent = state == TerminalState::Banned;
    judgement.rule = "the body";
    return judgement;
}

inline Judgement keyRefused()
{
    Judgement judgement;
    judgement.reason = FailureReason::AuthError;
    judgement.keyRefused = true;
    judgement.rule = "HTTP 401";
    return judgement;
}

/// One connection under simulated time.
struct CooldownBench {
    Instant now() const { return Instant::of(clock); }
    /// Answers whether anything changed; `last` is what became of the judgement.
    bool apply(Judgement judgement, bool outdated = false)
    {
        last = std::move(judgement);
        Failure failure;
        failure.status = 502;
        return connection.apply(last, failure, coolingDisabled, outdated, now());
    }
    Millis left() const { return connection.remaining(now()); }
    const ConnectionHealth& health()
    {
        connection.refresh(now());
        return connection.health();
    }

    SimulatedClock clock;
    ConnectionCooldown connection{ConnectionId("c1")};
    bool coolingDisabled = false;
    Judgement last;
};

}  // namespace omni
