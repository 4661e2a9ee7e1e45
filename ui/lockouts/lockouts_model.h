#pragma once

#include "ui/cooldowns/held_row.h"
#include "ui/models/keyed_rows_model.h"

#include <QStringList>

#include <optional>
#include <utility>
#include <vector>

namespace omni {

/// One locked model with the connection it is locked on.
struct LockoutRow {
    std::string key;
    HeldRow held;
    QString connectionName;

    bool operator==(const LockoutRow&) const = default;
};

/// All running lockouts of models, as the engine tells them, whatever else holds their connections. Filters and sorts by itself.
class LockoutsModel final : public KeyedRowsModel<LockoutRow> {
    Q_OBJECT

public:
    enum Column { Model, Provider, Connection, Scope, Reason, Failures, Remaining, Expires, Since, LastError, ColumnCount };

    using KeyedRowsModel::KeyedRowsModel;

    void setFacts(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now);
    void setText(const QString& text);
    void setProvider(const ProviderId& provider);
    /// Whatever the filter.
    const std::vector<LockoutRow>& all() const { return m_all; }
    std::vector<std::pair<QString, ProviderId>> providers() const;
    /// Something was to end at or before `now`, and nobody has told yet.
    bool anythingOver(WallTime now) const { return m_soonest && *m_soonest <= now; }

    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();
    bool comesBefore(const LockoutRow& a, const LockoutRow& b) const;

    std::vector<LockoutRow> m_all;
    std::optional<WallTime> m_soonest;
    QStringList m_words;
    ProviderId m_provider;
    int m_column = Remaining;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

}  // namespace omni
