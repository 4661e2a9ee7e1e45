#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace omni {

using Millis = std::chrono::milliseconds;
using Micros = std::chrono::microseconds;

/// Wall-clock time with millisecond precision; survives a restart, may jump.
using WallTime = std::chrono::time_point<std::chrono::system_clock, Millis>;

/// A clock that never jumps and goes on counting while the machine sleeps (CLOCK_BOOTTIME on Linux).
struct BootClock {
    using rep = std::int64_t;
    using period = std::micro;
    using duration = Micros;
    using time_point = std::chrono::time_point<BootClock, Micros>;
    static constexpr bool is_steady = true;
};
using MonoTime = BootClock::time_point;

/// Where time comes from. Given to every policy by reference; the caller keeps it alive.
class Clock {
public:
    virtual ~Clock() = default;
    virtual WallTime wall() const = 0;
    virtual MonoTime mono() const = 0;
};

/// The machine's clocks. Thread-safe.
class SystemClock final : public Clock {
public:
    WallTime wall() const override;
    MonoTime mono() const override;
};

/// Time that moves only when told to. Not thread-safe.
class SimulatedClock final : public Clock {
public:
    explicit SimulatedClock(WallTime wall = WallTime(Millis(1'790'000'000'000)));

    WallTime wall() const override { return m_wall; }
    MonoTime mono() const override { return m_mono; }

    /// Both clocks move on together.
    void advance(Micros by);
    /// Only the wall clock jumps, as when a user or NTP sets it; may go backwards.
    void jumpWall(Millis by) { m_wall += by; }

private:
    WallTime m_wall;
    MonoTime m_mono;
    Micros m_carry{0};
};

inline std::int64_t epochMillis(WallTime time) { return time.time_since_epoch().count(); }
inline WallTime fromEpochMillis(std::int64_t millis) { return WallTime(Millis(millis)); }

/// "2026-11-29T23:00:45.123Z".
std::string toIso8601(WallTime time);

}  // namespace omni
