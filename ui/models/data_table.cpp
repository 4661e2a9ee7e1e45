#include "ui/models/data_table.h"

#include "ui/models/cell_delegate.h"
#include "ui/models/table_head.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>

namespace omni {

DataTable::DataTable(QWidget* parent) : QTableView(parent)
{
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setFrameShape(QFrame::NoFrame);
    setCornerButtonEnabled(false);
    setItemDelegate(new CellDelegate(this));
    setStyleSheet(QStringLiteral("QAbstractScrollArea::corner { background: transparent; border: none; }"));
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    auto* head = new TableHead(this);
    setHorizontalHeader(head);
    head->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(head, &QWidget::customContextMenuRequested, this, &DataTable::showColumnMenu);
    fitRows();
}

void DataTable::fitRows()
{
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 14);
}

void DataTable::setColumnWidths(const QList<int>& characters)
{
    const int one = fontMetrics().averageCharWidth();
    const auto* head = static_cast<const TableHead*>(horizontalHeader());
    for (int column = 0; column < characters.size(); ++column) {
        const int wanted = characters.at(column);
        setColumnHidden(column, wanted == 0);
        if (wanted > 0)
            setColumnWidth(column, std::max(wanted * one + 2 * CellDelegate::kPadding, head->neededWidth(column)));
    }
}

void DataTable::widenForStates(int column, const QStringList& words)
{
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(bold);
    int width = columnWidth(column);
    for (const QString& word : words)
        width = std::max(width, metrics.horizontalAdvance(word) + metrics.ascent() + CellDelegate::kGap + 2 * CellDelegate::kPadding);
    setColumnWidth(column, width);
}

QModelIndexList DataTable::selectedRowsInOrder() const
{
    if (!selectionModel())
        return {};
    QModelIndexList rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const QModelIndex& a, const QModelIndex& b) { return a.row() < b.row(); });
    return rows;
}

QString DataTable::selectedText() const
{
    if (!model())
        return {};
    QList<int> columns;
    for (int visual = 0; visual < horizontalHeader()->count(); ++visual) {
        const int column = horizontalHeader()->logicalIndex(visual);
        if (!isColumnHidden(column))
            columns << column;
    }
    QStringList lines;
    QStringList cells;
    for (const int column : std::as_const(columns))
        cells << model()->headerData(column, Qt::Horizontal).toString();
    lines << cells.join(QLatin1Char('\t'));
    const auto addRow = [&](int row) {
        cells.clear();
        for (const int column : std::as_const(columns))
            cells << model()->index(row, column).data().toString().simplified();
        lines << cells.join(QLatin1Char('\t'));
    };
    const QModelIndexList rows = selectedRowsInOrder();
    for (const QModelIndex& row : rows)
        addRow(row.row());
    if (rows.isEmpty()) {
        for (int row = 0; row < model()->rowCount(); ++row)
            addRow(row);
    }
    return lines.join(QLatin1Char('\n'));
}

void DataTable::copySelection() const
{
    QApplication::clipboard()->setText(selectedText());
}

void DataTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
        return;
    }
    if (event->matches(QKeySequence::Delete)) {
        Q_EMIT deletePressed();
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid()) {
        Q_EMIT activated(currentIndex());
        return;
    }
    QTableView::keyPressEvent(event);
}

void DataTable::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fitRows();
}

void DataTable::showColumnMenu(const QPoint& position)
{
    if (!model())
        return;
    QMenu menu(this);
    const int visible = horizontalHeader()->count() - horizontalHeader()->hiddenSectionCount();
    for (int column = 0; column < model()->columnCount(); ++column) {
        QAction* action = menu.addAction(model()->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        action->setEnabled(visible > 1 || isColumnHidden(column));
        connect(action, &QAction::toggled, this, [this, column](bool on) {
            setColumnHidden(column, !on);
            if (on && columnWidth(column) < 16)
                setColumnWidth(column, fontMetrics().averageCharWidth() * 16);
        });
    }
    menu.exec(horizontalHeader()->viewport()->mapToGlobal(position));
}

}  // namespace omni
