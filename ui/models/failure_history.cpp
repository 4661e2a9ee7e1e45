#include "ui/models/failure_history.h"

#include <algorithm>

namespace omni {

namespace {

constexpr Millis kMaxAge = std::chrono::hours(24);

}  // namespace

void FailureHistory::add(const EngineSnapshot& snapshot, WallTime now)
{
    m_since = std::min(m_since.value_or(now), now);
    for (const BreakerStatus& breaker : snapshot.breakers) {
        const auto [entry, first] = m_steps.try_emplace(breaker.provider);
        std::deque<Step>& steps = entry->second;
        if (first) {
            for (const BreakerTransition& transition : breaker.history)
                steps.push_back({transition.at, transition.failureCount});
        }
        if (steps.empty() ? breaker.failureCount > 0 : steps.back().count != breaker.failureCount) {
            // The last failure tells the moment better than the snapshot that brought it.
            const bool risen = breaker.lastFailureAt && (steps.empty() || *breaker.lastFailureAt > steps.back().at)
                && breaker.failureCount > (steps.empty() ? 0 : steps.back().count);
            steps.push_back({risen ? std::min(*breaker.lastFailureAt, now) : now, breaker.failureCount});
        }
        while (steps.size() > kMaxSteps || (steps.size() > 1 && steps[1].at < now - kMaxAge))
            steps.pop_front();
    }
}

QList<QPointF> FailureHistory::line(const ProviderId& provider, Millis span, WallTime now) const
{
    const auto found = m_steps.find(provider);
    const std::deque<Step> none;
    const std::deque<Step>& steps = found == m_steps.end() ? none : found->second;
    WallTime known = m_since.value_or(now);
    if (!steps.empty())
        known = std::min(known, steps.front().at);
    const auto place = [now](WallTime at) { return std::min(static_cast<double>((at - now).count()), 0.0); };
    double x = std::max(place(known), -static_cast<double>(span.count()));
    double count = 0;
    QList<QPointF> points;
    for (const Step& step : steps) {
        if (place(step.at) > x) {
            points << QPointF(x, count);
            x = place(step.at);
            points << QPointF(x, count);
        }
        count = step.count;
    }
    points << QPointF(x, count) << QPointF(0.0, count);
    return points;
}

}  // namespace omni
