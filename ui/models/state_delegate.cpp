#include "ui/models/state_delegate.h"

#include "ui/models/display_text.h"
#include "ui/theme/state_shape.h"

#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace omni {

namespace {

double shapeSize(const QFontMetricsF& metrics)
{
    return metrics.ascent() * 0.85;
}

}  // namespace

StateLook lookOf(const StateKey& key, const Colours& colours)
{
    return std::visit([&colours](auto state) { return lookOf(state, colours); }, key.state);
}

void StateDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QVariant key = index.data(StateRole);
    if (!key.isValid()) {
        CellDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    QRectF room = paintBlank(painter, cell);
    const StateLook look = lookOf(key.value<StateKey>(), coloursFor(option.palette));
    painter->save();
    QFont font = cell.font;
    font.setWeight(QFont::DemiBold);
    painter->setFont(font);
    const QFontMetricsF metrics(font);
    const double size = shapeSize(metrics);
    const bool mirrored = cell.direction == Qt::RightToLeft;
    const double left = mirrored ? room.right() - size : room.left();
    paintStateShape(*painter, QRectF(left, room.center().y() - size / 2, size, size), look.shape, look.colour);
    room.adjust(mirrored ? 0 : size + kGap, 0, mirrored ? -size - kGap : 0, 0);
    painter->setPen(look.colour);
    painter->drawText(room, static_cast<int>(QStyle::visualAlignment(cell.direction, Qt::AlignLeft | Qt::AlignVCenter)),
                      metrics.elidedText(cell.text, Qt::ElideRight, room.width()));
    painter->restore();
}

void RemainingDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QVariant deadline = index.data(DeadlineRole);
    if (!deadline.isValid()) {
        CellDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    QRectF room = paintBlank(painter, cell);

    const Colours& colours = coloursFor(option.palette);
    const std::int64_t now = epochMillis(wallNow());
    const std::int64_t until = deadline.toLongLong();
    const std::int64_t since = index.data(SinceRole).toLongLong();
    const double share = until > since ? std::clamp(static_cast<double>(until - now) / static_cast<double>(until - since), 0.0, 1.0) : 0.0;

    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QFont font = tabularFont(cell.font);
    const QFontMetricsF metrics(font);
    const QString text = countdownText(Millis(std::max<std::int64_t>(0, until - now)));
    const double textWidth = std::max(metrics.horizontalAdvance(text), metrics.averageCharWidth() * 6);
    const double barWidth = std::min(90.0, room.width() - textWidth - kGap);
    if (barWidth > 16) {
        const QRectF track(room.left(), room.center().y() - 2.5, barWidth, 5);
        painter->setPen(Qt::NoPen);
        painter->setBrush(colours.border);
        painter->drawRoundedRect(track, 2.5, 2.5);
        painter->setBrush(colours.accent);
        painter->drawRoundedRect(QRectF(track.left(), track.top(), std::max(5.0, track.width() * share), track.height()), 2.5, 2.5);
        room.setLeft(track.right() + kGap);
    }
    painter->setFont(font);
    painter->setPen(colours.text);
    painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text);
    painter->restore();
}

}  // namespace omni
