#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "model/configuration.h"
#include "model/hold.h"
#include "model/request_record.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

class QObject;

namespace omni {

/// One change of configuration. Several in one `commit` are one transaction.
struct PutConnection { Connection connection; };
struct DeleteConnection { ConnectionId id; };
struct PutNode { ProviderNode node; };
struct DeleteNode { ProviderId id; };
struct PutCombo { Combo combo; };
struct DeleteCombo { ComboId id; };
struct PutAlias { ModelAlias alias; };
struct DeleteAlias { std::string name; };
struct PutApiKey { ApiKey key; };
struct DeleteApiKey { ApiKeyId id; };
struct PutPrice { ModelPrice price; };
struct DeletePrice { PricedModel model; };
struct PutSettings { Settings settings; };
/// A small named fact, such as "setupComplete". JSON text.
struct PutFact { std::string key; std::string json; };
using ConfigChange = std::variant<PutConnection, DeleteConnection, PutNode, DeleteNode, PutCombo, DeleteCombo, PutAlias, DeleteAlias,
                                  PutApiKey, DeleteApiKey, PutPrice, DeletePrice, PutSettings, PutFact>;

struct StoreOptions {
    std::string dataDir;       ///< absolute; made with mode 0700 when missing
    std::string holderName;    ///< "omniroute-desktop": told to whoever finds the folder taken
    Millis integrityCheckDelay{10'000};      ///< after the start, for the check of the whole file
    std::size_t maxQueuedRows = 20'000;      ///< log rows that may wait for the disk; beyond, the oldest are dropped
    std::size_t maxQueuedBytes = 8u << 20;   ///< and the memory they may occupy
};

/// What was found when the store was opened, for a notice in the window and the log.
struct StoreOpening {
    bool created = false;
    int migratedFrom = -1;      ///< schema version before a migration, -1 = none was needed
    std::string migrationBackup;  ///< path of the copy made before it
    std::string rescueCopy;     ///< path of the damaged database when quick_check failed and a new one was begun
    std::string rescueReport;   ///< what was saved from it
    bool restored = false;       ///< the backup that was chosen before has taken the database's place
    std::string replacedCopy;    ///< path of the database that was there before it; empty when there was none
    std::string restoreProblem;  ///< why the chosen backup could not; the database is the one from before
};

/// Runtime state that outlives a restart.
struct RuntimeState {
    std::vector<BreakerStatus> breakers;
    std::vector<ConnectionHealth> healths;
};

struct StoreStatistics {
    std::int64_t queuedRows = 0;
    std::int64_t writtenRows = 0;
    std::int64_t droppedRows = 0;  ///< log rows given up because the disk could not keep pace
    std::int64_t failedWrites = 0;
    std::int64_t fileBytes = 0;
    std::string lastError;  ///< empty once a later batch was written whole
};

/// The one SQLite database of a data folder ("storage.sqlite", mode 0600) and the thread that writes it.
///
/// Configuration is durable before its callback runs; everything else is written behind, in batches of 100 rows or
/// 250 ms. All methods may be called from any thread; none waits for the disk but `open`, the two `load…` and `close`.
/// One process at a time: the folder is locked, and the error of `open` says who holds it (Conflict).
class Store {
public:
    /// Locks the folder, checks the configuration tables (PRAGMA quick_check per table), migrates (after a VACUUM INTO copy in
    /// "backups/"), refuses a schema newer than ours. A damaged file is moved aside and what can be read is carried over.
    /// The whole-file check runs later in the background, at idle priority; its finding is told by `onDamage`.
    static Result<std::unique_ptr<Store>> open(const StoreOptions& options, StoreOpening* opening = nullptr);
    ~Store();

    /// Blocking; for the start. `catalogue` is carried into the result.
    Result<Configuration> loadConfiguration(std::shared_ptr<const ProviderCatalogue> catalogue);
    Result<RuntimeState> loadRuntimeState();
    /// JSON text of a fact, empty when absent. Blocking.
    std::string fact(const std::string& key);

    /// `done` runs in `context`'s thread after the transaction is on disk, or with the error; not at all when `context` is gone by then.
    void commit(std::vector<ConfigChange> changes, QObject* context, std::function<void(Status)> done);

    /// Written behind; the newest state of each id wins.
    void saveBreaker(BreakerStatus breaker);
    void removeBreaker(ProviderId provider);
    void saveHealth(ConnectionHealth health);
    /// Into the log, but for those with `keepInLog` unset; all of them count in the usage figures, which outlive the log's rows.
    void appendRequests(std::vector<RequestRecord> records);
    /// Keys used since the last call; at most one write per key in five minutes.
    void touchApiKey(ApiKeyId id, WallTime at);

    /// Deletes old log rows in small steps until the limits hold, then gives pages back (incremental vacuum). Runs by itself every
    /// 10 minutes and after `PutSettings`; this asks for it now. `done` in `context`'s thread with the number of rows deleted.
    void prune(QObject* context, std::function<void(std::int64_t)> done);
    /// Empties the log. The usage figures stay.
    void clearRequests(QObject* context, std::function<void(Status)> done);
    /// Forgets the usage figures. The log stays.
    void clearUsage(QObject* context, std::function<void(Status)> done);
    /// A consistent copy of the database at `path` (VACUUM INTO, mode 0600).
    void backup(const std::string& path, QObject* context, std::function<void(Status)> done);

    StoreStatistics statistics() const;
    std::string databasePath() const;
    /// Called once, from the writer thread, when the background check finds damage.
    void onDamage(std::function<void(std::string report)> callback);

    /// Writes all that is queued, checkpoints, unlocks. Blocking, at most about a second per 100,000 queued rows.
    Status close();

private:
    struct Private;
    explicit Store(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

}  // namespace omni
