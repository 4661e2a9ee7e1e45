#include "composition/runtime.h"

#include "base/thread_call.h"
#include "composition/core_parts.h"
#include "proxy/proxy_server.h"

#include <QDir>
#include <QStandardPaths>
#include <QThread>

#include <optional>
#include <utility>

namespace omni {

std::string resolvedDataDir(const std::string& wanted)
{
    QString path = QString::fromStdString(wanted);
    if (path.isEmpty())
        path = qEnvironmentVariable("DATA_DIR");
    if (path.isEmpty())
        path = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    return QDir::cleanPath(QDir(path).absolutePath()).toStdString();
}

struct Runtime::Private {
    RuntimeOptions options;
    std::string dataDir;
    StoreOpening opening;
    std::unique_ptr<Store> store;
    std::unique_ptr<SecretStore> secrets;
    QThread thread;
    std::unique_ptr<QObject> core;     ///< lives in the core thread; what is run there is sent to it
    std::unique_ptr<CoreParts> parts;  ///< made, used and destroyed in the core thread
    std::string tokenFile;

    /// Runs `call` in the core thread and waits for it.
    void runInCore(const std::function<void()>& call) { callInAndWait(core.get(), call); }

    void stop()
    {
        if (thread.isRunning()) {
            runInCore([this] { parts.reset(); });
            // Their threads still deliver what they have done; that must find the core's loop running, or it would never be let go of.
            secrets.reset();
            store.reset();
            runInCore([] {});
            thread.quit();
            thread.wait();
        }
        core.reset();
    }
};

Runtime::Runtime(std::unique_ptr<Private> given) : d(std::move(given)) {}

Result<std::unique_ptr<Runtime>> Runtime::start(const RuntimeOptions& options)
{
    auto d = std::make_unique<Private>();
    d->options = options;
    d->dataDir = resolvedDataDir(options.dataDir);

    Result<std::unique_ptr<Store>> store = Store::open({d->dataDir, options.holderName}, &d->opening);
    if (!store)
        return store.error();
    d->store = *std::move(store);
    Result<std::unique_ptr<SecretStore>> secrets =
        openSecretStore({d->dataDir, options.useSystemKeyStore, qEnvironmentVariable("OMNIROUTE_PASSPHRASE").toStdString()});
    if (!secrets)
        return secrets.error();
    d->secrets = *std::move(secrets);

    auto runtime = std::unique_ptr<Runtime>(new Runtime(std::move(d)));
    Private& p = *runtime->d;
    CoreOptions core;
    core.dataDir = p.dataDir;
    core.port = options.port;
    core.offerSandbox = options.offerSandbox;
    core.sandboxConnection = options.sandboxConnection;
    core.startListener = options.startListener;
    core.requestShutdown = [self = runtime.get()] {
        callIn(self, [self] { Q_EMIT self->shutdownRequested(); });
    };
    p.core = std::make_unique<QObject>();
    p.core->moveToThread(&p.thread);
    p.thread.setObjectName(QStringLiteral("omniroute-core"));
    p.thread.start();
    std::optional<Error> failure;
    p.runInCore([&] {
        Result<std::unique_ptr<CoreParts>> parts = CoreParts::create(core, *p.store, *p.secrets);
        if (!parts) {
            failure = parts.error();
            return;
        }
        p.parts = *std::move(parts);
        p.tokenFile = p.parts->proxy().managementTokenFile();
        p.parts->open();
    });
    if (failure)
        return *failure;
    return runtime;
}

Runtime::~Runtime() { d->stop(); }

void Runtime::ask(std::function<void(Control&)> call)
{
    Control* core = &d->parts->control();
    callIn(core, [core, call = std::move(call)] { call(*core); });
}

Control& Runtime::control() const { return d->parts->control(); }
std::string Runtime::dataDir() const { return d->dataDir; }
std::string Runtime::databasePath() const { return d->store->databasePath(); }
std::string Runtime::managementTokenFile() const { return d->tokenFile; }
SecretStatus Runtime::secretStatus() const { return d->secrets->status(); }
const StoreOpening& Runtime::opening() const { return d->opening; }

void Runtime::drain(Millis limit)
{
    callIn(d->core.get(), [this, limit] {
        d->parts->proxy().drain(limit, [this] { callIn(this, [this] { Q_EMIT drained(); }); });
    });
}

}  // namespace omni
