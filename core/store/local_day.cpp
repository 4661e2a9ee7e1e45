#include "store/local_day.h"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace omni {

namespace {

/// Zones differ from UTC by whole quarters of an hour and change at one, so that within one there is one date.
constexpr std::int64_t kQuarterMillis = 15 * 60 * 1000;

}  // namespace

int localDayOf(WallTime time)
{
    const auto seconds = static_cast<std::time_t>(std::max<std::int64_t>(0, epochMillis(time)) / 1000);
    std::tm local{};
#ifdef _WIN32
    localtime_s(&local, &seconds);
#else
    localtime_r(&seconds, &local);
#endif
    const std::chrono::year_month_day date{std::chrono::year(local.tm_year + 1900),
                                           std::chrono::month(static_cast<unsigned>(local.tm_mon + 1)),
                                           std::chrono::day(static_cast<unsigned>(local.tm_mday))};
    return static_cast<int>(std::chrono::sys_days(date).time_since_epoch().count());
}

int LocalDays::of(WallTime time)
{
    const std::int64_t quarter = epochMillis(time) / kQuarterMillis;
    if (quarter != m_quarter) {
        m_day = localDayOf(time);
        m_quarter = quarter;
    }
    return m_day;
}

}  // namespace omni
