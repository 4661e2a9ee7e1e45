#include "base/random.h"
#include "base/text.h"
#include "control/connection_draft.h"
#include "control/control_p.h"
#include "control/validation.h"

#include <map>
#include <utility>

namespace omni {

namespace {

/// What belongs to the proxy's address: a password is never sent to another proxy than the one it was given for.
void planProxy(PlannedChange& plan, Connection& connection, const ConnectionPatch& patch)
{
    if (!patch.proxyUrl)
        return;
    const bool given = patch.proxySecret && !patch.proxySecret->empty() && !patch.proxyUrl->empty();
    const bool sameProxy = *patch.proxyUrl == connection.proxyUrl && !given;
    connection.proxyUrl = *patch.proxyUrl;
    if (sameProxy)
        return;
    if (!connection.proxySecretRef.empty())
        plan.keptSecrets.push_back(std::exchange(connection.proxySecretRef, {}));
    if (given)
        planSecret(plan, connection.id, "proxy", patch.proxySecret, connection.proxySecretRef);
}

void applyPatch(Connection& connection, const ConnectionPatch& patch)
{
    connection.enabled = patch.enabled.value_or(connection.enabled);
    connection.priority = patch.priority.value_or(connection.priority);
    connection.disableCooling = patch.disableCooling.value_or(connection.disableCooling);
    connection.http2 = patch.http2.value_or(connection.http2);
}

ConnectionPatch cleanedPatch(ConnectionPatch patch)
{
    patch.proxyUrl = cleaned(patch.proxyUrl);
    patch.proxySecret = cleaned(patch.proxySecret);
    return patch;
}

/// What is wrong with the fields of the patch, whatever stands in the others.
std::vector<FieldError> errorsOf(const ConnectionPatch& patch)
{
    Connection probe;
    applyPatch(probe, patch);
    probe.proxyUrl = patch.proxyUrl.value_or(std::string());
    std::vector<FieldError> errors = validateSharedFields(probe);
    checkSecret(errors, "proxyPassword", patch.proxySecret, true);
    return errors;
}

bool sameSettings(const Connection& a, const Connection& b)
{
    return a.enabled == b.enabled && a.priority == b.priority && a.disableCooling == b.disableCooling && a.http2 == b.http2 &&
           a.proxyUrl == b.proxyUrl && a.proxySecretRef == b.proxySecretRef;
}

}  // namespace

void Control::Private::noteChanged(const Connection& before, const Connection& now)
{
    const bool otherSecret = before.proxySecretRef != now.proxySecretRef;
    // Whoever enables a connection anew wants it tried, whatever state it was left in (spec 1-core §8.2).
    if (engine && (otherSecret || (!before.enabled && now.enabled)))
        engine->credentialChanged(now.id);
    if (otherSecret)
        noteReadability(now.id);
}

void Control::changeConnections(std::vector<ConnectionChange> changes, Reply<ChangedConnections> reply)
{
    const auto build = [this, changes = std::move(changes)](const Configuration& now, ChangedConnections& result) -> Result<PlannedChange> {
        PlannedChange plan(now);
        std::vector<std::pair<ConnectionPatch, Connection>> before;
        std::map<ConnectionId, ConnectionPatch> patches;
        for (const ConnectionChange& change : changes) {
            if (!now.connection(change.id))
                return noSuchConnection(change.id);
            if (!patches.emplace(change.id, cleanedPatch(change.patch)).second)
                return Error{ErrorKind::InvalidArgument, "The connection " + inQuotes(change.id.str()) + " is named twice.", {}};
            std::vector<FieldError> errors = errorsOf(patches.at(change.id));
            if (!errors.empty())
                return invalid("The connections were not changed.", std::move(errors));
        }
        for (Connection& connection : plan.next.connections) {
            const auto patch = patches.find(connection.id);
            if (patch == patches.end())
                continue;
            const Connection old = connection;
            planProxy(plan, connection, patch->second);
            applyPatch(connection, patch->second);
            if (sameSettings(old, connection))
                continue;
            connection.updatedAt = d->parts.clock.wall();
            plan.rows.emplace_back(PutConnection{connection});
            before.emplace_back(patch->second, old);
        }
        result.changed = static_cast<int>(before.size());
        if (before.empty())
            return plan;
        result.undo = secureRandomHex(16);
        plan.applied = [this, token = result.undo, kept = plan.keptSecrets, before = std::move(before)]() mutable {
            for (const auto& [patch, old] : before) {
                if (const Connection* connection = d->current->connection(old.id))
                    d->noteChanged(old, *connection);
            }
            Private::Changed& entry = d->changed[token];
            entry.before = std::move(before);
            entry.expiry = std::make_unique<Timer>(d->parts.scheduler, [this, token, kept] {
                d->changed.erase(token);
                d->discardSecrets(kept);
            });
            entry.expiry->start(kUndoTime);
        };
        return plan;
    };
    d->changeFor<ChangedConnections>(std::move(reply), build);
}

void Control::undoChange(const std::string& token, Reply<int> reply)
{
    const auto build = [this, token](const Configuration& now, int& restored) -> Result<PlannedChange> {
        const auto entry = d->changed.find(token);
        if (entry == d->changed.end())
            return Error{ErrorKind::NotFound, "This can no longer be undone: 10 minutes have passed, or it was undone already.", {}};
        PlannedChange plan(now);
        std::map<ConnectionId, const std::pair<ConnectionPatch, Connection>*> wanted;
        for (const auto& one : entry->second.before)
            wanted.emplace(one.second.id, &one);
        std::vector<Connection> replaced;
        for (Connection& connection : plan.next.connections) {
            const auto found = wanted.find(connection.id);
            if (found == wanted.end())
                continue;
            const auto& [patch, old] = *found->second;
            replaced.push_back(connection);
            connection.enabled = patch.enabled ? old.enabled : connection.enabled;
            connection.priority = patch.priority ? old.priority : connection.priority;
            connection.disableCooling = patch.disableCooling ? old.disableCooling : connection.disableCooling;
            connection.http2 = patch.http2 ? old.http2 : connection.http2;
            if (patch.proxyUrl && connection.proxySecretRef != old.proxySecretRef) {
                if (!connection.proxySecretRef.empty())
                    plan.oldSecrets.push_back(connection.proxySecretRef);
                if (!old.proxySecretRef.empty())
                    plan.reclaimedSecrets.push_back(old.proxySecretRef);
                connection.proxySecretRef = old.proxySecretRef;
            }
            connection.proxyUrl = patch.proxyUrl ? old.proxyUrl : connection.proxyUrl;
            connection.updatedAt = d->parts.clock.wall();
            plan.rows.emplace_back(PutConnection{connection});
        }
        restored = static_cast<int>(replaced.size());
        plan.applied = [this, token, replaced = std::move(replaced)] {
            d->changed.erase(token);
            for (const Connection& old : replaced) {
                if (const Connection* connection = d->current->connection(old.id))
                    d->noteChanged(old, *connection);
            }
        };
        return plan;
    };
    d->changeFor<int>(std::move(reply), build);
}

}  // namespace omni
