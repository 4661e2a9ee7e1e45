#pragma once

#include "ui/models/cell_delegate.h"

namespace omni {

/// The state of a line in the Cooldown Manager: shape and word, before them the mark that folds and unfolds the models beneath; a model's
/// line stands further in.
class HeldDelegate final : public CellDelegate {
    Q_OBJECT

public:
    static constexpr int kFold = 16;  ///< room of the mark, which every line has so that the states stand beneath each other

    using CellDelegate::CellDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

Q_SIGNALS:
    void foldClicked(const QModelIndex& index);

protected:
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option, const QModelIndex& index) override;
};

}  // namespace omni
