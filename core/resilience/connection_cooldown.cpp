#include "resilience/connection_cooldown.h"

#include "resilience/evidence.h"

#include <algorithm>
#include <array>

namespace omni {

namespace {

constexpr Millis kTouchInterval(60'000);
/// Hints come in whole seconds: one that ends less than this later says the same thing again.
constexpr Millis kSameEnd(1'000);
constexpr Millis kClockSlack(1'000);
/// How much later than a quota's reset its cooldown may end: clocks differ, and not every account comes back in the same instant.
constexpr Millis kResetSlack(5'000);

/// spec 0-decisions, "expired": a refused key is tried again after 5, 10 and 20 minutes, then never.
constexpr std::array<Millis, 3> kKeyRetries = {Millis(300'000), Millis(600'000), Millis(1'200'000)};
constexpr std::string_view kKeyRefused = "the key was refused";

/// The refusals a stored state stands for: its evidence tells which retry it waited for.
int keyRefusalsOf(const ConnectionHealth& health)
{
    if (!health.evidence || health.evidence->rule.rfind(kKeyRefused, 0) != 0)
        return 0;
    const auto found = std::find(kKeyRetries.begin(), kKeyRetries.end(), health.evidence->length);
    return found == kKeyRetries.end() ? 0 : static_cast<int>(found - kKeyRetries.begin()) + 1;
}

std::string_view wordFor(TerminalState state)
{
    switch (state) {
    case TerminalState::Banned: return "the account is banned";
    case TerminalState::Expired: return "the key is expired";
    case TerminalState::CreditsExhausted: return "the credits are used up";
    case TerminalState::None: break;
    }
    return {};
}

}  // namespace

bool shouldDisable(const AutoDisableBanned& setting, ProviderClass providerClass)
{
    return setting.enabled && (setting.scope == AutoDisableScope::All || providerClass == ProviderClass::OAuth);
}

ConnectionCooldown::ConnectionCooldown(const ConnectionId& id)
{
    m_health.id = id;
}

void ConnectionCooldown::updateMarked()
{
    m_marked = cooling() || m_health.terminal != TerminalState::None || m_health.backoffLevel != 0 || m_health.secretUnreadable ||
               m_health.lastErrorAt || m_health.errorCode != 0 || m_health.reason != FailureReason::Unknown || m_keyRefusals != 0 ||
               m_rejections.count() != 0 || m_health.evidence;
}

Millis ConnectionCooldown::remaining(const Instant& now) const
{
    return cooling() ? std::max(Millis(0), m_length - elapsed(m_since, now)) : Millis(0);
}

bool ConnectionCooldown::refresh(const Instant& now)
{
    if (!cooling())
        return false;
    const Millis left = remaining(now);
    if (left <= Millis(0)) {
        endHold();
        return true;
    }
    if (*m_health.coolingUntil <= now.wall + left + kClockSlack)
        return false;
    m_since = {now.wall - (m_length - left), m_since.mono};
    m_health.coolingSince = m_since.wall;
    m_health.coolingUntil = now.wall + left;
    return true;
}

void ConnectionCooldown::hold(Millis length, const Instant& now)
{
    m_since = now;
    m_length = length;
    m_health.coolingSince = now.wall;
    m_health.coolingUntil = now.wall + length;
}

void ConnectionCooldown::endHold()
{
    m_health.coolingSince.reset();
    m_health.coolingUntil.reset();
    m_length = Millis(0);
    m_keyHold = false;
}

void ConnectionCooldown::mark(const Judgement& judgement, const Failure& failure, Millis length, const Instant& now)
{
    ++m_episode;
    m_health.reason = judgement.reason;
    m_health.errorCode = failure.status;
    m_health.lastError = judgement.message;
    m_health.lastErrorAt = now.wall;
    m_health.evidence = evidenceOf(judgement, failure, length, now.wall);
    updateMarked();
}

bool ConnectionCooldown::apply(Judgement& judgement, const Failure& failure, bool coolingDisabled, bool outdated, const Instant& now)
{
    const bool refreshed = refresh(now);
    // Terminal states are never overwritten by anything transient (guide §2).
    if (m_health.terminal != TerminalState::None) {
        judgement.cooldown = Millis(0);
        judgement.permanent = false;
        return refreshed;
    }
    if (judgement.scope == Judgement::Scope::Request || judgement.scope == Judgement::Scope::Model || !judgement.tryNextTarget) {
        judgement.cooldown = Millis(0);
        return refreshed;
    }
    if (judgement.terminal != TerminalState::None) {
        // It may have been sent with credentials that were changed since; if not, the next request meets the same answer.
        if (outdated) {
            judgement.terminal = TerminalState::None;
            judgement.permanent = false;
            judgement.cooldown = remaining(now);
            return refreshed;
        }
        return giveUp(judgement, failure, now);
    }
    if (judgement.keyRefused)
        return refuseKey(judgement, failure, outdated, now) || refreshed;
    if (judgement.requestRejected)
        return refuseRequest(judgement, failure, coolingDisabled, outdated, now) || refreshed;
    clampToReset(judgement, now);
    if (judgement.scope == Judgement::Scope::Note || judgement.cooldown <= Millis(0)) {
        judgement.cooldown = remaining(now);
        if (cooling() || outdated)
            return refreshed;
        m_health.reason = judgement.reason;
        m_health.errorCode = failure.status;
        m_health.lastError = judgement.message;
        m_health.lastErrorAt = now.wall;
        updateMarked();
        return true;
    }

    // A failure of the same episode takes no step; one whose end the evidence itself names may prolong (longer wins), never shorten.
    const bool sameEpisode = cooling() || outdated;
    const bool prolongs = !judgement.ladder && judgement.cooldown > remaining(now) + (cooling() ? kSameEnd : Millis(0));
    if (sameEpisode && (!prolongs || coolingDisabled)) {
        judgement.cooldown = remaining(now);
        return refreshed;
    }
    if (judgement.newLevel && (!sameEpisode || *judgement.newLevel < m_health.backoffLevel))
        m_health.backoffLevel = *judgement.newLevel;
    if (coolingDisabled) {
        judgement.cooldown = Millis(0);
        judgement.rule += "; cooling is switched off for this connection";
    } else {
        m_keyHold = false;
        hold(judgement.cooldown, now);
    }
    mark(judgement, failure, judgement.cooldown, now);
    return true;
}

/// Takes the connection out for good: `judgement` says how and why.
bool ConnectionCooldown::giveUp(Judgement& judgement, const Failure& failure, const Instant& now)
{
    endHold();
    m_health.terminal = judgement.terminal;
    judgement.permanent = judgement.terminal == TerminalState::Banned;
    judgement.cooldown = Millis(0);
    judgement.source = HintSource::Rule;
    judgement.rule += "; " + std::string(wordFor(judgement.terminal)) + " until someone acts";
    mark(judgement, failure, Millis(0), now);
    return true;
}

void ConnectionCooldown::clampToReset(Judgement& judgement, const Instant& now)
{
    if (judgement.reason != FailureReason::QuotaExhausted)
        return;
    if (judgement.quotaReset) {
        m_quotaKnown = now;
        m_quotaReset = *judgement.quotaReset;
    }
    if (!m_quotaKnown)
        return;
    // A reset told earlier bounds what is only guessed now; a wait that this answer itself asks for is about its own quota.
    const Millis left = m_quotaReset - elapsed(*m_quotaKnown, now);
    if (left <= Millis(0) || judgement.cooldown <= left + kResetSlack || (!judgement.quotaReset && !judgement.ladder))
        return;
    judgement.cooldown = left + kResetSlack;
    judgement.rule += "; no longer than to the quota's reset";
}

bool ConnectionCooldown::refuseRequest(Judgement& judgement, const Failure& failure, bool coolingDisabled, bool outdated, const Instant& now)
{
    const auto step = outdated ? RequestRejectedStreak::Step::SameEpisode : m_rejections.refuse(now);
    if (step == RequestRejectedStreak::Step::SameEpisode) {
        judgement.cooldown = remaining(now);
        return false;
    }
    if (step == RequestRejectedStreak::Step::Ban) {
        judgement.terminal = TerminalState::Banned;
        judgement.rule += "; the third time in a row";
        return giveUp(judgement, failure, now);
    }
    const Millis wait = m_rejections.length();
    judgement.source = HintSource::Rule;
    judgement.rule += m_rejections.count() == 1 ? "; the first time in a row" : "; the second time in a row, the next one is a ban";
    if (coolingDisabled) {
        judgement.rule += "; cooling is switched off for this connection";
    } else if (wait > remaining(now)) {
        // A longer hold of another kind goes on; the refusal counts all the same.
        m_keyHold = false;
        hold(wait, now);
    }
    judgement.cooldown = remaining(now);
    mark(judgement, failure, coolingDisabled ? Millis(0) : wait, now);
    return true;
}

bool ConnectionCooldown::refuseKey(Judgement& judgement, const Failure& failure, bool outdated, const Instant& now)
{
    if (awaitingKeyRetry() || outdated) {
        judgement.cooldown = remaining(now);
        return false;
    }
    const auto refusals = static_cast<std::size_t>(m_keyRefusals);
    if (refusals >= kKeyRetries.size()) {
        judgement.terminal = TerminalState::Expired;
        judgement.rule = std::string(kKeyRefused) + " in each of " + std::to_string(kKeyRetries.size()) + " retries";
        return giveUp(judgement, failure, now);
    }
    const Millis wait = kKeyRetries[refusals];
    ++m_keyRefusals;
    judgement.source = HintSource::Rule;
    judgement.rule = std::string(kKeyRefused) + " (" + judgement.rule + "); retry " + std::to_string(m_keyRefusals) + " of " +
                     std::to_string(kKeyRetries.size()) + " in " + std::to_string(wait.count() / 60'000) + " min";
    // A longer hold of another kind goes on; the refusal counts all the same.
    if (wait > remaining(now)) {
        hold(wait, now);
        m_keyHold = true;
    }
    judgement.cooldown = remaining(now);
    mark(judgement, failure, wait, now);
    return true;
}

bool ConnectionCooldown::noteFailedTest(const Judgement& judgement, int status, const Instant& now)
{
    refresh(now);
    m_health.reason = judgement.reason;
    m_health.errorCode = status;
    m_health.lastError = judgement.message;
    m_health.lastErrorAt = now.wall;
    m_health.lastTestedAt = now.wall;
    updateMarked();
    return true;
}

void ConnectionCooldown::clearErrors()
{
    endHold();
    m_health.terminal = TerminalState::None;
    m_health.backoffLevel = 0;
    m_health.reason = FailureReason::Unknown;
    m_health.errorCode = 0;
    m_health.lastError.clear();
    m_health.lastErrorAt.reset();
    m_health.evidence.reset();
    m_keyRefusals = 0;
    m_rejections.clear();
    m_quotaKnown.reset();
    updateMarked();
}

bool ConnectionCooldown::recordSuccess(bool outdated, const Instant& now)
{
    const bool refreshed = refresh(now);
    touch(now);
    if (!m_marked || m_health.terminal != TerminalState::None || (outdated && cooling()))
        return refreshed;
    const ConnectionHealth before = m_health;
    clearErrors();
    return refreshed || m_health != before;
}

bool ConnectionCooldown::recordTestSuccess(const Instant& now)
{
    clearErrors();
    ++m_episode;
    m_health.lastTestedAt = now.wall;
    return true;
}

bool ConnectionCooldown::clearTransient()
{
    if (m_health.terminal != TerminalState::None || !m_marked)
        return false;
    const ConnectionHealth before = m_health;
    clearErrors();
    ++m_episode;
    return m_health != before;
}

bool ConnectionCooldown::clearAll()
{
    const ConnectionHealth before = m_health;
    m_health.secretUnreadable = false;
    clearErrors();
    ++m_episode;
    return m_health != before;
}

bool ConnectionCooldown::setSecretUnreadable(bool unreadable)
{
    if (m_health.secretUnreadable == unreadable)
        return false;
    m_health.secretUnreadable = unreadable;
    updateMarked();
    return true;
}

void ConnectionCooldown::touch(const Instant& now)
{
    if (!m_health.lastUsedAt || now.wall - *m_health.lastUsedAt >= kTouchInterval || *m_health.lastUsedAt > now.wall)
        m_health.lastUsedAt = now.wall;
}

void ConnectionCooldown::restore(const ConnectionHealth& health, const Instant& now)
{
    m_health = health;
    m_health.secretUnreadable = false;  // found out anew
    m_health.backoffLevel = std::clamp(m_health.backoffLevel, 0, 32);
    m_keyRefusals = m_health.terminal == TerminalState::None ? keyRefusalsOf(health) : 0;
    if (health.terminal != TerminalState::None || !health.coolingUntil) {
        endHold();
    } else {
        const WallTime until = *health.coolingUntil;
        // How long it was meant to last, by what was stored beside it; a wall clock set back must not add to that.
        Millis length = health.coolingSince ? until - *health.coolingSince : until - now.wall;
        if (!health.coolingSince && health.evidence && health.evidence->length > Millis(0))
            length = health.evidence->length;
        const Instant since = Instant::restored(until - length, now);
        m_since = since;
        m_length = std::max(Millis(0), length);
        m_health.coolingSince = since.wall;
        m_health.coolingUntil = since.wall + m_length;
        m_keyHold = m_keyRefusals > 0;
        refresh(now);
    }
    m_rejections.clear();
    // A refusal met by a test of the user's is noted in the same fields, and is no part of the streak.
    const bool refused = m_health.reason == FailureReason::RequestRejected && m_health.lastErrorAt != m_health.lastTestedAt;
    if (refused && m_health.terminal == TerminalState::None && m_health.lastErrorAt)
        m_rejections.seed(Instant::restored(*m_health.lastErrorAt, now), remaining(now), now);
    updateMarked();
}

}  // namespace omni
