#include "support/control_fixture.h"

#include "base/delivery.h"

#include <algorithm>

namespace omni::test {

Result<std::string> FakeSecretStore::read(const std::string& reference) const
{
    const auto found = values.find(reference);
    if (locked || found == values.end())
        return Error{ErrorKind::Secret, locked ? "The key store is locked." : "There is no such secret.", {}};
    return found->second;
}

void FakeSecretStore::write(const std::string& reference, std::string value, QObject* context, std::function<void(Status)> done)
{
    const bool fails = failWrites || locked;
    if (!fails)
        values[reference] = std::move(value);
    Delivery(context).run([done = std::move(done), fails] {
        done(fails ? Status(Error{ErrorKind::Secret, "The key store refuses.", {}}) : Status());
    });
}

void FakeSecretStore::remove(const std::string& reference, QObject* context, std::function<void(Status)> done)
{
    const bool fails = failWrites || locked;
    if (!fails)
        values.erase(reference);
    Delivery(context).run([done = std::move(done), fails] {
        done(fails ? Status(Error{ErrorKind::Secret, "The key store refuses.", {}}) : Status());
    });
}

Result<int> FakeListener::listen(const ProxySettings& settings)
{
    asked.push_back(settings);
    if (std::find(taken.begin(), taken.end(), settings.port) != taken.end())
        return Error{ErrorKind::Conflict, "The port is taken.", {}};
    return settings.port == 0 ? 54'321 : settings.port;
}

ControlFixture::ControlFixture() { start(); }

ControlFixture::~ControlFixture() { stop(); }

void ControlFixture::start()
{
    Result<std::unique_ptr<Store>> opened = Store::open({folder.path(), "control-test"});
    if (!opened)
        qFatal("%s", describe(opened.error()).c_str());
    store = *std::move(opened);
    const auto catalogue = ProviderCatalogue::load("http://127.0.0.1:9/v1", {{"ok", "ok", 0, 0}});
    if (!catalogue)
        qFatal("%s", describe(catalogue.error()).c_str());
    Result<Configuration> configuration = store->loadConfiguration(*catalogue);
    const Result<RuntimeState> state = store->loadRuntimeState();
    if (!configuration || !state)
        qFatal("the store cannot be loaded");

    scheduler = std::make_unique<SimulatedScheduler>(clock);
    transport = std::make_unique<FakeTransport>();
    listener = std::make_unique<FakeListener>();
    router = std::make_unique<Router>(random);
    metrics = std::make_unique<Metrics>(clock);
    const ResilienceSettings resilience = configuration->settings.resilience;
    control = std::make_unique<Control>(
        Control::Parts{clock, *scheduler, random, *store, secrets, *transport, *router, *metrics, "run-time-key", port},
        *std::move(configuration));
    engine = std::make_unique<Engine>(clock, random, *control);
    engine->applySettings(resilience);
    engine->restore(state->breakers, state->healths);
    control->attach(*engine, *listener);
}

void ControlFixture::stop()
{
    engine.reset();
    control.reset();
    metrics.reset();
    router.reset();
    listener.reset();
    transport.reset();
    scheduler.reset();
    store.reset();
}

Result<Connection> ControlFixture::save(ConnectionDraft given)
{
    return wait<Connection>([&](Reply<Connection> reply) { control->saveConnection(given, std::move(reply)); });
}

ConnectionDraft ControlFixture::draft(const std::string& name, const std::string& secret)
{
    ConnectionDraft made;
    made.connection.provider = ProviderId("openai");
    made.connection.name = name;
    made.secret = secret;
    return made;
}

bool ControlFixture::settle()
{
    // Changes are made one after the other, so the reply to one more comes last.
    return wait<int>([&](Reply<int> reply) { control->setConnectionsEnabled({}, true, std::move(reply)); }).ok();
}

const Connection* ControlFixture::find(const std::string& name) const
{
    for (const Connection& connection : control->configuration()->connections)
        if (connection.name == name)
            return &connection;
    return nullptr;
}

const ConnectionId& ControlFixture::idOf(const std::string& name) const
{
    const Connection* connection = find(name);
    if (!connection)
        qFatal("there is no connection %s", name.c_str());
    return connection->id;
}

}  // namespace omni::test
