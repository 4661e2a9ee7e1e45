#include "ui/models/connections_model.h"

#include "ui/models/display_text.h"
#include "ui/models/state_delegate.h"

#include <QFont>

#include <algorithm>
#include <map>
#include <unordered_set>

namespace omni {

namespace {

constexpr int kTipModels = 20;

/// What the user cares about first: broken, out for now, serving, switched off.
int severity(Exclusion reason)
{
    switch (reason) {
    case Exclusion::None: return 3;
    case Exclusion::Disabled: return 4;
    case Exclusion::CircuitOpen: return 1;
    case Exclusion::ConnectionCooldown: return 2;
    default: return 0;
    }
}

/// Everything a row shows of it; the model list is fetched in the background and changes nothing else.
bool sameForDisplay(const Connection& a, const Connection& b)
{
    return a.provider == b.provider && a.name == b.name && a.priority == b.priority && a.enabled == b.enabled && a.secretRef == b.secretRef
        && a.keyHint == b.keyHint && a.models == b.models && a.updatedAt == b.updatedAt;
}

}  // namespace

void ConnectionsModel::setConfiguration(ConfigurationPtr configuration, const EngineSnapshot& engine, WallTime now)
{
    m_configuration = std::move(configuration);
    if (!m_configuration)
        return;
    std::unordered_set<ConnectionId> present;
    for (const Connection& connection : m_configuration->connections)
        present.insert(connection.id);
    bool moved = false;
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (present.contains(m_rows[static_cast<std::size_t>(row)].connection.id))
            continue;
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
        moved = true;
    }
    if (moved)
        reindex();

    const SnapshotIndex snapshot(engine);
    std::vector<Row> added;
    for (const Connection& connection : m_configuration->connections) {
        const QString provider = providerText(m_configuration.get(), connection.provider);
        const auto known = m_index.find(connection.id);
        const ConnectionHealth* health = snapshot.health(connection.id);
        const BreakerStatus* breaker = snapshot.breaker(connection.provider);
        if (known == m_index.end()) {
            Row row;
            row.connection = connection;
            row.provider = provider;
            refreshRow(row, health, breaker, now);
            added.push_back(std::move(row));
            continue;
        }
        Row& row = m_rows[static_cast<std::size_t>(known->second)];
        const bool differs = !sameForDisplay(row.connection, connection) || row.provider != provider;
        row.connection = connection;
        row.provider = provider;
        const Change change = refreshRow(row, health, breaker, now);
        announce(known->second, differs ? Change::Row : change);
    }
    if (added.empty())
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(added.size()) - 1);
    m_rows.insert(m_rows.end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
    reindex();
    endInsertRows();
}

void ConnectionsModel::setEngine(const EngineSnapshot& engine, WallTime now)
{
    if (!m_configuration)
        return;
    const SnapshotIndex snapshot(engine);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        Row& row = m_rows[i];
        announce(static_cast<int>(i),
            refreshRow(row, snapshot.health(row.connection.id), snapshot.breaker(row.connection.provider), now));
    }
}

void ConnectionsModel::expire(const EngineSnapshot& engine, WallTime now)
{
    const bool due = std::any_of(m_rows.begin(), m_rows.end(),
        [now](const Row& row) { return row.standing.until && *row.standing.until <= now; });
    if (due)
        setEngine(engine, now);
}

ConnectionsModel::Change ConnectionsModel::refreshRow(
    Row& row, const ConnectionHealth* health, const BreakerStatus* breaker, WallTime now) const
{
    static const ConnectionHealth unknown;
    const ConnectionHealth& newest = health ? *health : unknown;
    const Standing standing = standingOf(row.connection, *m_configuration, health, breaker, now);
    if (standing == row.standing && newest == row.health)
        return Change::None;
    // A busy connection differs in nothing but its last use, ten times a second.
    row.health.lastUsedAt = newest.lastUsedAt;
    if (standing == row.standing && newest == row.health)
        return Change::LastUsed;
    row.standing = standing;
    row.health = newest;
    // A failure after the test is the newer truth.
    if (row.test && !row.test->running && row.health.lastErrorAt && *row.health.lastErrorAt > row.test->at)
        row.test.reset();
    return Change::Row;
}

