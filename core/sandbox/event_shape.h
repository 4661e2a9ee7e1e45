#pragma once

#include "sandbox/plan.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace omni::sandbox {

/// An event written in another of the legal ways. `index` counts the stream's events, for line ends that take turns.
std::string shapedEvent(std::string_view event, EventShape shape, LineEnds lineEnds, std::size_t index);
/// The first event with the second one's JSON put behind its own on the same data line.
std::string gluedEvents(std::string_view first, std::string_view second);
/// The event with its JSON broken off in the middle.
std::string brokenEvent(std::string_view event);

}  // namespace omni::sandbox
