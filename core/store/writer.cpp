#include "store/writer.h"

#include "base/logging.h"
#include "base/private_file.h"
#include "store/thread_priority.h"

#include <QFileInfo>
#include <QThread>

#include <sqlite3.h>

#include <algorithm>
#include <utility>

namespace omni {

namespace {

using namespace std::chrono_literals;

constexpr auto kFirstPrune = 60s;
constexpr auto kPruneInterval = 10min;
constexpr Millis kFirstPause{250};
constexpr int kMaxDoublings = 7;  // 32 s
constexpr auto kFileBytesInterval = 1s;

/// One change, written with the table it belongs to.
struct ApplyChange {
    Tables& tables;

    Status operator()(const PutConnection& change) const { return tables.connections.put(change.connection); }
    Status operator()(const DeleteConnection& change) const { return tables.connections.remove(change.id); }
    Status operator()(const PutNode& change) const { return tables.nodes.put(change.node); }
    Status operator()(const DeleteNode& change) const { return tables.nodes.remove(change.id); }
    Status operator()(const PutCombo& change) const { return tables.combos.put(change.combo); }
    Status operator()(const DeleteCombo& change) const { return tables.combos.remove(change.id); }
    Status operator()(const PutAlias& change) const { return tables.aliases.put(change.alias); }
    Status operator()(const DeleteAlias& change) const { return tables.aliases.remove(change.name); }
    Status operator()(const PutApiKey& change) const { return tables.apiKeys.put(change.key); }
    Status operator()(const DeleteApiKey& change) const { return tables.apiKeys.remove(change.id); }
    Status operator()(const PutPrice& change) const { return tables.prices.put(change.price); }
    Status operator()(const DeletePrice& change) const { return tables.prices.remove(change.model); }
    Status operator()(const PutSettings& change) const { return tables.keyValue.putSettings(change.settings); }
    Status operator()(const PutFact& change) const { return tables.keyValue.putFact(change.key, change.json); }
};

/// The values of one row are at fault, not the database: trying again would fail for ever, and hold up all that comes after.
bool isRowsOwnFault(int code) { return code == SQLITE_CONSTRAINT || code == SQLITE_TOOBIG || code == SQLITE_MISMATCH; }

/// Moves the value of a result to its place, or tells the error.
template <typename T>
Status take(Result<T> result, T& into)
{
    if (!result)
        return result.error();
    into = std::move(*result);
    return {};
}

}  // namespace

Writer::Writer(WriteQueue& queue, const DataFolder& folder) : m_queue(queue), m_folder(folder) {}

Writer::~Writer() { (void)finish(); }

Result<StoreOpening> Writer::start()
{
    std::promise<Result<StoreOpening>> opened;
    std::future<Result<StoreOpening>> result = opened.get_future();
    m_thread.reset(QThread::create([this, promise = std::make_shared<std::promise<Result<StoreOpening>>>(std::move(opened))] {
        run(std::move(*promise));
    }));
    m_thread->setObjectName(QStringLiteral("store-writer"));
    m_thread->start();
    return result.get();
}

Status Writer::finish()
{
    if (m_thread)
        m_thread->wait();
    m_thread.reset();
    return m_queue.gaveUp() ? m_lastFailure : Status();
}

void Writer::run(std::promise<Result<StoreOpening>> opened)
{
    Result<StoreOpening> opening = open();
    const bool ready = opening.ok();
    opened.set_value(std::move(opening));
    if (ready) {
        // The request comes first: when cores are scarce, the picture of it waits. Opening was still the user's own wait.
        beNice(10);
        work();
    }
    shutDown();
}

Result<StoreOpening> Writer::open()
{
    const Result<std::vector<Migration>> migrations = builtinMigrations();
    if (!migrations)
        return migrations.error();
    StoreOpening opening;
    if (const Status opened = take(openForWriting(m_folder, *migrations, opening), m_writable); !opened)
        return opened.error();
    m_tables.emplace(*m_writable.database);
    m_retention.emplace(*m_writable.database, m_tables->requestLog);
    Settings settings;
    if (const Status loaded = take(m_tables->keyValue.settings(), settings); !loaded)
        return loaded.error();
    m_limits = settings.log;
    m_nextPrune = WriteQueue::Clock::now() + kFirstPrune;
    noteFileBytes(true);
    return opening;
}

void Writer::work()
{
    for (;;) {
        WriteQueue::Work next = m_queue.next(m_retention->active(), m_nextPrune);
        if (std::holds_alternative<WriteQueue::Finished>(next))
            return;
        if (auto* order = std::get_if<WriteQueue::Order>(&next)) {
            (*order)();
            continue;
        }
        if (auto* batch = std::get_if<WriteBatch>(&next))
            writeBehind(std::move(*batch));
        // After a batch too: a flood of rows must not keep old ones from being deleted.
        if (m_retention->active())
            pruneStep();
        else if (WriteQueue::Clock::now() >= m_nextPrune)
            prune({});
        noteFileBytes(false);
    }
}

Status Writer::apply(const std::vector<ConfigChange>& changes)
{
    const auto write = [&]() -> Status {
        if (Status set = m_writable.setDurability(Durability::Flushed); !set)
            return set;
        Transaction transaction(*m_writable.database);
        if (Status begun = transaction.begin(); !begun)
            return begun;
        for (const ConfigChange& change : changes) {
            if (Status applied = std::visit(ApplyChange{*m_tables}, change); !applied)
                return applied;
        }
        return transaction.commit();
    };
    Status written = write();
    if (!written) {
        m_queue.noteFailure(written.error().message);
        if (m_writable.database->foundDamage())
            reportDamage(m_writable.database->lastReason());
        return written;
    }
    for (const ConfigChange& change : changes) {
        if (const auto* put = std::get_if<PutSettings>(&change)) {
            m_limits = put->settings.log;
            prune({});
        }
    }
    return written;
}

void Writer::writeBehind(WriteBatch batch)
{
    std::size_t lost = 0;
    const Status stored = store(batch, lost);
    if (stored) {
        if (m_failuresInRow > 0)
            qCInfo(lcStore, "The database takes writes again");
        m_failuresInRow = 0;
        m_queue.wrote(batch, lost);
        return;
    }
    m_tables->requestLog.forgetCount();
    m_tables->usage.forget();
    m_queue.noteFailure(stored.error().message);
    if (m_failuresInRow == 0)
        qCWarning(lcStore, "What happened cannot be written down now; it is tried again: %s", stored.error().message.c_str());
    if (m_writable.database->foundDamage())
        reportDamage(m_writable.database->lastReason());
    m_lastFailure = stored;
    m_queue.giveBack(std::move(batch), kFirstPause * (1 << std::min(m_failuresInRow, kMaxDoublings)));
    ++m_failuresInRow;
}

Status Writer::store(const WriteBatch& batch, std::size_t& lost)
{
    Database& database = *m_writable.database;
    if (Status set = m_writable.setDurability(Durability::Ordered); !set)
        return set;
    Transaction transaction(database);
    if (Status begun = transaction.begin(); !begun)
        return begun;
    const auto survived = [&database](const Status& written) { return written.ok() || isRowsOwnFault(database.lastCode()); };
    for (const auto& [provider, breaker] : batch.breakers) {
        if (Status written = breaker ? m_tables->breakers.put(*breaker) : m_tables->breakers.remove(provider); !survived(written))
            return written;
    }
    for (const auto& [id, health] : batch.healths) {
        if (Status written = m_tables->health.put(health); !survived(written))
            return written;
    }
    for (const auto& [id, at] : batch.touches) {
        if (Status written = m_tables->apiKeys.touch(id, at); !survived(written))
            return written;
    }
    for (const RequestPiece& piece : batch.requests) {
        for (const RequestRecord& record : piece.records) {
            m_tables->usage.add(record);
            if (!record.keepInLog)
                continue;
            if (Status written = m_tables->requestLog.insert(record); !written) {
                if (!survived(written))
                    return written;
                ++lost;
            }
        }
    }
    if (Status written = m_tables->usage.write(); !survived(written))
        return written;
    return transaction.commit();
}

Result<Configuration> Writer::loadConfiguration(std::shared_ptr<const ProviderCatalogue> catalogue)
{
    Configuration configuration;
    configuration.catalogue = std::move(catalogue);
    if (const Status loaded = take(m_tables->nodes.all(), configuration.nodes); !loaded)
        return loaded.error();
    if (const Status loaded = take(m_tables->connections.all(), configuration.connections); !loaded)
        return loaded.error();
    if (const Status loaded = take(m_tables->combos.all(), configuration.combos); !loaded)
        return loaded.error();
    if (const Status loaded = take(m_tables->aliases.all(), configuration.aliases); !loaded)
        return loaded.error();
    if (const Status loaded = take(m_tables->apiKeys.all(), configuration.apiKeys); !loaded)
        return loaded.error();
    if (const Status loaded = take(m_tables->prices.all(), configuration.prices); !loaded)
        return loaded.error();
    if (const Status loaded = take(m_tables->keyValue.settings(), configuration.settings); !loaded)
        return loaded.error();
    configuration.refreshNodeProviders();
    return configuration;
}

Result<RuntimeState> Writer::loadRuntimeState()
{
    RuntimeState state;
    if (const Status loaded = take(m_tables->breakers.all(), state.breakers); !loaded)
        return loaded.error();
    if (const Status loaded = take(m_tables->health.all(), state.healths); !loaded)
        return loaded.error();
    return state;
}

Result<std::string> Writer::fact(const std::string& key) { return m_tables->keyValue.fact(key); }

Status Writer::clearRequests()
{
    m_queue.keepNoRequests();
    Status cleared = m_writable.setDurability(Durability::Ordered);
    if (cleared)
        cleared = m_tables->requestLog.clear();
    if (cleared)
        prune({});
    return cleared;
}

Status Writer::clearUsage()
{
    Status cleared = m_writable.setDurability(Durability::Ordered);
    return cleared ? m_tables->usage.clear() : cleared;
}

void Writer::prune(std::function<void(std::int64_t)> done)
{
    if (done)
        m_pruneWaiters.push_back(std::move(done));
    m_nextPrune = WriteQueue::Clock::now() + kPruneInterval;
    m_retention->begin(m_limits, SystemClock().wall());
}

void Writer::pruneStep()
{
    Status stepped = m_writable.setDurability(Durability::Ordered);
    if (stepped)
        stepped = m_retention->step();
    if (!stepped) {
        m_queue.noteFailure(stepped.error().message);
        qCWarning(lcStore, "Old rows of the request log cannot be deleted now: %s", stepped.error().message.c_str());
        if (m_writable.database->foundDamage())
            reportDamage(m_writable.database->lastReason());
    }
    if (m_retention->active())
        return;
    noteFileBytes(true);
    for (const auto& done : std::exchange(m_pruneWaiters, {}))
        done(m_retention->removed());
}

void Writer::reportDamage(const std::string& report)
{
    if (m_damage.empty()) {
        m_damage = report;
        qCWarning(lcStore, "The database is damaged: %s. It is repaired at the next start", report.c_str());
        if (const Result<bool> marked = ensurePrivateFile(m_folder.damageMarker()); !marked)
            qCWarning(lcStore, "%s", marked.error().message.c_str());
    }
    if (m_onDamage && !m_damageTold) {
        m_damageTold = true;
        m_onDamage(m_damage);
    }
}

void Writer::onDamage(std::function<void(std::string)> callback)
{
    m_onDamage = std::move(callback);
    if (!m_damage.empty())
        reportDamage(m_damage);
}

void Writer::shutDown()
{
    for (const auto& done : std::exchange(m_pruneWaiters, {}))
        done(m_retention->removed());
    m_retention.reset();
    m_tables.reset();
    if (!m_writable.database)
        return;
    Database& database = *m_writable.database;
    // Looks at a sample only, however long the log is, and does not wait long for others who read.
    for (const char* last :
         {"PRAGMA busy_timeout = 500", "PRAGMA analysis_limit = 200", "PRAGMA optimize", "PRAGMA wal_checkpoint(TRUNCATE)"}) {
        if (const Status done = database.run(last); !done)
            qCWarning(lcStore, "On closing the database: %s", done.error().message.c_str());
    }
    noteFileBytes(true);
    m_writable.database.reset();
}

void Writer::noteFileBytes(bool now)
{
    const auto time = WriteQueue::Clock::now();
    if (!now && time < m_nextFileBytes)
        return;
    m_nextFileBytes = time + kFileBytesInterval;
    const QString path = QString::fromStdString(m_folder.databasePath());
    m_queue.noteFileBytes(QFileInfo(path).size() + QFileInfo(path + QStringLiteral("-wal")).size());
}

}  // namespace omni
