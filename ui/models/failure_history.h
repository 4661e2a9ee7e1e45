#pragma once

#include "control/control.h"

#include <QList>
#include <QPointF>

#include <deque>
#include <map>
#include <optional>

namespace omni {

/// How the failure count of each breaker moved, gathered from the engine's snapshots while the windows run: the core keeps only the
/// states. At the first sight of a breaker its last transitions are taken over. At most 600 steps for each, 24 h old.
class FailureHistory {
public:
    void add(const EngineSnapshot& snapshot, WallTime now);
    /// As a step line over the last `span`: x in milliseconds before `now`. Begins where something is known: at the first snapshot, or at
    /// what that one told of before it.
    QList<QPointF> line(const ProviderId& provider, Millis span, WallTime now) const;

private:
    struct Step {
        WallTime at{};
        int count = 0;
    };
    static constexpr std::size_t kMaxSteps = 600;

    std::map<ProviderId, std::deque<Step>> m_steps;
    std::optional<WallTime> m_since;
};

}  // namespace omni
