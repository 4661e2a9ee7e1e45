#include "ui/cooldowns/held_model.h"

#include "ui/models/connections_model.h"
#include "ui/models/display_text.h"
#include "ui/models/state_delegate.h"

#include <map>

namespace omni {

namespace {

QString accessText(std::optional<ProviderClass> access)
{
    if (!access)
        return {};
    switch (*access) {
    case ProviderClass::OAuth: return HeldModel::tr("OAuth");
    case ProviderClass::ApiKey: return HeldModel::tr("API key");
    case ProviderClass::Local: return HeldModel::tr("local");
    }
    return {};
}

QString stateText(const HeldRow& row)
{
    if (row.kind == HeldRow::Kind::Model)
        return HeldModel::tr("model", "a line beneath a connection: this model of it rests");
    // Who rests is in the line already.
    return lookOf(row.state == Exclusion::ProviderCooldown ? Exclusion::ConnectionCooldown : row.state, Colours()).word;
}

QString textOf(const HeldRow& row, int column)
{
    switch (column) {
    case HeldModel::State: return stateText(row);
    case HeldModel::Provider: return row.providerName;
    case HeldModel::Name: return row.name;
    case HeldModel::Reason: return heldReasonText(row);
    case HeldModel::Remaining: return row.until ? countdownText(*row.until - wallNow()) : remedyText(row.state);
    case HeldModel::Level: return numberText(row.level);
    case HeldModel::LastError: return row.failed ? statusText(row.status) : QStringLiteral("–");
    case HeldModel::Since: return row.since ? timeText(*row.since) : QStringLiteral("–");
    case HeldModel::Until: return row.until ? timeText(*row.until) : QStringLiteral("–");
    case HeldModel::Access: return accessText(row.access);
    default: return {};
    }
}

QString levelTip(const HeldRow& row)
{
    switch (row.kind) {
    case HeldRow::Kind::Provider: return HeldModel::tr("How often in a row it was left out");
    case HeldRow::Kind::Connection: return HeldModel::tr("Backoff level: steps climbed on the ladder of rests");
    case HeldRow::Kind::Model: return HeldModel::tr("Failures of this model that count");
    }
    return {};
}

QString tipOf(const HeldRow& row, int column)
{
    switch (column) {
    case HeldModel::Remaining: return row.until ? exactTimeText(*row.until) : remedyText(row.state);
    case HeldModel::Since: return row.since ? exactTimeText(*row.since) : QString();
    case HeldModel::Level: return levelTip(row);
    case HeldModel::LastError: return row.lastError.empty() ? textOf(row, column) : coreText(row.lastError);
    default: return textOf(row, column);
    }
}

}  // namespace

QVariant HeldModel::data(const QModelIndex& index, int role) const
{
    const HeldRow* row = index.isValid() ? rowAt(index.row()) : nullptr;
    if (!row)
        return {};
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return textOf(*row, column);
    case Qt::ToolTipRole: return tipOf(*row, column);
    case Qt::TextAlignmentRole:
        if (column == Level)
            return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        return {};
    case StateDelegate::StateRole: return column == State ? QVariant::fromValue(StateKey{row->state}) : QVariant();
    case FoldRole: return column == State && row->lockCount > 0 ? QVariant(row->folded) : QVariant();
    case IndentRole: return row->kind == HeldRow::Kind::Model;
    case CellDelegate::QuietRole: return column == Remaining && !row->until;
    case RemainingDelegate::DeadlineRole:
        return column == Remaining && row->until ? QVariant(static_cast<qlonglong>(epochMillis(*row->until))) : QVariant();
    case RemainingDelegate::SinceRole:
        return column == Remaining && row->since ? QVariant(static_cast<qlonglong>(epochMillis(*row->since))) : QVariant();
    default: return {};
    }
}

QVariant HeldModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section == Level)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::ToolTipRole && section == Level)
        return tr("Steps climbed on the ladder of rests; of a model, its failures that count");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case State: return tr("State");
    case Provider: return tr("Provider");
    case Name: return tr("Connection");
    case Reason: return tr("Reason");
    case Remaining: return tr("Remaining");
    case Level: return tr("Level");
    case LastError: return tr("Last error");
    case Since: return tr("Since");
    case Until: return tr("Until");
    case Access: return tr("Access");
    default: return {};
    }
}

int HeldModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString HeldModel::summary() const
{
    std::map<std::pair<bool, QString>, int> states;
    int models = 0;
    for (const HeldGroup& group : m_groups) {
        models += group.head.lockCount;
        if (group.head.state != Exclusion::None)
            ++states[{group.head.lasting(), lookOf(group.head.state, Colours()).word}];
    }
    QStringList parts;
    for (const auto& [state, count] : states)
        parts << tr("%1 %2", "10 resting").arg(numberText(count), state.second);
    if (models > 0)
        parts << ConnectionsModel::restingModelsText(models);
    return parts.isEmpty() ? tr("What routing leaves out for now, and why.") : parts.join(QStringLiteral(", "));
}

}  // namespace omni
