#include "ui/models/holds.h"

#include "resilience/quota_family.h"
#include "ui/models/display_text.h"
#include "ui/models/standing.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::Holds)
};

/// A hold before there are words for it. What its kind does not have is null.
struct Held {
    HoldKind kind = HoldKind::Connection;
    Exclusion reason = Exclusion::None;
    std::optional<WallTime> until;
    const Connection* connection = nullptr;
    const BreakerStatus* breaker = nullptr;
    const ProviderCooldownStatus* cooling = nullptr;
    const ConnectionHealth* health = nullptr;
    const ModelLockout* lockout = nullptr;

    const ProviderId& provider() const
    {
        return connection ? connection->provider : breaker ? breaker->provider : cooling->provider;
    }
    int rank() const { return breaker ? 0 : !connection ? 1 : until ? 2 : 3; }
};

bool comesBefore(const Held& a, const Held& b)
{
    if (a.rank() != b.rank())
        return a.rank() < b.rank();
    if (a.rank() == 2 && *a.until != *b.until)
        return *a.until < *b.until;
    if (const auto order = a.provider() <=> b.provider(); order != 0)
        return order < 0;
    if (a.connection != b.connection)
        return std::tie(a.connection->name, a.connection->id) < std::tie(b.connection->name, b.connection->id);
    if (a.kind != b.kind)
        return a.kind < b.kind;
    return a.lockout && std::tie(a.lockout->model, a.lockout->scope) < std::tie(b.lockout->model, b.lockout->scope);
}

/// What concerns `only`, or everything when it is null.
std::vector<Held> gather(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now, const Connection* only,
    HoldFilter filter)
{
    std::vector<Held> all;
    const bool models = filter != HoldFilter::AllButModels;
    const bool others = filter != HoldFilter::Models;
    const auto wanted = [only](const ProviderId& provider) { return !only || only->provider == provider; };
    for (const BreakerStatus& breaker : snapshot.breakers) {
        if (others && wanted(breaker.provider) && breaker.state == BreakerState::Open && breaker.heldUntil && *breaker.heldUntil > now)
            all.push_back({.kind = HoldKind::Breaker, .reason = Exclusion::CircuitOpen, .until = breaker.heldUntil, .breaker = &breaker});
    }

    // The breaker and the provider cooldown have their own entries; here only what the connection itself is held for counts.
    std::unordered_map<ConnectionId, Standing> standings;
    const SnapshotIndex index(snapshot);
    for (const Connection& connection : configuration.connections) {
        if (only && only->id != connection.id)
            continue;
        const ConnectionHealth* health = index.health(connection.id);
        const Standing standing = standingOf(connection, configuration, health, nullptr, now);
        if (standing.reason == Exclusion::None)
            continue;
        standings.emplace(connection.id, standing);
        if (others && standing.reason != Exclusion::Disabled)
            all.push_back({.kind = HoldKind::Connection, .reason = standing.reason, .until = standing.until, .connection = &connection,
                .health = health});
    }
    const auto standing = [&standings](const ConnectionId& id) -> const Standing* {
        const auto found = standings.find(id);
        return found == standings.end() ? nullptr : &found->second;
    };

    for (const ProviderCooldownStatus& cooling : snapshot.providerCooldowns) {
        if (!others || cooling.until <= now || !wanted(cooling.provider))
            continue;
        const Connection* connection = cooling.connection.empty() ? nullptr : configuration.connection(cooling.connection);
        if (!cooling.connection.empty()) {
            if (!connection || (only && only->id != connection->id))
                continue;
            const Standing* own = standing(connection->id);
            if (own && (!own->until || *own->until >= cooling.until))
                continue;
        }
        all.push_back({.kind = HoldKind::Provider, .reason = Exclusion::ProviderCooldown, .until = cooling.until, .connection = connection,
            .cooling = &cooling});
    }
    for (const ModelLockout& lockout : snapshot.lockouts) {
        if (!models || lockout.until <= now || (only && only->id != lockout.connection))
            continue;
        const Connection* connection = configuration.connection(lockout.connection);
        const Standing* own = connection ? standing(connection->id) : nullptr;
        if (!connection || (own && !own->until))
            continue;
        all.push_back({.kind = HoldKind::Model, .reason = Exclusion::ModelLockout, .until = lockout.until, .connection = connection,
            .lockout = &lockout});
    }
    return all;
}

