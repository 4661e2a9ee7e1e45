#pragma once

#include "model/configuration.h"
#include "routing/route_preview.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace omni {

/// The targets of a dry run in the order of trying, each with what becomes of it.
class ConsideredModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Number, State, Remaining, Target, Model, Why, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// Times count from `now`. Rows that stay the same are not touched.
    void setPreview(RoutePreview preview, ConfigurationPtr configuration, WallTime now);
    void clear();

    const ConsideredTarget* targetAt(int row) const;
    std::vector<int> countingRows() const;
    /// A hold is over, which nobody announces: the core looks lazily.
    bool anyEnded(WallTime now) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static QStringList stateWords();

private:
    struct Row {
        ConsideredTarget target;
        int place = 0;  ///< among the usable ones, from 1; 0 = not one of them
        std::optional<WallTime> until;

        bool operator==(const Row&) const = default;
    };
    QString stateText(const Row& row) const;
    QString whyText(const Row& row) const;
    QString unavailableText(const Row& row) const;

    ConfigurationPtr m_configuration;
    RoutePreview m_preview;
    std::vector<Row> m_rows;
};

}  // namespace omni
