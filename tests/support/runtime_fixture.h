#pragma once

#include "base/delivery.h"
#include "composition/runtime.h"
#include "support/temporary_data_dir.h"

#include <QEventLoop>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace omni::test {

/// The whole core with its listener on a free port, in a data folder of its own: what integration tests stand on.
///
///   RuntimeFixture fixture;
///   QVERIFY2(fixture.start(), fixture.error().c_str());
///   fixture.addCombo("mix", {{"Broken", "status-503"}, {"Healthy", "ok"}});
///   HttpClient client(fixture.port());
///
/// All calls wait inside a local event loop, so upstreams of the test may live in the test's own thread.
class RuntimeFixture : public QObject {
    Q_OBJECT

public:
    /// Without `options.dataDir` a temporary folder is used, which outlives `stop` and goes with the fixture. Port 0 unless set.
    explicit RuntimeFixture(RuntimeOptions options = {});
    ~RuntimeFixture() override;

    /// Starts, and waits until it serves (or, without `startListener`, until it could). False: see `error`.
    bool start();
    /// Ends it in order; `start` may follow, on the same folder.
    void stop();
    const std::string& error() const { return m_error; }

    Runtime& runtime() const { return *m_runtime; }
    int port() const { return m_listener.port; }
    std::string url() const { return "http://127.0.0.1:" + std::to_string(port()); }
    std::string dataDir() const { return m_options.dataDir; }
    std::string managementToken() const;
    /// The newest that Control announced.
    const ListenerState& listener() const { return m_listener; }

    /// Runs `call` in the core thread and waits for its reply. Timeout after 20 s.
    ///   auto saved = fixture.ask<Connection>([&](Control& c, auto reply) { c.saveConnection(draft, reply); });
    template <typename T>
    Result<T> ask(std::function<void(Control&, Reply<T>)> call)
    {
        QEventLoop loop;
        std::optional<Result<T>> result;
        // A reply that comes too late finds nobody, rather than what is here.
        const Delivery delivery(&loop);
        m_runtime->ask([delivery, &loop, &result, call = std::move(call)](Control& control) {
            call(control, [delivery, &loop, &result](Result<T> reply) {
                delivery.run([&loop, &result, reply = std::move(reply)] {
                    result.emplace(reply);
                    loop.quit();
                });
            });
        });
        QTimer::singleShot(20'000, &loop, &QEventLoop::quit);
        loop.exec();
        return result ? *result : Result<T>(Error{ErrorKind::Timeout, "The core did not reply within 20 s.", {}});
    }
    /// Runs `call` in the core thread and waits for what it returns.
    template <typename T>
    T read(std::function<T(Control&)> call)
    {
        return *ask<T>([call = std::move(call)](Control& control, Reply<T> reply) { reply(call(control)); });
    }

    // Shorthands; each fails the test that runs when Control refuses.

    /// A connection to the built-in sandbox.
    ConnectionId addSandboxConnection(const std::string& name, int priority = 1);
    /// An own upstream, such as a Sandbox in the test's thread: an endpoint "openai-compatible-…" (or "anthropic-compatible-…") that
    /// clients reach as "prefix/model", with one connection of the same name.
    ConnectionId addUpstream(const std::string& prefix, const std::string& baseUrl, const std::string& secret = {}, bool anthropic = false);
    /// Another connection to the endpoint of an earlier `addUpstream`.
    ConnectionId addUpstreamConnection(const std::string& prefix, const std::string& name, const std::string& secret, int priority = 1);
    /// A combo of sandbox models, each on a connection of its own: pairs of connection name (made when missing) and model.
    ComboId addCombo(const std::string& name, const std::vector<std::pair<std::string, std::string>>& steps);
    /// A client's key, whole.
    std::string addApiKey(const std::string& name, std::vector<std::string> scopes = {});
    Settings patchSettings(const std::string& patch);

Q_SIGNALS:
    void listenerChanged();

private:
    TemporaryDataDir m_folder;
    RuntimeOptions m_options;
    std::unique_ptr<Runtime> m_runtime;
    ListenerState m_listener;
    std::string m_error;
};

}  // namespace omni::test