QString failuresText(int count)
{
    return count == 1 ? Words::tr("1 failure") : Words::tr("%1 failures").arg(numberText(count));
}

QString breakerExplanation(const BreakerStatus& breaker)
{
    if (breaker.failureCount <= 0)
        return Words::tr("provider breaker");
    const QString what = breaker.evidence ? statusText(breaker.evidence->status) : Words::tr("failures");
    return Words::tr("provider breaker, %1 ×%2", "what failed, how often").arg(what, numberText(breaker.failureCount));
}

/// "HTTP 429, Retry-After: 120", or with the reason where no header says when.
QStringList whatFailed(const std::optional<Evidence>& evidence, int errorCode, FailureReason reason)
{
    QStringList parts;
    if (evidence && evidence->status > 0)
        parts << statusText(evidence->status);
    else if (errorCode > 0)
        parts << statusText(errorCode);
    if (evidence && !evidence->header.empty())
        parts << toQString(evidence->header);
    else if (reason != FailureReason::Unknown)
        parts << reasonText(reason);
    return parts;
}

QString coolingExplanation(const ConnectionHealth& health)
{
    const QStringList parts = whatFailed(health.evidence, health.errorCode, health.reason);
    const QString what = parts.isEmpty() ? Words::tr("resting after a failure") : parts.join(QStringLiteral(", "));
    return awaitsKeyRetry(health) ? Words::tr("%1; tried again then").arg(what) : what;
}

QString lastingExplanation(Exclusion reason)
{
    switch (reason) {
    case Exclusion::SecretUnreadable: return Words::tr("its key cannot be read; enter it again");
    case Exclusion::SecretMissing: return Words::tr("has no key yet");
    case Exclusion::Banned: return Words::tr("banned by the provider; needs another key");
    case Exclusion::Expired: return Words::tr("expired, needs a new key");
    case Exclusion::CreditsExhausted: return Words::tr("balance is empty; top up, then test");
    default: return {};
    }
}

QString lockoutExplanation(const Configuration& configuration, const ModelLockout& lockout)
{
    QStringList parts = whatFailed(lockout.evidence, 0, lockout.reason);
    if (lockout.failureCount > 1)
        parts << failuresText(lockout.failureCount);
    return Words::tr("%1: model resting, %2", "provider, why")
        .arg(providerText(&configuration, lockout.provider), parts.join(QStringLiteral(", ")));
}

HoldItem itemOf(const Configuration& configuration, const Held& held)
{
    HoldItem item;
    item.kind = held.kind;
    item.reason = held.reason;
    item.provider = held.provider();
    item.until = held.until;
    item.title = held.connection ? targetText(&configuration, item.provider, held.connection->name)
                                 : providerText(&configuration, item.provider);
    if (held.connection)
        item.connection = held.connection->id;
    switch (held.kind) {
    case HoldKind::Breaker: item.explanation = breakerExplanation(*held.breaker); break;
    case HoldKind::Provider:
        item.explanation = Words::tr("provider cooldown, %1").arg(failuresText(held.cooling->failureCount));
        break;
    case HoldKind::Connection:
        item.explanation = held.until ? coolingExplanation(*held.health) : lastingExplanation(held.reason);
        break;
    case HoldKind::Model:
        item.model = held.lockout->model;
        item.scope = held.lockout->scope;
        item.title = Words::tr("%1 on %2", "model, connection").arg(lockedModelText(*held.lockout), toQString(held.connection->name));
        item.explanation = lockoutExplanation(configuration, *held.lockout);
        break;
    }
    return item;
}

QString coolingEvidence(const ProviderCooldownStatus& cooling)
{
    const QString failures = failuresText(cooling.failureCount);
    const QString until = timeText(cooling.until);
    if (!cooling.connection.empty())
        return Words::tr("After %1 combos leave the connection out until %2.\nA request that names its provider still reaches it.")
            .arg(failures, until);
    return Words::tr("After %1 the whole provider is left out until %2.\nSet by the provider cooldown, which concerns combos, or by an "
                     "error rule of yours, which concerns every request.")
        .arg(failures, until);
}

QString lockoutEvidence(const ModelLockout& lockout)
{
    QStringList lines;
    if (lockout.evidence)
        lines << evidenceText(*lockout.evidence);
    switch (lockout.scope) {
    case LockoutScope::Family: lines << Words::tr("It concerns every model that shares this quota."); break;
    case LockoutScope::NotFound: lines << Words::tr("It concerns the model under this name; the connection's other models serve."); break;
    case LockoutScope::Exact: lines << Words::tr("It concerns this model; the connection's other models serve."); break;
    }
    lines << Words::tr("Resting since %1, after %2").arg(exactTimeText(lockout.lockedAt), failuresText(lockout.failureCount));
    return lines.join(QLatin1Char('\n'));
}

