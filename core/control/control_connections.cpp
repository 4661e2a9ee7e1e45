#include "base/random.h"
#include "base/text.h"
#include "control/connection_draft.h"
#include "control/control_p.h"
#include "control/validation.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace omni {

void planSecret(PlannedChange& plan, const ConnectionId& id, const char* what, const std::optional<std::string>& secret,
                std::string& reference)
{
    if (!secret)
        return;
    if (!reference.empty())
        plan.oldSecrets.push_back(reference);
    reference.clear();
    if (secret->empty())
        return;
    // Under a new name, so that the old one stays whole until the change is durable.
    reference = "connection/" + id.str() + "/" + what + "/" + secureRandomHex(6);
    plan.newSecrets.emplace_back(reference, *secret);
}

std::string freeConnectionName(const Configuration& configuration, const ProviderId& provider, const std::string& base,
                               const std::string& suffix)
{
    const auto taken = [&](const std::string& name) {
        return std::any_of(configuration.connections.begin(), configuration.connections.end(),
                           [&](const Connection& one) { return one.provider == provider && equalsIgnoreCase(one.name, name); });
    };
    // Long names lose their end to the suffix rather than break the limit of 100 characters.
    const std::string stem = std::string(clippedUtf8(base, 80)) + " (" + suffix;
    std::string name = stem + ")";
    for (int number = 2; taken(name); ++number)
        name = stem + " " + std::to_string(number) + ")";
    return name;
}

Result<PlannedChange> Control::Private::planSave(const Configuration& now, const ConnectionDraft& draft, Connection& saved)
{
    Connection connection = normalised(draft.connection);
    const Connection* old = connection.id.empty() ? nullptr : now.connection(connection.id);
    if (!connection.id.empty() && !old)
        return noSuchConnection(connection.id);

    std::vector<FieldError> errors;
    const WallTime at = parts.clock.wall();
    if (old) {
        connection.secretRef = old->secretRef;
        connection.keyHint = old->keyHint;
        connection.proxySecretRef = old->proxySecretRef;
        connection.createdAt = old->createdAt;
        connection.models = connection.baseUrl == old->baseUrl ? old->models : std::vector<std::string>();
        // The key was given for that provider and for no other.
        if (connection.provider != old->provider)
            errors.push_back({"provider", "The provider cannot be changed. Make a new connection instead."});
    } else {
        connection.id = ConnectionId(newUuid());
        connection.secretRef.clear();
        connection.keyHint.clear();
        connection.proxySecretRef.clear();
        connection.createdAt = at;
    }
    connection.updatedAt = at;

    std::optional<std::string> secret = cleaned(draft.secret);
    std::optional<std::string> proxySecret = cleaned(draft.proxySecret);
    if (connection.proxyUrl.empty())
        proxySecret = std::string();  // nobody asks for it any more
    const Provider* provider = now.provider(connection.provider);
    const bool sandbox = provider && provider->category == ProviderCategory::Sandbox;
    if (sandbox)
        secret = std::string();  // its key is made anew at every start and kept in memory only
    checkSecret(errors, "apiKey", secret, false);
    checkSecret(errors, "proxyPassword", proxySecret, true);
    const bool hasSecret = secret ? !secret->empty() : !connection.secretRef.empty();
    for (FieldError& error : validateConnection(connection, hasSecret, now))
        errors.push_back(std::move(error));
    if (!errors.empty())
        return invalid("The connection was not saved.", std::move(errors));

    PlannedChange plan(now);
    planSecret(plan, connection.id, "key", secret, connection.secretRef);
    planSecret(plan, connection.id, "proxy", proxySecret, connection.proxySecretRef);
    if (secret)
        connection.keyHint = maskedSecret(*secret);
    upsert(plan.next.connections, connection);
    plan.rows.emplace_back(PutConnection{connection});
    saved = connection;

    const bool otherKey = (secret && !sandbox) || connection.proxySecretRef != (old ? old->proxySecretRef : std::string());
    const bool reenabled = old && !old->enabled && connection.enabled;
    const bool otherWay = !old || otherKey || connection.baseUrl != old->baseUrl || connection.proxyUrl != old->proxyUrl;
    const bool hasList = !provider->modelsPath.empty() && !sandbox;
    plan.applied = [this, id = connection.id, otherKey, reenabled, refresh = otherWay && hasList] {
        if (engine && (otherKey || reenabled))
            engine->credentialChanged(id);
        if (engine && otherKey)
            noteReadability(id);
        if (refresh)
            refresher.enqueue(id);
    };
    return plan;
}

void Control::Private::noteReadability(const ConnectionId& id)
{
    const Connection* connection = current->connection(id);
    if (engine && connection)
        engine->noteSecretUnreadable(id, !(q.secretOf(*connection) && q.proxySecretOf(*connection)));
}

void Control::saveConnection(ConnectionDraft draft, Reply<Connection> reply)
{
    d->changeFor<Connection>(std::move(reply), [this, draft = std::move(draft)](const Configuration& now, Connection& saved) {
        return d->planSave(now, draft, saved);
    });
}

