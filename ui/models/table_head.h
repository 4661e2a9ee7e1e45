#pragma once

#include <QHeaderView>

namespace omni {

/// The head of a DataTable: quiet bold words that stand exactly above the text of their columns, and a small chevron where it sorts.
class TableHead final : public QHeaderView {
    Q_OBJECT

public:
    explicit TableHead(QWidget* parent = nullptr);
    /// Room the words of a column need, sorting chevron included.
    int neededWidth(int column) const;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
    void paintEvent(QPaintEvent* event) override;
    QSize sectionSizeFromContents(int logicalIndex) const override;

private:
    QFont headFont() const;
    QString textOf(int column) const;
};

}  // namespace omni
