#include "resilience/provider_cooldown.h"

#include <algorithm>
#include <tuple>

namespace omni {

namespace {

constexpr std::size_t kMostProviders = 500;
constexpr std::size_t kMostConnections = 10'000;
constexpr int kMostSteps = 10;           // spec 1-core §7
constexpr Millis kRetention(1'800'000);  // spec 1-core §7, at least
constexpr int kMostCounted = 1'000'000;

}  // namespace

ProviderCooldown::ProviderCooldown() : m_providers(kMostProviders), m_connections(kMostConnections) {}

void ProviderCooldown::applySettings(const ProviderCooldownSettings& settings)
{
    m_settings = settings;
    if (m_settings.enabled)
        return;
    m_providers.clear();
    m_connections.clear();
}

const ProviderCooldownWindow& ProviderCooldown::windowOf(ProviderClass providerClass) const
{
    switch (providerClass) {
    case ProviderClass::OAuth: return m_settings.oauth;
    case ProviderClass::Local: return m_settings.local;
    case ProviderClass::ApiKey: break;
    }
    return m_settings.apiKey;
}

Millis ProviderCooldown::retention() const
{
    Millis longest = std::max(kRetention, m_settings.maxRetryCooldown);
    for (const ProviderCooldownWindow* window : {&m_settings.oauth, &m_settings.apiKey, &m_settings.local})
        longest = std::max({longest, window->window, window->cooldown});
    return longest;
}

Millis ProviderCooldown::remaining(const ProviderEntry& entry, const Instant& now) const
{
    return entry.tripped ? std::max(Millis(0), windowOf(entry.providerClass).cooldown - elapsed(*entry.tripped, now)) : Millis(0);
}

Millis ProviderCooldown::remaining(const ConnectionEntry& entry, const Instant& now) const
{
    const int steps = std::clamp(entry.failures - 1, 0, kMostSteps);
    const Millis length = std::min(m_settings.minRetryCooldown * (std::int64_t{1} << steps), m_settings.maxRetryCooldown);
    return std::max(Millis(0), length - elapsed(entry.last, now));
}

void ProviderCooldown::sweep(const Instant& now)
{
    const Millis longest = retention();
    m_providers.dropOldestWhile([&](const ProviderEntry& entry) { return elapsed(entry.failures.back(), now) > longest; });
    m_connections.dropOldestWhile([&](const ConnectionEntry& entry) { return elapsed(entry.last, now) > longest; });
}

void ProviderCooldown::recordFailure(const ProviderId& provider, ProviderClass providerClass, const ConnectionId& connection,
                                     const Instant& now)
{
    if (!m_settings.enabled || provider.empty() || provider.str() == "unknown")
        return;
    sweep(now);

    const ProviderCooldownWindow& window = windowOf(providerClass);
    const auto threshold = static_cast<std::size_t>(std::max(1, window.failureThreshold));
    ProviderEntry& entry = m_providers.touch(provider);
    entry.providerClass = providerClass;
    const bool coolingAlready = remaining(entry, now) > Millis(0);
    entry.failures.push_back(now);
    while (entry.failures.size() > threshold || elapsed(entry.failures.front(), now) > window.window)
        entry.failures.pop_front();
    // Cooling counts from the failure that tripped it; those that arrive meanwhile do not prolong it.
    if (!coolingAlready && entry.failures.size() >= threshold)
        entry.tripped = now;

    if (connection.empty())
        return;
    ConnectionEntry& own = m_connections.touch(connection);
    if (own.provider != provider)
        own = {provider, 0, now};
    own.failures = std::min(own.failures + 1, kMostCounted);
    own.last = now;
}

bool ProviderCooldown::recordSuccess(const ProviderId& provider, const ConnectionId& connection)
{
    if (!any())
        return false;
    const bool hadProvider = m_providers.erase(provider);
    return m_connections.erase(connection) || hadProvider;
}

std::optional<ProviderCooldown::Cooling> ProviderCooldown::coolingNow(const ProviderId& provider, const ConnectionId& connection,
                                                                      const Instant& now) const
{
    Cooling found{Millis(0), true};
    if (const ProviderEntry* entry = m_providers.find(provider))
        found.remaining = remaining(*entry, now);
    if (const ConnectionEntry* entry = m_connections.find(connection); entry && entry->provider == provider) {
        if (const Millis own = remaining(*entry, now); own > found.remaining)
            found = {own, false};
    }
    return found.remaining > Millis(0) ? std::optional(found) : std::nullopt;
}

std::vector<ProviderCooldownStatus> ProviderCooldown::list(const Instant& now) const
{
    std::vector<ProviderCooldownStatus> all;
    const auto add = [&](const ProviderId& provider, const ConnectionId& connection, int failures, Millis left) {
        if (left > Millis(0))
            all.push_back({provider, connection, failures, now.wall + left, left});
    };
    for (const auto& [provider, entry] : m_providers) {
        const Millis window = windowOf(entry.providerClass).window;
        const auto counted = std::count_if(entry.failures.begin(), entry.failures.end(),
                                           [&](const Instant& failure) { return elapsed(failure, now) <= window; });
        add(provider, ConnectionId(), static_cast<int>(counted), remaining(entry, now));
    }
    for (const auto& [connection, entry] : m_connections)
        add(entry.provider, connection, entry.failures, remaining(entry, now));
    std::sort(all.begin(), all.end(), [](const ProviderCooldownStatus& a, const ProviderCooldownStatus& b) {
        return std::tie(a.provider, a.connection) < std::tie(b.provider, b.connection);
    });
    return all;
}

std::optional<Millis> ProviderCooldown::nextEnd(const Instant& now) const
{
    std::optional<Millis> soonest;
    const auto offer = [&soonest](Millis left) {
        if (left > Millis(0) && (!soonest || left < *soonest))
            soonest = left;
    };
    for (const auto& [provider, entry] : m_providers)
        offer(remaining(entry, now));
    for (const auto& [connection, entry] : m_connections)
        offer(remaining(entry, now));
    return soonest;
}

std::size_t ProviderCooldown::clear(const ProviderId& provider)
{
    const std::size_t own = m_connections.eraseIf([&](const ConnectionEntry& entry) { return entry.provider == provider; });
    return own + (m_providers.erase(provider) ? 1 : 0);
}

bool ProviderCooldown::clearConnection(const ConnectionId& connection)
{
    return m_connections.erase(connection);
}

}  // namespace omni
