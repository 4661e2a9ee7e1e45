#include "ui/cooldowns/held_row.h"

#include "ui/models/connections_model.h"
#include "ui/models/display_text.h"
#include "ui/models/holds.h"
#include "ui/models/standing.h"

#include <QCoreApplication>
#include <QStringList>

#include <map>
#include <unordered_map>

namespace omni {

namespace {

constexpr int kNamedConnections = 3;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::HeldRow)
};

/// What holds the connection itself; its provider's holds have lines of their own.
Standing ownStanding(const Connection& connection, const Configuration& configuration, const SnapshotIndex& index, WallTime now)
{
    const ProviderCooldownStatus* cooling = index.cooling(connection.provider, connection.id);
    if (cooling && cooling->connection.empty())
        cooling = nullptr;
    return standingOf(connection, configuration, index.health(connection.id), nullptr, now, cooling);
}

bool breakerHolds(const BreakerStatus& breaker, WallTime now)
{
    return breaker.state == BreakerState::Open && breaker.heldUntil && *breaker.heldUntil > now;
}

bool holdsProvider(const ProviderCooldownStatus& cooling, WallTime now)
{
    return cooling.connection.empty() && cooling.until > now;
}

/// "team, home", or "all 12 connections".
QString concerned(const Configuration& configuration, const ProviderId& provider)
{
    QStringList names;
    for (const Connection& connection : configuration.connections) {
        if (connection.enabled && connection.provider == provider)
            names << toQString(connection.name);
    }
    if (names.isEmpty())
        return Words::tr("no connection");
    if (names.size() > kNamedConnections)
        return Words::tr("all %1 connections").arg(numberText(names.size()));
    return names.join(QStringLiteral(", "));
}

HeldRow providerRow(const Configuration& configuration, const ProviderId& provider, const char* prefix)
{
    HeldRow row;
    row.key = prefix + provider.str();
    row.kind = HeldRow::Kind::Provider;
    row.provider = provider;
    row.providerName = providerText(&configuration, provider);
    row.name = concerned(configuration, provider);
    return row;
}

HeldRow breakerRow(const Configuration& configuration, const BreakerStatus& breaker)
{
    HeldRow row = providerRow(configuration, breaker.provider, "b/");
    row.state = Exclusion::CircuitOpen;
    row.until = breaker.heldUntil;
    row.since = *breaker.heldUntil - breaker.resetTimeout;
    if (!breaker.history.empty() && breaker.history.back().to == BreakerState::Open)
        row.since = breaker.history.back().at;
    row.level = breaker.openCycleCount;
    if (breaker.evidence) {
        row.failed = true;
        row.status = breaker.evidence->status;
        row.lastError = breaker.evidence->bodyFragment;
    }
    return row;
}

HeldRow connectionRow(const Configuration& configuration, const Connection& connection, const ConnectionHealth* health,
                      const Standing& standing)
{
    HeldRow row;
    row.key = "c/" + connection.id.str();
    row.provider = connection.provider;
    row.connection = connection.id;
    row.state = standing.reason;
    row.since = standing.since;
    row.until = standing.until;
    row.providerName = providerText(&configuration, connection.provider);
    row.name = toQString(connection.name);
    row.access = configuration.providerClass(connection);
    if (health) {
        row.reason = health->reason;
        row.status = health->errorCode;
        row.failed = health->lastErrorAt.has_value();
        row.level = health->backoffLevel;
        row.lastError = health->lastError;
    }
    return row;
}

}  // namespace

HeldRow heldRowOf(const ModelLockout& lockout, const QString& providerName)
{
    HeldRow row;
    row.key = "m/" + lockout.connection.str() + '/' + std::to_string(static_cast<int>(lockout.scope)) + '/' + lockout.model;
    row.kind = HeldRow::Kind::Model;
    row.provider = lockout.provider;
    row.connection = lockout.connection;
    row.model = lockout.model;
    row.scope = lockout.scope;
    row.state = Exclusion::ModelLockout;
    row.since = lockout.lockedAt;
    row.until = lockout.until;
    row.reason = lockout.reason;
    row.level = lockout.failureCount;
    row.failed = true;
    row.providerName = providerName;
    row.name = lockedModelText(lockout);
    if (lockout.evidence) {
        row.status = lockout.evidence->status;
        row.lastError = lockout.evidence->bodyFragment;
    }
    return row;
}

