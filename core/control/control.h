#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "base/scheduler.h"
#include "model/configuration.h"
#include "model/hold.h"
#include "model/request_record.h"
#include "resilience/engine.h"
#include "resilience/failure_trial.h"
#include "resilience/resilience_preview.h"
#include "telemetry/metrics.h"

#include <nlohmann/json_fwd.hpp>

#include <QList>
#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace omni {

class Store;
class SecretStore;
class Transport;
class Router;
struct RoutePreview;
struct SecretStatus;

/// A connection as an editor hands it in. `connection.id` empty = make a new one.
struct ConnectionDraft {
    Connection connection;
    std::optional<std::string> secret;       ///< unset = keep, empty = remove
    std::optional<std::string> proxySecret;  ///< "user:password"; unset = keep, empty = remove
};

/// What to change of a connection; unset = leave as it is.
struct ConnectionPatch {
    std::optional<bool> enabled = {};
    std::optional<int> priority = {};
    /// Another address loses the proxy's password, which was given for that proxy alone. Empty = direct.
    std::optional<std::string> proxyUrl = {};
    std::optional<std::string> proxySecret = {};  ///< "user:password" for `proxyUrl`; without one it is ignored
    std::optional<bool> disableCooling = {};
    std::optional<bool> http2 = {};
};

struct ConnectionChange {
    ConnectionId id;
    ConnectionPatch patch;
};

struct ChangedConnections {
    int changed = 0;
    std::string undo;  ///< for `undoChange`, 10 minutes long; empty when nothing changed
};

/// What a live test found. Isolated: it changes no breaker, cooldown or terminal state for the worse.
struct TestReport {
    bool ok = false;
    int status = 0;
    Millis latency{0};
    std::string message;              ///< what the provider answered, in one redacted line
    std::vector<std::string> models;  ///< when the provider lists them
};

/// Marks the tests that can be stopped together: those that were started with the same one.
using TestGroup = std::shared_ptr<const char>;
inline TestGroup newTestGroup() { return std::make_shared<const char>('t'); }

/// An answer that someone wants judged before it ever comes.
struct AnswerSample {
    ProviderId provider;
    std::string model;    ///< empty = not known
    int status = 429;     ///< 100…599
    std::string headers;  ///< "Name: value", one a line
    std::string body;
};

/// `key` is the whole key, told once and kept nowhere.
struct CreatedApiKey {
    ApiKey record;
    std::string key;
};

/// What a dry run asks.
struct RouteQuestion {
    std::string model;  ///< as a client would write it
    /// Unset: the first of chat, messages, responses and embeddings by which somebody can be reached now.
    std::optional<Operation> operation = {};
    ApiKeyId apiKey = {};      ///< whose restrictions count; empty = nobody's
    bool untilChosen = false;  ///< who would be chosen is enough
};

struct ImportReport {
    int connections = 0, combos = 0, aliases = 0, nodes = 0, apiKeys = 0;
    bool settings = false;
    int secrets = 0;
    std::vector<std::string> skipped;  ///< one line each: what, and why
};

enum class ListenerPhase : std::uint8_t { Stopped, Starting, Serving, Failed };

struct ListenerState {
    ListenerPhase phase = ListenerPhase::Stopped;
    std::string address = "127.0.0.1";
    int port = 0;
    std::string error;      ///< for Failed: what happened and who holds the port, if it can be known
    int suggestedPort = 0;  ///< for a taken port: the next free one; 0 = none
    bool exposed = false;

    std::string baseUrl() const { return "http://" + address + ":" + std::to_string(port) + "/v1"; }
    bool operator==(const ListenerState&) const = default;
};

/// What is held and how the breakers stand, at one instant.
struct EngineSnapshot {
    WallTime at{};
    std::vector<BreakerStatus> breakers;
    std::vector<ConnectionHealth> healths;
    std::vector<ModelLockout> lockouts = {};
    std::vector<ProviderCooldownStatus> providerCooldowns = {};

    const ConnectionHealth* health(const ConnectionId& id) const;
    const BreakerStatus* breaker(const ProviderId& id) const;
};

/// Implemented by the listener, which sits above this part.
class ListenerControl {
public:
    virtual ~ListenerControl() = default;
    /// Binds anew; the old socket is closed only when the new one serves. Returns the port. Conflict when it is taken.
    virtual Result<int> listen(const ProxySettings& settings) = 0;
    /// No new connections; running requests go on.
    virtual void closeListener() = 0;
    virtual void applyLimits(const ProxySettings& settings) = 0;
};

