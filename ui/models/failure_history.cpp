#include "ui/models/failure_history.h"

#include <algorithm>

namespace omni {

namespace {

constexpr Millis kMaxAge = std::chrono::hours(24);

}  // namespace

void FailureHistory::add(const EngineSnapshot& snapshot, WallTime now)
{
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
    const double left = -static_cast<double>(span.count());
    QList<QPointF> points;
    double count = 0;
    double x = left;
    if (const auto found = m_steps.find(provider); found != m_steps.end()) {
        for (const Step& step : found->second) {
            const double at = std::min(static_cast<double>((step.at - now).count()), 0.0);
            if (at > left) {
                if (points.isEmpty())
                    points << QPointF(left, count);
                points << QPointF(std::max(at, x), count) << QPointF(std::max(at, x), step.count);
                x = std::max(at, x);
            }
            count = step.count;
        }
    }
    if (points.isEmpty())
        points << QPointF(left, count);
    points << QPointF(0.0, count);
    return points;
}

}  // namespace omni
