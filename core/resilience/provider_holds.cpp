#include "resilience/provider_holds.h"

#include <algorithm>

namespace omni {

void ProviderHolds::hold(const ProviderId& provider, Millis length, const Instant& now)
{
    std::erase_if(m_holds, [&now](const auto& entry) { return elapsed(entry.second.since, now) >= entry.second.length; });
    if (length <= Millis(0))
        return;
    Hold& held = m_holds[provider];
    ++held.failures;
    if (held.length - elapsed(held.since, now) >= length)
        return;
    held.since = now;
    held.length = length;
}

Millis ProviderHolds::remaining(const ProviderId& provider, const Instant& now) const
{
    const auto found = m_holds.find(provider);
    return found == m_holds.end() ? Millis(0) : std::max(Millis(0), found->second.length - elapsed(found->second.since, now));
}

std::vector<ProviderCooldownStatus> ProviderHolds::list(const Instant& now) const
{
    std::vector<ProviderCooldownStatus> running;
    for (const auto& [provider, hold] : m_holds) {
        if (const Millis left = remaining(provider, now); left > Millis(0))
            running.push_back({provider, {}, hold.failures, now.wall + left, left});
    }
    std::sort(running.begin(), running.end(), [](const auto& a, const auto& b) { return a.provider < b.provider; });
    return running;
}

std::optional<Millis> ProviderHolds::nextEnd(const Instant& now) const
{
    std::optional<Millis> soonest;
    for (const auto& [provider, hold] : m_holds) {
        const Millis left = remaining(provider, now);
        if (left > Millis(0) && (!soonest || left < *soonest))
            soonest = left;
    }
    return soonest;
}

}  // namespace omni
