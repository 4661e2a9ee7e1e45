#pragma once

#include "base/clock.h"
#include "base/ids.h"

#include <cstdint>

namespace omni {

/// Makes the ids of requests: 16 hex digits that sort by time. So the log's index over them grows at its end, where its pages are in
/// memory; over random ids every row of a large log costs a page read and a page written (measured: three times slower at a
/// million rows). Not thread-safe: one for each thread that takes requests.
class RequestIds {
public:
    /// `random` begins each millisecond anywhere in its first quarter, so that two runs of the program do not meet even when the clock
    /// was set back between them. Within one run an id never comes twice, whatever the clock does.
    RequestId next(WallTime now, std::uint64_t random);

private:
    std::uint64_t m_last = 0;
};

}  // namespace omni
