#include "proxy/management_resilience.h"
#include "secrets/secret_store.h"
#include "store/store.h"

#include <QFile>
#include <QtGlobal>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

#include <algorithm>

namespace omni {

namespace {

std::string_view word(ListenerPhase phase)
{
    switch (phase) {
    case ListenerPhase::Stopped: return "stopped";
    case ListenerPhase::Starting: return "starting";
    case ListenerPhase::Serving: return "serving";
    case ListenerPhase::Failed: return "failed";
    }
    return "stopped";
}

std::string_view word(SecretProtection protection)
{
    switch (protection) {
    case SecretProtection::SystemKeyStore: return "system-key-store";
    case SecretProtection::KeyFile: return "key-file";
    case SecretProtection::Passphrase: return "passphrase";
    case SecretProtection::Memory: return "memory";
    }
    return "memory";
}

/// Bytes in memory, or null where the system does not tell.
Json residentBytes()
{
#ifdef Q_OS_LINUX
    QFile file(QStringLiteral("/proc/self/statm"));
    if (file.open(QIODevice::ReadOnly)) {
        const QList<QByteArray> fields = file.readAll().split(' ');
        if (fields.size() > 1)
            return fields[1].toLongLong() * static_cast<qint64>(::sysconf(_SC_PAGESIZE));
    }
#endif
    return {};
}

bool serves(const BreakerStatus& breaker)
{
    return breaker.state == BreakerState::Closed || breaker.state == BreakerState::Degraded;
}

/// The one word: "degraded" while something that should answer does not, though requests may still be served by others.
std::string_view overallStatus(const ManagementContext& context, const std::vector<BreakerStatus>& breakers, const StoreStatistics& store)
{
    const bool allServe = std::all_of(breakers.begin(), breakers.end(), &serves);
    return allServe && store.lastError.empty() && !context.control.secretStatus().locked ? "healthy" : "degraded";
}

Json storeJson(const StoreStatistics& store)
{
    return {{"queuedRows", store.queuedRows},     {"writtenRows", store.writtenRows}, {"droppedRows", store.droppedRows},
            {"failedWrites", store.failedWrites}, {"fileBytes", store.fileBytes},     {"lastError", textOrNull(store.lastError)}};
}

Json listenerJson(const ListenerState& listener)
{
    const bool serving = listener.phase == ListenerPhase::Serving;
    return {{"phase", word(listener.phase)},
            {"address", listener.address},
            {"port", listener.port},
            {"baseUrl", serving ? Json(listener.baseUrl()) : Json()},
            {"exposed", listener.exposed},
            {"error", textOrNull(listener.error)},
            {"suggestedPort", listener.suggestedPort != 0 ? Json(listener.suggestedPort) : Json()}};
}

Json systemJson(const ManagementContext& context)
{
    return {{"version", OMNIROUTE_VERSION},
            {"runtimeVersion", std::string("Qt ") + qVersion()},
            {"uptime", std::chrono::duration_cast<std::chrono::seconds>(context.clock.mono() - context.startedAt).count()},
            {"memoryUsage", {{"rss", residentBytes()}}}};
}

void health(const ManagementContext& context, const CallPtr& call)
{
    const std::vector<BreakerStatus> breakers = context.engine.breakers();
    const StoreStatistics store = context.control.store().statistics();
    const std::string_view status = overallStatus(context, breakers, store);
    if (!call->authenticated())
        return call->answer(200, {{"status", status}});

    const Configuration& configuration = context.configuration();
    const WallTime now = context.clock.wall();
    Json rows = Json::array();
    Json byName = Json::object();
    for (const BreakerStatus& breaker : breakers) {
        Json row = breakerJson(breaker);
        row["failures"] = breaker.failureCount;
        rows.push_back(std::move(row));
        byName[breaker.provider.str()] = {{"state", toString(breaker.state)},
                                          {"failures", breaker.failureCount},
                                          {"retryAfterMs", breaker.retryAfter.count()},
                                          {"lastFailure", timeJson(breaker.lastFailureAt)},
                                          {"lastFailureKind", breaker.lastFailureKind ? Json(toString(*breaker.lastFailureKind)) : Json()}};
    }
    std::int64_t active = 0;
    std::int64_t cooling = 0;
    std::int64_t terminal = 0;
    std::int64_t unreadable = 0;
    std::set<ProviderId> configured;
    std::set<ProviderId> monitored;
    for (const Connection& connection : configuration.connections) {
        const ConnectionHealth state = context.engine.health(connection.id);
        configured.insert(connection.provider);
        if (connection.enabled)
            monitored.insert(connection.provider);
        active += connection.enabled ? 1 : 0;
        cooling += cooldownRemaining(state, now) > 0 ? 1 : 0;
        terminal += state.terminal != TerminalState::None ? 1 : 0;
        unreadable += state.secretUnreadable ? 1 : 0;
    }
    const std::vector<ModelLockout> lockouts = context.engine.lockouts();
    const std::size_t catalogued = configuration.catalogue ? configuration.catalogue->all().size() : 0;
    call->answer(200, {{"status", status},
                       {"system", systemJson(context)},
                       {"listener", listenerJson(context.control.listenerState())},
                       {"providerBreakers", std::move(rows)},
                       {"providerHealth", std::move(byName)},
                       {"providerSummary",
                        {{"catalogCount", catalogued + configuration.nodes.size()},
                         {"configuredCount", configured.size()},
                         {"activeCount", monitored.size()},
                         {"monitoredCount", breakers.size()}}},
                       {"connections",
                        {{"total", configuration.connections.size()},
                         {"active", active},
                         {"coolingDown", cooling},
                         {"terminal", terminal},
                         {"secretUnreadable", unreadable}}},
                       {"lockouts", lockoutRows(lockouts)},
                       {"lockoutCount", lockouts.size()},
                       {"providerCooldowns", providerCooldownRows(context.engine, ProviderFilter(configuration, {}))},
                       {"dedup", {{"inflightRequests", context.control.metrics().active()}}},
                       {"store", storeJson(store)}});
}

void resetBreakers(const ManagementContext& context, const CallPtr& call)
{
    const int count = context.control.resetBreakers();
    call->answer(200, {{"success", true},
                       {"message", count == 1 ? "1 circuit breaker was reset." : std::to_string(count) + " circuit breakers were reset."},
                       {"resetCount", count}});
}

void status(const ManagementContext& context, const CallPtr& call)
{
    const SecretStatus secrets = context.control.secretStatus();
    Json json = systemJson(context);
    json["status"] = overallStatus(context, context.engine.breakers(), context.control.store().statistics());
    json["listener"] = listenerJson(context.control.listenerState());
    json["activeRequests"] = context.control.metrics().active();
    json["store"] = storeJson(context.control.store().statistics());
    json["secrets"] = {{"protection", word(secrets.protection)}, {"locked", secrets.locked}, {"explanation", secrets.explanation}};
    call->answer(200, json);
}

void catalogue(const ManagementContext& context, const CallPtr& call)
{
    const Configuration& configuration = context.configuration();
    Json rows = Json::array();
    const auto add = [&rows](const Provider& provider) {
        Json models = Json::array();
        for (const ModelInfo& model : provider.models) {
            models.push_back({{"id", model.id},
                              {"name", model.name.empty() ? model.id : model.name},
                              {"contextLength", model.contextLength > 0 ? Json(model.contextLength) : Json()},
                              {"maxOutputTokens", model.maxOutputTokens > 0 ? Json(model.maxOutputTokens) : Json()}});
        }
        Json operations = Json::array();
        for (const auto& [operation, path] : provider.paths)
            operations.push_back(toString(operation));
        rows.push_back({{"id", provider.id.str()},
                        {"alias", textOrNull(provider.alias)},
                        {"name", provider.name},
                        {"category", toString(provider.category)},
                        {"dialect", toString(provider.dialect())},
                        {"website", textOrNull(provider.website)},
                        {"note", textOrNull(provider.note)},
                        {"baseUrl", textOrNull(withoutUserInfo(provider.baseUrl))},
                        {"keyOptional", provider.keyOptional || provider.auth == AuthHeader::None},
                        {"passthroughModels", provider.passthroughModels},
                        {"operations", std::move(operations)},
                        {"models", std::move(models)}});
    };
    if (configuration.catalogue) {
        for (const Provider& provider : configuration.catalogue->all())
            add(provider);
    }
    for (const ProviderNode& node : configuration.nodes) {
        if (const Provider* provider = configuration.provider(node.id))
            add(*provider);
    }
    call->answer(200, {{"providers", std::move(rows)}});
}

void metrics(const ManagementContext& context, const CallPtr& call)
{
    const EngineSnapshot snapshot = context.control.engineSnapshot();
    call->answerText(200, "text/plain; version=0.0.4; charset=utf-8",
                     context.control.metrics().prometheus(snapshot.breakers, snapshot.healths));
}

void shutdown(const ManagementContext& context, const CallPtr& call)
{
    call->answer(202, {{"success", true}, {"message", "Shutting down: requests under way get a few seconds to end."}});
    context.shutdown();
}

}  // namespace

std::vector<ManagementRoute> monitoringRoutes()
{
    return {{"GET", "/api/health", &health, true},
            {"GET", "/api/monitoring/health", &health, true},
            {"DELETE", "/api/monitoring/health", &resetBreakers},
            {"GET", "/api/status", &status},
            {"GET", "/api/catalogue", &catalogue},
            {"GET", "/metrics", &metrics},
            {"POST", "/api/shutdown", &shutdown}};
}

}  // namespace omni
