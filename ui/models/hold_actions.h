#pragma once

#include "ui/models/holds.h"

#include <vector>

namespace omni {

/// What was ended by the user, and what only something else ends.
struct EndedHolds {
    int ended = 0;
    int needUser = 0;
};

// For the core thread. What ends with a hold for reasons of the engine's is counted too: ending a connection's rest ends its models' locks.
int endHold(Control& control, const HoldItem& hold);
/// Everything that passes by itself.
int endAllHolds(Control& control);
/// What holds these connections, their models, and the providers of those that are held for their provider's sake only.
EndedHolds endHoldsOf(Control& control, const std::vector<ConnectionId>& ids);

}  // namespace omni
