#include "composition/core_parts.h"

#include "base/delivery.h"
#include "base/logging.h"
#include "secrets/secret_store.h"
#include "store/store.h"

#include <algorithm>
#include <utility>

namespace omni {

namespace {

constexpr char kSandboxProvider[] = "sandbox";
/// A user who removed the sandbox does not get it back at the next start.
constexpr char kSandboxFact[] = "sandboxOffered";

std::vector<ModelInfo> sandboxModels()
{
    std::vector<ModelInfo> models;
    for (const SandboxModel& model : Sandbox::models())
        models.push_back({model.id, model.id, 0, 0});
    return models;
}

}  // namespace

CoreParts::CoreParts(CoreOptions options) : m_options(std::move(options)), m_scheduler(m_clock) {}

CoreParts::~CoreParts()
{
    if (m_proxy)
        m_proxy->closeListener();
}

Result<std::unique_ptr<CoreParts>> CoreParts::create(const CoreOptions& options, Store& store, SecretStore& secrets)
{
    auto parts = std::unique_ptr<CoreParts>(new CoreParts(options));
    if (const Status status = parts->build(store, secrets); !status)
        return status.error();
    return parts;
}

Status CoreParts::build(Store& store, SecretStore& secrets)
{
    const std::string sandboxKey = "sandbox-" + secureRandomHex(16);
    Result<std::unique_ptr<Sandbox>> sandbox = Sandbox::start(m_scheduler, {0, sandboxKey});
    if (!sandbox)
        return sandbox.error();
    m_sandbox = *std::move(sandbox);
    const auto catalogue = ProviderCatalogue::load(m_sandbox->baseUrl(), sandboxModels());
    if (!catalogue)
        return catalogue.error();
    Result<Configuration> configuration = store.loadConfiguration(*catalogue);
    if (!configuration)
        return configuration.error();
    const Result<RuntimeState> state = store.loadRuntimeState();
    if (!state)
        return state.error();

    m_router = std::make_unique<Router>(m_random);
    m_metrics = std::make_unique<Metrics>(m_clock);
    m_transport = std::make_unique<TransportSwitch>(m_poller, m_scheduler);
    const ResilienceSettings resilience = configuration->settings.resilience;
    m_control = std::make_unique<Control>(
        Control::Parts{m_clock, m_scheduler, m_random, store, secrets, *m_transport, *m_router, *m_metrics, sandboxKey, m_options.port},
        *std::move(configuration));
    m_engine = std::make_unique<Engine>(m_clock, m_random, *m_control);
    m_engine->applySettings(resilience);
    m_engine->restore(state->breakers, state->healths);
    Result<std::unique_ptr<ProxyServer>> proxy = ProxyServer::create({m_clock, m_scheduler, m_random, m_poller, *m_transport, *m_engine,
                                                                      *m_router, *m_control, m_options.dataDir, m_options.requestShutdown});
    if (!proxy)
        return proxy.error();
    m_proxy = *std::move(proxy);
    m_control->attach(*m_engine, *m_proxy);

    store.onDamage([control = m_control.get(), delivery = Delivery(m_control.get())](const std::string& report) {
        delivery.run([control, report] { Q_EMIT control->noticeRaised(QString::fromStdString(report)); });
    });
    return {};
}

bool CoreParts::sandboxDue() const
{
    const std::vector<Connection>& connections = m_control->configuration()->connections;
    if (m_options.sandboxConnection)
        return std::none_of(connections.begin(), connections.end(),
                            [](const Connection& one) { return one.provider.str() == kSandboxProvider; });
    return m_options.offerSandbox && connections.empty() && m_control->store().fact(kSandboxFact).empty();
}

void CoreParts::open()
{
    if (!sandboxDue()) {
        startListener();
        return;
    }
    ConnectionDraft draft;
    draft.connection.provider = ProviderId(kSandboxProvider);
    draft.connection.name = "Sandbox";
    // The very first request must find it, so the listener waits for it.
    m_control->saveConnection(std::move(draft), [this](const Result<Connection>& saved) {
        if (saved)
            m_control->store().commit({PutFact{kSandboxFact, "true"}}, m_control.get(), [](const Status& status) {
                if (!status)
                    qCWarning(lcControl, "%s", describe(status.error()).c_str());
            });
        else
            qCWarning(lcControl, "the sandbox connection was not made: %s", describe(saved.error()).c_str());
        startListener();
    });
}

void CoreParts::startListener()
{
    if (m_options.startListener)
        m_control->startProxy();
}

}  // namespace omni
