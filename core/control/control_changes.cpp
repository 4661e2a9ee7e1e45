#include "base/logging.h"
#include "control/control_p.h"
#include "store/facts.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace omni {

void Control::Private::change(Build build, std::function<void(Status)> done)
{
    auto pending = std::make_shared<PendingChange>();
    pending->build = std::move(build);
    pending->done = std::move(done);
    waiting.push_back(std::move(pending));
    startNextChange();
}

void Control::Private::startNextChange()
{
    // A change that ends at once returns here instead of nesting one level deeper for each.
    if (starting)
        return;
    starting = true;
    while (!changing && !waiting.empty()) {
        const Pending pending = std::move(waiting.front());
        waiting.pop_front();
        changing = true;
        Result<PlannedChange> plan = pending->build(*current);
        if (!plan) {
            finish(pending, plan.error());
        } else if (plan->rows.empty()) {
            finish(pending, {});
        } else {
            pending->plan.emplace(*std::move(plan));
            writeSecrets(pending);
        }
    }
    starting = false;
}

void Control::Private::writeSecrets(const Pending& pending)
{
    if (pending->plan->newSecrets.empty()) {
        commit(pending);
        return;
    }
    const auto secrets = std::move(pending->plan->newSecrets);
    pending->outstanding = secrets.size();
    for (const auto& [reference, value] : secrets) {
        parts.secrets.write(reference, value, &q, [this, pending, reference = reference](const Status& status) {
            if (status)
                pending->written.push_back(reference);
            else
                pending->secretError = status.error();
            if (--pending->outstanding > 0)
                return;
            if (!pending->secretError) {
                commit(pending);
                return;
            }
            discardSecrets(pending->written);
            finish(pending, Error{ErrorKind::Secret, "The key could not be kept: " + pending->secretError->message, {}});
        });
    }
}

void Control::Private::commit(const Pending& pending)
{
    PlannedChange& plan = *pending->plan;
    std::set<std::string> leaving = discarded;
    leaving.insert(plan.oldSecrets.begin(), plan.oldSecrets.end());
    leaving.insert(plan.keptSecrets.begin(), plan.keptSecrets.end());
    for (const std::string& reference : plan.reclaimedSecrets)
        leaving.erase(reference);
    if (leaving != discarded)
        plan.rows.emplace_back(PutFact{kDiscardedSecretsFact, nlohmann::json(leaving).dump()});

    parts.store.commit(plan.rows, &q, [this, pending](const Status& status) {
        const PlannedChange& made = *pending->plan;
        if (status) {
            discarded.insert(made.oldSecrets.begin(), made.oldSecrets.end());
            discarded.insert(made.keptSecrets.begin(), made.keptSecrets.end());
            for (const std::string& reference : made.reclaimedSecrets)
                discarded.erase(reference);
            apply(*pending);
        }
        discardSecrets(status ? made.oldSecrets : pending->written);
        finish(pending, status);
    });
}

void Control::Private::apply(PendingChange& pending)
{
    PlannedChange& plan = *pending.plan;
    plan.next.refreshNodeProviders();
    const bool resilienceChanged = plan.next.settings.resilience != current->settings.resilience;
    current = std::make_shared<const Configuration>(std::move(plan.next));
    parts.router.setConfiguration(current);
    if (engine && resilienceChanged)
        engine->applySettings(current->settings.resilience);
    for (const ConfigChange& row : plan.rows)
        if (const auto* gone = std::get_if<DeleteConnection>(&row); gone && engine)
            engine->forgetConnection(gone->id);
    if (plan.applied)
        plan.applied();
    Q_EMIT q.configurationChanged(current);
    engineThrottle.poke();
}

void Control::Private::finish(const Pending& pending, const Status& status)
{
    if (!status && pending->plan && pending->plan->withdrawn)
        pending->plan->withdrawn();
    pending->done(status);
    changing = false;
    startNextChange();
}

void Control::Private::discardSecrets(const std::vector<std::string>& references)
{
    for (const std::string& reference : references) {
        parts.secrets.remove(reference, &q, [this, reference](const Status& status) {
            if (status)
                discarded.erase(reference);
            else
                qCWarning(lcControl, "an outdated key could not be removed, will be tried again at the next start: %s",
                          status.error().message.c_str());
        });
    }
}

void Control::Private::discardLeftovers()
{
    const nlohmann::json fact = nlohmann::json::parse(parts.store.fact(kDiscardedSecretsFact), nullptr, false);
    if (!fact.is_array() || fact.empty())
        return;
    std::set<std::string> used;
    for (const Connection& connection : current->connections) {
        used.insert(connection.secretRef);
        used.insert(connection.proxySecretRef);
    }
    std::vector<std::string> leftovers;
    for (const auto& entry : fact)
        if (entry.is_string() && !used.contains(entry.get<std::string>()) && parts.secrets.read(entry.get<std::string>()))
            leftovers.push_back(entry.get<std::string>());
    discarded.insert(leftovers.begin(), leftovers.end());
    discardSecrets(leftovers);
}

}  // namespace omni
