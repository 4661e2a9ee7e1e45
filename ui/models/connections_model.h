#pragma once

#include "control/control.h"
#include "ui/models/standing.h"

#include <QAbstractTableModel>

#include <optional>
#include <unordered_map>
#include <vector>

namespace omni {

/// All connections with what the engine knows of them. Updates touch only the rows that differ: a thousand rows and ten snapshots a
/// second cost one pass of comparisons each.
class ConnectionsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { State, Provider, Name, Key, Priority, Models, LastUsed, LastResult, Remaining, ColumnCount };
    static constexpr int SortRole = Qt::UserRole + 1;

    /// A live test asked for by the user, as its row shows it until the next failure or test.
    struct Test {
        bool running = false;
        WallTime at{};
        TestReport report;
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setConfiguration(ConfigurationPtr configuration, const EngineSnapshot& engine, WallTime now);
    void setEngine(const EngineSnapshot& engine, WallTime now);
    /// Looks again when a hold has ended without a word from the engine (it looks lazily).
    void expire(const EngineSnapshot& engine, WallTime now);

    void testStarted(const ConnectionId& id);
    /// Unset = the test was given up.
    void testFinished(const ConnectionId& id, std::optional<TestReport> report, WallTime now);
    bool testRunning(const ConnectionId& id) const;

    const ConfigurationPtr& configuration() const { return m_configuration; }
    const Connection* connectionAt(int row) const;
    const Standing* standingAt(int row) const;
    int rowOf(const ConnectionId& id) const;  ///< -1 = not there
    /// How many models of it are locked, whether or not it is out itself.
    int restingModels(int row) const;
    /// "one model resting", "2 models resting".
    static QString restingModelsText(int count);
    /// Source rows with a running countdown.
    std::vector<int> countingRows() const;
    /// "12 connections: 1 expired, 1 resting, 10 serving, 2 of them with models resting".
    QString summary() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row {
        Connection connection;
        ConnectionHealth health;
        Standing standing;
        std::vector<ModelLockout> locks;  ///< running ones, without evidence
        QString provider;

        /// A connection in service some of whose models rest is shown for them.
        Exclusion shown() const;
        std::optional<WallTime> until() const;
        std::optional<WallTime> since() const;
        std::optional<Test> test;
    };

    enum class Change { None, LastUsed, Row };
    Change refreshRow(Row& row, const SnapshotIndex& snapshot, WallTime now) const;
    void announce(int row, Change change = Change::Row);
    void reindex();
    QString modelsText(const Row& row) const;
    QString resultText(const Row& row) const;
    QVariant display(const Row& row, int column) const;
    QVariant sortKey(const Row& row, int column) const;
    QVariant toolTip(const Row& row, int column) const;
    QString whyOut(const Row& row) const;

    ConfigurationPtr m_configuration;
    std::vector<Row> m_rows;
    std::unordered_map<ConnectionId, int> m_index;
};

}  // namespace omni
