#pragma once

#include "model/configuration.h"

#include <QAbstractTableModel>

#include <optional>
#include <set>
#include <vector>

namespace omni {

/// Models and what the user pays for them; those without a price are shown so.
class PricesModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Model, Provider, Input, Cached, Output, ColumnCount };
    static constexpr int SortRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;

    /// Models that appear although they have no price.
    void setUsed(const std::vector<PricedModel>& used);
    void setConfiguration(ConfigurationPtr configuration);
    const PricedModel* modelAt(int row) const;
    std::optional<ModelPrice> priceAt(int row) const;
    int rowOf(const PricedModel& model) const;  ///< -1 = not there

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        PricedModel model;
        QString provider;
        std::optional<ModelPrice> price;
    };
    void rebuild();

    ConfigurationPtr m_configuration;
    std::set<PricedModel> m_used;
    std::vector<Row> m_rows;
};

/// "$1.25": as many places as it has, two at least.
QString priceText(double dollars);

}  // namespace omni
