#include "resilience/engine.h"

#include "resilience/engine_private.h"
#include "resilience/evidence.h"
#include "resilience/quota_family.h"
#include "resilience/reset_clock.h"

#include <algorithm>

namespace omni {

namespace {

/// spec 1-core §6.1: those lock the one model whatever the status says about its family.
bool locksExactly(std::string_view provider)
{
    const std::string_view canonical = canonicalProviderId(provider);
    return canonical == "antigravity" || canonical == "agy";
}

}  // namespace

Millis Engine::Private::lockModel(const EngineTarget& target, const Permit& permit, const Failure& failure, const Judgement& judgement,
                                  Millis ladderFoot, const Instant& now, Changes& changes)
{
    const bool aboutModel = judgement.scope == Judgement::Scope::Model;
    const int status = judgement.restatedStatus.value_or(failure.status);
    const std::vector<int>& codes = settings.modelLockout.errorCodes;
    // A concurrency limit says that the account is busy, not that the model is out (spec 0-decisions).
    const bool configured = settings.modelLockout.enabled && judgement.tryNextTarget && judgement.scope != Judgement::Scope::Request
                            && judgement.scope != Judgement::Scope::Note && judgement.reason != FailureReason::ConcurrencyLimited
                            && judgement.terminal == TerminalState::None && std::find(codes.begin(), codes.end(), status) != codes.end();
    if (!aboutModel && !configured)
        return Millis(0);
    // What an open breaker holds already needs no lock (spec 1-core §6.3).
    const BreakerRegistry::Entry* entry = breakers.find(target.provider);
    if (entry && !entry->breaker.canExecute() && !permit.probe)
        return Millis(0);

    ModelLockouts::FailureEvent event{.provider = target.provider, .connection = target.connection.id, .model = target.model};
    event.status = status;
    event.reason = judgement.lockReason != FailureReason::Unknown ? judgement.lockReason : judgement.reason;
    if (aboutModel) {
        event.exactLength = judgement.modelLock;
        event.authoritative = judgement.modelLockAuthoritative;
    }
    // The operator's own ladder where they have switched it on, else the one of the failure.
    event.fallbackBase = configured ? Millis(0) : ladderFoot;
    event.untilDailyReset = untilDailyReset(settings.dailyReset, now.wall);
    event.escalationWindow = breakerProfile(target.providerClass).resetTimeout;
    if (locksExactly(target.provider.str()))
        event.scope = LockoutScope::Exact;
    if (permit.granted)
        event.asOf = permit.lockoutEpisode;
    event.evidence = evidenceOf(judgement, failure, Millis(0), now.wall);
    lockouts.sweep(now);
    endExpiredLocks(now, changes);
    std::optional<ModelLockout> lock = lockouts.recordFailure(event, now);
    if (!lock)
        return Millis(0);
    const Millis remaining = lock->remaining;
    changes.lockout(*std::move(lock));
    return remaining;
}

void Engine::Private::lockEgress(const EngineTarget& target, const Failure& failure, const Judgement& judgement, const Instant& now,
                                 Changes& changes)
{
    for (const EgressRegistry::Sibling& sibling : egress.siblings(target.connection.id, now)) {
        ConnectionCooldown* cooldown = obtain(sibling.id);
        if (!cooldown || sibling.coolingDisabled || cooldown->health().terminal != TerminalState::None)
            continue;
        Judgement shared = judgement;
        shared.ladder = false;
        shared.newLevel.reset();
        shared.rule += "; " + target.connection.name + " was refused at the address both send from";
        shared.message = "Shares its address with \"" + target.connection.name + "\": " + judgement.message;
        if (cooldown->apply(shared, failure, false, false, now))
            changes.connection(*cooldown);
    }
}

int Engine::clearLockouts(const ProviderId& provider, const ConnectionId& connection, std::string_view model)
{
    Private::Changes changes(*d);
    std::vector<ModelLockout> ended = d->lockouts.clear(provider, connection, model, Instant::of(d->clock));
    const int count = static_cast<int>(ended.size());
    changes.unlocked(std::move(ended));
    return count;
}

int Engine::clearAllLockouts()
{
    Private::Changes changes(*d);
    std::vector<ModelLockout> ended = d->lockouts.clearAll(Instant::of(d->clock));
    const int count = static_cast<int>(ended.size());
    changes.unlocked(std::move(ended));
    return count;
}

std::vector<ModelLockout> Engine::lockouts()
{
    const Instant now = Instant::of(d->clock);
    Private::Changes changes(*d);
    d->lockouts.sweep(now);
    d->endExpiredLocks(now, changes);
    return d->lockouts.list(now);
}

std::vector<ProviderCooldownStatus> Engine::providerCooldowns() const
{
    const Instant now = Instant::of(d->clock);
    std::vector<ProviderCooldownStatus> all = d->providerHolds.list(now);
    for (ProviderCooldownStatus& cooling : d->providerCooldown.list(now))
        all.push_back(std::move(cooling));
    return all;
}

int Engine::clearProviderCooldowns(const ProviderId& onlyProvider)
{
    Private::Changes changes(*d);
    int ended = 0;
    for (const ProviderCooldownStatus& cooling : providerCooldowns()) {
        if (!onlyProvider.empty() && cooling.provider != onlyProvider)
            continue;
        d->providerCooldown.clear(cooling.provider);
        d->providerHolds.clear(cooling.provider);
        ++ended;
        changes.providerCooldowns();
    }
    return ended;
}

void Engine::refresh()
{
    breakers();
    healths();
    lockouts();
}

}  // namespace omni
