#pragma once

#include "resilience/breaker_registry.h"
#include "resilience/connection_cooldown.h"
#include "resilience/engine.h"
#include "resilience/failure_verdict.h"
#include "resilience/egress_registry.h"
#include "resilience/instant.h"
#include "resilience/model_lockouts.h"
#include "resilience/provider_cooldown.h"
#include "resilience/provider_holds.h"

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
        void lockout(ModelLockout lockout) { m_lockouts.push_back(std::move(lockout)); }
        void lockouts(std::vector<ModelLockout> lockouts)
        {
            for (ModelLockout& lockout : lockouts)
                m_lockouts.push_back(std::move(lockout));
        }
        void unlocked(std::vector<ModelLockout> lockouts)
        {
            for (ModelLockout& lockout : lockouts) {
                lockout.remaining = Millis(0);
                m_lockouts.push_back(std::move(lockout));
            }
        }
        void providerCooldowns() { m_providerCooldowns = true; }
        void disable(const ConnectionId& id) { m_disable.push_back(id); }

        ~Changes()
        {
            if (!m_breakers.empty() || !m_healths.empty() || !m_lockouts.empty() || m_providerCooldowns)
                ++m_owner.revision;
            for (const ProviderId& provider : m_owner.breakers.takeRemoved())
                m_owner.observer.breakerRemoved(provider);
            for (const BreakerStatus& status : m_breakers)
                m_owner.observer.breakerChanged(status);
            for (const ConnectionHealth& health : m_healths)
                m_owner.observer.connectionChanged(health);
            for (const ModelLockout& lockout : m_lockouts)
                m_owner.observer.lockoutChanged(lockout);
            if (m_providerCooldowns)
                m_owner.observer.providerCooldownsChanged();
            for (const ConnectionId& id : m_disable)
                m_owner.observer.disableWanted(id);
        }

    private:
        Private& m_owner;
        std::vector<BreakerStatus> m_breakers;
        std::vector<ConnectionHealth> m_healths;
        std::vector<ModelLockout> m_lockouts;
        std::vector<ConnectionId> m_disable;
        bool m_providerCooldowns = false;
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

    /// The locks a failure leads to, and how long the model is held by them; 0 = not at all.
    Millis lockModel(const EngineTarget& target, const Permit& permit, const Failure& failure, const Judgement& judgement, Millis ladderFoot,
                     const Instant& now, Changes& changes);
    /// Cools whoever shares the address of a connection that was refused for it (guide §7, spec 2-around §10.5).
    void lockEgress(const EngineTarget& target, const Failure& failure, const Judgement& judgement, const Instant& now, Changes& changes);
    void endExpiredLocks(const Instant& now, Changes& changes) { changes.unlocked(lockouts.takeExpired(now)); }

    const BreakerProfile& breakerProfile(ProviderClass providerClass) const
    {
        switch (providerClass) {
        case ProviderClass::OAuth: return settings.oauthBreaker;
        case ProviderClass::Local: return settings.localBreaker;
        case ProviderClass::ApiKey: break;
        }
        return settings.apiKeyBreaker;
    }

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
                           settings.modelLockout.maxCooldown,
                           settings.streamStallCooldown,
                           now.wall,
                           target.connection.id.str(),
                           target.connection.disableCooling};
        if (cooldown)
            facts.backoffLevel = cooldown->health().backoffLevel;
        return judge.judge(facts);
    }

    const Clock& clock;
    EngineObserver& observer;
    ResilienceSettings settings;
    FailureJudge judge;
    std::uint64_t revision = 0;  ///< raised by whatever may end or prolong a refusal, but the passing of time
    BreakerRegistry breakers;
    ModelLockouts lockouts;
    ProviderCooldown providerCooldown;
    ProviderHolds providerHolds;
    EgressRegistry egress;
    std::unordered_map<ConnectionId, ConnectionCooldown> connections;
    /// Removed ones whose late results must not bring them back; one that is used again leaves the set.
    std::unordered_set<ConnectionId> forgotten;
};

}  // namespace omni
