#pragma once

#include "model/configuration.h"
#include "ui/overview/past_minute.h"

#include <QAbstractTableModel>

namespace omni {

/// What happened within a past minute, a line for each event.
class MinuteModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, Provider, What, Connection, Model, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setMinute(PastMinute minute, ConfigurationPtr configuration);
    /// Empty for a change of a breaker.
    RequestId requestAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(const MinuteEvent& event, int column) const;

    PastMinute m_minute;
    ConfigurationPtr m_configuration;
};

}  // namespace omni
