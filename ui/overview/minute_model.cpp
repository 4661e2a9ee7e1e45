#include "ui/overview/minute_model.h"

#include "ui/models/display_text.h"
#include "ui/models/request_text.h"
#include "ui/models/state_delegate.h"

#include <algorithm>
#include <utility>

namespace omni {

namespace {

bool sameEvent(const MinuteEvent& a, const MinuteEvent& b)
{
    return a.at == b.at && a.provider == b.provider && a.became == b.became && a.request == b.request &&
           a.attempt.startedUs == b.attempt.startedUs;
}

}  // namespace

void MinuteModel::setMinute(PastMinute minute, ConfigurationPtr configuration)
{
    m_configuration = std::move(configuration);
    // Asked anew while it lasts; what is chosen in it stays chosen.
    const bool same = minute.from == m_minute.from && minute.events.size() >= m_minute.events.size() &&
                      std::equal(m_minute.events.begin(), m_minute.events.end(), minute.events.begin(), sameEvent);
    if (!same) {
        beginResetModel();
        m_minute = std::move(minute);
        endResetModel();
        return;
    }
    const int before = rowCount();
    const int more = static_cast<int>(minute.events.size()) - before;
    if (more == 0)
        return;
    beginInsertRows({}, before, before + more - 1);
    m_minute = std::move(minute);
    endInsertRows();
}

RequestId MinuteModel::requestAt(int row) const
{
    return row >= 0 && row < rowCount() ? m_minute.events[static_cast<std::size_t>(row)].request : RequestId();
}

int MinuteModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_minute.events.size());
}

int MinuteModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString MinuteModel::textOf(const MinuteEvent& event, int column) const
{
    switch (column) {
    case Time: return timeText(event.at);
    case Provider: return providerText(m_configuration.get(), event.provider);
    case What:
        if (event.became)
            return lookOf(*event.became, Colours()).word;
        return event.attempt.success ? tr("answered") : attemptResultText(event.attempt);
    case Connection: return toQString(event.attempt.connectionName);
    case Model: return toQString(event.attempt.model);
    default: return {};
    }
}

QVariant MinuteModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const MinuteEvent& event = m_minute.events[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole)
        return textOf(event, index.column());
    if (role == StateDelegate::StateRole && index.column() == What) {
        if (event.became)
            return QVariant::fromValue(StateKey{*event.became});
        return QVariant::fromValue(StateKey{event.attempt.success ? Outcome::Answered : Outcome::UpstreamFailed});
    }
    if (role == Qt::ToolTipRole) {
        if (index.column() == Time)
            return exactTimeText(event.at);
        return event.attempt.error.empty() ? textOf(event, index.column()) : toQString(event.attempt.error);
    }
    return {};
}

QVariant MinuteModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time: return tr("Time");
    case Provider: return tr("Provider");
    case What: return tr("What happened");
    case Connection: return tr("Connection");
    case Model: return tr("Model");
    default: return {};
    }
}

}  // namespace omni
