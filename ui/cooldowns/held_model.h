#pragma once

#include "ui/cooldowns/held_row.h"
#include "ui/models/keyed_rows_model.h"

#include <QStringList>

#include <unordered_map>
#include <vector>

namespace omni {

/// What is out of routing, for the Cooldown Manager's table: filtered, sorted, with the models of a connection beneath it, foldable.
/// It sorts by itself, so that models stay with their connection.
class HeldModel final : public KeyedRowsModel<HeldRow> {
    Q_OBJECT

public:
    enum Column { State, Provider, Name, Reason, Remaining, Level, LastError, Since, Until, Access, ColumnCount };
    enum class Show { All, Passing, Lasting };
    static constexpr int FoldRole = Qt::UserRole + 51;    ///< whether the models beneath are folded; invalid = there are none
    static constexpr int IndentRole = Qt::UserRole + 52;  ///< true for a model

    using KeyedRowsModel::KeyedRowsModel;

    void setFacts(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now);
    void setText(const QString& text);
    void setProvider(const ProviderId& provider);
    void setShow(Show show);
    bool filtering() const { return !m_words.isEmpty() || !m_provider.empty() || m_show != Show::All; }
    const ProviderId& provider() const { return m_provider; }

    void setFolded(const std::string& key, bool folded);
    void foldAll(bool folded);

    /// Whatever the filter.
    const std::vector<HeldGroup>& groups() const { return m_groups; }
    /// Providers of all that is held, by name.
    std::vector<std::pair<QString, ProviderId>> providers() const;
    /// Something was to end at or before `now`: the engine looks lazily, so the facts are to be looked at again.
    bool anythingOver(WallTime now) const { return m_soonest && *m_soonest <= now; }
    /// "2 resting, 1 expired, 2 models resting".
    QString summary() const;
    /// Looks for what stands for `key` now and unfolds what hides it; -1 = not there under this filter.
    int reveal(const std::string& key);

    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();
    bool foldedNow(const HeldRow& head) const;
    bool comesBefore(const HeldRow& a, const HeldRow& b) const;

    std::vector<HeldGroup> m_groups;
    std::optional<WallTime> m_soonest;
    QStringList m_words;
    ProviderId m_provider;
    Show m_show = Show::All;
    int m_column = State;
    Qt::SortOrder m_order = Qt::AscendingOrder;
    std::unordered_map<std::string, bool> m_folded;  ///< as the user wants it
};

}  // namespace omni
