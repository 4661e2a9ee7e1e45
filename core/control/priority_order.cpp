#include "control/priority_order.h"

#include <algorithm>

namespace omni {

std::vector<RankedConnection> placedInOrder(const std::vector<RankedConnection>& others, const std::vector<RankedConnection>& moved,
                                            std::size_t at)
{
    std::vector<RankedConnection> changes;
    const auto change = [&changes](const RankedConnection& one, int priority) {
        if (one.priority != priority)
            changes.push_back({one.id, priority});
    };
    at = std::min(at, others.size());
    const int above = at > 0 ? others[at - 1].priority : 0;
    if (at > 0 && at < others.size() && others[at].priority == above) {
        for (const RankedConnection& one : moved)
            change(one, above);
        return changes;
    }
    int next = above + 1;
    for (const RankedConnection& one : moved)
        change(one, next++);
    int was = 0;
    int becomes = 0;
    for (std::size_t i = at; i < others.size(); ++i) {
        if (i == at || others[i].priority != was) {
            was = others[i].priority;
            if (was >= next)
                break;
            becomes = next++;
        }
        change(others[i], becomes);
    }
    return changes;
}

}  // namespace omni
