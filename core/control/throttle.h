#pragma once

#include "base/scheduler.h"

#include <functional>

namespace omni {

/// Runs an action soon after each `poke`, but never twice within `interval`: many facts in a row become one announcement.
class Throttle {
public:
    Throttle(Scheduler& scheduler, Micros interval, std::function<void()> action);

    void poke();
    void stop() { m_timer.stop(); }

private:
    const Clock& m_clock;
    Micros m_interval;
    std::function<void()> m_action;
    MonoTime m_next{};  ///< not before
    Timer m_timer;
};

}  // namespace omni
