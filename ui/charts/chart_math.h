#pragma once

#include <QList>
#include <QPointF>

namespace omni {

/// The next of 1, 2, 5 × 10ⁿ at or above `value`; 1 for nothing.
double niceCeiling(double value);

/// At most `limit` points that keep the extremes: the lowest and highest of each slice, in their order. `points` sorted by x.
QList<QPointF> thinned(const QList<QPointF>& points, qsizetype limit);

/// The upper end of an axis that starts at 0. Grows at once when a value does not fit; shrinks only after the values have stayed small
/// for a while, so that a live chart does not breathe with every peak.
class AxisScale {
public:
    explicit AxisScale(double minimumTop = 1.0) : m_top(minimumTop), m_minimumTop(minimumTop) {}

    /// Told the largest value shown; returns the axis end for it.
    double fit(double largest);
    /// Fits at once, both ways; for when something else is shown.
    double reset(double largest);
    double top() const { return m_top; }

private:
    static constexpr int kPatience = 10;  ///< refreshes, at one a second
    static constexpr double kLow = 0.4;   ///< share of the axis below which it is too long

    double wanted(double largest) const;

    double m_top;
    double m_minimumTop;
    int m_lowCount = 0;
};

}  // namespace omni
