#pragma once

#include "control/control.h"
#include "ui/models/cell_delegate.h"

#include <QAbstractTableModel>

#include <vector>

namespace omni {

/// When the phases of one attempt began, in microseconds since the request came in; -1 = did not come to it.
struct Waterfall {
    std::int64_t started = 0, connected = -1, firstByte = -1, firstFrame = -1, ended = 0;
    std::int64_t whole = 1;  ///< the longest of all, the right edge
    bool success = false;

    bool operator==(const Waterfall&) const = default;
};

/// The targets of one request in their order: those tried with their timings and what followed, then those left out and why.
class AttemptsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Target, Model, Result, Phases, Total, Followed, ColumnCount };
    static constexpr int WaterfallRole = Qt::UserRole + 44;

    using QAbstractTableModel::QAbstractTableModel;

    void setRecord(const RequestRecord& record, ConfigurationPtr configuration);
    void clear();
    /// Rows with a waterfall come first.
    int triedCount() const { return static_cast<int>(m_tried.size()); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant triedData(const AttemptRecord& attempt, int column, int role) const;
    QVariant excludedData(const ExcludedTarget& target, int column, int role) const;

    ConfigurationPtr m_configuration;
    std::vector<AttemptRecord> m_tried;
    std::vector<ExcludedTarget> m_excluded;
    std::int64_t m_wholeUs = 1;
};

/// Draws an attempt's phases as bars on one scale for all rows: connecting thin, waiting for the first byte pale, then up to the first
/// token half-strong, the stream strong.
class WaterfallDelegate final : public CellDelegate {
    Q_OBJECT

public:
    using CellDelegate::CellDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace omni

Q_DECLARE_METATYPE(omni::Waterfall)
