#include "ui/combos/targets_model.h"

#include "routing/target_check.h"
#include "ui/combos/route_text.h"
#include "ui/models/display_text.h"
#include "ui/models/state_delegate.h"

#include <algorithm>
#include <utility>

namespace omni {

TargetsModel::TargetsModel(ConfigurationPtr configuration, QObject* parent)
    : QAbstractTableModel(parent), m_configuration(std::move(configuration))
{
}

void TargetsModel::setTargets(std::vector<ComboTarget> targets)
{
    beginResetModel();
    m_targets = std::move(targets);
    m_errors.clear();
    check();
    endResetModel();
    Q_EMIT changed();
}

void TargetsModel::setConfiguration(ConfigurationPtr configuration)
{
    m_configuration = std::move(configuration);
    check();
    announceAll();
}

void TargetsModel::setErrors(const std::vector<FieldError>& errors)
{
    m_errors = errors;
    check();
    announceAll();
}

void TargetsModel::check()
{
    const TargetCheck check(*m_configuration);
    m_faults.assign(m_targets.size(), QString());
    m_refused.assign(m_targets.size(), QString());
    for (std::size_t i = 0; i < m_targets.size(); ++i) {
        m_faults[i] = faultText(check.faultOf(m_targets[i]));
        const std::string field = "models[" + std::to_string(i) + "]";
        for (const FieldError& error : m_errors) {
            if (error.field.rfind(field, 0) == 0 && m_refused[i].isEmpty())
                m_refused[i] = coreText(error.message);
        }
    }
}

void TargetsModel::announceAll()
{
    if (!m_targets.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void TargetsModel::append(ComboTarget target)
{
    beginInsertRows({}, rowCount(), rowCount());
    m_targets.push_back(std::move(target));
    check();
    endInsertRows();
    Q_EMIT changed();
}

int TargetsModel::move(const std::vector<int>& rows, int before)
{
    std::vector<int> order;
    int first = 0;
    const auto taken = [&rows](int row) { return std::binary_search(rows.begin(), rows.end(), row); };
    for (int row = 0; row <= rowCount(); ++row) {
        if (row == before) {
            first = static_cast<int>(order.size());
            order.insert(order.end(), rows.begin(), rows.end());
        }
        if (row < rowCount() && !taken(row))
            order.push_back(row);
    }
    if (std::is_sorted(order.begin(), order.end()))
        return first;
    Q_EMIT layoutAboutToBeChanged();
    std::vector<ComboTarget> moved;
    std::vector<int> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
        moved.push_back(std::move(m_targets[static_cast<std::size_t>(order[i])]));
    }
    m_targets = std::move(moved);
    m_errors.clear();
    check();
    const QModelIndexList old = persistentIndexList();
    QModelIndexList now;
    for (const QModelIndex& one : old)
        now << index(place[static_cast<std::size_t>(one.row())], one.column());
    changePersistentIndexList(old, now);
    Q_EMIT layoutChanged();
    Q_EMIT changed();
    return first;
}

void TargetsModel::remove(const std::vector<int>& rows)
{
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
        beginRemoveRows({}, *row, *row);
        m_targets.erase(m_targets.begin() + *row);
        m_errors.clear();
        check();
        endRemoveRows();
    }
    if (!rows.empty())
        Q_EMIT changed();
}

void TargetsModel::pin(const std::vector<int>& rows, const std::optional<ConnectionId>& connection)
{
    for (const int row : rows)
        m_targets[static_cast<std::size_t>(row)].connection = connection;
    check();
    announceAll();
    Q_EMIT changed();
}

int TargetsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_targets.size());
}

int TargetsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant TargetsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const ComboTarget& target = m_targets[row];
    const QString& problem = m_refused[row].isEmpty() ? m_faults[row] : m_refused[row];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        switch (index.column()) {
        case Number: return numberText(index.row() + 1);
        case Model: return toQString(target.model);
        case Where: return comboTargetText(*m_configuration, target);
        case Problem: return problem;
        default: return {};
        }
    case Qt::TextAlignmentRole:
        return index.column() == Number ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case StateDelegate::StateRole:
        if (index.column() != Problem || problem.isEmpty())
            return {};
        return QVariant::fromValue(m_refused[row].isEmpty() ? StateKey{BreakerState::Degraded} : StateKey{Exclusion::Unavailable});
    default: return {};
    }
}

QVariant TargetsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section == Number)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Number: return tr("No.", "place in the list of targets");
    case Model: return tr("Model");
    case Where: return tr("Connection");
    case Problem: return tr("Problem");
    default: return {};
    }
}

Qt::ItemFlags TargetsModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() ? flags | Qt::ItemIsDragEnabled : flags | Qt::ItemIsDropEnabled;
}

}  // namespace omni
