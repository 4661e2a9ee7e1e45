#include "ui/cooldowns/held_delegate.h"

#include "ui/cooldowns/held_model.h"
#include "ui/models/state_delegate.h"
#include "ui/theme/state_shape.h"

#include <QMouseEvent>
#include <QPainter>
#include <QStyle>

namespace omni {

namespace {

/// Where the mark stands: at the side where reading begins.
QRectF foldBox(const QRectF& cell, Qt::LayoutDirection direction)
{
    const double left = direction == Qt::RightToLeft ? cell.right() - CellDelegate::kPadding / 2.0 - HeldDelegate::kFold
                                                     : cell.left() + CellDelegate::kPadding / 2.0;
    return {left, cell.top(), static_cast<double>(HeldDelegate::kFold), cell.height()};
}

void paintFold(QPainter& painter, const QRectF& box, bool folded, Qt::LayoutDirection direction, const QColor& colour)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF c = box.center();
    const double side = direction == Qt::RightToLeft ? -2.0 : 2.0;
    if (folded) {
        const QPointF points[] = {{c.x() - side, c.y() - 4}, {c.x() + side, c.y()}, {c.x() - side, c.y() + 4}};
        painter.drawPolyline(points, 3);
    } else {
        const QPointF points[] = {{c.x() - 4, c.y() - 2}, {c.x(), c.y() + 2}, {c.x() + 4, c.y() - 2}};
        painter.drawPolyline(points, 3);
    }
}

}  // namespace

void HeldDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    QRectF room = paintBlank(painter, cell);
    const Colours& colours = coloursFor(option.palette);
    const StateLook look = lookOf(index.data(StateDelegate::StateRole).value<StateKey>(), colours);
    const bool mirrored = option.direction == Qt::RightToLeft;

    painter->save();
    if (const QVariant folded = index.data(HeldModel::FoldRole); folded.isValid())
        paintFold(*painter, foldBox(option.rect, option.direction), folded.toBool(), option.direction, colours.mutedText);
    QFont font = cell.font;
    font.setWeight(QFont::DemiBold);
    painter->setFont(font);
    const QFontMetricsF metrics(font);
    const double size = metrics.ascent() * 0.85;
    const double inset = (index.data(HeldModel::IndentRole).toBool() ? 2 : 1) * kFold - kPadding / 2.0;
    if (mirrored)
        room.setRight(room.right() - inset);
    else
        room.setLeft(room.left() + inset);
    paintStateShape(*painter, QRectF(mirrored ? room.right() - size : room.left(), room.center().y() - size / 2, size, size), look.shape,
                    look.colour);
    if (mirrored)
        room.setRight(room.right() - size - kGap);
    else
        room.setLeft(room.left() + size + kGap);
    painter->setPen(look.colour);
    painter->drawText(room, static_cast<int>(QStyle::visualAlignment(option.direction, Qt::AlignLeft | Qt::AlignVCenter)),
                      metrics.elidedText(cell.text, Qt::ElideRight, room.width()));
    painter->restore();
}

bool HeldDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (event->type() == QEvent::MouseButtonRelease && index.data(HeldModel::FoldRole).isValid()) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->button() == Qt::LeftButton && foldBox(option.rect, option.direction).contains(mouse->position())) {
            Q_EMIT foldClicked(index);
            return true;
        }
    }
    return CellDelegate::editorEvent(event, model, option, index);
}

}  // namespace omni
