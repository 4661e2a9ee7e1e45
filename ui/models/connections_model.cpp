#include "ui/models/connections_model.h"

#include "ui/models/display_text.h"
#include "ui/models/holds.h"
#include "ui/models/state_delegate.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace omni {

namespace {

std::vector<ModelLockout> locksOf(const SnapshotIndex& snapshot, const ConnectionId& id, WallTime now)
{
    std::vector<ModelLockout> locks;
    for (const ModelLockout* lockout : snapshot.lockouts(id)) {
        if (lockout->until <= now)
            continue;
        ModelLockout lock = *lockout;
        lock.remaining = Millis(0);  // would differ each time
        lock.evidence.reset();
        locks.push_back(std::move(lock));
    }
    return locks;
}

/// The lock that ends last.
const ModelLockout& longest(const std::vector<ModelLockout>& locks)
{
    return *std::max_element(
        locks.begin(), locks.end(), [](const ModelLockout& a, const ModelLockout& b) { return a.until < b.until; });
}

/// Everything a row shows of it; the model list is fetched in the background and changes nothing else.
bool sameForDisplay(const Connection& a, const Connection& b)
{
    return a.provider == b.provider && a.name == b.name && a.priority == b.priority && a.enabled == b.enabled && a.secretRef == b.secretRef
        && a.keyHint == b.keyHint && a.models == b.models && a.updatedAt == b.updatedAt;
}

}  // namespace

Exclusion ConnectionsModel::Row::shown() const
{
    return standing.reason == Exclusion::None && !locks.empty() ? Exclusion::ModelLockout : standing.reason;
}

std::optional<WallTime> ConnectionsModel::Row::until() const
{
    return shown() == Exclusion::ModelLockout ? longest(locks).until : standing.until;
}

std::optional<WallTime> ConnectionsModel::Row::since() const
{
    return shown() == Exclusion::ModelLockout ? longest(locks).lockedAt : standing.since;
}

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
        if (known == m_index.end()) {
            Row row;
            row.connection = connection;
            row.provider = provider;
            refreshRow(row, snapshot, now);
            added.push_back(std::move(row));
            continue;
        }
        Row& row = m_rows[static_cast<std::size_t>(known->second)];
        const bool differs = !sameForDisplay(row.connection, connection) || row.provider != provider;
        row.connection = connection;
        row.provider = provider;
        const Change change = refreshRow(row, snapshot, now);
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
        announce(static_cast<int>(i), refreshRow(m_rows[i], snapshot, now));
    }
}

void ConnectionsModel::expire(const EngineSnapshot& engine, WallTime now)
{
    const bool due = std::any_of(m_rows.begin(), m_rows.end(), [now](const Row& row) {
        return (row.standing.until && *row.standing.until <= now)
            || std::any_of(row.locks.begin(), row.locks.end(), [now](const ModelLockout& lock) { return lock.until <= now; });
    });
    if (due)
        setEngine(engine, now);
}

ConnectionsModel::Change ConnectionsModel::refreshRow(Row& row, const SnapshotIndex& snapshot, WallTime now) const
{
    static const ConnectionHealth unknown;
    const Connection& connection = row.connection;
    const ConnectionHealth* health = snapshot.health(connection.id);
    const ConnectionHealth& newest = health ? *health : unknown;
    const Standing standing = standingOf(connection, *m_configuration, health, snapshot.breaker(connection.provider), now,
        snapshot.cooling(connection.provider, connection.id));
    std::vector<ModelLockout> locks = locksOf(snapshot, connection.id, now);
    const bool same = standing == row.standing && locks == row.locks;
    if (same && newest == row.health)
        return Change::None;
    // A busy connection differs in nothing but its last use, ten times a second.
    row.health.lastUsedAt = newest.lastUsedAt;
    if (same && newest == row.health)
        return Change::LastUsed;
    row.standing = standing;
    row.locks = std::move(locks);
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

int ConnectionsModel::restingModels(int row) const
{
    return row >= 0 && row < rowCount() ? static_cast<int>(m_rows[static_cast<std::size_t>(row)].locks.size()) : 0;
}

std::vector<int> ConnectionsModel::countingRows() const
{
    std::vector<int> rows;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (m_rows[i].until())
            rows.push_back(static_cast<int>(i));
    }
    return rows;
}

int ConnectionsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ConnectionsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

}  // namespace omni
