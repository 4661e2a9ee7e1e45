#pragma once

#include "model/hold.h"
#include "ui/models/cell_delegate.h"

#include <QMetaType>

#include <optional>
#include <vector>

namespace omni {

struct Colours;

/// A stretch of time in which a breaker had one state; 0 = left edge, 1 = now.
struct BandSegment {
    double from = 0.0;
    double to = 1.0;
    BreakerState state = BreakerState::Closed;

    bool operator==(const BandSegment&) const = default;
};

/// What a view's cell hands to the delegate.
struct BandSegments {
    std::vector<BandSegment> segments;

    bool operator==(const BandSegments&) const = default;
};

/// State as colour, and as a pattern for those who do not tell the colours apart: closed is plain, degraded has dots, open is hatched,
/// half-open has bars. Time without a segment stays empty: nothing is known of it.
void paintBreakerBand(QPainter& painter, const QRectF& box, const std::vector<BandSegment>& segments, const Colours& colours);

/// Draws the band of a cell; its segments are the cell's BandRole. A mark over all bands shows the time that is looked at.
class BreakerBandDelegate final : public CellDelegate {
    Q_OBJECT

public:
    static constexpr int BandRole = Qt::UserRole + 40;

    using CellDelegate::CellDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Where the mark lies, 0 = left edge, 1 = now; unset = none. The view is to be updated by the caller.
    void setMark(std::optional<double> share) { m_mark = share; }

private:
    std::optional<double> m_mark;
};

}  // namespace omni

Q_DECLARE_METATYPE(omni::BandSegments)
