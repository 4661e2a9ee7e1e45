#include "control/throttle.h"

#include <algorithm>
#include <utility>

namespace omni {

Throttle::Throttle(Scheduler& scheduler, Micros interval, std::function<void()> action)
    : m_clock(scheduler.clock()), m_interval(interval), m_action(std::move(action)), m_timer(scheduler, [this] {
          m_next = m_clock.mono() + m_interval;
          m_action();
      })
{
}

void Throttle::poke()
{
    if (!m_timer.active())
        m_timer.start(std::max(m_next - m_clock.mono(), Micros(0)));
}

}  // namespace omni
