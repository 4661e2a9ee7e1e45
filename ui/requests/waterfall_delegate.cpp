#include "ui/requests/attempts_model.h"

#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace omni {

namespace {

constexpr double kBar = 10.0;

QColor faded(QColor colour, float strength)
{
    colour.setAlphaF(strength);
    return colour;
}

}  // namespace

void WaterfallDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QVariant value = index.data(AttemptsModel::WaterfallRole);
    if (!value.isValid()) {
        CellDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QRectF room = paintBlank(painter, cell);

    const auto fall = value.value<Waterfall>();
    const Colours& colours = coloursFor(option.palette);
    const double middle = room.center().y() + 0.5;
    const auto xOf = [&](std::int64_t at) {
        return room.left() + room.width() * std::clamp(static_cast<double>(at) / static_cast<double>(fall.whole), 0.0, 1.0);
    };
    const QColor colour = fall.success ? colours.accent : colours.bad;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colours.border, 1));
    painter->drawLine(QPointF(room.left(), middle), QPointF(room.right(), middle));
    painter->setPen(Qt::NoPen);
    const auto bar = [&](std::int64_t from, std::int64_t to, double height, float strength) {
        if (to <= from)
            return;
        painter->setBrush(faded(colour, strength));
        painter->drawRect(QRectF(xOf(from), middle - height / 2, std::max(xOf(to) - xOf(from), 1.5), height));
    };
    // Each phase ends where the next one that was reached begins.
    const std::int64_t connected = fall.connected >= 0 ? fall.connected : fall.firstByte >= 0 ? fall.started : fall.ended;
    const std::int64_t byte = fall.firstByte >= 0 ? fall.firstByte : fall.ended;
    const std::int64_t frame = fall.firstFrame >= 0 ? fall.firstFrame : fall.ended;
    painter->setBrush(colours.surface);
    painter->drawRect(QRectF(xOf(fall.started), middle - kBar / 2, std::max(xOf(fall.ended) - xOf(fall.started), 2.0), kBar));
    bar(fall.started, connected, kBar * 0.4, 0.9F);
    bar(connected, byte, kBar, 0.28F);
    bar(byte, frame, kBar, 0.55F);
    bar(frame, fall.ended, kBar, 1.0F);
    // However short, an attempt can be seen.
    painter->setBrush(colour);
    painter->drawRect(QRectF(xOf(fall.started), middle - kBar / 2, 1.5, kBar));
    painter->restore();
}

}  // namespace omni
