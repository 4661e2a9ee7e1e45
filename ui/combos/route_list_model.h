#pragma once

#include "model/configuration.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <string>
#include <unordered_map>
#include <vector>

namespace omni {

class RouteOutlooks;

/// Names that clients can ask for, all combos or all aliases, each with where a request for it would go now.
class RouteListModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class Kind : std::uint8_t { Combos, Aliases };
    enum Column { Name, State, GoesTo, Content, Problem, ColumnCount };
    static constexpr int SortRole = Qt::UserRole + 1;

    /// `outlooks` must outlive the model.
    RouteListModel(Kind kind, RouteOutlooks& outlooks, QObject* parent);

    void setConfiguration(ConfigurationPtr configuration);

    /// A combo's id or an alias's name; empty for no such row.
    const std::string& idAt(int row) const;
    const std::string& nameAt(int row) const;
    int rowOf(const std::string& id) const;  ///< -1 = not there
    int problemCount() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        std::string id;
        std::string name;
        QString content;
        QString problem;
        QString tip;

        bool operator==(const Row&) const = default;
    };
    std::vector<Row> rowsOf(const Configuration& configuration) const;
    QString display(const Row& row, int column) const;

    Kind m_kind;
    RouteOutlooks& m_outlooks;
    ConfigurationPtr m_configuration;
    std::vector<Row> m_rows;
};

/// All words must be found somewhere in the row.
class RouteListFilter final : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit RouteListFilter(QObject* parent = nullptr);
    void setText(const QString& text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
};

}  // namespace omni