template <typename T>
using Reply = std::function<void(Result<T>)>;

/// The one place where configuration changes, whoever asks: the windows (by queued calls) and the management API. Validates, makes it
/// durable, then applies it and announces what is now true. Lives in the core thread; every method is called there, and every reply runs
/// there, possibly before the method returns.
class Control final : public QObject, public EngineObserver {
    Q_OBJECT

public:
    struct Parts {
        const Clock& clock;
        Scheduler& scheduler;
        Random& random;
        Store& store;
        SecretStore& secrets;
        Transport& transport;
        Router& router;
        Metrics& metrics;
        /// Key of connections to the sandbox: made anew at each start, kept in memory only.
        std::string sandboxKey = {};
        /// From the command line: stands in for the port setting until the user chooses another; 0 = any free one.
        std::optional<int> port = {};
    };
    /// `configuration` as loaded. The engine is handed over afterwards, since it reports to this object.
    Control(const Parts& parts, Configuration configuration);
    ~Control() override;
    void attach(Engine& engine, ListenerControl& listener);

    const ConfigurationPtr& configuration() const;
    SecretStatus secretStatus() const;

    /// Creates or changes. InvalidArgument names each bad field; Secret when the key cannot be kept. A changed key clears the
    /// connection's terminal state and cooldown, and its model list is fetched anew in the background.
    void saveConnection(ConnectionDraft draft, Reply<Connection> reply);
    /// All or nothing, at least one. The token undoes it within 10 minutes (secrets are kept that long).
    void removeConnections(std::vector<ConnectionId> ids, Reply<std::string> reply);
    void undoRemove(const std::string& token, Reply<std::vector<Connection>> reply);
    /// NotFound, and nothing changed, when one of them does not exist. The reply is how many changed. Enabling anew also ends a terminal
    /// state.
    void setConnectionsEnabled(std::vector<ConnectionId> ids, bool enabled, Reply<int> reply);
    /// All or nothing, each connection named once. InvalidArgument names the bad fields of the patches; NotFound when one does not exist.
    void changeConnections(std::vector<ConnectionChange> changes, Reply<ChangedConnections> reply);
    /// Puts back what the change changed, and nothing else; connections that are gone meanwhile stay gone. The reply is how many.
    void undoChange(const std::string& token, Reply<int> reply);
    /// A copy with the same key under the name "… (copy)", disabled.
    void duplicateConnection(const ConnectionId& id, Reply<Connection> reply);
    /// Sends one small real request (model list, else a one-token completion). Works for drafts that are not saved.
    void testConnection(ConnectionDraft draft, Reply<TestReport> reply, TestGroup group = {});
    /// Ends the requests of the group's tests that still run; each of them replies Cancelled. Returns how many.
    int cancelTests(const TestGroup& group);
    void refreshModels(const ConnectionId& id, Reply<std::vector<std::string>> reply);

    void saveNode(ProviderNode node, Reply<ProviderNode> reply);
    void removeNode(const ProviderId& id, Reply<int> reply);
    void saveCombo(Combo combo, Reply<Combo> reply);
    void removeCombo(const ComboId& id, Reply<int> reply);
    /// All or nothing. The reply holds what was there, for `restoreCombos`.
    void removeCombos(std::vector<ComboId> ids, Reply<std::vector<Combo>> reply);
    /// Takes a removal back: each as it was, whatever became meanwhile of what it refers to. Conflict when a name is taken again.
    void restoreCombos(std::vector<Combo> combos, Reply<int> reply);
    /// `renamed`: the name the alias had before, which goes in the same change; Conflict when the new one belongs to another alias then.
    void saveAlias(ModelAlias alias, Reply<ModelAlias> reply, const std::string& renamed = {});
    void removeAlias(const std::string& name, Reply<int> reply);
    /// As `removeCombos` and `restoreCombos`.
    void removeAliases(std::vector<std::string> names, Reply<std::vector<ModelAlias>> reply);
    void restoreAliases(std::vector<ModelAlias> aliases, Reply<int> reply);
    /// A dry run: what a request would meet now. Nothing is sent, and nothing moves on. Errors: those the request would get; NotFound for
    /// a key that does not exist.
    Result<RoutePreview> previewRoute(const RouteQuestion& question) const;
    void createApiKey(ApiKey key, Reply<CreatedApiKey> reply);
    void updateApiKey(ApiKey key, Reply<ApiKey> reply);
    void removeApiKey(const ApiKeyId& id, Reply<int> reply);
    /// All or nothing; each takes the place of what its model had. The reply is how many.
    void savePrices(std::vector<ModelPrice> prices, Reply<int> reply);
    /// Those without a price are left aside. The reply is how many had one.
    void removePrices(std::vector<PricedModel> models, Reply<int> reply);
    /// `patch` is JSON text of any part of the settings document. The reply holds what is now true.
    void patchSettings(const std::string& patch, Reply<Settings> reply);
    /// What the settings would mean in practice with `patch` merged in, as it would be refused or taken; "" = as they are. Changes nothing.
    void previewSettings(const std::string& patch, Reply<ResiliencePreview> reply);
    /// What would be made of the answer, with `patch` merged in as above. Changes nothing.
    void tryAnswer(const AnswerSample& sample, const std::string& patch, Reply<FailureTrial> reply);

