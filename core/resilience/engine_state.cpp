#include "resilience/engine.h"

#include "resilience/engine_private.h"

#include <algorithm>

namespace omni {

namespace {

constexpr std::size_t kMostForgotten = 10'000;

}  // namespace

void Engine::applySettings(const ResilienceSettings& settings)
{
    ++d->revision;
    d->settings = settings;
    d->breakers.applySettings(settings);
    d->judge.applySettings(settings);
    d->lockouts.applySettings(settings.modelLockout);
    const bool cooled = d->providerCooldown.any();
    d->providerCooldown.applySettings(settings.providerCooldown);
    if (cooled && !d->providerCooldown.any())
        d->observer.providerCooldownsChanged();
}

void Engine::restore(const std::vector<BreakerStatus>& breakers, const std::vector<ConnectionHealth>& healths)
{
    ++d->revision;
    const Instant now = Instant::of(d->clock);
    for (const BreakerStatus& status : breakers)
        d->breakers.restore(status, now);
    for (const ConnectionHealth& health : healths) {
        d->remember(health.id);
        if (ConnectionCooldown* cooldown = d->obtain(health.id))
            cooldown->restore(health, now);
    }
}

void Engine::forgetConnection(const ConnectionId& id)
{
    ++d->revision;
    d->connections.erase(id);
    d->breakers.forgetConnection(id);
    d->lockouts.forgetConnection(id);
    d->providerCooldown.clearConnection(id);
    d->egress.forget(id);
    d->judge.forgetConnection(id.str());
    if (d->forgotten.size() >= kMostForgotten)
        d->forgotten.clear();
    d->forgotten.insert(id);
}

void Engine::noteSecretUnreadable(const ConnectionId& id, bool unreadable)
{
    Private::Changes changes(*d);
    d->remember(id);
    ConnectionCooldown* cooldown = unreadable ? d->obtain(id) : d->find(id);
    if (cooldown && cooldown->setSecretUnreadable(unreadable))
        changes.connection(*cooldown);
}

Engine::Cleared Engine::clearCooldowns(const std::vector<ConnectionId>& ids)
{
    const Instant now = Instant::of(d->clock);
    Private::Changes changes(*d);
    Cleared cleared;
    for (const ConnectionId& id : ids) {
        ConnectionCooldown* cooldown = d->find(id);
        if (cooldown && cooldown->health().terminal != TerminalState::None) {
            ++cleared.skippedTerminal;
            continue;
        }
        std::vector<ModelLockout> unlocked = d->lockouts.clearConnection(id, now);
        const bool rested = d->providerCooldown.clearConnection(id);
        const bool refreshed = cooldown && cooldown->refresh(now);
        const bool ended = cooldown && cooldown->clearTransient();
        ++(ended || rested || !unlocked.empty() ? cleared.cleared : cleared.unchanged);
        cleared.lockoutsCleared += static_cast<int>(unlocked.size());
        changes.unlocked(std::move(unlocked));
        if (rested)
            changes.providerCooldowns();
        if (ended || refreshed)
            changes.connection(*cooldown);
    }
    return cleared;
}

void Engine::credentialChanged(const ConnectionId& id)
{
    Private::Changes changes(*d);
    ConnectionCooldown* cooldown = d->find(id);
    if (cooldown && cooldown->clearAll())
        changes.connection(*cooldown);
    // Another account has other quotas.
    changes.unlocked(d->lockouts.clearConnection(id, Instant::of(d->clock)));
    if (d->providerCooldown.clearConnection(id))
        changes.providerCooldowns();
}

int Engine::resetBreakers(const ProviderId& onlyProvider)
{
    const Instant now = Instant::of(d->clock);
    Private::Changes changes(*d);
    int notClosed = 0;
    for (auto& [provider, entry] : d->breakers.entries()) {
        if (!onlyProvider.empty() && provider != onlyProvider)
            continue;
        const bool refreshed = entry.breaker.refresh(now);
        if (entry.breaker.state() != BreakerState::Closed)
            ++notClosed;
        if (entry.breaker.reset(now) || refreshed) {
            entry.evidence.reset();
            changes.breaker(provider, entry, now);
        }
    }
    clearProviderCooldowns(onlyProvider);
    return notClosed;
}

BreakerStatus Engine::breaker(const ProviderId& provider)
{
    const Instant now = Instant::of(d->clock);
    Private::Changes changes(*d);
    BreakerRegistry::Entry* entry = d->breakers.find(provider);
    if (entry && entry->breaker.refresh(now))
        changes.breaker(provider, *entry, now);
    return d->breakers.status(provider, entry, now);
}

std::vector<BreakerStatus> Engine::breakers()
{
    const Instant now = Instant::of(d->clock);
    Private::Changes changes(*d);
    d->breakers.sweep(now);
    std::vector<BreakerStatus> all;
    all.reserve(d->breakers.entries().size());
    for (auto& [provider, entry] : d->breakers.entries()) {
        if (entry.breaker.refresh(now))
            changes.breaker(provider, entry, now);
        all.push_back(d->breakers.status(provider, &entry, now));
    }
    std::sort(all.begin(), all.end(), [](const BreakerStatus& a, const BreakerStatus& b) { return a.provider < b.provider; });
    return all;
}

ConnectionHealth Engine::health(const ConnectionId& id)
{
    const Instant now = Instant::of(d->clock);
    Private::Changes changes(*d);
    ConnectionCooldown* cooldown = d->find(id);
    if (!cooldown)
        return ConnectionCooldown(id).health();
    if (cooldown->refresh(now))
        changes.connection(*cooldown);
    return cooldown->health();
}

std::vector<ConnectionHealth> Engine::healths()
{
    const Instant now = Instant::of(d->clock);
    Private::Changes changes(*d);
    std::vector<ConnectionHealth> all;
    all.reserve(d->connections.size());
    for (auto& [id, cooldown] : d->connections) {
        if (cooldown.refresh(now))
            changes.connection(cooldown);
        all.push_back(cooldown.health());
    }
    std::sort(all.begin(), all.end(), [](const ConnectionHealth& a, const ConnectionHealth& b) { return a.id < b.id; });
    return all;
}

WallTime Engine::nextChange() const
{
    const Instant now = Instant::of(d->clock);
    std::optional<Millis> soonest;
    const auto offer = [&soonest](Millis wait) {
        if (!soonest || wait < *soonest)
            soonest = wait;
    };
    for (const auto& [provider, entry] : d->breakers.entries()) {
        if (const std::optional<Millis> wait = entry.breaker.untilChange(now))
            offer(*wait);
    }
    for (const auto& [id, cooldown] : d->connections) {
        if (cooldown.cooling())
            offer(cooldown.remaining(now));
    }
    for (const std::optional<Millis>& wait : {d->lockouts.nextEnd(now), d->providerCooldown.nextEnd(now), d->providerHolds.nextEnd(now)}) {
        if (wait)
            offer(*wait);
    }
    return soonest ? now.wall + *soonest : WallTime::max();
}

}  // namespace omni
