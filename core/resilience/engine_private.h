#pragma once

#include "resilience/breaker_registry.h"
#include "resilience/connection_cooldown.h"
#include "resilience/engine.h"
#include "resilience/failure_verdict.h"
#include "resilience/instant.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace omni {

struct Engine::Private {
    Private(const Clock& usedClock, Random& usedRandom, EngineObserver& usedObserver)
        : clock(usedClock), observer(usedObserver), judge(usedRandom)
    {
    }

    /// What one call changed. Observers are told when the call is through with its own state, since they may ask the engine again or make
    /// it forget what was just touched.
    class Changes {
    public:
        explicit Changes(Private& owner) : m_owner(owner) {}
        Changes(const Changes&) = delete;
        Changes& operator=(const Changes&) = delete;

        void breaker(const ProviderId& provider, const BreakerRegistry::Entry& entry, const Instant& now)
        {
            m_breakers.push_back(m_owner.breakers.status(provider, &entry, now));
        }
        void connection(const ConnectionCooldown& cooldown) { m_healths.push_back(cooldown.health()); }

        ~Changes()
        {
            for (const ProviderId& provider : m_owner.breakers.takeRemoved())
                m_owner.observer.breakerRemoved(provider);
            for (const BreakerStatus& status : m_breakers)
                m_owner.observer.breakerChanged(status);
            for (const ConnectionHealth& health : m_healths)
                m_owner.observer.connectionChanged(health);
        }

    private:
        Private& m_owner;
        std::vector<BreakerStatus> m_breakers;
        std::vector<ConnectionHealth> m_healths;
    };

    ConnectionCooldown* find(const ConnectionId& id)
    {
        const auto found = connections.find(id);
        return found == connections.end() ? nullptr : &found->second;
    }

    /// nullptr for a connection that has no id, or was removed while its request was under way.
    ConnectionCooldown* obtain(const ConnectionId& id)
    {
        if (id.empty() || (!forgotten.empty() && forgotten.contains(id)))
            return nullptr;
        return &connections.try_emplace(id, id).first->second;
    }

    /// The connection is in use (again).
    void remember(const ConnectionId& id)
    {
        if (!forgotten.empty())
            forgotten.erase(id);
    }

    bool outdated(const Permit& permit, const ConnectionCooldown* cooldown) const
    {
        return permit.granted && cooldown && permit.episode != cooldown->episode();
    }

    /// `now` is asked for at most once, and not at all while everything is in order.
    Eligibility check(const EngineTarget& target, BreakerRegistry::Entry* entry, ConnectionCooldown* cooldown, std::optional<Instant>& now,
                      Changes& changes);

    const CooldownProfile& cooldownProfile(ProviderClass providerClass) const
    {
        switch (providerClass) {
        case ProviderClass::OAuth: return settings.oauthCooldown;
        case ProviderClass::Local: return settings.localCooldown;
        case ProviderClass::ApiKey: break;
        }
        return settings.apiKeyCooldown;
    }

    Judgement judged(const EngineTarget& target, const Failure& failure, const ConnectionCooldown* cooldown, const Instant& now)
    {
        FailureFacts facts{failure,
                           target.provider.str(),
                           target.providerClass,
                           target.model,
                           target.perModelQuota,
                           0,
                           cooldownProfile(target.providerClass),
                           settings.maxCooldown,
                           settings.streamStallCooldown,
                           now.wall};
        if (cooldown)
            facts.backoffLevel = cooldown->health().backoffLevel;
        return judge.judge(facts);
    }

    const Clock& clock;
    EngineObserver& observer;
    ResilienceSettings settings;
    FailureJudge judge;
    BreakerRegistry breakers;
    std::unordered_map<ConnectionId, ConnectionCooldown> connections;
    /// Removed ones whose late results must not bring them back; one that is used again leaves the set.
    std::unordered_set<ConnectionId> forgotten;
};

}  // namespace omni
