#pragma once

#include "base/clock.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

class QTimer;

namespace omni {

class Timer;

/// Keeps the deadlines of many timers in one indexed heap: starting and stopping cost O(log n), nothing is allocated
/// for each. Belongs to one thread. Deadlines run on the clock that counts sleep, so a timer that came due while the
/// machine slept fires at once on waking.
class Scheduler {
public:
    explicit Scheduler(const Clock& clock) : m_clock(clock) {}
    virtual ~Scheduler();
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    const Clock& clock() const { return m_clock; }

protected:
    /// Fires everything due, in order of deadline, ties in order of start. A callback may start, stop and destroy timers.
    void fireDue();
    /// The earliest deadline, or MonoTime::max().
    MonoTime nextDeadline() const;
    /// The earliest deadline may have come nearer.
    virtual void deadlineChanged() = 0;

private:
    friend class Timer;
    void insert(Timer& timer);
    void remove(Timer& timer);
    void siftUp(std::size_t at);
    void siftDown(std::size_t at);
    bool before(std::size_t a, std::size_t b) const;
    void swapNodes(std::size_t a, std::size_t b);

    const Clock& m_clock;
    std::vector<Timer*> m_heap;
    std::uint64_t m_sequence = 0;
};

/// A single-shot timer, stopped by its destruction. Neither copied nor moved: the scheduler knows its address.
class Timer {
public:
    Timer(Scheduler& scheduler, std::function<void()> callback);
    ~Timer() { stop(); }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    /// Starts, or starts anew, to fire once after `delay` (negative counts as 0).
    void start(Micros delay);
    void stop();
    bool active() const { return m_index != npos; }
    MonoTime deadline() const { return m_deadline; }

private:
    friend class Scheduler;
    static constexpr std::size_t npos = static_cast<std::size_t>(-1);

    Scheduler& m_scheduler;
    std::function<void()> m_callback;
    MonoTime m_deadline{};
    std::uint64_t m_sequence = 0;
    std::size_t m_index = npos;
};

/// Driven by the Qt event loop of the thread it is made in. Precision 1 ms.
class QtScheduler final : public Scheduler {
public:
    explicit QtScheduler(const Clock& clock);
    ~QtScheduler() override;

protected:
    void deadlineChanged() override;

private:
    void rearm();

    std::unique_ptr<QTimer> m_timer;
    MonoTime m_armed = MonoTime::max();
    bool m_firing = false;
};

/// Fires only inside `advance`, moving the clock from deadline to deadline.
class SimulatedScheduler final : public Scheduler {
public:
    explicit SimulatedScheduler(SimulatedClock& clock) : Scheduler(clock), m_simulated(clock) {}

    void advance(Micros by);
    /// The machine sleeps: time passes, and what came due fires late, all at once.
    void sleepThrough(Micros by);

protected:
    void deadlineChanged() override {}

private:
    SimulatedClock& m_simulated;
};

}  // namespace omni
