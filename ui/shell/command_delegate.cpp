#include "ui/shell/command_delegate.h"

#include "ui/shell/command_model.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QStyle>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace omni {

namespace {

constexpr int kMargin = 10;
constexpr int kGap = 12;
constexpr int kKeyPadding = 6;

/// Paints `text` into `room`, the hit letters bold, underlined and in `hit`; what does not fit ends in "…". Returns the width taken.
int paintHits(QPainter& painter, const QRect& room, const QString& text, const QList<int>& hits, const QFont& font, const QColor& plain,
              const QColor& hit, Qt::LayoutDirection direction)
{
    if (text.isEmpty() || room.width() <= 0)
        return 0;
    QFont bold = font;
    bold.setWeight(QFont::Bold);
    QTextCharFormat marked;
    marked.setForeground(hit);
    marked.setFontWeight(QFont::Bold);
    marked.setFontUnderline(true);
    const auto laidOut = [&](const QString& shown, QTextLayout& layout) {
        QList<QTextLayout::FormatRange> ranges;
        for (const MatchedRun& run : matchedRuns(text, hits)) {
            if (run.from < shown.size())
                ranges.append({run.from, static_cast<int>(std::min<qsizetype>(run.length, shown.size() - run.from)), marked});
        }
        QTextOption wanted;
        wanted.setTextDirection(direction);
        wanted.setWrapMode(QTextOption::NoWrap);
        layout.setText(shown);
        layout.setFont(font);
        layout.setTextOption(wanted);
        layout.setFormats(ranges);
        layout.beginLayout();
        QTextLine line = layout.createLine();
        line.setLineWidth(room.width());
        layout.endLayout();
        return static_cast<int>(std::ceil(line.naturalTextWidth()));
    };
    QTextLayout layout;
    int width = laidOut(text, layout);
    if (width > room.width()) {
        // Measured in the bold font, so that it fits whatever was hit.
        const QString cut = QFontMetrics(bold).elidedText(text, Qt::ElideRight, room.width());
        width = std::min(laidOut(cut, layout), room.width());
    }
    painter.setPen(plain);
    layout.draw(&painter, QPointF(room.left(), room.top() + (room.height() - layout.boundingRect().height()) / 2));
    return width;
}

}  // namespace

void CommandDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString title = cell.text;
    cell.text.clear();
    const QWidget* widget = option.widget;
    (widget ? widget->style() : QApplication::style())->drawControl(QStyle::CE_ItemViewItem, &cell, painter, widget);

    const Colours& colours = coloursFor(option.palette);
    const QRect whole = option.rect.adjusted(kMargin, 0, -kMargin, 0);
    const auto placed = [&](int from, int width) {
        return QStyle::visualRect(option.direction, whole, QRect(whole.left() + from, whole.top(), width, whole.height()));
    };
    painter->save();
    int room = whole.width();
    if (const QString keys = index.data(CommandModel::KeysRole).toString(); !keys.isEmpty()) {
        const int width = cell.fontMetrics.horizontalAdvance(keys) + 2 * kKeyPadding;
        room -= width;
        const QRectF box = QRectF(placed(room, width)).adjusted(0.5, 4.5, -0.5, -4.5);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(colours.border, 1));
        painter->setBrush(colours.raised);
        painter->drawRoundedRect(box, 4, 4);
        painter->setPen(colours.mutedText);
        painter->setFont(cell.font);
        painter->drawText(box, Qt::AlignCenter, keys);
        room -= kGap;
    }
    const int taken = paintHits(*painter, placed(0, room), title, index.data(CommandModel::TitleHitsRole).value<QList<int>>(), cell.font,
                                colours.text, colours.accent, option.direction);
    const int left = taken + kGap;
    paintHits(*painter, placed(left, room - left), index.data(CommandModel::DetailRole).toString(),
              index.data(CommandModel::DetailHitsRole).value<QList<int>>(), cell.font, colours.mutedText, colours.accent, option.direction);
    painter->restore();
}

QSize CommandDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {200, option.fontMetrics.height() + 14};
}

}  // namespace omni
