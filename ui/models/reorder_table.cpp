#include "ui/models/reorder_table.h"

#include "ui/theme/theme.h"

#include <QDragEnterEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace omni {

ReorderTable::ReorderTable(QWidget* parent) : DataTable(parent)
{
    setDragDropOverwriteMode(false);
    setDropIndicatorShown(false);
    setReorderable(true);
}

void ReorderTable::setReorderable(bool on)
{
    m_reorderable = on;
    setDragDropMode(on ? QAbstractItemView::DragDrop : QAbstractItemView::NoDragDrop);
    setDragEnabled(on);
    setAcceptDrops(on);
}

std::vector<int> ReorderTable::selectedRowNumbers() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : selectedRowsInOrder())
        rows.push_back(index.row());
    return rows;
}

int ReorderTable::rowBefore(const QPoint& position) const
{
    const int count = model() ? model()->rowCount() : 0;
    const int row = rowAt(position.y());
    if (row < 0)
        return count;
    const int middle = rowViewportPosition(row) + rowHeight(row) / 2;
    return position.y() < middle ? row : row + 1;
}

void ReorderTable::showDrop(int before)
{
    if (before == m_drop)
        return;
    m_drop = before;
    viewport()->update();
}

void ReorderTable::dragEnterEvent(QDragEnterEvent* event)
{
    if (m_reorderable && event->source() == this)
        event->acceptProposedAction();
    else
        event->ignore();
}

void ReorderTable::dragMoveEvent(QDragMoveEvent* event)
{
    if (!m_reorderable || event->source() != this) {
        event->ignore();
        return;
    }
    DataTable::dragMoveEvent(event);  // scrolls near the edges
    showDrop(rowBefore(event->position().toPoint()));
    event->acceptProposedAction();
}

void ReorderTable::dragLeaveEvent(QDragLeaveEvent* event)
{
    DataTable::dragLeaveEvent(event);
    showDrop(-1);
}

void ReorderTable::dropEvent(QDropEvent* event)
{
    showDrop(-1);
    setState(QAbstractItemView::NoState);
    stopAutoScroll();
    if (!m_reorderable || event->source() != this) {
        event->ignore();
        return;
    }
    // A copy: for a move the view itself would take the rows out of the model afterwards.
    event->setDropAction(Qt::CopyAction);
    event->accept();
    dropSelected(event->position().toPoint());
}

void ReorderTable::dropSelected(const QPoint& position)
{
    const std::vector<int> rows = selectedRowNumbers();
    if (!rows.empty())
        Q_EMIT moveWanted(rows, rowBefore(position));
}

void ReorderTable::paintEvent(QPaintEvent* event)
{
    DataTable::paintEvent(event);
    if (m_drop < 0 || !model())
        return;
    const int count = model()->rowCount();
    const int y = count == 0 ? 0 : m_drop < count ? rowViewportPosition(m_drop) : rowViewportPosition(count - 1) + rowHeight(count - 1);
    QPainter painter(viewport());
    painter.fillRect(QRect(0, std::max(0, y - 1), viewport()->width(), 2), coloursFor(palette()).accent);
}

void ReorderTable::keyPressEvent(QKeyEvent* event)
{
    const bool up = event->key() == Qt::Key_Up;
    if (m_reorderable && event->modifiers() == Qt::AltModifier && (up || event->key() == Qt::Key_Down)) {
        const std::vector<int> rows = selectedRowNumbers();
        const int count = model() ? model()->rowCount() : 0;
        if (!rows.empty() && (up ? rows.front() > 0 : rows.back() + 1 < count))
            Q_EMIT moveWanted(rows, up ? rows.front() - 1 : rows.back() + 2);
        return;
    }
    DataTable::keyPressEvent(event);
}

}  // namespace omni