    /// Everything but runtime state and logs, as JSON text. Secrets only with a passphrase, then encrypted under it.
    /// With a passphrase this takes about 100 ms of the core thread: for programs that do nothing else. Secret when a key that belongs
    /// into the document cannot be read.
    Result<std::string> exportConfiguration(const std::string& passphrase) const;
    /// The same without holding up requests: the passphrase is worked on in another thread.
    void exportConfiguration(const std::string& passphrase, Reply<std::string> reply);
    /// Checks everything first and then changes it all at once or not at all. Merges by id: the same id is replaced, everything else that
    /// exists stays. What clashes by name, or refers to what is not here, is left out and told in `skipped`.
    void importConfiguration(const std::string& document, const std::string& passphrase, Reply<ImportReport> reply);

    Engine::Cleared clearCooldowns(const std::vector<ConnectionId>& ids);
    /// Also what holds whole providers without their breakers.
    Engine::Cleared clearAllCooldowns(const ProviderId& onlyProvider = {});
    int resetBreakers(const ProviderId& onlyProvider = {});
    /// As the engine's; returns how many locks ended.
    int clearLockouts(const ProviderId& provider, const ConnectionId& connection, const std::string& model);
    int clearAllLockouts();

    /// Start and stop of the listener, as the tray and the status strip do.
    void startProxy();
    void stopProxy();
    const ListenerState& listenerState() const;

    EngineSnapshot engineSnapshot() const;
    Metrics& metrics() const;
    Store& store() const;
    /// Every request out of the log; usage figures stay. Announced by `requestLogCleared`.
    void clearRequestLog(Reply<bool> reply);
    /// From the proxy, for each finished request: log, usage figures, counters, signals. One that is not kept in the log is only counted.
    void requestStarted();
    void requestFinished(RequestRecord record, bool keepInLog);
    /// A client's key, by the text it sent; nullptr when unknown, revoked or expired. Constant time per key. Points into the present
    /// configuration: good for this turn of the loop, or as long as the caller holds that `configuration()`.
    const ApiKey* findApiKey(std::string_view presented) const;
    void noteApiKeyUsed(const ApiKeyId& id);

    /// Key in clear of a connection: from memory, never blocks. Secret when it cannot be read.
    Result<std::string> secretOf(const Connection& connection) const;
    Result<std::string> proxySecretOf(const Connection& connection) const;

    void breakerChanged(const BreakerStatus& breaker) override;
    void breakerRemoved(const ProviderId& provider) override;
    void connectionChanged(const ConnectionHealth& health) override;
    void lockoutChanged(const ModelLockout& lockout) override;
    void providerCooldownsChanged() override;
    void disableWanted(const ConnectionId& id) override;

Q_SIGNALS:
    void configurationChanged(omni::ConfigurationPtr configuration);
    /// At most 10 a second, the newest state.
    void engineChanged(omni::EngineSnapshot snapshot);
    /// Newest last; at most 4 a second and 200 records a time (under more load the newest 200).
    void requestsFinished(QList<omni::RequestRecord> records);
    /// What finished before it was asked for is in the log no more; what finished meanwhile may be.
    void requestLogCleared();
    /// Once a second.
    void trafficTicked(omni::TrafficSample sample);
    void listenerChanged(omni::ListenerState state);
    /// Something the user should read: plain English text, already redacted. The windows show it in the status strip.
    void noticeRaised(QString text);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
