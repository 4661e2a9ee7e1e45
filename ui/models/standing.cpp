#include "ui/models/standing.h"

#include "ui/models/display_text.h"
#include "ui/models/rule_text.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QStringList>

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

}  // namespace

Standing standingOf(const Connection& connection, const Configuration& configuration, const ConnectionHealth* health,
    const BreakerStatus* breaker, WallTime now, const ProviderCooldownStatus* cooling)
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
    if (!standing.until && cooling && cooling->until > now) {
        standing.reason = Exclusion::ProviderCooldown;
        standing.until = cooling->until;
    }
    return standing;
}

bool awaitsKeyRetry(const ConnectionHealth& health)
{
    return health.coolingUntil && health.terminal == TerminalState::None && health.evidence
        && health.evidence->rule.rfind("the key was refused", 0) == 0;
}

SnapshotIndex::SnapshotIndex(const EngineSnapshot& snapshot)
{
    m_healths.reserve(snapshot.healths.size());
    for (const ConnectionHealth& health : snapshot.healths)
        m_healths.emplace(health.id, &health);
    m_breakers.reserve(snapshot.breakers.size());
    for (const BreakerStatus& breaker : snapshot.breakers)
        m_breakers.emplace(breaker.provider, &breaker);
    for (const ProviderCooldownStatus& cooling : snapshot.providerCooldowns) {
        auto& known = cooling.connection.empty() ? m_coolingProviders[cooling.provider] : m_coolingConnections[cooling.connection];
        if (!known || known->until < cooling.until)
            known = &cooling;
    }
    for (const ModelLockout& lockout : snapshot.lockouts)
        m_lockouts[lockout.connection].push_back(&lockout);
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

const ProviderCooldownStatus* SnapshotIndex::cooling(const ProviderId& provider, const ConnectionId& connection) const
{
    const auto whole = m_coolingProviders.find(provider);
    const auto own = m_coolingConnections.find(connection);
    if (own == m_coolingConnections.end())
        return whole == m_coolingProviders.end() ? nullptr : whole->second;
    return whole == m_coolingProviders.end() || whole->second->until < own->second->until ? own->second : whole->second;
}

const std::vector<const ModelLockout*>& SnapshotIndex::lockouts(const ConnectionId& connection) const
{
    static const std::vector<const ModelLockout*> none;
    const auto found = m_lockouts.find(connection);
    return found == m_lockouts.end() ? none : found->second;
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
        lines << Words::tr("Rule that matched: %1").arg(ruleText(evidence.rule));
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
