#include "base/request_ids.h"

#include <algorithm>

namespace omni {

namespace {

/// Bits below the millisecond: a million requests in each, until the year 2500.
constexpr int kSerialBits = 20;
constexpr std::uint64_t kFirstQuarter = (std::uint64_t{1} << (kSerialBits - 2)) - 1;

}  // namespace

RequestId RequestIds::next(WallTime now, std::uint64_t random)
{
    const auto millis = static_cast<std::uint64_t>(std::max<std::int64_t>(epochMillis(now), 0));
    m_last = std::max((millis << kSerialBits) | (random & kFirstQuarter), m_last + 1);
    static constexpr char digits[] = "0123456789abcdef";
    std::string id(16, '0');
    std::uint64_t bits = m_last;
    for (std::size_t at = id.size(); at-- > 0; bits >>= 4)
        id[at] = digits[bits & 15];
    return RequestId(std::move(id));
}

}  // namespace omni
