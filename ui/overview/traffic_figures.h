#pragma once

#include "telemetry/metrics.h"

#include <QList>
#include <QPointF>
#include <QString>

#include <deque>
#include <optional>
#include <vector>

namespace omni {

/// What the tiles say, made of what the core counted.
struct TrafficFigures {
    double perSecond = 0.0;      ///< over the last 10 s
    double peakPerSecond = 0.0;  ///< in the last hour
    std::int64_t answered = 0;   ///< in the last hour, as the two below
    std::int64_t failed = 0;
    std::int64_t viaAnotherTarget = 0;
    /// Weighed by requests over the last five minutes, microseconds; unset = no request in them.
    std::optional<std::int64_t> addedP50Us, addedP99Us, firstFrameP50Us;
    std::int64_t tokensIn = 0;   ///< in the last minute, as below
    std::int64_t tokensOut = 0;
};

/// `seconds`: the newest samples of one second each, newest last. `hour`: the last hour at any resolution.
TrafficFigures figuresOf(const std::deque<TrafficSample>& seconds, const std::vector<TrafficSample>& hour, WallTime now);

/// Lines of the traffic chart: x in milliseconds before `now`, latencies in milliseconds. A latency has no point where nothing finished.
struct TrafficLines {
    QList<QPointF> perSecond, p50, p95;
};
TrafficLines linesOf(const std::vector<TrafficSample>& samples, WallTime now);

/// "100 %", "99.98 %": never rounded up to a perfection that was not.
QString shareText(std::int64_t part, std::int64_t whole);

}  // namespace omni
