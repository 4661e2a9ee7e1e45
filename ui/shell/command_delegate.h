#pragma once

#include <QStyledItemDelegate>

namespace omni {

/// One command on a line: its title with the letters that were hit in bold and underlined, quiet words beside it, its keys at the far end.
/// From right to left where the language is written so.
class CommandDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace omni
