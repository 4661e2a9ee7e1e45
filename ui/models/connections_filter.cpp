#include "ui/models/connections_filter.h"

#include "ui/models/connections_model.h"

#include <algorithm>

namespace omni {

ConnectionsFilter::ConnectionsFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(ConnectionsModel::SortRole);
    setSortLocaleAware(true);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    setDynamicSortFilter(true);
}

void ConnectionsFilter::setText(const QString& text)
{
    m_words = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

void ConnectionsFilter::setShow(Show show)
{
    m_show = show;
    invalidateFilter();
}

bool ConnectionsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const auto* model = qobject_cast<const ConnectionsModel*>(sourceModel());
    const Standing* standing = model ? model->standingAt(row) : nullptr;
    if (!standing)
        return true;
    const bool disabled = standing->reason == Exclusion::Disabled;
    const bool serving = standing->reason == Exclusion::None;
    if ((m_show == Show::Serving && !serving) || (m_show == Show::Disabled && !disabled)
        || (m_show == Show::OutOfService && ((serving && model->restingModels(row) == 0) || disabled)))
        return false;
    return std::all_of(m_words.begin(), m_words.end(), [&](const QString& word) {
        for (const int column : {ConnectionsModel::Name, ConnectionsModel::Provider, ConnectionsModel::State, ConnectionsModel::Key,
                                 ConnectionsModel::LastResult}) {
            if (model->index(row, column, parent).data().toString().contains(word, Qt::CaseInsensitive))
                return true;
        }
        return false;
    });
}

bool ConnectionsFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant a = left.data(ConnectionsModel::SortRole);
    const QVariant b = right.data(ConnectionsModel::SortRole);
    if (a != b)
        return QSortFilterProxyModel::lessThan(left, right);
    // Equals stand by provider, priority and name, so that a sort by state stays readable.
    for (const int column : {ConnectionsModel::Provider, ConnectionsModel::Priority, ConnectionsModel::Name}) {
        const QModelIndex l = left.siblingAtColumn(column);
        const QModelIndex r = right.siblingAtColumn(column);
        if (l.data(ConnectionsModel::SortRole) != r.data(ConnectionsModel::SortRole))
            return sortOrder() == Qt::AscendingOrder ? QSortFilterProxyModel::lessThan(l, r) : QSortFilterProxyModel::lessThan(r, l);
    }
    return left.row() < right.row();
}

}  // namespace omni
