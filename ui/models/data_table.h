#pragma once

#include <QList>
#include <QTableView>

class QMenu;

namespace omni {

/// A table as all pages have it: rows are selected whole, Tab leaves it, Enter activates, Ctrl+C copies the selected rows as text, a
/// right click on the head hides columns. Widths are given in characters, so that they follow the font.
class DataTable : public QTableView {
    Q_OBJECT

public:
    explicit DataTable(QWidget* parent = nullptr);

    /// After `setModel`. A width of 0 hides the column at first; the last visible one takes what is left.
    void setColumnWidths(const QList<int>& characters);
    /// At least so wide that each of `words` fits beside a state's shape; for columns with few values, whose words differ by language.
    void widenForStates(int column, const QStringList& words);
    /// Selected rows in the order shown, without doubles.
    QModelIndexList selectedRowsInOrder() const;
    /// Head and selected rows, tab-separated; all rows when none is selected.
    QString selectedText() const;

public Q_SLOTS:
    void copySelection() const;

Q_SIGNALS:
    void deletePressed();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showColumnMenu(const QPoint& position);
    void fitRows();
};

}  // namespace omni
