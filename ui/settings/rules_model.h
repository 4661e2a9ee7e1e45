#pragma once

#include "model/configuration.h"
#include "ui/settings/rule_edits.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace omni {

/// The operator's error rules, one a row, in the order in which they are asked.
class RulesModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { ProviderColumn, Order, Status, Match, Meaning, Reach, Hold, ColumnCount };
    static constexpr int SortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void setConfiguration(ConfigurationPtr configuration);
    const ErrorRules& rules() const { return m_rules; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QVariant text(const ProviderErrorRule& rule, std::size_t row, int column) const;
    /// Its place among the rules of its provider, from 1.
    int placeOf(std::size_t row) const;

    ConfigurationPtr m_configuration;
    ErrorRules m_rules;
};

/// Rows that hold all the words; at first in the order of the rules.
class RulesFilter final : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit RulesFilter(QObject* parent);
    void setText(const QString& text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
};

}  // namespace omni
