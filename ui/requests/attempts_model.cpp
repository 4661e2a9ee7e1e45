#include "ui/requests/attempts_model.h"

#include "ui/models/display_text.h"
#include "ui/models/request_text.h"
#include "ui/models/state_delegate.h"

#include <algorithm>

namespace omni {

namespace {

std::int64_t endOf(const AttemptRecord& attempt)
{
    const std::int64_t last = std::max({attempt.totalUs, attempt.firstFrameUs, attempt.firstByteUs, attempt.connectUs, std::int64_t{0}});
    return attempt.startedUs + last;
}

Waterfall waterfallOf(const AttemptRecord& attempt, std::int64_t whole)
{
    const auto at = [&attempt](std::int64_t since) { return since < 0 ? since : attempt.startedUs + since; };
    return {attempt.startedUs, at(attempt.connectUs), at(attempt.firstByteUs), at(attempt.firstFrameUs), endOf(attempt), whole,
            attempt.success};
}

}  // namespace

void AttemptsModel::setRecord(const RequestRecord& record, ConfigurationPtr configuration)
{
    beginResetModel();
    m_configuration = std::move(configuration);
    m_tried = record.attempts;
    m_excluded = record.excluded;
    m_wholeUs = std::max<std::int64_t>(record.durationUs, 1);
    for (const AttemptRecord& attempt : m_tried)
        m_wholeUs = std::max(m_wholeUs, endOf(attempt));
    endResetModel();
}

void AttemptsModel::clear()
{
    beginResetModel();
    m_tried.clear();
    m_excluded.clear();
    endResetModel();
}

int AttemptsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_tried.size() + m_excluded.size());
}

int AttemptsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant AttemptsModel::triedData(const AttemptRecord& attempt, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
        switch (column) {
        case Target: return targetText(m_configuration.get(), attempt.provider, attempt.connectionName);
        case Model: return toQString(attempt.model);
        case Result: return attemptResultText(attempt);
        case Phases: return QString();
        case Total: return durationText(attempt.totalUs);
        case Followed: return decisionText(attempt);
        default: return {};
        }
    case Qt::AccessibleTextRole: return column == Phases ? QVariant(phasesText(attempt)) : QVariant();
    case Qt::ToolTipRole: return column == Phases ? phasesText(attempt) : triedData(attempt, column, Qt::DisplayRole);
    case StateDelegate::StateRole:
        return column == Result ? QVariant::fromValue(StateKey{attempt.success ? Outcome::Answered : Outcome::UpstreamFailed}) : QVariant();
    case WaterfallRole: return column == Phases ? QVariant::fromValue(waterfallOf(attempt, m_wholeUs)) : QVariant();
    default: return {};
    }
}

QVariant AttemptsModel::excludedData(const ExcludedTarget& target, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        switch (column) {
        case Target: return targetText(m_configuration.get(), target.provider, target.connectionName);
        case Model: return toQString(target.model);
        case Result: return leftOutReason(target);
        case Phases: return leftOutTime(target);
        default: return {};
        }
    case StateDelegate::StateRole: return column == Result ? QVariant::fromValue(StateKey{target.reason}) : QVariant();
    default: return {};
    }
}

QVariant AttemptsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    if (role == Qt::TextAlignmentRole)
        return index.column() == Total ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    const auto row = static_cast<std::size_t>(index.row());
    return row < m_tried.size() ? triedData(m_tried[row], index.column(), role)
                                : excludedData(m_excluded[row - m_tried.size()], index.column(), role);
}

QVariant AttemptsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section == Total)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::ToolTipRole && section == Phases)
        return tr("Thin: connecting. Pale: waiting for the first byte. Half: until the first token. Full: the stream.");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Target: return tr("Target");
    case Model: return tr("Model");
    case Result: return tr("Result");
    case Phases: return tr("Timeline");
    case Total: return tr("Took");
    case Followed: return tr("What followed");
    default: return {};
    }
}

}  // namespace omni