std::vector<HeldGroup> gatherHeld(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now)
{
    std::vector<HeldGroup> groups;
    for (const BreakerStatus& breaker : snapshot.breakers) {
        if (breakerHolds(breaker, now))
            groups.push_back({breakerRow(configuration, breaker), {}});
    }
    // The provider cooldown and an operator's rule may both hold one provider: the longer one counts.
    std::map<ProviderId, const ProviderCooldownStatus*> cooling;
    for (const ProviderCooldownStatus& one : snapshot.providerCooldowns) {
        if (!holdsProvider(one, now))
            continue;
        const ProviderCooldownStatus*& longest = cooling[one.provider];
        if (!longest || longest->until < one.until)
            longest = &one;
    }
    for (const auto& [provider, longest] : cooling) {
        HeldRow row = providerRow(configuration, provider, "p/");
        row.state = Exclusion::ProviderCooldown;
        row.until = longest->until;
        row.level = longest->failureCount;
        groups.push_back({std::move(row), {}});
    }

    const SnapshotIndex index(snapshot);
    for (const Connection& connection : configuration.connections) {
        if (!connection.enabled)
            continue;
        const Standing standing = ownStanding(connection, configuration, index, now);
        const bool lasting = standing.reason != Exclusion::None && !standing.until;
        const std::vector<const ModelLockout*>& lockouts = index.lockouts(connection.id);
        if (standing.reason == Exclusion::None && lockouts.empty())
            continue;
        HeldGroup group{connectionRow(configuration, connection, index.health(connection.id), standing), {}};
        for (const ModelLockout* lockout : lockouts) {
            if (lasting || lockout->until <= now)
                continue;
            group.locks.push_back(heldRowOf(*lockout, group.head.providerName));
            group.locks.back().access = group.head.access;
        }
        group.head.lockCount = static_cast<int>(group.locks.size());
        if (standing.reason != Exclusion::None || group.head.lockCount > 0)
            groups.push_back(std::move(group));
    }
    return groups;
}

int countHeld(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now)
{
    int count = 0;
    for (const BreakerStatus& breaker : snapshot.breakers)
        count += breakerHolds(breaker, now) ? 1 : 0;
    std::map<ProviderId, bool> cooling;
    for (const ProviderCooldownStatus& one : snapshot.providerCooldowns) {
        if (holdsProvider(one, now))
            cooling[one.provider] = true;
    }
    count += static_cast<int>(cooling.size());
    const SnapshotIndex index(snapshot);
    for (const Connection& connection : configuration.connections) {
        if (connection.enabled && ownStanding(connection, configuration, index, now).reason != Exclusion::None)
            ++count;
    }
    return count;
}

QString remedyText(Exclusion state)
{
    switch (state) {
    case Exclusion::SecretMissing: return Words::tr("needs a key");
    case Exclusion::SecretUnreadable: return Words::tr("enter its key again");
    case Exclusion::Banned: return Words::tr("needs another key");
    case Exclusion::Expired: return Words::tr("needs a new key");
    case Exclusion::CreditsExhausted: return Words::tr("top up, then test");
    default: return {};
    }
}

QString heldReasonText(const HeldRow& row)
{
    if (row.kind == HeldRow::Kind::Connection && row.state == Exclusion::None)
        return ConnectionsModel::restingModelsText(row.lockCount);
    switch (row.state) {
    case Exclusion::CircuitOpen: return row.failed ? Words::tr("breaker, %1").arg(statusText(row.status)) : Words::tr("breaker");
    case Exclusion::ProviderCooldown: return Words::tr("provider cooldown");
    case Exclusion::SecretMissing: return Words::tr("no key was entered");
    case Exclusion::SecretUnreadable: return Words::tr("the key cannot be read");
    default: return row.failed ? reasonText(row.reason) : QString();
    }
}

}  // namespace omni
