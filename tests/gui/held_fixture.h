#pragma once

#include "control/control.h"

#include <string>
#include <vector>

namespace omni::test {

inline const WallTime kHeldNow{Millis(1'790'000'000'000)};

/// A configuration of Groq connections, whose names are their ids, and what an engine would say of them.
struct HeldFacts {
    Configuration configuration;
    EngineSnapshot engine;

    static HeldFacts of(const std::vector<std::string>& names)
    {
        HeldFacts facts;
        facts.configuration.catalogue = ProviderCatalogue::load().valueOr(nullptr);
        for (const std::string& name : names) {
            Connection connection;
            connection.id = ConnectionId(name);
            connection.provider = ProviderId("groq");
            connection.name = name;
            connection.secretRef = "kept";
            facts.configuration.connections.push_back(std::move(connection));
            ConnectionHealth health;
            health.id = ConnectionId(name);
            facts.engine.healths.push_back(health);
        }
        return facts;
    }

    /// An open breaker, a connection that rests, one with two models at rest, one without credit, and two more.
    static HeldFacts ofEveryKind()
    {
        HeldFacts facts = of({"rests", "locked", "gone", "fine", "idle"});
        for (int i = 0; i < 6; ++i) {
            Connection connection;
            connection.id = ConnectionId("o" + std::to_string(i));
            connection.provider = ProviderId("openai");
            connection.name = "seat " + std::to_string(i);
            connection.secretRef = "kept";
            facts.configuration.connections.push_back(std::move(connection));
        }
        BreakerStatus breaker;
        breaker.provider = ProviderId("openai");
        breaker.state = BreakerState::Open;
        breaker.failureCount = 8;
        breaker.failureThreshold = 5;
        breaker.openCycleCount = 2;
        breaker.resetTimeout = Millis(30'000);
        breaker.heldUntil = kHeldNow + Millis(21'000);
        breaker.evidence = Evidence{kHeldNow, RequestId("77aa"), 503, {}, "down", "HTTP 503: server error", HintSource::None, Millis(0)};
        facts.engine.breakers = {breaker};

        ConnectionHealth& rests = facts.rest("rests", 120);
        rests.backoffLevel = 3;
        rests.evidence = Evidence{
            kHeldNow,           RequestId("8f21"), 429, "Retry-After: 120", "{\"message\":\"rate reached\"}", "HTTP 429: rate limit",
            HintSource::Header, Millis(120'000)};
        facts.lock("locked", "gpt-4o", 60, 4, LockoutScope::Family, 429, FailureReason::QuotaExhausted);
        facts.lock("locked", "o3", 90, 1, LockoutScope::NotFound, 404, FailureReason::NotFound);
        ConnectionHealth& gone = facts.health("gone");
        gone.terminal = TerminalState::CreditsExhausted;
        gone.reason = FailureReason::Credits;
        gone.errorCode = 402;
        gone.lastErrorAt = kHeldNow - Millis(86'400'000);
        return facts;
    }

    ConnectionHealth& health(const char* name)
    {
        for (ConnectionHealth& health : engine.healths) {
            if (health.id.str() == name)
                return health;
        }
        qFatal("no connection %s", name);
    }
    ConnectionHealth& rest(const char* name, int seconds, WallTime since = kHeldNow)
    {
        ConnectionHealth& one = health(name);
        one.coolingSince = since;
        one.coolingUntil = since + Millis(seconds * 1000);
        one.reason = FailureReason::RateLimitExceeded;
        one.errorCode = 429;
        one.lastErrorAt = since;
        return one;
    }
    void end(const char* name)
    {
        ConnectionHealth& one = health(name);
        one.coolingSince.reset();
        one.coolingUntil.reset();
    }
    void lock(const char* name, const char* model, int seconds, int failures = 1, LockoutScope scope = LockoutScope::Exact,
              int status = 429, FailureReason reason = FailureReason::RateLimitExceeded)
    {
        for (const ModelLockout& known : engine.lockouts) {
            if (known.connection.str() == name && known.model == model)
                return;
        }
        ModelLockout lockout;
        lockout.provider = ProviderId("groq");
        lockout.connection = ConnectionId(name);
        lockout.model = model;
        lockout.scope = scope;
        lockout.reason = reason;
        lockout.failureCount = failures;
        lockout.lockedAt = kHeldNow;
        lockout.until = kHeldNow + Millis(seconds * 1000);
        lockout.evidence = Evidence{kHeldNow,           RequestId("5e5e"),     status, {}, "no more of it", "HTTP 429: a quota is used up",
                                    HintSource::Ladder, Millis(seconds * 1000)};
        engine.lockouts.push_back(std::move(lockout));
    }
};

}  // namespace omni::test
