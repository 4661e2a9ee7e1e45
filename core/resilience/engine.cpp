#include "resilience/engine.h"

#include "resilience/engine_private.h"
#include "resilience/evidence.h"
#include "resilience/provider_faults.h"
#include "resilience/provider_rules.h"

#include <algorithm>
#include <utility>

namespace omni {

namespace {

Exclusion exclusionOf(TerminalState state)
{
    switch (state) {
    case TerminalState::Banned: return Exclusion::Banned;
    case TerminalState::Expired: return Exclusion::Expired;
    case TerminalState::CreditsExhausted: return Exclusion::CreditsExhausted;
    case TerminalState::None: break;
    }
    return Exclusion::None;
}

std::optional<std::uint64_t> asOf(const Permit& permit)
{
    return permit.granted ? std::optional<std::uint64_t>(permit.lockoutEpisode) : std::nullopt;
}

std::optional<std::uint64_t> probeOf(const Permit& permit)
{
    return permit.granted && permit.probe ? std::optional<std::uint64_t>(permit.probeGeneration) : std::nullopt;
}

}  // namespace

Eligibility Engine::Private::check(const EngineTarget& target, BreakerRegistry::Entry* entry, ConnectionCooldown* cooldown,
                                   std::optional<Instant>& now, Changes& changes)
{
    if (!target.connection.enabled)
        return {Exclusion::Disabled};
    if (cooldown && !cooldown->healthy()) {
        if (cooldown->health().secretUnreadable)
            return {Exclusion::SecretUnreadable};
        if (cooldown->health().terminal != TerminalState::None)
            return {exclusionOf(cooldown->health().terminal)};
    }
    if (entry && entry->breaker.state() != BreakerState::Closed) {
        if (!now)
            now = Instant::of(clock);
        if (entry->breaker.refresh(*now))
            changes.breaker(target.provider, *entry, *now);
        if (!entry->breaker.canExecute()) {
            const Millis left = entry->breaker.retryAfter(*now);
            return {Exclusion::CircuitOpen, now->wall + left, left};
        }
    }
    if (cooldown && cooldown->cooling()) {
        if (!now)
            now = Instant::of(clock);
        if (cooldown->refresh(*now))
            changes.connection(*cooldown);
        if (cooldown->cooling()) {
            const Exclusion reason = cooldown->awaitingKeyRetry() ? Exclusion::Expired : Exclusion::ConnectionCooldown;
            return {reason, *cooldown->health().coolingUntil, cooldown->remaining(*now)};
        }
    }
    if (!providerHolds.empty()) {
        if (!now)
            now = Instant::of(clock);
        if (const Millis left = providerHolds.remaining(target.provider, *now); left > Millis(0))
            return {Exclusion::ProviderCooldown, now->wall + left, left};
    }
    if (target.ofCombo && providerCooldown.any()) {
        if (!now)
            now = Instant::of(clock);
        if (const auto cooling = providerCooldown.cooling(target.provider, target.connection.id, *now))
            return {Exclusion::ProviderCooldown, now->wall + cooling->remaining, cooling->remaining};
    }
    if (lockouts.concerns(target.connection.id)) {
        if (!now)
            now = Instant::of(clock);
        if (const auto lock = lockouts.find(target.provider, target.connection.id, target.model, *now))
            return {Exclusion::ModelLockout, lock->until, lock->remaining};
    }
    return {};
}

Engine::Engine(const Clock& clock, Random& random, EngineObserver& observer) : d(std::make_unique<Private>(clock, random, observer)) {}

Engine::~Engine() = default;

Eligibility Engine::eligible(const EngineTarget& target)
{
    Private::Changes changes(*d);
    std::optional<Instant> now;
    return d->check(target, d->breakers.find(target.provider, target.providerClass), d->find(target.connection.id), now, changes);
}

Engine::Standing Engine::standing() const
{
    return {d->revision, Instant::of(d->clock)};
}

Permit Engine::acquire(const EngineTarget& target)
{
    Private::Changes changes(*d);
    std::optional<Instant> now;
    d->remember(target.connection.id);
    BreakerRegistry::Entry* entry = d->breakers.find(target.provider, target.providerClass);
    ConnectionCooldown* cooldown = d->find(target.connection.id);
    Permit permit;
    permit.refused = d->check(target, entry, cooldown, now, changes);
    permit.granted = bool(permit.refused);
    if (!permit.granted)
        return permit;
    permit.episode = cooldown ? cooldown->episode() : 0;
    permit.lockoutEpisode = d->lockouts.episode();
    if (isEgressBucketed(target.provider.str()))
        d->egress.note(target.connection, now ? *now : Instant::of(d->clock));
    if (entry && entry->breaker.state() == BreakerState::HalfOpen) {
        if (const std::optional<std::uint64_t> generation = entry->breaker.takeProbe(now ? *now : Instant::of(d->clock))) {
            permit.probe = true;
            permit.probeGeneration = *generation;
        }
    }
    return permit;
}

void Engine::recordSuccess(const EngineTarget& target, const Permit& permit)
{
    const Instant now = Instant::of(d->clock);
    Private::Changes changes(*d);
    if (d->breakers.recordSuccess(target.provider, target.providerClass, target.connection.id, probeOf(permit), now)) {
        if (const BreakerRegistry::Entry* entry = d->breakers.find(target.provider))
            changes.breaker(target.provider, *entry, now);
    }
    ConnectionCooldown* cooldown = d->obtain(target.connection.id);
    if (cooldown && cooldown->recordSuccess(d->outdated(permit, cooldown), now))
        changes.connection(*cooldown);
    if (d->lockouts.size() > 0) {
        ModelLockouts::Decayed decayed = d->lockouts.decayOnSuccess(target.provider, target.connection.id, target.model, now,
                                                                    asOf(permit));
        changes.lockouts(std::move(decayed.changed));
        changes.unlocked(std::move(decayed.ended));
    }
    if (d->providerCooldown.recordSuccess(target.provider, target.connection.id))
        changes.providerCooldowns();
    d->judge.countServed(target.provider.str(), target.connection.id.str(), target.model, 0, now.wall);
}

Verdict Engine::recordFailure(const EngineTarget& target, const Permit& permit, const Failure& failure)
{
    const Instant now = Instant::of(d->clock);
    Private::Changes changes(*d);
    ++d->revision;  // a hold may grow without a change that anybody is told of
    d->breakers.sweep(now);

    ConnectionCooldown* cooldown = d->obtain(target.connection.id);
    const bool refreshed = cooldown && cooldown->refresh(now);
    Judgement judgement = d->judged(target, failure, cooldown, now);
    const Evidence breakerEvidence = judgement.countsOnBreaker ? evidenceOf(judgement, failure, Millis(0), now.wall) : Evidence();
    const Millis ladderFoot = judgement.scope == Judgement::Scope::Model ? judgement.cooldown : Millis(0);
    const bool outdated = d->outdated(permit, cooldown);
    if (cooldown) {
        cooldown->touch(now);
        if (cooldown->apply(judgement, failure, target.connection.disableCooling, outdated, now) || refreshed)
            changes.connection(*cooldown);
        if (judgement.permanent && shouldDisable(d->settings.autoDisableBanned, target.providerClass))
            changes.disable(target.connection.id);
    }
    if (judgement.ruleScope == RuleScope::Provider && judgement.cooldown > Millis(0)) {
        d->providerHolds.hold(target.provider, judgement.cooldown, now);
        changes.providerCooldowns();
    }
    const Millis locked = d->lockModel(target, permit, failure, judgement, ladderFoot, now, changes);
    if (judgement.locksEgress && judgement.cooldown > Millis(0))
        d->lockEgress(target, failure, judgement, now, changes);
    if (judgement.tryNextTarget && judgement.scope == Judgement::Scope::Connection && !judgement.skipBreaker && !outdated) {
        d->providerCooldown.recordFailure(target.provider, target.providerClass, target.connection.id, now);
        if (d->providerCooldown.any())
            changes.providerCooldowns();
    }

    if (judgement.countsOnBreaker) {
        const bool network = failure.status == 0 && isNetworkFault(failure.transport);
        // A probe that settled when its answer was committed is a request like any other when that answer breaks.
        std::optional<std::uint64_t> probe = probeOf(permit);
        const BreakerRegistry::Entry* known = probe && failure.afterCommit ? d->breakers.find(target.provider) : nullptr;
        if (known && known->breaker.generation() != *probe)
            probe.reset();
        const BreakerRegistry::FailureEvent event{target.provider, target.providerClass, target.connection.id, network, judgement.kind,
                                                  probe,           breakerEvidence};
        if (d->breakers.recordFailure(event, now))
            changes.breaker(target.provider, *d->breakers.find(target.provider), now);
    } else if (BreakerRegistry::Entry* entry = d->breakers.find(target.provider); entry && probeOf(permit)) {
        // Whatever a probe met that says nothing about the provider: the next request is the next probe (field-faults H02).
        if (entry->breaker.releaseProbe(permit.probeGeneration))
            changes.breaker(target.provider, *entry, now);
    }

    Verdict verdict;
    verdict.tryNextTarget = judgement.tryNextTarget;
    verdict.reason = judgement.reason;
    verdict.modelLocked = locked > judgement.cooldown;
    verdict.cooldown = std::max(locked, judgement.cooldown);
    verdict.contextOverflow = judgement.contextOverflow;
    verdict.providerLacksModel = judgement.providerLacksModel;
    verdict.status = judgement.restatedStatus.value_or(failure.status);
    if (judgement.hint) {
        verdict.retryAfter = judgement.hint->wait;
        verdict.hintSource = judgement.hint->source;
    }
    if (judgement.restatedRetryAfter)
        verdict.retryAfter = judgement.restatedRetryAfter;
    verdict.countsOnBreaker = judgement.countsOnBreaker;
    verdict.terminal = cooldown ? cooldown->health().terminal : judgement.terminal;
    verdict.rule = std::move(judgement.rule);
    verdict.ownRule = judgement.ownRule;
    return verdict;
}

void Engine::recordAbandoned(const EngineTarget& target, const Permit& permit)
{
    BreakerRegistry::Entry* entry = probeOf(permit) ? d->breakers.find(target.provider) : nullptr;
    if (!entry)
        return;
    const Instant now = Instant::of(d->clock);
    Private::Changes changes(*d);
    const bool refreshed = entry->breaker.refresh(now);
    if (entry->breaker.releaseProbe(permit.probeGeneration) || refreshed)
        changes.breaker(target.provider, *entry, now);
}

void Engine::recordTest(const EngineTarget& target, const std::optional<Failure>& failure)
{
    const Instant now = Instant::of(d->clock);
    Private::Changes changes(*d);
    d->remember(target.connection.id);
    ConnectionCooldown* cooldown = d->obtain(target.connection.id);
    if (failure) {
        if (d->settings.probeCanDisable && cooldown) {
            Judgement judgement = d->judged(target, *failure, cooldown, now);
            if (cooldown->apply(judgement, *failure, target.connection.disableCooling, false, now))
                changes.connection(*cooldown);
            return;
        }
        if (cooldown && cooldown->noteFailedTest(d->judged(target, *failure, cooldown, now), failure->status, now))
            changes.connection(*cooldown);
        return;
    }
    if (cooldown && cooldown->recordTestSuccess(now))
        changes.connection(*cooldown);
    BreakerRegistry::Entry* entry = d->breakers.find(target.provider, target.providerClass);
    if (entry && entry->breaker.endDegraded(now))
        changes.breaker(target.provider, *entry, now);
}

}  // namespace omni
