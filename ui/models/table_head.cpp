#include "ui/models/table_head.h"

#include "ui/models/cell_delegate.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QStyle>

namespace omni {

namespace {

constexpr int kChevron = 8;

}  // namespace

TableHead::TableHead(QWidget* parent) : QHeaderView(Qt::Horizontal, parent)
{
    setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setHighlightSections(false);
    setSectionsMovable(true);
    setSectionsClickable(true);
    setStretchLastSection(true);
    setMinimumSectionSize(fontMetrics().averageCharWidth() * 4);
}

QFont TableHead::headFont() const
{
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    return bold;
}

QString TableHead::textOf(int column) const
{
    return model() ? model()->headerData(column, Qt::Horizontal).toString() : QString();
}

int TableHead::neededWidth(int column) const
{
    const int chevron = isSortIndicatorShown() ? kChevron + CellDelegate::kGap : 0;
    return QFontMetrics(headFont()).horizontalAdvance(textOf(column)) + chevron + 2 * CellDelegate::kPadding + 1;
}

QSize TableHead::sectionSizeFromContents(int logicalIndex) const
{
    return {neededWidth(logicalIndex), fontMetrics().height() + 18};
}

void TableHead::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    const Colours& colours = coloursFor(palette());
    painter.fillRect(viewport()->rect(), colours.surface);
    painter.setPen(colours.border);
    painter.drawLine(0, height() - 1, viewport()->width(), height() - 1);
    painter.end();
    QHeaderView::paintEvent(event);
}

void TableHead::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const
{
    const Colours& colours = coloursFor(palette());
    painter->save();
    painter->fillRect(rect, colours.surface);
    painter->setPen(colours.border);
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());

    const QVariant aligned = model()->headerData(logicalIndex, Qt::Horizontal, Qt::TextAlignmentRole);
    const Qt::Alignment alignment =
        QStyle::visualAlignment(layoutDirection(), aligned.isValid() ? aligned.value<Qt::Alignment>() : defaultAlignment());
    QRectF room = QRectF(rect).adjusted(CellDelegate::kPadding, 0, -CellDelegate::kPadding, 0);
    painter->setFont(headFont());
    const QFontMetricsF metrics(painter->font());
    const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == logicalIndex;
    const bool right = alignment & Qt::AlignRight;
    const double forText = room.width() - (sorted ? kChevron + CellDelegate::kGap : 0);
    const QString text = metrics.elidedText(textOf(logicalIndex), Qt::ElideRight, forText);
    painter->setPen(sorted ? colours.text : colours.mutedText);
    painter->drawText(room, static_cast<int>(alignment), text);
    if (sorted) {
        const double width = metrics.horizontalAdvance(text) + CellDelegate::kGap;
        const double left = right ? room.right() - width - kChevron : room.left() + width;
        const double middle = room.center().y() + 0.5;
        const double tip = sortIndicatorOrder() == Qt::AscendingOrder ? -2.0 : 2.0;
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(colours.text, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const QPointF points[] = {{left, middle - tip}, {left + kChevron / 2.0, middle + tip}, {left + kChevron, middle - tip}};
        painter->drawPolyline(points, 3);
    }
    painter->restore();
}

}  // namespace omni
