#pragma once

#include "base/clock.h"

#include <cstdint>

namespace omni {

/// Days since 1970-01-01 of the local date at `time`; the same that SQLite's 'localtime' makes of it.
int localDayOf(WallTime time);

/// The same for many times one after the other, most of them close together. Belongs to one thread.
class LocalDays {
public:
    int of(WallTime time);

private:
    std::int64_t m_quarter = -1;
    int m_day = 0;
};

}  // namespace omni
