#include "control/control.h"

#include "base/free_memory.h"
#include "base/logging.h"
#include "base/text.h"
#include "base/thread_call.h"
#include "control/control_p.h"
#include "store/facts.h"

#include <QMetaMethod>

#include <algorithm>
#include <utility>

namespace omni {

namespace {

constexpr Millis kEngineInterval{100};
constexpr Millis kKeyUseShown{2'000};
constexpr Millis kKeyUseInterval{300'000};  // spec 4-surfaces §1.6: once per five minutes per key
constexpr Millis kJump{5'000};
/// What a crash can cost of what breakers did; an idle program writes once an hour.
constexpr Millis kHistoryKeepAfterChange{30'000};
constexpr Millis kHistoryKeepInterval{3'600'000};

/// What the usage figures are made of, and nothing else of a request that is to leave no trace.
RequestRecord countedOnly(const RequestRecord& record)
{
    RequestRecord counted;
    counted.keepInLog = false;
    counted.startedAt = record.startedAt;
    counted.operation = record.operation;
    counted.outcome = record.outcome;
    counted.provider = record.provider;
    counted.connection = record.connection;
    counted.connectionName = record.connectionName;
    counted.model = record.model;
    counted.apiKey = record.apiKey;
    counted.apiKeyName = record.apiKeyName;
    counted.tokensIn = record.tokensIn;
    counted.tokensOut = record.tokensOut;
    counted.tokensCached = record.tokensCached;
    return counted;
}

}  // namespace

Error invalid(std::string message, std::vector<FieldError> details)
{
    return {ErrorKind::InvalidArgument, std::move(message), std::move(details)};
}

const ConnectionHealth* EngineSnapshot::health(const ConnectionId& id) const { return findById(healths, id); }

const BreakerStatus* EngineSnapshot::breaker(const ProviderId& id) const
{
    const auto found = std::find_if(breakers.begin(), breakers.end(), [&](const BreakerStatus& one) { return one.provider == id; });
    return found == breakers.end() ? nullptr : &*found;
}

Control::Private::Private(Control& owner, const Parts& given, Configuration configuration)
    : q(owner), parts(given), portOverride(given.port),
      feed(given.scheduler, {[this](std::vector<RequestRecord> records) { parts.store.appendRequests(std::move(records)); },
                             [this] {
                                 static const QMetaMethod signal = QMetaMethod::fromSignal(&Control::requestsFinished);
                                 return q.isSignalConnected(signal);
                             },
                             [this](const QList<RequestRecord>& records) { Q_EMIT q.requestsFinished(records); }}),
      refresher(given.transport, given.scheduler,
                {[this](const ConnectionId& id) { return subjectOf(id); },
                 [this](const std::vector<ModelRefresher::Found>& found, std::function<void(Status)> done) {
                     keepModels(found, std::move(done));
                 }}),
      engineThrottle(given.scheduler, kEngineInterval, [this] { announceEngine(); }),
      lapse(given.scheduler, [this] { engineThrottle.poke(); }), second(given.scheduler, [this] { tick(); }),
      modelRefresh(given.scheduler, [this] { refreshAllModels(); }), keyUse(given.scheduler, [this] { noteKeysUsed(); }),
      historyKeep(given.scheduler, [this] { keepBreakerHistory(); }), background(owner)
{
    configuration.refreshNodeProviders();
    current = std::make_shared<const Configuration>(std::move(configuration));
    parts.router.setConfiguration(current);
}

Control::Control(const Parts& parts, Configuration configuration) : d(std::make_unique<Private>(*this, parts, std::move(configuration))) {}

Control::~Control()
{
    if (d->engine)
        d->keepBreakerHistory();
}

void Control::attach(Engine& engine, ListenerControl& listener)
{
    d->engine = &engine;
    d->listener = &listener;
    engine.applySettings(d->current->settings.resilience);

    int unreadable = 0;
    for (const Connection& connection : d->current->connections) {
        if (secretOf(connection) && proxySecretOf(connection))
            continue;
        engine.noteSecretUnreadable(connection.id, true);
        ++unreadable;
    }
    if (unreadable > 0)
        qCWarning(lcControl, "the keys of %d connections cannot be read; they are left out until a key is entered anew", unreadable);

    d->parts.metrics.rememberEarlier(breakerHistoryFromJson(d->parts.store.fact(kBreakerHistoryFact)));
    for (const BreakerStatus& breaker : engine.breakers())
        d->parts.metrics.breakerFound(breaker);
    d->discardLeftovers();
    d->lastTickMono = d->parts.clock.mono();
    d->lastTickWall = d->parts.clock.wall();
    d->second.start(Millis(1000));
    d->historyKeep.start(kHistoryKeepInterval);
    d->scheduleModelRefresh();
    d->engineThrottle.poke();
}

const ConfigurationPtr& Control::configuration() const { return d->current; }
SecretStatus Control::secretStatus() const { return d->parts.secrets.status(); }
Metrics& Control::metrics() const { return d->parts.metrics; }
Store& Control::store() const { return d->parts.store; }

void Control::clearRequestLog(Reply<bool> reply)
{
    d->feed.beforeClearing();
    d->parts.store.clearRequests(this, [this, reply = std::move(reply)](const Status& status) {
        if (!status)
            return reply(status.error());
        Q_EMIT requestLogCleared();
        reply(true);
    });
}

EngineSnapshot Control::engineSnapshot() const
{
    if (!d->engine)
        return {d->parts.clock.wall(), {}, {}};
    return {d->parts.clock.wall(), d->engine->breakers(), d->engine->healths(), d->engine->lockouts(), d->engine->providerCooldowns()};
}

void Control::Private::announceEngine()
{
    if (!engine)
        return;
    static const QMetaMethod signal = QMetaMethod::fromSignal(&Control::engineChanged);
    if (q.isSignalConnected(signal))
        Q_EMIT q.engineChanged(q.engineSnapshot());
    else
        engine->refresh();  // tells what has lapsed, for the log and the bands
    const WallTime next = engine->nextChange();
    if (next == WallTime::max())
        lapse.stop();
    else
        lapse.start(std::max(next - parts.clock.wall(), Millis(0)) + Millis(1));
}

void Control::breakerChanged(const BreakerStatus& breaker)
{
    if (!d->engine)
        return;  // told before `attach`: it comes from the store
    d->parts.metrics.breakerChanged(breaker);
    d->parts.store.saveBreaker(breaker);
    d->keepBreakerHistorySoon();
    d->engineThrottle.poke();
}

void Control::breakerRemoved(const ProviderId& provider)
{
    d->parts.store.removeBreaker(provider);
    d->engineThrottle.poke();
}

void Control::connectionChanged(const ConnectionHealth& health)
{
    if (!d->engine)
        return;
    d->parts.store.saveHealth(health);
    d->engineThrottle.poke();
}

void Control::lockoutChanged(const ModelLockout&) { d->engineThrottle.poke(); }

void Control::providerCooldownsChanged() { d->engineThrottle.poke(); }

void Control::disableWanted(const ConnectionId& id)
{
    // The engine is in the middle of a failure; what changes the configuration comes after it.
    callIn(this, [this, id] {
        const Connection* connection = d->current->connection(id);
        if (!connection || !connection->enabled)
            return;
        const std::string name = connection->name;
        setConnectionsEnabled({id}, false, [this, name](const Result<int>& changed) {
            if (changed)
                Q_EMIT noticeRaised(tr("%1 was banned by its provider and is switched off.").arg(QString::fromStdString(name)));
        });
    });
}

int Control::clearLockouts(const ProviderId& provider, const ConnectionId& connection, const std::string& model)
{
    return d->engine ? d->engine->clearLockouts(provider, connection, model) : 0;
}

int Control::clearAllLockouts() { return d->engine ? d->engine->clearAllLockouts() : 0; }

Engine::Cleared Control::clearCooldowns(const std::vector<ConnectionId>& ids)
{
    return d->engine ? d->engine->clearCooldowns(ids) : Engine::Cleared{};
}

Engine::Cleared Control::clearAllCooldowns(const ProviderId& onlyProvider)
{
    std::vector<ConnectionId> ids;
    for (const Connection& connection : d->current->connections)
        if (onlyProvider.empty() || connection.provider == onlyProvider)
            ids.push_back(connection.id);
    Engine::Cleared cleared = clearCooldowns(ids);
    if (d->engine)
        cleared.cleared += d->engine->clearProviderCooldowns(onlyProvider);
    return cleared;
}

int Control::resetBreakers(const ProviderId& onlyProvider) { return d->engine ? d->engine->resetBreakers(onlyProvider) : 0; }

void Control::Private::keepBreakerHistory()
{
    historyKeep.start(kHistoryKeepInterval);
    // Refused, it is no more than a band with a gap after the next start.
    parts.store.commit({PutFact{kBreakerHistoryFact, toJson(parts.metrics.breakerHistory(Metrics::kBandAge))}}, nullptr, {});
}

void Control::Private::keepBreakerHistorySoon()
{
    if (historyKeep.deadline() > parts.clock.mono() + kHistoryKeepAfterChange)
        historyKeep.start(kHistoryKeepAfterChange);
}

void Control::Private::tick()
{
    const MonoTime mono = parts.clock.mono();
    const WallTime wall = parts.clock.wall();
    const Micros passed = mono - lastTickMono;
    // Either clock may be the one that shows it: where the monotonic one stops during sleep, only the wall clock jumps.
    const bool slept = passed > Millis(1000) + kJump;
    const bool wallJumped = std::chrono::abs((wall - lastTickWall) - passed) > Micros(kJump);
    lastTickMono = mono;
    lastTickWall = wall;
    if (slept || wallJumped) {
        qCInfo(lcControl, "the machine slept or its clock was set: pooled connections are dropped, holds are looked at anew");
        parts.transport.dropIdleConnections();
        engineThrottle.poke();
    }
    // From deadline to deadline, so that the seconds do not drift by what each turn takes.
    second.start(std::clamp(Micros(Millis(1000)) - (mono - second.deadline()), Micros(Millis(1)), Micros(Millis(1000))));
    const TrafficSample sample = parts.metrics.tick();
    const bool quiet = sample.requests == 0 && sample.active == 0;
    busy = busy || !quiet;
    // In the second quiet second: by then the log is written.
    if (busy && quiet && wasQuiet) {
        busy = false;
        giveFreeMemoryBack();
    }
    wasQuiet = quiet;
    Q_EMIT q.trafficTicked(sample);
}

void Control::requestStarted() { d->parts.metrics.requestStarted(); }

void Control::requestFinished(RequestRecord record, bool keepInLog)
{
    d->parts.metrics.requestFinished(record);
    d->feed.add(keepInLog ? std::move(record) : countedOnly(record));
}

const ApiKey* Control::findApiKey(std::string_view presented) const
{
    if (presented.empty() || d->current->apiKeys.empty())
        return nullptr;
    const std::string hash = sha256Hex(presented);
    const WallTime now = d->parts.clock.wall();
    const ApiKey* found = nullptr;
    for (const ApiKey& key : d->current->apiKeys) {
        const bool valid = key.active && !key.revokedAt && (!key.expiresAt || *key.expiresAt > now);
        if (equalsConstantTime(hash, key.hash) && valid)
            found = &key;
    }
    return found;
}

void Control::noteApiKeyUsed(const ApiKeyId& id)
{
    const MonoTime now = d->parts.clock.mono();
    const auto [touched, first] = d->keysTouched.try_emplace(id, now);
    if (!first && now - touched->second < kKeyUseInterval)
        return;
    touched->second = now;
    const WallTime wall = d->parts.clock.wall();
    d->parts.store.touchApiKey(id, wall);
    d->keysUsed[id] = wall;
    // Not in this turn: the caller still holds the key as it is in the present configuration.
    if (!d->keyUse.active())
        d->keyUse.start(kKeyUseShown);
}

void Control::Private::noteKeysUsed()
{
    if (changing) {
        keyUse.start(kKeyUseShown);
        return;
    }
    Configuration next = *current;
    for (ApiKey& key : next.apiKeys)
        if (const auto used = keysUsed.find(key.id); used != keysUsed.end())
            key.lastUsedAt = used->second;
    keysUsed.clear();
    next.refreshNodeProviders();
    // The router is not told: nothing that it looks up has changed, and its tables are costly to build.
    current = std::make_shared<const Configuration>(std::move(next));
    Q_EMIT q.configurationChanged(current);
}

Result<std::string> Control::secretOf(const Connection& connection) const
{
    const Provider* provider = d->current->provider(connection.provider);
    if (provider && provider->category == ProviderCategory::Sandbox)
        return d->parts.sandboxKey;
    return connection.secretRef.empty() ? Result<std::string>(std::string()) : d->parts.secrets.read(connection.secretRef);
}

Result<std::string> Control::proxySecretOf(const Connection& connection) const
{
    return connection.proxySecretRef.empty() ? Result<std::string>(std::string()) : d->parts.secrets.read(connection.proxySecretRef);
}

}  // namespace omni
