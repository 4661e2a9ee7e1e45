#include "ui/models/connections_model.h"
#include "ui/models/display_text.h"
#include "ui/models/holds.h"
#include "ui/models/state_delegate.h"

#include <cstdint>
#include <map>

namespace omni {

namespace {

constexpr int kTipModels = 20;

/// What the user cares about first: broken, out for now, serving, switched off.
int severity(Exclusion reason)
{
    switch (reason) {
    case Exclusion::None: return 4;
    case Exclusion::Disabled: return 5;
    case Exclusion::CircuitOpen: return 1;
    case Exclusion::ConnectionCooldown:
    case Exclusion::ProviderCooldown: return 2;
    case Exclusion::ModelLockout: return 3;
    default: return 0;
    }
}

}  // namespace

QString ConnectionsModel::restingModelsText(int count)
{
    return count == 1 ? tr("one model resting") : tr("%1 models resting").arg(numberText(count));
}

QString ConnectionsModel::summary() const
{
    std::map<std::pair<int, QString>, int> counts;
    int withRestingModels = 0;
    for (const Row& row : m_rows) {
        ++counts[{severity(row.standing.reason), lookOf(row.standing.reason, Colours()).word}];
        withRestingModels += row.shown() == Exclusion::ModelLockout ? 1 : 0;
    }
    QStringList parts;
    for (const auto& [state, count] : counts) {
        parts << tr("%1 %2", "10 serving").arg(numberText(count), state.second);
        if (state.first == severity(Exclusion::None) && withRestingModels > 0)
            parts << tr("%1 of them with models resting").arg(numberText(withRestingModels));
    }
    const QString total = rowCount() == 1 ? tr("One connection") : tr("%1 connections").arg(numberText(rowCount()));
    return parts.isEmpty() ? total : tr("%1: %2").arg(total, parts.join(QStringLiteral(", ")));
}

QString ConnectionsModel::modelsText(const Row& row) const
{
    std::size_t count = row.connection.models.size();
    if (count == 0) {
        if (const auto* provider = m_configuration->provider(row.connection.provider))
            count = provider->models.size();
    }
    return count == 0 ? QStringLiteral("–") : numberText(static_cast<std::int64_t>(count));
}

QString ConnectionsModel::resultText(const Row& row) const
{
    if (row.test) {
        const TestReport& report = row.test->report;
        if (row.test->running)
            return tr("Testing…");
        if (!report.ok)
            return tr("Test failed: %1").arg(report.message.empty() ? statusText(report.status) : coreText(report.message));
        const QString latency = durationText(report.latency.count() * 1000);
        return report.models.empty() ? tr("Test passed in %1").arg(latency)
                                     : tr("Test passed in %1, %2 models").arg(latency, numberText(static_cast<int>(report.models.size())));
    }
    return toQString(row.health.lastError);
}

QVariant ConnectionsModel::display(const Row& row, int column) const
{
    switch (column) {
    case State:
        return row.shown() == Exclusion::ModelLockout ? restingModelsText(static_cast<int>(row.locks.size()))
                                                      : lookOf(row.standing.reason, Colours()).word;
    case Provider: return row.provider;
    case Name: return toQString(row.connection.name);
    case Key: return row.connection.keyHint.empty() ? QStringLiteral("–") : toQString(row.connection.keyHint);
    case Priority: return numberText(row.connection.priority);
    case Models: return modelsText(row);
    case LastUsed: return row.health.lastUsedAt ? timeText(*row.health.lastUsedAt) : QStringLiteral("–");
    case LastResult: return resultText(row);
    case Remaining: return row.until() ? countdownText(*row.until() - wallNow()) : QString();
    default: return {};
    }
}

QVariant ConnectionsModel::sortKey(const Row& row, int column) const
{
    switch (column) {
    case State: return severity(row.shown());
    case Priority: return row.connection.priority;
    case Models: return static_cast<qlonglong>(row.connection.models.size());
    case LastUsed: return static_cast<qlonglong>(row.health.lastUsedAt ? epochMillis(*row.health.lastUsedAt) : 0);
    case Remaining: return static_cast<qlonglong>(row.until() ? epochMillis(*row.until()) : INT64_MAX);
    default: return display(row, column);
    }
}

QVariant ConnectionsModel::toolTip(const Row& row, int column) const
{
    switch (column) {
    case State:
    case Remaining: return whyOut(row);
    case LastResult: {
        const QString text = resultText(row);
        if (row.test || !row.health.lastErrorAt || text.isEmpty())
            return text;
        return text + QLatin1Char('\n') + exactTimeText(*row.health.lastErrorAt);
    }
    case LastUsed: return row.health.lastUsedAt ? exactTimeText(*row.health.lastUsedAt) : QString();
    case Models: {
        QStringList names;
        for (const std::string& model : row.connection.models) {
            if (names.size() == kTipModels) {
                names << QStringLiteral("…");
                break;
            }
            names << toQString(model);
        }
        return names.join(QLatin1Char('\n'));
    }
    default: return display(row, column);
    }
}

QString ConnectionsModel::whyOut(const Row& row) const
{
    QStringList lines;
    const bool itself = row.standing.reason == Exclusion::ConnectionCooldown || row.health.terminal != TerminalState::None;
    if (itself && row.health.evidence)
        lines << evidenceText(*row.health.evidence);
    for (const ModelLockout& lock : row.locks) {
        if (lines.size() == kTipModels) {
            lines << QStringLiteral("…");
            break;
        }
        lines << lockoutLine(lock);
    }
    return lines.join(QLatin1Char('\n'));
}

QVariant ConnectionsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return display(row, index.column());
    case SortRole: return sortKey(row, index.column());
    case Qt::ToolTipRole: return toolTip(row, index.column());
    case Qt::TextAlignmentRole:
        if (index.column() == Priority || index.column() == Models)
            return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        return {};
    case StateDelegate::StateRole:
        if (index.column() == State)
            return QVariant::fromValue(StateKey{row.shown()});
        if (index.column() == LastResult && row.test && !row.test->running)
            return QVariant::fromValue(StateKey{row.test->report.ok ? Outcome::Answered : Outcome::UpstreamFailed});
        return {};
    case RemainingDelegate::DeadlineRole:
        if (index.column() == Remaining && row.until())
            return static_cast<qlonglong>(epochMillis(*row.until()));
        return {};
    case RemainingDelegate::SinceRole:
        if (index.column() == Remaining && row.since())
            return static_cast<qlonglong>(epochMillis(*row.since()));
        return {};
    default: return {};
    }
}

Qt::ItemFlags ConnectionsModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() ? flags | Qt::ItemIsDragEnabled : flags;
}

QVariant ConnectionsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && (section == Priority || section == Models))
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case State: return tr("State");
    case Provider: return tr("Provider");
    case Name: return tr("Name");
    case Key: return tr("Key");
    case Priority: return tr("Priority");
    case Models: return tr("Models");
    case LastUsed: return tr("Last used");
    case LastResult: return tr("Last result");
    case Remaining: return tr("Rests for");
    default: return {};
    }
}

}  // namespace omni
