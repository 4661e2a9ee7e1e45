#pragma once

namespace omni {

/// Lowers the calling thread's claim on the processor (Linux: its own nice value, 0…19; elsewhere nothing).
void beNice(int level);
/// Its reads and writes go when the disk has nothing else to do (Linux; elsewhere nothing).
void useIdleDisk();

}  // namespace omni
