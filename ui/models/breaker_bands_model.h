#pragma once

#include "control/control.h"
#include "ui/charts/breaker_band.h"
#include "ui/models/standing.h"

#include <QAbstractTableModel>

#include <map>
#include <optional>
#include <vector>

namespace omni {

/// One row for each provider in use: its name, its breaker's states over time, its state now. Updated once a second with what the core
/// tells; only what differs is announced.
class BreakerBandsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Band, State, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// Bands of the last `span`. Nothing is drawn where nothing is known: while the program did not run.
    void update(const Configuration& configuration, const EngineSnapshot& engine, const BreakerHistory& history, Millis span, WallTime now);

    /// While set, the last column tells how the breakers stood then in place of how they stand now; unset state = not known.
    using PastStates = std::map<ProviderId, std::optional<BreakerState>>;
    void showPast(std::optional<PastStates> states);

    ProviderId providerAt(int row) const;
    std::vector<ProviderId> providers() const;
    int rowOf(const ProviderId& provider) const;  ///< -1 = not shown
    const BreakerStatus* statusAt(int row) const;
    /// The one most in need of a look: open, then half-open, degraded, or with any failure counted. Empty when all is well.
    ProviderId mostTroubled() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        ProviderId provider;
        QString name;
        BreakerStatus status;
        std::vector<BandSegment> band;
    };
    Row makeRow(const ProviderId& provider, const Configuration& configuration, const SnapshotIndex& index) const;
    QString stateText(const Row& row) const;
    QVariant pastData(const Row& row, int role) const;
    QString bandText(const Row& row) const;

    std::vector<Row> m_rows;
    Millis m_span{0};
    WallTime m_now{};
    std::optional<PastStates> m_past;
};

}  // namespace omni
