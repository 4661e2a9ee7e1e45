#pragma once

#include "control/control.h"
#include "ui/core_link.h"

#include <QObject>

#include <deque>
#include <unordered_map>
#include <vector>

namespace omni {

/// A stretch of time in which a connection was in one state.
struct HoldSpan {
    WallTime from{};
    WallTime to{};
    Exclusion state = Exclusion::None;  ///< None = it served

    bool operator==(const HoldSpan&) const = default;
};

/// How each connection fared in the last hour, gathered from the engine's facts while the windows run: the core keeps only what is. Costs
/// one look at each connection for each of the engine's words.
class HoldHistory final : public QObject {
    Q_OBJECT

public:
    static constexpr Millis kKept = std::chrono::hours(1);

    /// Fed by `add` alone.
    explicit HoldHistory(QObject* parent = nullptr);
    /// Fed by what `link` tells, too; `link` must outlive it.
    explicit HoldHistory(CoreLink& link, QObject* parent = nullptr);

    void add(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now);
    /// Oldest first, without gaps from when the connection was first seen until `now`.
    std::vector<HoldSpan> spans(const ConnectionId& id, WallTime now) const;

private:
    struct Step {
        WallTime at{};
        Exclusion state = Exclusion::None;
    };
    static constexpr std::size_t kMaxSteps = 600;

    std::unordered_map<ConnectionId, std::deque<Step>> m_steps;
};

}  // namespace omni
