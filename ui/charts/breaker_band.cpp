#include "ui/charts/breaker_band.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace omni {

namespace {

Qt::BrushStyle patternOf(BreakerState state)
{
    switch (state) {
    case BreakerState::Closed: return Qt::NoBrush;
    case BreakerState::Degraded: return Qt::Dense6Pattern;
    case BreakerState::Open: return Qt::BDiagPattern;
    case BreakerState::HalfOpen: return Qt::VerPattern;
    }
    return Qt::NoBrush;
}

}  // namespace

void paintBreakerBand(QPainter& painter, const QRectF& box, const std::vector<BandSegment>& segments, const Colours& colours)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath outline;
    outline.addRoundedRect(box, 3, 3);
    painter.fillPath(outline, colours.raised);
    painter.setClipPath(outline);
    painter.setRenderHint(QPainter::Antialiasing, false);
    QColor pattern = colours.surface;
    pattern.setAlphaF(0.35F);
    for (const BandSegment& segment : segments) {
        // A state that lasted less than a pixel is still one that was: it gets two.
        const double left = std::floor(box.left() + box.width() * segment.from);
        const double right = std::max(std::ceil(box.left() + box.width() * segment.to), left + 2);
        const QRectF part(left, box.top(), right - left, box.height());
        const QColor colour = lookOf(segment.state, colours).colour;
        // A light theme's colours are dark enough for text; as areas they would be gloomy.
        painter.fillRect(part, colours.dark ? colour : colour.lighter(120));
        if (const Qt::BrushStyle style = patternOf(segment.state); style != Qt::NoBrush)
            painter.fillRect(part, QBrush(pattern, style));
    }
    painter.restore();
}

void BreakerBandDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QRectF room = paintBlank(painter, cell);

    const auto band = index.data(BandRole).value<BandSegments>();
    const double height = std::min(16.0, option.rect.height() - 8.0);
    const QRectF box(room.left(), std::round(room.center().y() - height / 2), room.width(), height);
    const Colours& colours = coloursFor(option.palette);
    paintBreakerBand(*painter, box, band.segments, colours);
    if (!m_mark)
        return;
    // From the cell's top to its end, so that one line runs over all bands; a lighter seam on both sides keeps it apart from any state.
    const double x = std::round(box.left() + box.width() * *m_mark);
    painter->fillRect(QRectF(x - 2, option.rect.top(), 4, option.rect.height()), colours.surface);
    painter->fillRect(QRectF(x - 1, option.rect.top(), 2, option.rect.height()), colours.text);
}

}  // namespace omni