void ConnectionsModel::announce(int row, Change change)
{
    if (change == Change::LastUsed)
        Q_EMIT dataChanged(index(row, LastUsed), index(row, LastUsed));
    else if (change == Change::Row)
        Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

void ConnectionsModel::reindex()
{
    m_index.clear();
    m_index.reserve(m_rows.size());
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_index.emplace(m_rows[i].connection.id, static_cast<int>(i));
}

void ConnectionsModel::testStarted(const ConnectionId& id)
{
    const int row = rowOf(id);
    if (row < 0)
        return;
    m_rows[static_cast<std::size_t>(row)].test = Test{true, {}, {}};
    announce(row);
}

void ConnectionsModel::testFinished(const ConnectionId& id, std::optional<TestReport> report, WallTime now)
{
    const int row = rowOf(id);
    if (row < 0)
        return;
    auto& test = m_rows[static_cast<std::size_t>(row)].test;
    if (report)
        test = Test{false, now, std::move(*report)};
    else
        test.reset();
    announce(row);
}

bool ConnectionsModel::testRunning(const ConnectionId& id) const
{
    const int row = rowOf(id);
    return row >= 0 && m_rows[static_cast<std::size_t>(row)].test && m_rows[static_cast<std::size_t>(row)].test->running;
}

const Connection* ConnectionsModel::connectionAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)].connection : nullptr;
}

const Standing* ConnectionsModel::standingAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)].standing : nullptr;
}

int ConnectionsModel::rowOf(const ConnectionId& id) const
{
    const auto found = m_index.find(id);
    return found == m_index.end() ? -1 : found->second;
}

std::vector<int> ConnectionsModel::countingRows() const
{
    std::vector<int> rows;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (m_rows[i].standing.until)
            rows.push_back(static_cast<int>(i));
    }
    return rows;
}

QString ConnectionsModel::summary() const
{
    std::map<std::pair<int, QString>, int> counts;
    for (const Row& row : m_rows)
        ++counts[{severity(row.standing.reason), lookOf(row.standing.reason, Colours()).word}];
    QStringList parts;
    for (const auto& [state, count] : counts)
        parts << tr("%1 %2", "10 serving").arg(numberText(count), state.second);
    const QString total = rowCount() == 1 ? tr("One connection") : tr("%1 connections").arg(numberText(rowCount()));
    return parts.isEmpty() ? total : tr("%1: %2").arg(total, parts.join(QStringLiteral(", ")));
}

int ConnectionsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ConnectionsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
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
    case State: return lookOf(row.standing.reason, Colours()).word;
    case Provider: return row.provider;
    case Name: return toQString(row.connection.name);
    case Key: return row.connection.keyHint.empty() ? QStringLiteral("–") : toQString(row.connection.keyHint);
    case Priority: return numberText(row.connection.priority);
    case Models: return modelsText(row);
    case LastUsed: return row.health.lastUsedAt ? timeText(*row.health.lastUsedAt) : QStringLiteral("–");
    case LastResult: return resultText(row);
    case Remaining: return row.standing.until ? countdownText(*row.standing.until - wallNow()) : QString();
    default: return {};
    }
}

QVariant ConnectionsModel::sortKey(const Row& row, int column) const
{
    switch (column) {
    case State: return severity(row.standing.reason);
    case Priority: return row.connection.priority;
    case Models: return static_cast<qlonglong>(row.connection.models.size());
    case LastUsed: return static_cast<qlonglong>(row.health.lastUsedAt ? epochMillis(*row.health.lastUsedAt) : 0);
    case Remaining: return static_cast<qlonglong>(row.standing.until ? epochMillis(*row.standing.until) : INT64_MAX);
    default: return display(row, column);
    }
}

QVariant ConnectionsModel::toolTip(const Row& row, int column) const
{
    switch (column) {
    case State:
    case Remaining:
        if (row.standing.reason == Exclusion::ConnectionCooldown && row.health.evidence)
            return evidenceText(*row.health.evidence);
        return {};
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
            return QVariant::fromValue(StateKey{row.standing.reason});
        if (index.column() == LastResult && row.test && !row.test->running)
            return QVariant::fromValue(StateKey{row.test->report.ok ? Outcome::Answered : Outcome::UpstreamFailed});
        return {};
    case RemainingDelegate::DeadlineRole:
        if (index.column() == Remaining && row.standing.until)
            return static_cast<qlonglong>(epochMillis(*row.standing.until));
        return {};
    case RemainingDelegate::SinceRole:
        if (index.column() == Remaining && row.standing.since)
            return static_cast<qlonglong>(epochMillis(*row.standing.since));
        return {};
    default: return {};
    }
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
