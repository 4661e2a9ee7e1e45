#include "ui/models/standing.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <limits>
#include <tuple>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::Standing)
};

Exclusion ofTerminal(TerminalState state)
{
    switch (state) {
    case TerminalState::None: return Exclusion::None;
    case TerminalState::Banned: return Exclusion::Banned;
    case TerminalState::Expired: return Exclusion::Expired;
    case TerminalState::CreditsExhausted: return Exclusion::CreditsExhausted;
    }
    return Exclusion::None;
}

bool needsKey(const Connection& connection, const Configuration& configuration)
{
    const Provider* provider = configuration.provider(connection.provider);
    return provider && provider->auth != AuthHeader::None && !provider->keyOptional && provider->category != ProviderCategory::Sandbox;
}

QString breakerExplanation(const BreakerStatus& breaker)
{
    if (breaker.failureCount <= 0)
        return Words::tr("provider breaker");
    const QString what = breaker.evidence ? statusText(breaker.evidence->status) : Words::tr("failures");
    return Words::tr("provider breaker, %1 ×%2", "what failed, how often").arg(what, numberText(breaker.failureCount));
}

QString coolingExplanation(const ConnectionHealth& health)
{
    const QString what = health.reason == FailureReason::Unknown ? QString() : reasonText(health.reason);
    QStringList parts;
    if (health.evidence && health.evidence->status > 0)
        parts << statusText(health.evidence->status);
    else if (health.errorCode > 0)
        parts << statusText(health.errorCode);
    if (health.evidence && !health.evidence->header.empty())
        parts << toQString(health.evidence->header);
    else if (!what.isEmpty())
        parts << what;
    if (parts.isEmpty())
        parts << Words::tr("resting after a failure");
    return parts.join(QStringLiteral(", "));
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

}  // namespace

Standing standingOf(const Connection& connection, const Configuration& configuration, const ConnectionHealth* health,
    const BreakerStatus* breaker, WallTime now)
{
    Standing standing;
    if (!connection.enabled) {
        standing.reason = Exclusion::Disabled;
        return standing;
    }
    if (health && health->secretUnreadable) {
        standing.reason = Exclusion::SecretUnreadable;
        return standing;
    }
    if (health && health->terminal != TerminalState::None) {
        standing.reason = ofTerminal(health->terminal);
        standing.since = health->lastErrorAt;
        return standing;
    }
    if (connection.secretRef.empty() && needsKey(connection, configuration)) {
        standing.reason = Exclusion::SecretMissing;
        return standing;
    }
    if (breaker && breaker->state == BreakerState::Open && breaker->heldUntil && *breaker->heldUntil > now) {
        standing.reason = Exclusion::CircuitOpen;
        standing.until = breaker->heldUntil;
        standing.since = *breaker->heldUntil - breaker->resetTimeout;
    }
    if (health && health->coolingUntil && *health->coolingUntil > now && (!standing.until || *health->coolingUntil > *standing.until)) {
        standing.reason = Exclusion::ConnectionCooldown;
        standing.until = health->coolingUntil;
        standing.since = health->coolingSince;
    }
    return standing;
}

SnapshotIndex::SnapshotIndex(const EngineSnapshot& snapshot)
{
    m_healths.reserve(snapshot.healths.size());
    for (const ConnectionHealth& health : snapshot.healths)
        m_healths.emplace(health.id, &health);
    m_breakers.reserve(snapshot.breakers.size());
    for (const BreakerStatus& breaker : snapshot.breakers)
        m_breakers.emplace(breaker.provider, &breaker);
}

const ConnectionHealth* SnapshotIndex::health(const ConnectionId& id) const
{
    const auto found = m_healths.find(id);
    return found == m_healths.end() ? nullptr : found->second;
}

const BreakerStatus* SnapshotIndex::breaker(const ProviderId& id) const
{
    const auto found = m_breakers.find(id);
    return found == m_breakers.end() ? nullptr : found->second;
}

