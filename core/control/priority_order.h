#pragma once

#include "base/ids.h"

#include <cstddef>
#include <vector>

namespace omni {

struct RankedConnection {
    ConnectionId id;
    int priority = 1;

    bool operator==(const RankedConnection&) const = default;
};

/// Priorities for connections put elsewhere in the order of trying: `moved`, in their order, before `others[at]` (`others.size()` = at the
/// end). `others` ascend by priority. Between two of the same priority they join them, and share the load; elsewhere they stand on steps
/// of their own, and what comes after gives way only as far as it must, those of one priority together. Returns who changes.
std::vector<RankedConnection> placedInOrder(const std::vector<RankedConnection>& others, const std::vector<RankedConnection>& moved,
                                            std::size_t at);

}  // namespace omni