void Control::removeConnections(std::vector<ConnectionId> ids, Reply<std::string> reply)
{
    const auto build = [this, ids = std::move(ids)](const Configuration& now, std::string& token) -> Result<PlannedChange> {
        if (ids.empty())
            return invalid("Nothing was named to remove.", {{"ids", "At least one."}});
        const std::unordered_set<ConnectionId> leaving(ids.begin(), ids.end());
        PlannedChange plan(now);
        Private::Removed gone;
        for (const ConnectionId& id : leaving) {
            const Connection* connection = now.connection(id);
            if (!connection)
                return noSuchConnection(id);
            gone.connections.push_back(*connection);
            plan.rows.emplace_back(DeleteConnection{id});
            for (const std::string& reference : {connection->secretRef, connection->proxySecretRef})
                if (!reference.empty())
                    plan.keptSecrets.push_back(reference);
        }
        std::erase_if(plan.next.connections, [&](const Connection& one) { return leaving.contains(one.id); });
        token = secureRandomHex(16);
        plan.applied = [this, token, kept = plan.keptSecrets, connections = std::move(gone.connections)] {
            Private::Removed& entry = d->removed[token];
            entry.connections = connections;
            entry.expiry = std::make_unique<Timer>(d->parts.scheduler, [this, token, kept] {
                d->removed.erase(token);
                d->discardSecrets(kept);
            });
            entry.expiry->start(kUndoTime);
        };
        return plan;
    };
    d->changeFor<std::string>(std::move(reply), build);
}

void Control::undoRemove(const std::string& token, Reply<std::vector<Connection>> reply)
{
    const auto build = [this, token](const Configuration& now, std::vector<Connection>& restored) -> Result<PlannedChange> {
        const auto entry = d->removed.find(token);
        if (entry == d->removed.end())
            return Error{ErrorKind::NotFound, "This can no longer be undone: 10 minutes have passed, or it was undone already.", {}};
        PlannedChange plan(now);
        for (Connection connection : entry->second.connections) {
            if (!now.provider(connection.provider))
                return Error{ErrorKind::Conflict, "The endpoint of " + inQuotes(connection.name) + " was removed meanwhile.", {}};
            if (now.connection(connection.id))
                return Error{ErrorKind::Conflict, inQuotes(connection.name) + " came back by an import meanwhile.", {}};
            const bool taken = std::any_of(plan.next.connections.begin(), plan.next.connections.end(), [&](const Connection& one) {
                return one.provider == connection.provider && equalsIgnoreCase(one.name, connection.name);
            });
            if (taken)
                connection.name = freeConnectionName(plan.next, connection.provider, connection.name, "restored");
            for (const std::string& reference : {connection.secretRef, connection.proxySecretRef})
                if (!reference.empty())
                    plan.reclaimedSecrets.push_back(reference);
            upsert(plan.next.connections, connection);
            plan.rows.emplace_back(PutConnection{connection});
            restored.push_back(std::move(connection));
        }
        plan.applied = [this, token, restored] {
            d->removed.erase(token);
            for (const Connection& connection : restored)
                d->noteReadability(connection.id);
        };
        return plan;
    };
    d->changeFor<std::vector<Connection>>(std::move(reply), build);
}

void Control::setConnectionsEnabled(std::vector<ConnectionId> ids, bool enabled, Reply<int> reply)
{
    const auto build = [this, ids = std::move(ids), enabled](const Configuration& now, int& changed) -> Result<PlannedChange> {
        PlannedChange plan(now);
        const std::unordered_set<ConnectionId> named(ids.begin(), ids.end());
        std::vector<ConnectionId> changedIds;
        std::size_t known = 0;
        for (Connection& connection : plan.next.connections) {
            if (!named.contains(connection.id))
                continue;
            ++known;
            if (connection.enabled == enabled)
                continue;
            connection.enabled = enabled;
            connection.updatedAt = d->parts.clock.wall();
            plan.rows.emplace_back(PutConnection{connection});
            changedIds.push_back(connection.id);
        }
        changed = static_cast<int>(changedIds.size());
        if (known < named.size())
            for (const ConnectionId& id : named)
                if (!now.connection(id))
                    return noSuchConnection(id);
        plan.applied = [this, enabled, ids = std::move(changedIds)] {
            // Whoever enables a connection anew wants it tried, whatever state it was left in (spec 1-core §8.2).
            for (const ConnectionId& id : ids)
                if (enabled && d->engine)
                    d->engine->credentialChanged(id);
        };
        return plan;
    };
    d->changeFor<int>(std::move(reply), build);
}

void Control::duplicateConnection(const ConnectionId& id, Reply<Connection> reply)
{
    const auto build = [this, id](const Configuration& now, Connection& copy) -> Result<PlannedChange> {
        const Connection* original = now.connection(id);
        if (!original)
            return noSuchConnection(id);
        PlannedChange plan(now);
        copy = *original;
        copy.id = ConnectionId(newUuid());
        copy.name = freeConnectionName(now, original->provider, original->name, "copy");
        copy.enabled = false;
        copy.createdAt = copy.updatedAt = d->parts.clock.wall();
        // Each has its own secret, so that a change of one never reaches the other.
        const auto copySecret = [&](const char* what, std::string& reference) -> Status {
            if (reference.empty())
                return {};
            const Result<std::string> value = d->parts.secrets.read(reference);
            if (!value)
                return Error{ErrorKind::Secret, "The key of \"" + original->name + "\" cannot be read: " + value.error().message, {}};
            reference.clear();
            planSecret(plan, copy.id, what, *value, reference);
            return {};
        };
        for (const Status& status : {copySecret("key", copy.secretRef), copySecret("proxy", copy.proxySecretRef)})
            if (!status)
                return status.error();
        plan.next.connections.push_back(copy);
        plan.rows.emplace_back(PutConnection{copy});
        return plan;
    };
    d->changeFor<Connection>(std::move(reply), build);
}

}  // namespace omni
