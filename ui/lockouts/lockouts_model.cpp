#include "ui/lockouts/lockouts_model.h"

#include "ui/models/display_text.h"
#include "ui/models/state_delegate.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace omni {

namespace {

QString scopeText(LockoutScope scope)
{
    switch (scope) {
    case LockoutScope::Family: return LockoutsModel::tr("its quota");
    case LockoutScope::NotFound: return LockoutsModel::tr("this name");
    case LockoutScope::Exact: return LockoutsModel::tr("this model");
    }
    return {};
}

QString scopeTip(LockoutScope scope)
{
    switch (scope) {
    case LockoutScope::Family: return LockoutsModel::tr("Every model of the connection that shares this quota rests.");
    case LockoutScope::NotFound: return LockoutsModel::tr("The model rests under the name it was asked for by.");
    case LockoutScope::Exact: return LockoutsModel::tr("This model rests, whatever it shares a quota with.");
    }
    return {};
}

QString textOf(const LockoutRow& row, int column)
{
    const HeldRow& held = row.held;
    switch (column) {
    case LockoutsModel::Model: return held.name;
    case LockoutsModel::Provider: return held.providerName;
    case LockoutsModel::Connection: return row.connectionName;
    case LockoutsModel::Scope: return scopeText(held.scope);
    case LockoutsModel::Reason: return reasonText(held.reason);
    case LockoutsModel::Failures: return numberText(held.level);
    case LockoutsModel::Remaining: return countdownText(*held.until - wallNow());
    case LockoutsModel::Expires: return timeText(*held.until);
    case LockoutsModel::Since: return timeText(*held.since);
    case LockoutsModel::LastError: return held.status > 0 ? statusText(held.status) : QStringLiteral("–");
    default: return {};
    }
}

QString tipOf(const LockoutRow& row, int column)
{
    switch (column) {
    case LockoutsModel::Scope: return scopeTip(row.held.scope);
    case LockoutsModel::Reason:
        return row.held.lastError.empty() ? reasonText(row.held.reason)
                                          : reasonText(row.held.reason) + QLatin1Char('\n') + toQString(row.held.lastError);
    case LockoutsModel::Remaining:
    case LockoutsModel::Expires: return exactTimeText(*row.held.until);
    case LockoutsModel::Since: return exactTimeText(*row.held.since);
    default: return textOf(row, column);
    }
}

bool matches(const LockoutRow& row, const QStringList& words)
{
    if (words.isEmpty())
        return true;
    const QString text = QStringList{row.held.name,      toQString(row.held.model), row.held.providerName,
                                     row.connectionName, scopeText(row.held.scope), reasonText(row.held.reason)}
                             .join(QLatin1Char('\n'));
    return std::all_of(words.begin(), words.end(), [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

template <typename T>
int compare(const T& a, const T& b)
{
    return a < b ? -1 : b < a ? 1 : 0;
}

int compareBy(int column, const LockoutRow& a, const LockoutRow& b)
{
    switch (column) {
    case LockoutsModel::Failures: return compare(a.held.level, b.held.level);
    case LockoutsModel::Remaining:
    case LockoutsModel::Expires: return compare(a.held.until, b.held.until);
    case LockoutsModel::Since: return compare(a.held.since, b.held.since);
    case LockoutsModel::LastError: return compare(a.held.status, b.held.status);
    default: return QString::compare(textOf(a, column), textOf(b, column), Qt::CaseInsensitive);
    }
}

}  // namespace

void LockoutsModel::setFacts(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now)
{
    struct Names {
        QString provider, connection;
    };
    std::unordered_map<ConnectionId, Names> names;
    for (const omni::Connection& connection : configuration.connections)
        names.emplace(connection.id, Names{providerText(&configuration, connection.provider), toQString(connection.name)});
    std::vector<LockoutRow> all;
    all.reserve(snapshot.lockouts.size());
    m_soonest.reset();
    for (const ModelLockout& lockout : snapshot.lockouts) {
        if (lockout.until <= now)
            continue;
        const auto known = names.find(lockout.connection);
        const bool there = known != names.end();
        LockoutRow row;
        row.held = heldRowOf(lockout, there ? known->second.provider : providerText(&configuration, lockout.provider));
        row.key = row.held.key;
        row.connectionName = there ? known->second.connection : toQString(lockout.connection.str());
        if (!m_soonest || lockout.until < *m_soonest)
            m_soonest = lockout.until;
        all.push_back(std::move(row));
    }
    if (all == m_all)
        return;
    m_all = std::move(all);
    arrange();
}

void LockoutsModel::setText(const QString& text)
{
    m_words = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    arrange();
}

void LockoutsModel::setProvider(const ProviderId& provider)
{
    m_provider = provider;
    arrange();
}

std::vector<std::pair<QString, ProviderId>> LockoutsModel::providers() const
{
    std::map<QString, ProviderId> found;
    for (const LockoutRow& row : m_all)
        found.emplace(row.held.providerName, row.held.provider);
    return {found.begin(), found.end()};
}

bool LockoutsModel::comesBefore(const LockoutRow& a, const LockoutRow& b) const
{
    int order = compareBy(m_column, a, b);
    if (m_order == Qt::DescendingOrder)
        order = -order;
    if (order == 0)
        order = QString::compare(a.held.name, b.held.name, Qt::CaseInsensitive);
    return order != 0 ? order < 0 : a.key < b.key;
}

void LockoutsModel::arrange()
{
    std::vector<const LockoutRow*> shown;
    shown.reserve(m_all.size());
    for (const LockoutRow& row : m_all) {
        if ((m_provider.empty() || row.held.provider == m_provider) && matches(row, m_words))
            shown.push_back(&row);
    }
    std::sort(shown.begin(), shown.end(), [this](const LockoutRow* a, const LockoutRow* b) { return comesBefore(*a, *b); });
    std::vector<LockoutRow> wanted;
    wanted.reserve(shown.size());
    for (const LockoutRow* row : shown)
        wanted.push_back(*row);
    showRows(std::move(wanted));
}

void LockoutsModel::sort(int column, Qt::SortOrder order)
{
    m_column = column;
    m_order = order;
    arrange();
}

int LockoutsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LockoutsModel::data(const QModelIndex& index, int role) const
{
    const LockoutRow* row = index.isValid() ? rowAt(index.row()) : nullptr;
    if (!row)
        return {};
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return textOf(*row, column);
    case Qt::ToolTipRole: return tipOf(*row, column);
    case Qt::TextAlignmentRole:
        if (column == Failures)
            return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        return {};
    case RemainingDelegate::DeadlineRole:
        return column == Remaining ? QVariant(static_cast<qlonglong>(epochMillis(*row->held.until))) : QVariant();
    case RemainingDelegate::SinceRole:
        return column == Remaining ? QVariant(static_cast<qlonglong>(epochMillis(*row->held.since))) : QVariant();
    default: return {};
    }
}

QVariant LockoutsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section == Failures)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Model: return tr("Model");
    case Provider: return tr("Provider");
    case Connection: return tr("Connection");
    case Scope: return tr("Scope");
    case Reason: return tr("Reason");
    case Failures: return tr("Failures");
    case Remaining: return tr("Remaining");
    case Expires: return tr("Expires");
    case Since: return tr("Since");
    case LastError: return tr("Last error");
    default: return {};
    }
}

}  // namespace omni
