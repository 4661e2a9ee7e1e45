#include "base/logging.h"
#include "base/text.h"
#include "control/connection_draft.h"
#include "control/control_p.h"
#include "control/validation.h"
#include "resilience/per_model_quota.h"

#include <algorithm>
#include <utility>

namespace omni {

namespace {

constexpr Millis kModelRefreshInterval{6 * 3'600'000};
constexpr Millis kModelRefreshAfterStart{60'000};
constexpr char kModelsFact[] = "modelsRefreshedAt";

/// Whether a model list read for `asked` tells anything about `now`.
bool leadsToTheSame(const Connection& asked, const Connection& now)
{
    return asked.provider == now.provider && asked.baseUrl == now.baseUrl && asked.secretRef == now.secretRef;
}

}  // namespace

void Control::testConnection(ConnectionDraft draft, Reply<TestReport> reply, TestGroup group)
{
    Connection connection = normalised(std::move(draft.connection));
    const Connection* saved = connection.id.empty() ? nullptr : d->current->connection(connection.id);
    if (saved) {
        connection.secretRef = saved->secretRef;
        connection.proxySecretRef = saved->proxySecretRef;
        if (connection.models.empty())
            connection.models = saved->models;
    }
    const std::optional<std::string> secret = cleaned(draft.secret);
    const std::optional<std::string> proxySecret = cleaned(draft.proxySecret);
    const Provider* provider = d->current->provider(connection.provider);

    std::vector<FieldError> errors;
    checkSecret(errors, "apiKey", secret, false);
    checkSecret(errors, "proxyPassword", proxySecret, true);
    const bool hasSecret = secret ? !secret->empty() : !connection.secretRef.empty();
    for (FieldError& error : validateConnection(connection, hasSecret, *d->current))
        if (error.field != "name" && error.field != "priority")  // of no account for a test
            errors.push_back(std::move(error));
    if (!errors.empty() || !provider) {
        reply(invalid("The connection cannot be tested as it is.", std::move(errors)));
        return;
    }
    // A key goes only where it was meant to go.
    if (saved && !secret && !saved->secretRef.empty() && connection.provider != saved->provider) {
        reply(invalid("The connection cannot be tested as it is.", {{"apiKey", "Enter the key of this provider."}}));
        return;
    }
    const bool keyGiven = secret && provider->category != ProviderCategory::Sandbox;
    Result<std::string> key = keyGiven ? Result<std::string>(*secret) : secretOf(connection);
    Result<std::string> proxyKey = proxySecret ? Result<std::string>(*proxySecret) : proxySecretOf(connection);
    if (!key || !proxyKey) {
        reply(key ? proxyKey.error() : key.error());
        return;
    }

    const std::uint64_t test = ++d->lastTest;
    Private::RunningTest& entry = d->tests[test];
    entry.connection = connection;
    entry.asSaved = saved && !secret && !proxySecret && leadsToTheSame(connection, *saved) && connection.proxyUrl == saved->proxyUrl;
    entry.reply = std::move(reply);
    entry.group = std::move(group);
    entry.tester = std::make_unique<ConnectionTester>(
        d->parts.transport, d->parts.scheduler,
        UpstreamSubject{*provider, connection, *std::move(key), *std::move(proxyKey), d->current->settings.upstream},
        [this, test](const ConnectionTester::Outcome& outcome) { d->testDone(test, outcome); });
    entry.tester->start();
}

int Control::cancelTests(const TestGroup& group)
{
    if (!group)
        return 0;
    std::vector<std::uint64_t> running;
    for (const auto& [test, entry] : d->tests) {
        if (entry.group == group)
            running.push_back(test);
    }
    int cancelled = 0;
    for (const std::uint64_t test : running) {
        // A reply may end other tests in its turn. The tester goes with its entry, and with it the request.
        const auto node = d->tests.extract(test);
        if (!node)
            continue;
        ++cancelled;
        node.mapped().reply(Error{ErrorKind::Cancelled, "The test of \"" + node.mapped().connection.name + "\" was stopped.", {}});
    }
    return cancelled;
}

void Control::Private::testDone(std::uint64_t test, const ConnectionTester::Outcome& outcome)
{
    auto node = tests.extract(test);
    RunningTest& entry = node.mapped();
    const Connection* connection = entry.asSaved ? current->connection(entry.connection.id) : nullptr;
    const Provider* provider = connection ? current->provider(connection->provider) : nullptr;
    if (provider && engine && outcome.asked) {
        const EngineTarget target{provider->id, current->providerClass(*connection), *connection, outcome.model,
                                  hasPerModelQuota(*provider, *connection)};
        std::optional<Failure> failure;
        if (outcome.failure) {
            failure.emplace();
            failure->status = outcome.failure->status;
            failure->transport = outcome.failure->failure;
            failure->headers = &outcome.failure->headers;
            failure->body = outcome.failure->body;
        }
        engine->recordTest(target, failure);
        if (outcome.report.ok && !outcome.report.models.empty())
            keepModels({{connection->id, outcome.report.models, entry.connection}}, [](const Status& status) {
                if (!status)
                    qCWarning(lcControl, "the model list of a tested connection was not kept: %s", status.error().message.c_str());
            });
    }
    entry.reply(outcome.report);
}

Result<UpstreamSubject> Control::Private::subjectOf(const ConnectionId& id) const
{
    const Connection* connection = current->connection(id);
    if (!connection)
        return noSuchConnection(id);
    const Provider* provider = current->provider(connection->provider);
    if (!provider)
        return Error{ErrorKind::NotFound, "The provider of \"" + connection->name + "\" does not exist.", {}};
    Result<std::string> secret = q.secretOf(*connection);
    if (!secret)
        return secret.error();
    Result<std::string> proxySecret = q.proxySecretOf(*connection);
    if (!proxySecret)
        return proxySecret.error();
    return UpstreamSubject{*provider, *connection, *std::move(secret), *std::move(proxySecret), current->settings.upstream};
}

void Control::refreshModels(const ConnectionId& id, Reply<std::vector<std::string>> reply) { d->refresher.fetch(id, std::move(reply)); }

void Control::Private::keepModels(const std::vector<ModelRefresher::Found>& found, std::function<void(Status)> done)
{
    change(
        [found](const Configuration& now) -> Result<PlannedChange> {
            PlannedChange plan(now);
            for (Connection& connection : plan.next.connections) {
                // The sandbox's models come with the program, at each start as they are then.
                const Provider* provider = now.provider(connection.provider);
                if (provider && provider->category == ProviderCategory::Sandbox)
                    continue;
                for (const ModelRefresher::Found& one : found) {
                    if (one.id != connection.id || !leadsToTheSame(one.asked, connection))
                        continue;
                    // An empty list says nothing; the last one that said something is worth more.
                    if (one.models.empty() || one.models == connection.models)
                        continue;
                    connection.models = one.models;
                    plan.rows.emplace_back(PutConnection{connection});
                }
            }
            return plan;
        },
        std::move(done));
}

void Control::Private::scheduleModelRefresh()
{
    const auto last = parseUnsigned(parts.store.fact(kModelsFact));
    const Millis since = last ? parts.clock.wall() - fromEpochMillis(static_cast<std::int64_t>(*last)) : kModelRefreshInterval;
    modelRefresh.start(std::clamp(kModelRefreshInterval - since, kModelRefreshAfterStart, kModelRefreshInterval));
}

void Control::Private::refreshAllModels()
{
    for (const Connection& connection : current->connections) {
        const Provider* provider = current->provider(connection.provider);
        if (connection.enabled && provider && !provider->modelsPath.empty() && provider->category != ProviderCategory::Sandbox)
            refresher.enqueue(connection.id);
    }
    modelRefresh.start(kModelRefreshInterval);
    parts.store.commit({PutFact{kModelsFact, std::to_string(epochMillis(parts.clock.wall()))}}, &q, [](const Status& status) {
        if (!status)
            qCWarning(lcControl, "the time of the model refresh was not kept: %s", status.error().message.c_str());
    });
}

}  // namespace omni
