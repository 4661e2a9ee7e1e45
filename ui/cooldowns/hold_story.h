#pragma once

#include "control/control.h"
#include "ui/cooldowns/held_row.h"

#include <QString>

#include <optional>
#include <vector>

namespace omni {

/// One thing that is known: what it is, in words, and a piece of the answer as it came.
struct HoldFact {
    QString label;
    QString value;
    QString code;

    bool operator==(const HoldFact&) const = default;
};

/// Why something is held, told in the order in which it happened.
struct HoldStory {
    QString heading;   ///< "Why is “GLM · work key” resting?"
    QString subtitle;  ///< "until 14:32:10, set by request 8f21"
    std::optional<WallTime> until;
    std::vector<HoldFact> facts;
    RequestId request;  ///< that led to it; empty = unknown
    ConnectionId connection;

    bool operator==(const HoldStory&) const = default;
};

/// `row` as the table shows it; the evidence is looked up in `snapshot`.
HoldStory storyOf(const HeldRow& row, const Configuration& configuration, const EngineSnapshot& snapshot);
/// As text to be copied.
QString storyText(const HoldStory& story, const std::vector<HoldFact>& more);

/// Something that happened to a connection.
struct HoldEvent {
    WallTime at{};
    QString text;
    Exclusion look = Exclusion::None;  ///< whose shape and colour it has
    RequestId request;

    bool operator==(const HoldEvent&) const = default;
};

/// What became of the requests while `row` was held: "18 requests went to “GLM · home key”". No label when nothing is known. `records` as
/// RequestHistory::concerning tells them.
HoldFact meanwhileOf(const HeldRow& row, const std::vector<RequestRecord>& records, const Configuration& configuration);
/// What the connection did, newest first, at most `limit`: its failures each, its answers by the run.
std::vector<HoldEvent> eventsOf(const ConnectionId& connection, const std::vector<RequestRecord>& records, std::size_t limit);
/// How a breaker moved, newest first.
std::vector<HoldEvent> eventsOf(const BreakerStatus& breaker, std::size_t limit);

}  // namespace omni
