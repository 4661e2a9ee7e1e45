#include "resilience/request_rejected_streak.h"

#include <array>
#include <cstddef>

namespace omni {

namespace {

constexpr std::array<Millis, 2> kRungs = {Millis(60'000), Millis(300'000)};
constexpr Millis kWindow = std::chrono::hours(24);

}  // namespace

RequestRejectedStreak::Step RequestRejectedStreak::refuse(const Instant& now)
{
    if (m_count > 0 && elapsed(m_held, now) < m_length)
        return Step::SameEpisode;
    if (m_count > 0 && elapsed(m_last, now) >= kWindow)
        m_count = 0;
    const auto earlier = static_cast<std::size_t>(m_count);
    if (earlier >= kRungs.size()) {
        clear();
        return Step::Ban;
    }
    ++m_count;
    m_last = now;
    m_held = now;
    m_length = kRungs[earlier];
    return Step::Cool;
}

void RequestRejectedStreak::seed(const Instant& refusedAt, Millis running, const Instant& now)
{
    clear();
    if (elapsed(refusedAt, now) >= kWindow)
        return;
    m_count = 1;
    m_last = refusedAt;
    m_held = now;
    m_length = running;
}

void RequestRejectedStreak::clear()
{
    *this = RequestRejectedStreak();
}

}  // namespace omni