QString connectionEvidence(const Held& held)
{
    QStringList lines;
    if (held.health && held.health->evidence)
        lines << evidenceText(*held.health->evidence);
    else if (held.health && !held.health->lastError.empty())
        lines << toQString(held.health->lastError);
    if (held.health && awaitsKeyRetry(*held.health))
        lines << Words::tr("The key is tried again when this ends; another key ends it at once.");
    else if (held.health && held.health->terminal != TerminalState::None)
        lines << Words::tr("Only you can end it: by a test that succeeds, by another key, or by switching the connection off and on.");
    return lines.join(QLatin1Char('\n'));
}

QString evidenceOf(const Held& held)
{
    switch (held.kind) {
    case HoldKind::Breaker: return held.breaker->evidence ? evidenceText(*held.breaker->evidence) : QString();
    case HoldKind::Provider: return coolingEvidence(*held.cooling);
    case HoldKind::Connection: return connectionEvidence(held);
    case HoldKind::Model: return lockoutEvidence(*held.lockout);
    }
    return {};
}

}  // namespace

bool HoldItem::sameAs(const HoldItem& other) const
{
    return std::tie(kind, provider, connection, model, scope)
        == std::tie(other.kind, other.provider, other.connection, other.model, other.scope);
}

HoldList listHolds(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now, std::size_t limit, HoldFilter filter,
    bool withEvidence)
{
    std::vector<Held> all = gather(configuration, snapshot, now, nullptr, filter);
    HoldList list;
    list.total = all.size();
    for (const Held& held : all) {
        list.clearable += held.until ? 1 : 0;
        list.connections += held.kind == HoldKind::Connection ? 1 : 0;
    }
    const std::size_t count = std::min(limit, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(), comesBefore);
    list.first.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        list.first.push_back(itemOf(configuration, all[i]));
        if (withEvidence)
            list.first.back().evidence = evidenceOf(all[i]);
    }
    return list;
}

std::vector<HoldItem> holdsOf(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now)
{
    return listHolds(configuration, snapshot, now, std::numeric_limits<std::size_t>::max(), HoldFilter::AllButModels, false).first;
}

std::vector<HoldItem> holdsConcerning(
    const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now, const Connection& connection)
{
    std::vector<Held> all = gather(configuration, snapshot, now, &connection, HoldFilter::All);
    std::sort(all.begin(), all.end(), comesBefore);
    std::vector<HoldItem> items;
    items.reserve(all.size());
    for (const Held& held : all) {
        items.push_back(itemOf(configuration, held));
        items.back().evidence = evidenceOf(held);
    }
    return items;
}

QString whyHeading(const HoldItem& hold)
{
    return Words::tr("%1: %2", "who, state").arg(hold.title, lookOf(hold.reason, Colours()).word);
}

QString whyText(const std::vector<HoldItem>& holds)
{
    QStringList parts;
    for (const HoldItem& hold : holds) {
        QString part = whyHeading(hold);
        for (const QString& more : {hold.explanation, hold.evidence}) {
            if (!more.isEmpty())
                part += QLatin1Char('\n') + more;
        }
        parts << part;
    }
    return parts.join(QStringLiteral("\n\n"));
}

QString lockedModelText(const ModelLockout& lockout)
{
    constexpr std::string_view prefix = "family:";
    const bool named = lockout.model.rfind(prefix, 0) == 0;
    if (lockout.scope != LockoutScope::Family || (!named && canonicalProviderId(lockout.provider.str()) != "codex"))
        return toQString(lockout.model);
    return Words::tr("%1 models", "name of a family").arg(toQString(named ? lockout.model.substr(prefix.size()) : lockout.model));
}

QString lockoutLine(const ModelLockout& lockout)
{
    QStringList parts;
    if (lockout.reason != FailureReason::Unknown)
        parts << reasonText(lockout.reason);
    parts << failuresText(lockout.failureCount);
    return Words::tr("%1: %2, until %3", "model, why, time")
        .arg(lockedModelText(lockout), parts.join(QStringLiteral(", ")), timeText(lockout.until));
}

}  // namespace omni
