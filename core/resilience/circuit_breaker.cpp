#include "resilience/circuit_breaker.h"

#include <algorithm>
#include <utility>

namespace omni {

namespace {

constexpr std::size_t kHistorySize = 20;          // spec 1-core §1.1
constexpr Millis kRateLimitHold(60'000);          // spec 1-core §1.3
constexpr Millis kQuotaExhaustedHold(3'600'000);  // spec 1-core §1.3

std::size_t indexOf(FailureKind kind)
{
    return static_cast<std::size_t>(kind);
}

}  // namespace

int derivedDegradationThreshold(int failureThreshold)
{
    return std::max(1, (failureThreshold * 3 + 4) / 5);
}

BreakerOptions breakerOptions(ProviderClass providerClass, const ResilienceSettings& settings)
{
    const bool local = providerClass == ProviderClass::Local;
    const bool oauth = providerClass == ProviderClass::OAuth;
    const BreakerProfile& profile = local ? settings.localBreaker : oauth ? settings.oauthBreaker : settings.apiKeyBreaker;
    const CooldownProfile& cooldown = local ? settings.localCooldown : oauth ? settings.oauthCooldown : settings.apiKeyCooldown;

    BreakerOptions options;
    options.failureThreshold = std::max(1, profile.failureThreshold);
    options.degradationThreshold = profile.degradationThreshold;
    if (options.degradationThreshold > 0) {
        const int highest = local ? options.failureThreshold : std::max(1, options.failureThreshold - 1);
        options.degradationThreshold = std::min(options.degradationThreshold, highest);
    }
    options.resetTimeout = profile.resetTimeout;
    options.maxBackoffMultiplier = profile.maxBackoffMultiplier;
    options.backoffEscalationCount = profile.backoffEscalationCount;
    if (cooldown.useUpstream429BreakerHints.value_or(!local)) {
        options.holdByKind[indexOf(FailureKind::RateLimit)] = kRateLimitHold;
        options.holdByKind[indexOf(FailureKind::QuotaExhausted)] = kQuotaExhaustedHold;
    }
    return options;
}

CircuitBreaker::CircuitBreaker(const BreakerOptions& options)
{
    setOptions(options);
}

void CircuitBreaker::setOptions(const BreakerOptions& options)
{
    m_options = options;
    m_options.failureThreshold = std::max(1, m_options.failureThreshold);
    if (m_options.degradationThreshold <= 0)
        m_options.degradationThreshold = derivedDegradationThreshold(m_options.failureThreshold);
    m_options.maxBackoffMultiplier = std::max(1, m_options.maxBackoffMultiplier);
}

Millis CircuitBreaker::baseHold() const
{
    if (m_lastKind) {
        const std::optional<Millis>& byKind = m_options.holdByKind[indexOf(*m_lastKind)];
        if (byKind && *byKind >= Millis(0))
            return *byKind;
    }
    return m_options.resetTimeout;
}

Millis CircuitBreaker::holdLength() const
{
    const Millis base = baseHold();
    const int beyond = m_openCycleCount - m_options.backoffEscalationCount;
    if (beyond <= 0)
        return base;
    const std::int64_t factor =
        beyond >= 31 ? m_options.maxBackoffMultiplier : std::min<std::int64_t>(std::int64_t{1} << beyond, m_options.maxBackoffMultiplier);
    return base * factor;
}

Millis CircuitBreaker::quietWindow() const
{
    const Millis hold = baseHold();
    return std::max(hold, hold * m_options.maxBackoffMultiplier);
}

bool CircuitBreaker::refresh(const Instant& now)
{
    switch (m_state) {
    case BreakerState::Closed: return false;
    case BreakerState::Degraded:
        if (m_lastFailure && elapsed(*m_lastFailure, now) < quietWindow())
            return false;
        transition(BreakerState::Closed, now, "no new failure for " + std::to_string(quietWindow().count() / 1000) + " s");
        m_failureCount = 0;
        m_lastKind.reset();
        m_kindCounts = {};
        return true;
    case BreakerState::Open:
        if (m_lastFailure && elapsed(*m_lastFailure, now) < holdLength())
            return false;
        transition(BreakerState::HalfOpen, now, "the hold ended");
        return true;
    case BreakerState::HalfOpen:
        // A probe that never answers must not shut the provider out for ever: its slot is taken back, and its late result ignored.
        if (!m_probeStart || now.mono - *m_probeStart < m_options.resetTimeout)
            return false;
        m_probeStart.reset();
        ++m_generation;
        return true;
    }
    return false;
}

Millis CircuitBreaker::retryAfter(const Instant& now) const
{
    if (m_state == BreakerState::Closed || m_state == BreakerState::Degraded)
        return Millis(0);
    if (m_state == BreakerState::HalfOpen && m_probeStart)
        return std::max(Millis(0), m_options.resetTimeout - std::chrono::floor<Millis>(now.mono - *m_probeStart));
    return m_lastFailure ? std::max(Millis(0), holdLength() - elapsed(*m_lastFailure, now)) : Millis(0);
}

std::optional<Millis> CircuitBreaker::untilChange(const Instant& now) const
{
    switch (m_state) {
    case BreakerState::Closed: return std::nullopt;
    case BreakerState::Degraded: return m_lastFailure ? std::max(Millis(0), quietWindow() - elapsed(*m_lastFailure, now)) : Millis(0);
    case BreakerState::Open: return retryAfter(now);
    case BreakerState::HalfOpen: return m_probeStart ? std::optional<Millis>(retryAfter(now)) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<std::uint64_t> CircuitBreaker::takeProbe(const Instant& now)
{
    if (m_state != BreakerState::HalfOpen || m_probeStart)
        return std::nullopt;
    m_probeStart = now.mono;
    return m_generation;
}

bool CircuitBreaker::releaseProbe(std::uint64_t generation)
{
    if (m_state != BreakerState::HalfOpen || !m_probeStart || generation != m_generation)
        return false;
    m_probeStart.reset();
    ++m_generation;
    return true;
}

void CircuitBreaker::clearCounters()
{
    m_failureCount = 0;
    m_lastKind.reset();
    m_kindCounts = {};
    m_openCycleCount = 0;
}

bool CircuitBreaker::recordSuccess(const Instant& now)
{
    refresh(now);
    switch (m_state) {
    case BreakerState::Closed:
        if (m_failureCount == 0)
            return false;
        --m_failureCount;
        return true;
    case BreakerState::Degraded:
        m_failureCount = std::max(0, m_failureCount - 1);
        if (m_failureCount <= m_options.degradationThreshold)
            transition(BreakerState::Closed, now, "enough successes");
        return true;
    case BreakerState::Open:
        transition(BreakerState::Closed, now, "a late success");
        clearCounters();
        m_lastFailure.reset();
        return true;
    case BreakerState::HalfOpen:
        transition(BreakerState::Closed, now, "the probe succeeded");
        clearCounters();
        return true;
    }
    return false;
}

std::string CircuitBreaker::failuresText() const
{
    return std::to_string(m_failureCount) + (m_failureCount == 1 ? " failure" : " failures");
}

bool CircuitBreaker::recordFailure(std::optional<FailureKind> kind, const Instant& now)
{
    refresh(now);
    ++m_failureCount;
    m_lastFailure = now;
    m_lastKind = kind;
    if (kind)
        ++m_kindCounts[indexOf(*kind)];

    if (m_state == BreakerState::HalfOpen) {
        ++m_openCycleCount;
        transition(BreakerState::Open, now, "the probe failed");
    } else if (m_state != BreakerState::Open && m_failureCount >= m_options.failureThreshold) {
        transition(BreakerState::Open, now, failuresText());
    } else if (m_state == BreakerState::Closed && m_failureCount >= m_options.degradationThreshold) {
        transition(BreakerState::Degraded, now, failuresText());
    }
    return true;
}

bool CircuitBreaker::endDegraded(const Instant& now)
{
    if (refresh(now))
        return true;
    if (m_state != BreakerState::Degraded)
        return false;
    transition(BreakerState::Closed, now, "a connection test succeeded");
    clearCounters();
    return true;
}

bool CircuitBreaker::reset(const Instant& now)
{
    if (m_state == BreakerState::Closed && m_failureCount == 0 && !m_lastFailure && m_openCycleCount == 0)
        return false;
    transition(BreakerState::Closed, now, "reset by the operator");
    clearCounters();
    m_lastFailure.reset();
    return true;
}

void CircuitBreaker::transition(BreakerState to, const Instant& now, std::string reason)
{
    if (m_history.size() >= kHistorySize)
        m_history.erase(m_history.begin(), m_history.end() - (kHistorySize - 1));
    m_history.push_back({m_state, to, now.wall, m_failureCount, std::move(reason)});
    m_state = to;
    m_probeStart.reset();
    ++m_generation;
}

BreakerStatus CircuitBreaker::status(const Instant& now) const
{
    BreakerStatus status;
    status.state = m_state;
    status.failureCount = m_failureCount;
    status.failureThreshold = m_options.failureThreshold;
    status.degradationThreshold = m_options.degradationThreshold;
    if (m_lastFailure)
        status.lastFailureAt = m_lastFailure->wall;
    status.lastFailureKind = m_lastKind;
    for (const FailureKind kind : {FailureKind::RateLimit, FailureKind::QuotaExhausted, FailureKind::Transient}) {
        if (m_kindCounts[indexOf(kind)] > 0)
            status.kindCounts[kind] = m_kindCounts[indexOf(kind)];
    }
    status.openCycleCount = m_openCycleCount;
    status.resetTimeout = m_options.resetTimeout;
    status.retryAfter = retryAfter(now);
    // From what is left, not from the failure's wall time: so a wall clock that was set back never shows a later end than there is.
    if (m_state == BreakerState::Open)
        status.heldUntil = now.wall + status.retryAfter;
    status.history = m_history;
    return status;
}

void CircuitBreaker::restore(const BreakerStatus& status, const Instant& now)
{
    m_state = status.state;
    m_failureCount = std::max(0, status.failureCount);
    m_lastFailure.reset();
    if (status.lastFailureAt)
        m_lastFailure = Instant::restored(*status.lastFailureAt, now);
    m_lastKind = status.lastFailureKind;
    m_kindCounts = {};
    for (const auto& [kind, count] : status.kindCounts)
        m_kindCounts[indexOf(kind)] = std::max(0, count);
    m_openCycleCount = std::max(0, status.openCycleCount);
    m_history = status.history;
    if (m_history.size() > kHistorySize)
        m_history.erase(m_history.begin(), m_history.end() - kHistorySize);
    m_probeStart.reset();
    ++m_generation;
}

}  // namespace omni
