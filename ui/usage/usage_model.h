#pragma once

#include "ui/usage/usage_rows.h"

#include <QAbstractTableModel>

namespace omni {

/// The usage table: its rows, filtered and in order, and below them their sum, which stays last however the table is sorted.
class UsageModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Provider, Requests, Errors, ErrorRate, TokensIn, TokensCached, TokensOut, Cost, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<UsageRow> rows, UsageGroup group);
    /// Only rows with all these words in name or provider; the sum is theirs.
    void setFilter(const QString& text);
    bool filtering() const { return !m_words.isEmpty(); }
    UsageGroup group() const { return m_group; }
    /// Under the filter, without the sum.
    int shownRows() const { return static_cast<int>(m_shown.size()); }
    /// Null for the sum.
    const UsageRow* rowAt(int row) const;
    const UsageRow& total() const { return m_total; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();
    void filterRows();
    bool before(const UsageRow& a, const UsageRow& b) const;
    QString display(const UsageRow& row, int column, bool sum) const;
    QString toolTip(const UsageRow& row, int column) const;

    std::vector<UsageRow> m_rows;
    std::vector<std::size_t> m_shown;
    UsageRow m_total;
    UsageGroup m_group = UsageGroup::Model;
    QStringList m_words;
    int m_sortColumn = Requests;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

}  // namespace omni
