#pragma once

#include <QAbstractTableModel>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace omni {

/// A table that is told again and again what it holds, and passes on only what differs: rows go, come, move and change, and are never
/// all reset, so that selection, scroll place and focus stay with what they were on. `Row` has a unique `key` (std::string) and `==`.
/// A pass over ten thousand rows that are as before costs one comparison each.
template <typename Row>
class KeyedRowsModel : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }
    const Row* rowAt(int row) const { return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr; }
    /// -1 = not shown.
    int rowOf(std::string_view key) const
    {
        const auto found = std::find_if(m_rows.begin(), m_rows.end(), [key](const Row& row) { return row.key == key; });
        return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
    }

protected:
    const std::vector<Row>& rows() const { return m_rows; }

    /// From now on the table holds `wanted`, in this order.
    void showRows(std::vector<Row> wanted)
    {
        if (!sameKeys(wanted)) {
            std::vector<int> places = placesIn(wanted);
            removeUnwanted(places);
            reorder(places);
            insertMissing(wanted, places);
            return;
        }
        change(wanted);
    }

private:
    bool sameKeys(const std::vector<Row>& wanted) const
    {
        return std::equal(m_rows.begin(), m_rows.end(), wanted.begin(), wanted.end(),
                          [](const Row& a, const Row& b) { return a.key == b.key; });
    }

    /// For each present row its place among the wanted, -1 = none.
    std::vector<int> placesIn(const std::vector<Row>& wanted) const
    {
        std::unordered_map<std::string_view, int> index;
        index.reserve(wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i)
            index.emplace(wanted[i].key, static_cast<int>(i));
        std::vector<int> places;
        places.reserve(m_rows.size());
        for (const Row& row : m_rows) {
            const auto found = index.find(row.key);
            places.push_back(found == index.end() ? -1 : found->second);
        }
        return places;
    }

    void removeUnwanted(std::vector<int>& places)
    {
        for (int last = static_cast<int>(places.size()) - 1; last >= 0; --last) {
            if (places[static_cast<std::size_t>(last)] >= 0)
                continue;
            int first = last;
            while (first > 0 && places[static_cast<std::size_t>(first) - 1] < 0)
                --first;
            beginRemoveRows({}, first, last);
            m_rows.erase(m_rows.begin() + first, m_rows.begin() + last + 1);
            places.erase(places.begin() + first, places.begin() + last + 1);
            endRemoveRows();
            last = first;
        }
    }

    void reorder(std::vector<int>& places)
    {
        if (std::is_sorted(places.begin(), places.end()))
            return;
        Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
        std::vector<int> order(places.size());
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(),
                  [&places](int a, int b) { return places[static_cast<std::size_t>(a)] < places[static_cast<std::size_t>(b)]; });
        std::vector<Row> moved;
        moved.reserve(m_rows.size());
        std::vector<int> now(places.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto from = static_cast<std::size_t>(order[i]);
            moved.push_back(std::move(m_rows[from]));
            now[from] = static_cast<int>(i);
        }
        m_rows = std::move(moved);
        std::sort(places.begin(), places.end());
        const QModelIndexList before = persistentIndexList();
        QModelIndexList after;
        after.reserve(before.size());
        for (const QModelIndex& index : before)
            after << this->index(now[static_cast<std::size_t>(index.row())], index.column());
        changePersistentIndexList(before, after);
        Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
    }

    void insertMissing(std::vector<Row>& wanted, const std::vector<int>& places)
    {
        std::vector<char> present(wanted.size(), 0);
        for (const int place : places)
            present[static_cast<std::size_t>(place)] = 1;
        // Those that were there are brought up to date first: views look at their neighbours when rows come.
        std::vector<Row> kept;
        kept.reserve(places.size());
        for (const int place : places)
            kept.push_back(std::move(wanted[static_cast<std::size_t>(place)]));
        change(kept);
        for (std::size_t first = 0; first < wanted.size(); ++first) {
            if (present[first])
                continue;
            std::size_t end = first;
            while (end < wanted.size() && !present[end])
                ++end;
            beginInsertRows({}, static_cast<int>(first), static_cast<int>(end) - 1);
            m_rows.insert(m_rows.begin() + static_cast<std::ptrdiff_t>(first),
                          std::make_move_iterator(wanted.begin() + static_cast<std::ptrdiff_t>(first)),
                          std::make_move_iterator(wanted.begin() + static_cast<std::ptrdiff_t>(end)));
            endInsertRows();
            first = end;
        }
    }

    /// Announces neighbours that differ together.
    void change(std::vector<Row>& wanted)
    {
        for (std::size_t first = 0; first < wanted.size(); ++first) {
            if (m_rows[first] == wanted[first])
                continue;
            std::size_t end = first;
            for (; end < wanted.size() && !(m_rows[end] == wanted[end]); ++end)
                m_rows[end] = std::move(wanted[end]);
            Q_EMIT dataChanged(index(static_cast<int>(first), 0), index(static_cast<int>(end) - 1, columnCount() - 1));
            first = end;
        }
    }

    std::vector<Row> m_rows;
};

}  // namespace omni
