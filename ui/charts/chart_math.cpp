#include "ui/charts/chart_math.h"

#include <algorithm>
#include <cmath>

namespace omni {

double niceCeiling(double value)
{
    if (!(value > 0.0) || !std::isfinite(value))
        return 1.0;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (value <= step * power * (1.0 + 1e-9))
            return step * power;
    }
    return 10.0 * power;
}

QList<QPointF> thinned(const QList<QPointF>& points, qsizetype limit)
{
    if (points.size() <= limit || limit < 2)
        return points;
    const qsizetype slices = limit / 2;
    QList<QPointF> kept;
    kept.reserve(slices * 2);
    for (qsizetype slice = 0; slice < slices; ++slice) {
        const auto begin = points.cbegin() + points.size() * slice / slices;
        const auto end = points.cbegin() + points.size() * (slice + 1) / slices;
        auto [lowest, highest] = std::minmax_element(begin, end, [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); });
        if (lowest > highest)
            std::swap(lowest, highest);
        kept.append(*lowest);
        if (highest != lowest)
            kept.append(*highest);
    }
    return kept;
}

double AxisScale::wanted(double largest) const
{
    return std::max(m_minimumTop, niceCeiling(largest * 1.05));
}

double AxisScale::fit(double largest)
{
    if (largest > m_top) {
        m_lowCount = 0;
        m_top = wanted(largest);
    } else if (largest < m_top * kLow && wanted(largest) < m_top) {
        if (++m_lowCount >= kPatience) {
            m_lowCount = 0;
            m_top = wanted(largest);
        }
    } else {
        m_lowCount = 0;
    }
    return m_top;
}

double AxisScale::reset(double largest)
{
    m_lowCount = 0;
    m_top = wanted(largest);
    return m_top;
}

}  // namespace omni
