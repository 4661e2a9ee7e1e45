#pragma once

#include "ui/models/data_table.h"

#include <vector>

namespace omni {

/// A table whose rows the user puts into another order: by dragging them, or with Alt and the arrow keys. It only tells what is wanted;
/// the model's owner does it. The model says by ItemIsDragEnabled which rows can be taken.
class ReorderTable final : public DataTable {
    Q_OBJECT

public:
    explicit ReorderTable(QWidget* parent = nullptr);

    /// Switched off where the rows stand in an order that is not the user's (sorted by something else).
    void setReorderable(bool on);
    bool reorderable() const { return m_reorderable; }
    /// As a drop of the selected rows at this place of the viewport.
    void dropSelected(const QPoint& position);

Q_SIGNALS:
    /// These rows, ascending, are to stand before what is now row `before`; the number of rows = at the end.
    void moveWanted(const std::vector<int>& rows, int before);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int rowBefore(const QPoint& position) const;
    std::vector<int> selectedRowNumbers() const;
    void showDrop(int before);

    bool m_reorderable = true;
    int m_drop = -1;  ///< where a line is drawn; -1 = nowhere
};

}  // namespace omni
