#pragma once

#include <QStyledItemDelegate>

namespace omni {

/// Paints a cell's text with the same room left and right as the table's head, numbers (cells aligned right) in tabular figures. What
/// every DataTable has unless a column asks for more.
class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int kPadding = 8;
    static constexpr int kGap = 6;
    static constexpr int QuietRole = Qt::UserRole + 44;  ///< true = in the muted colour

    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    /// The cell without its text: background, selection, separator. Returns the room for what it holds.
    static QRectF paintBlank(QPainter* painter, QStyleOptionViewItem cell);
};

}  // namespace omni
