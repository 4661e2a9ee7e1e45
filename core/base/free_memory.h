#pragma once

namespace omni {

/// Gives memory that was freed, but that the C library keeps for later, back to the system: what a burst of load took, the program need
/// not hold for weeks. Takes some milliseconds, during which other threads may wait for memory. Any thread; does nothing where the C
/// library cannot.
void giveFreeMemoryBack();

}  // namespace omni
