#include "base/scheduler.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace omni {

Scheduler::~Scheduler()
{
    for (Timer* timer : m_heap)
        timer->m_index = Timer::npos;
}

bool Scheduler::before(std::size_t a, std::size_t b) const
{
    const Timer& x = *m_heap[a];
    const Timer& y = *m_heap[b];
    return x.m_deadline != y.m_deadline ? x.m_deadline < y.m_deadline : x.m_sequence < y.m_sequence;
}

void Scheduler::swapNodes(std::size_t a, std::size_t b)
{
    std::swap(m_heap[a], m_heap[b]);
    m_heap[a]->m_index = a;
    m_heap[b]->m_index = b;
}

void Scheduler::siftUp(std::size_t at)
{
    while (at > 0 && before(at, (at - 1) / 2)) {
        swapNodes(at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
}

void Scheduler::siftDown(std::size_t at)
{
    while (true) {
        std::size_t least = at;
        for (std::size_t child : {2 * at + 1, 2 * at + 2})
            if (child < m_heap.size() && before(child, least))
                least = child;
        if (least == at)
            return;
        swapNodes(at, least);
        at = least;
    }
}

void Scheduler::insert(Timer& timer)
{
    timer.m_index = m_heap.size();
    m_heap.push_back(&timer);
    siftUp(timer.m_index);
    if (timer.m_index == 0)
        deadlineChanged();
}

void Scheduler::remove(Timer& timer)
{
    const std::size_t at = timer.m_index;
    const std::size_t last = m_heap.size() - 1;
    if (at != last)
        swapNodes(at, last);
    m_heap.pop_back();
    timer.m_index = Timer::npos;
    if (at < m_heap.size()) {
        siftUp(at);
        siftDown(at);
    }
}

MonoTime Scheduler::nextDeadline() const { return m_heap.empty() ? MonoTime::max() : m_heap.front()->m_deadline; }

void Scheduler::fireDue()
{
    const MonoTime now = m_clock.mono();
    // Timers started by a callback wait for the next round, so a timer that restarts itself with 0 cannot hang the loop.
    const std::uint64_t round = m_sequence;
    while (!m_heap.empty() && m_heap.front()->m_deadline <= now && m_heap.front()->m_sequence <= round) {
        Timer& timer = *m_heap.front();
        remove(timer);
        // A copy, since the callback may destroy the timer it belongs to.
        const auto callback = timer.m_callback;
        callback();
    }
}

Timer::Timer(Scheduler& scheduler, std::function<void()> callback)
    : m_scheduler(scheduler), m_callback(std::move(callback))
{
}

void Timer::start(Micros delay)
{
    stop();
    m_deadline = m_scheduler.clock().mono() + std::max(delay, Micros(0));
    m_sequence = ++m_scheduler.m_sequence;
    m_scheduler.insert(*this);
}

void Timer::stop()
{
    if (active())
        m_scheduler.remove(*this);
}

QtScheduler::QtScheduler(const Clock& clock) : Scheduler(clock), m_timer(std::make_unique<QTimer>())
{
    m_timer->setSingleShot(true);
    m_timer->setTimerType(Qt::PreciseTimer);
    QObject::connect(m_timer.get(), &QTimer::timeout, m_timer.get(), [this] {
        m_armed = MonoTime::max();
        m_firing = true;
        fireDue();
        m_firing = false;
        rearm();
    });
}

QtScheduler::~QtScheduler() = default;

void QtScheduler::deadlineChanged()
{
    // The timer is only ever moved nearer: one that fires too early finds nothing due and arms itself anew.
    if (!m_firing && nextDeadline() < m_armed)
        rearm();
}

void QtScheduler::rearm()
{
    const MonoTime next = nextDeadline();
    if (next == MonoTime::max()) {
        m_armed = next;
        m_timer->stop();
        return;
    }
    // Qt's timers stop counting while the machine sleeps; looking again at least every 5 s bounds how late we notice.
    const auto wait = std::clamp(std::chrono::ceil<Millis>(next - clock().mono()), Millis(0), Millis(5000));
    m_armed = clock().mono() + wait;
    m_timer->start(static_cast<int>(wait.count()));
}

void SimulatedScheduler::advance(Micros by)
{
    const MonoTime end = m_simulated.mono() + by;
    while (nextDeadline() <= end) {
        m_simulated.advance(std::max(nextDeadline() - m_simulated.mono(), Micros(0)));
        fireDue();
    }
    m_simulated.advance(end - m_simulated.mono());
}

void SimulatedScheduler::sleepThrough(Micros by)
{
    m_simulated.advance(by);
    fireDue();
}

}  // namespace omni
