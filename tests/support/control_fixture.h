#pragma once

#include "base/random.h"
#include "base/scheduler.h"
#include "control/control.h"
#include "resilience/engine.h"
#include "routing/router.h"
#include "secrets/secret_store.h"
#include "store/store.h"
#include "support/fake_transport.h"
#include "support/temporary_data_dir.h"

#include <QObject>
#include <QTest>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace omni::test {

/// Secrets in memory that can be told to fail.
class FakeSecretStore final : public SecretStore {
public:
    Result<std::string> read(const std::string& reference) const override;
    void write(const std::string& reference, std::string value, QObject* context, std::function<void(Status)> done) override;
    void remove(const std::string& reference, QObject* context, std::function<void(Status)> done) override;
    SecretStatus status() const override { return {SecretProtection::Memory, locked, "In memory"}; }

    std::map<std::string, std::string> values;
    bool failWrites = false;
    bool locked = false;
};

class FakeListener final : public ListenerControl {
public:
    Result<int> listen(const ProxySettings& settings) override;
    void closeListener() override { ++closed; }
    void applyLimits(const ProxySettings& settings) override { limits = settings; }

    std::vector<ProxySettings> asked;
    std::vector<int> taken;  ///< ports that cannot be had
    ProxySettings limits;
    int closed = 0;
};

/// Control on a real store, with time, upstreams, secrets and the listener in the test's hand; all in the test's thread.
class ControlFixture {
public:
    ControlFixture();
    ~ControlFixture();

    /// Opens the folder and makes everything anew, as a start of the program does.
    void start();
    /// Ends it; what was in memory of the secret store stays, as a real one's file would.
    void stop();
    void restart()
    {
        stop();
        start();
    }

    /// Runs `call` and waits for its reply in the event loop.
    template <typename T>
    Result<T> wait(const std::function<void(Reply<T>)>& call)
    {
        auto result = std::make_shared<std::optional<Result<T>>>();
        call([result](Result<T> reply) { result->emplace(std::move(reply)); });
        if (!QTest::qWaitFor([&] { return result->has_value(); }, 10'000))
            return Error{ErrorKind::Timeout, "No reply within 10 s.", {}};
        return **result;
    }
    Result<Connection> save(ConnectionDraft draft);
    /// A draft of a connection to the catalogue's "openai" with a key.
    static ConnectionDraft draft(const std::string& name, const std::string& secret = "sk-test-0123456789abcdef");
    /// Waits until every change that was asked for has ended.
    bool settle();

    const Connection* find(const std::string& name) const;
    const ConnectionId& idOf(const std::string& name) const;

    TemporaryDataDir folder;
    SimulatedClock clock;
    std::unique_ptr<SimulatedScheduler> scheduler;
    SimulatedRandom random;
    FakeSecretStore secrets;
    std::unique_ptr<FakeTransport> transport;
    std::unique_ptr<FakeListener> listener;
    std::unique_ptr<Store> store;
    std::unique_ptr<Router> router;
    std::unique_ptr<Metrics> metrics;
    std::unique_ptr<Control> control;
    std::unique_ptr<Engine> engine;
    std::optional<int> port;  ///< as --port
};

}  // namespace omni::test