namespace {

HoldItem itemOf(const Configuration& configuration, const BreakerStatus& breaker)
{
    HoldItem item;
    item.reason = Exclusion::CircuitOpen;
    item.provider = breaker.provider;
    item.title = providerText(&configuration, breaker.provider);
    item.explanation = breakerExplanation(breaker);
    item.until = breaker.heldUntil;
    return item;
}

struct HeldConnection {
    const Connection* connection = nullptr;
    const ConnectionHealth* health = nullptr;
    Standing standing;
};

HoldItem itemOf(const Configuration& configuration, const HeldConnection& held)
{
    HoldItem item;
    item.reason = held.standing.reason;
    item.provider = held.connection->provider;
    item.connection = held.connection->id;
    item.title = targetText(&configuration, held.connection->provider, held.connection->name);
    item.until = held.standing.until;
    item.explanation = held.standing.until ? coolingExplanation(*held.health) : lastingExplanation(held.standing.reason);
    return item;
}

QString evidenceOf(const BreakerStatus& breaker)
{
    return breaker.evidence ? evidenceText(*breaker.evidence) : QString();
}

QString evidenceOf(const HeldConnection& held)
{
    if (!held.health)
        return {};
    return held.health->evidence ? evidenceText(*held.health->evidence) : toQString(held.health->lastError);
}

HoldList gatherHolds(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now, std::size_t limit, bool withEvidence)
{
    std::vector<const BreakerStatus*> breakers;
    for (const BreakerStatus& breaker : snapshot.breakers) {
        if (breaker.state == BreakerState::Open && breaker.heldUntil && *breaker.heldUntil > now)
            breakers.push_back(&breaker);
    }
    std::vector<HeldConnection> passing;
    std::vector<HeldConnection> lasting;
    const SnapshotIndex index(snapshot);
    for (const Connection& connection : configuration.connections) {
        const ConnectionHealth* health = index.health(connection.id);
        // The breaker has its own entry; here only what the connection itself is held for counts.
        const Standing standing = standingOf(connection, configuration, health, nullptr, now);
        if (standing.reason != Exclusion::None && standing.reason != Exclusion::Disabled)
            (standing.until ? passing : lasting).push_back({&connection, health, standing});
    }
    std::sort(breakers.begin(), breakers.end(), [](const auto* a, const auto* b) { return a->provider < b->provider; });
    const auto byName = [](const HeldConnection& a, const HeldConnection& b) {
        return std::tie(a.connection->provider, a.connection->name, a.connection->id)
            < std::tie(b.connection->provider, b.connection->name, b.connection->id);
    };
    std::sort(lasting.begin(), lasting.end(), byName);
    std::sort(passing.begin(), passing.end(), [&byName](const HeldConnection& a, const HeldConnection& b) {
        return *a.standing.until != *b.standing.until ? *a.standing.until < *b.standing.until : byName(a, b);
    });

    HoldList list;
    list.total = breakers.size() + passing.size() + lasting.size();
    list.clearable = breakers.size() + passing.size();
    list.connections = passing.size() + lasting.size();
    const auto take = [&](const auto& held) {
        if (list.first.size() == limit)
            return;
        list.first.push_back(itemOf(configuration, held));
        if (withEvidence)
            list.first.back().evidence = evidenceOf(held);
    };
    for (const BreakerStatus* breaker : breakers)
        take(*breaker);
    for (const std::vector<HeldConnection>* held : {&passing, &lasting}) {
        for (const HeldConnection& one : *held)
            take(one);
    }
    return list;
}

}  // namespace

HoldList listHolds(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now, std::size_t limit)
{
    return gatherHolds(configuration, snapshot, now, limit, true);
}

std::vector<HoldItem> holdsOf(const Configuration& configuration, const EngineSnapshot& snapshot, WallTime now)
{
    return gatherHolds(configuration, snapshot, now, std::numeric_limits<std::size_t>::max(), false).first;
}

QString evidenceText(const Evidence& evidence)
{
    QStringList lines;
    lines << Words::tr("The provider answered %1 at %2").arg(statusText(evidence.status), exactTimeText(evidence.at));
    if (!evidence.header.empty())
        lines << toQString(evidence.header);
    if (!evidence.bodyFragment.empty())
        lines << Words::tr("Its words: %1").arg(toQString(evidence.bodyFragment));
    if (!evidence.rule.empty())
        lines << Words::tr("Rule that matched: %1").arg(coreText(evidence.rule));
    if (evidence.length > Millis(0)) {
        const QString source = hintSourceText(evidence.source);
        const QString length = countdownText(evidence.length);
        lines << (source.isEmpty() ? Words::tr("So it rests for %1").arg(length)
                                   : Words::tr("So it rests for %1, %2", "how long, who said so").arg(length, source));
    }
    if (!evidence.request.empty())
        lines << Words::tr("Request %1").arg(toQString(evidence.request.str()));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace omni
