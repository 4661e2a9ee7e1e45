#include "resilience/breaker_registry.h"

#include <algorithm>
#include <utility>

namespace omni {

namespace {

constexpr std::size_t kCapacity = 500;  // spec 1-core §1.10
constexpr Millis kSweepInterval(300'000);
constexpr Millis kIdleAge(1'800'000);

/// Nothing to remember but when it last failed.
bool clean(const CircuitBreaker& breaker)
{
    return breaker.state() == BreakerState::Closed && breaker.failureCount() == 0;
}

}  // namespace

void BreakerRegistry::applySettings(const ResilienceSettings& settings)
{
    m_settings = settings;
    for (auto& [provider, entry] : m_entries) {
        if (entry.providerClass)
            entry.breaker.setOptions(breakerOptions(*entry.providerClass, settings));
    }
}

BreakerRegistry::Entry* BreakerRegistry::find(const ProviderId& provider)
{
    const auto found = m_entries.find(provider);
    return found == m_entries.end() ? nullptr : &found->second;
}

BreakerRegistry::Entry* BreakerRegistry::find(const ProviderId& provider, ProviderClass providerClass)
{
    Entry* entry = find(provider);
    if (entry && entry->providerClass != providerClass) {
        entry->providerClass = providerClass;
        entry->breaker.setOptions(breakerOptions(providerClass, m_settings));
    }
    return entry;
}

BreakerRegistry::Entry& BreakerRegistry::create(const ProviderId& provider, ProviderClass providerClass)
{
    if (m_entries.size() >= kCapacity)
        makeRoom();
    return m_entries.emplace(provider, Entry{CircuitBreaker(breakerOptions(providerClass, m_settings)), providerClass, std::nullopt})
        .first->second;
}

void BreakerRegistry::makeRoom()
{
    auto oldest = m_entries.end();
    for (auto at = m_entries.begin(); at != m_entries.end(); ++at) {
        if (!clean(at->second.breaker))
            continue;
        const auto age = [](const Entry& entry) {
            return entry.breaker.lastFailure().value_or(Instant{WallTime::min(), MonoTime::min()}).mono;
        };
        if (oldest == m_entries.end() || age(at->second) < age(oldest->second))
            oldest = at;
    }
    // One that counts or holds is never given up, so the limit yields when all of them do.
    if (oldest == m_entries.end())
        return;
    m_removed.push_back(oldest->first);
    m_entries.erase(oldest);
}

bool BreakerRegistry::recordFailure(const FailureEvent& event, const Instant& now)
{
    if (event.provider.empty())
        return false;
    Entry* entry = find(event.provider, event.providerClass);
    const bool refreshed = entry && entry->breaker.refresh(now);
    const bool ownProbe = entry && event.probe && entry->breaker.state() == BreakerState::HalfOpen &&
                          *event.probe == entry->breaker.generation() && !entry->breaker.canExecute();
    if (!ownProbe) {
        const bool refusing = entry && (entry->breaker.state() == BreakerState::Open || entry->breaker.state() == BreakerState::HalfOpen);
        if (event.probe || refusing)
            return refreshed;
        if (event.network && m_networkByProvider.repeated(event.provider, now.mono))
            return refreshed;
        if (!event.connection.empty() && m_byConnection.repeated(event.connection, now.mono))
            return refreshed;
    }
    if (!entry)
        entry = &create(event.provider, event.providerClass);
    entry->breaker.recordFailure(event.kind, now);
    entry->evidence = event.evidence;
    if (entry->breaker.state() == BreakerState::Open)
        entry->evidence->length = entry->breaker.holdLength();
    return true;
}

bool BreakerRegistry::recordSuccess(const ProviderId& provider, ProviderClass providerClass, const ConnectionId& connection,
                                    std::optional<std::uint64_t> probe, const Instant& now)
{
    m_byConnection.forget(connection);
    Entry* entry = find(provider, providerClass);
    if (!entry)
        return false;
    CircuitBreaker& breaker = entry->breaker;
    const bool refreshed = breaker.refresh(now);
    const bool ownProbe = probe && breaker.state() == BreakerState::HalfOpen && *probe == breaker.generation() && !breaker.canExecute();
    if (!ownProbe && (probe || breaker.state() == BreakerState::Open || breaker.state() == BreakerState::HalfOpen))
        return refreshed;
    return breaker.recordSuccess(now) || refreshed;
}

void BreakerRegistry::restore(const BreakerStatus& status, const Instant& now)
{
    if (status.provider.empty())
        return;
    Entry& entry = m_entries.contains(status.provider) ? m_entries.at(status.provider) : create(status.provider, ProviderClass::ApiKey);
    entry.providerClass.reset();
    // The class shows only when the provider is asked for; until then the reset time it was held by serves.
    BreakerOptions options = breakerOptions(ProviderClass::ApiKey, m_settings);
    if (status.resetTimeout > Millis(0))
        options.resetTimeout = status.resetTimeout;
    entry.breaker.setOptions(options);
    entry.breaker.restore(status, now);
    entry.evidence = status.evidence;
}

BreakerStatus BreakerRegistry::status(const ProviderId& provider, const Entry* entry, const Instant& now) const
{
    BreakerStatus status =
        entry ? entry->breaker.status(now) : CircuitBreaker(breakerOptions(ProviderClass::ApiKey, m_settings)).status(now);
    status.provider = provider;
    if (entry)
        status.evidence = entry->evidence;
    return status;
}

void BreakerRegistry::sweep(const Instant& now)
{
    if (now.mono - m_lastSweep < kSweepInterval)
        return;
    m_lastSweep = now.mono;
    for (auto at = m_entries.begin(); at != m_entries.end();) {
        const CircuitBreaker& breaker = at->second.breaker;
        if (clean(breaker) && (!breaker.lastFailure() || elapsed(*breaker.lastFailure(), now) > kIdleAge)) {
            m_removed.push_back(at->first);
            at = m_entries.erase(at);
        } else {
            ++at;
        }
    }
}

std::vector<ProviderId> BreakerRegistry::takeRemoved()
{
    return std::exchange(m_removed, {});
}

}  // namespace omni
