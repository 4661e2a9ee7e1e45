#include "base/clock.h"

#include <cstdio>
#include <ctime>

namespace omni {

WallTime SystemClock::wall() const
{
    return std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
}

MonoTime SystemClock::mono() const
{
#ifdef CLOCK_BOOTTIME
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return MonoTime(Micros(std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1'000));
#else
    // macOS and Windows: their steady clocks count sleep (mach_continuous_time, QueryInterruptTime back ends).
    return MonoTime(std::chrono::duration_cast<Micros>(std::chrono::steady_clock::now().time_since_epoch()));
#endif
}

SimulatedClock::SimulatedClock(WallTime wall) : m_wall(wall), m_mono(Micros(1'000'000'000)) {}

void SimulatedClock::advance(Micros by)
{
    m_mono += by;
    m_carry += by;
    const auto whole = std::chrono::duration_cast<Millis>(m_carry);
    m_wall += whole;
    m_carry -= whole;
}

std::string toIso8601(WallTime time)
{
    const std::int64_t millis = epochMillis(time);
    std::int64_t seconds = millis / 1000;
    std::int64_t rest = millis % 1000;
    if (rest < 0) {
        rest += 1000;
        --seconds;
    }
    const std::time_t when = static_cast<std::time_t>(seconds);
    std::tm parts{};
    gmtime_r(&when, &parts);
    char text[40];
    const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    std::snprintf(text + length, sizeof text - length, ".%03dZ", static_cast<int>(rest));
    return text;
}

}  // namespace omni
