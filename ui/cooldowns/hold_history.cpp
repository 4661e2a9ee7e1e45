#include "ui/cooldowns/hold_history.h"

#include "ui/models/display_text.h"
#include "ui/models/standing.h"

#include <algorithm>

namespace omni {

HoldHistory::HoldHistory(QObject* parent) : QObject(parent) {}

HoldHistory::HoldHistory(CoreLink& link, QObject* parent) : HoldHistory(parent)
{
    const auto take = [this, &link] {
        if (link.ready())
            add(*link.configuration(), link.engine(), wallNow());
    };
    connect(&link, &CoreLink::engineChanged, this, take);
    connect(&link, &CoreLink::configurationChanged, this, take);
    take();
}

void HoldHistory::add(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now)
{
    const SnapshotIndex index(snapshot);
    for (const Connection& connection : configuration.connections) {
        const Standing standing = standingOf(connection, configuration, index.health(connection.id), index.breaker(connection.provider),
                                             now, index.cooling(connection.provider, connection.id));
        const auto [entry, first] = m_steps.try_emplace(connection.id);
        std::deque<Step>& steps = entry->second;
        if (!first && steps.back().state == standing.reason)
            continue;
        // The engine knows better than the snapshot that brought it when a hold began.
        WallTime at = standing.since ? std::min(*standing.since, now) : now;
        if (!first)
            at = std::max(at, steps.back().at);
        steps.push_back({at, standing.reason});
        while (steps.size() > kMaxSteps || (steps.size() > 1 && steps[1].at < now - kKept))
            steps.pop_front();
    }
    if (m_steps.size() > 2 * configuration.connections.size() + 16) {
        std::erase_if(m_steps, [&configuration](const auto& entry) { return configuration.connection(entry.first) == nullptr; });
    }
}

std::vector<HoldSpan> HoldHistory::spans(const ConnectionId& id, WallTime now) const
{
    std::vector<HoldSpan> spans;
    const auto found = m_steps.find(id);
    if (found == m_steps.end())
        return spans;
    const std::deque<Step>& steps = found->second;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const WallTime from = std::max(steps[i].at, now - kKept);
        const WallTime to = i + 1 < steps.size() ? steps[i + 1].at : now;
        if (to > from)
            spans.push_back({from, to, steps[i].state});
    }
    return spans;
}

}  // namespace omni
