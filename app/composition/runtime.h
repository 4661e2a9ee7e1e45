#pragma once

#include "base/result.h"
#include "control/control.h"
#include "secrets/secret_store.h"
#include "store/store.h"

#include <QObject>

#include <functional>
#include <memory>
#include <string>

namespace omni {

/// The data folder, absolute: `wanted`, else $DATA_DIR, else the platform's own folder for this application.
std::string resolvedDataDir(const std::string& wanted);

struct RuntimeOptions {
    std::string dataDir;         ///< as `resolvedDataDir` takes it
    std::string holderName = "omniroute-headless";
    std::optional<int> port;     ///< overrides the setting for this run; 0 = any free one
    bool sandboxConnection = false;  ///< make the sandbox connection even when others exist (--sandbox)
    bool offerSandbox = true;        ///< make it on a first start without any connection
    bool useSystemKeyStore = false;
    bool startListener = true;   ///< false = wait for Control::startProxy
};

/// The composition root: builds the core's parts, hands them to each other, and runs them in the core thread. One for each process;
/// tests make as many as they like. Everything is torn down in order by the destructor.
class Runtime final : public QObject {
    Q_OBJECT

public:
    /// Opens the data folder in the calling thread, then starts the core thread; `prepareProcess` (process.h) must have been called.
    /// Errors: Conflict (the folder is in use; says by whom), Storage (schema newer than this program, disk), Secret.
    static Result<std::unique_ptr<Runtime>> start(const RuntimeOptions& options);
    ~Runtime() override;

    /// Runs `call` in the core thread.
    void ask(std::function<void(Control&)> call);
    /// The core's control, for connecting to its signals (queued) from other threads. Methods only through `ask`.
    Control& control() const;
    std::string dataDir() const;
    std::string databasePath() const;
    std::string managementTokenFile() const;
    SecretStatus secretStatus() const;
    const StoreOpening& opening() const;

    /// No new requests, running streams get up to `limit`, then `drained` is emitted.
    void drain(Millis limit);

Q_SIGNALS:
    void drained();
    /// POST /api/shutdown.
    void shutdownRequested();

private:
    struct Private;
    explicit Runtime(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

}  // namespace omni
