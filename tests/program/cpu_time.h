#pragma once

#include <ctime>

namespace omni {

/// Time the calling thread has spent computing since it was made or started again. Figures of speed are judged by it: whatever else the
/// machine does at that moment does not count.
class CpuTime {
public:
    CpuTime() { start(); }
    void start() { m_start = nowNanos(); }
    double nanos() const { return nowNanos() - m_start; }
    double micros() const { return nanos() / 1e3; }
    double millis() const { return nanos() / 1e6; }
    double seconds() const { return nanos() / 1e9; }

private:
    static double nowNanos()
    {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
    }
    double m_start = 0;
};

}  // namespace omni
