#include "ui/models/cell_delegate.h"

#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

namespace omni {

QRectF CellDelegate::paintBlank(QPainter* painter, QStyleOptionViewItem cell)
{
    cell.text.clear();
    const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    return QRectF(cell.rect).adjusted(kPadding, 0, -kPadding, 0);
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QRectF room = paintBlank(painter, cell);
    if (cell.text.isEmpty())
        return;
    painter->save();
    const bool number = (cell.displayAlignment & Qt::AlignRight) != 0;
    const QFont font = number ? tabularFont(cell.font) : cell.font;
    painter->setFont(font);
    const Colours& colours = coloursFor(cell.palette);
    painter->setPen(index.data(QuietRole).toBool() ? colours.mutedText : colours.text);
    painter->drawText(room, static_cast<int>(cell.displayAlignment),
                      QFontMetricsF(font).elidedText(cell.text, cell.textElideMode, room.width()));
    painter->restore();
}

}  // namespace omni
