#include "resilience/resilience_preview.h"

#include "resilience/circuit_breaker.h"
#include "resilience/provider_cooldown.h"
#include "resilience/reset_clock.h"
#include "resilience/retry_hints.h"
#include "resilience/silent_observer.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

namespace omni {

namespace {

constexpr Millis kMoment(1);  ///< beyond the end of a hold

/// Asks again and again, until the same length has come so often that no ladder has a further step.
std::vector<Millis> untilSteady(const std::function<Millis()>& next, std::size_t sameInARow)
{
    std::vector<Millis> lengths;
    while (lengths.size() < static_cast<std::size_t>(ClassPreview::kMostTries)) {
        const Millis length = next();
        if (length <= Millis(0))
            break;
        lengths.push_back(length);
        const std::size_t count = lengths.size();
        if (count > sameInARow && std::all_of(lengths.end() - static_cast<std::ptrdiff_t>(sameInARow) - 1, lengths.end(),
                                              [length](Millis one) { return one == length; }))
            break;
    }
    while (lengths.size() > 1 && lengths[lengths.size() - 2] == lengths.back())
        lengths.pop_back();
    return lengths;
}

/// An engine under a clock of its own. Each question is put to another connection of another provider, so that none disturbs the next.
class Bench {
public:
    Bench(const ResilienceSettings& settings, WallTime now) : m_clock(now), m_engine(m_clock, m_random, m_observer)
    {
        m_engine.applySettings(settings);
    }

    struct Question {
        ProviderClass providerClass = ProviderClass::ApiKey;
        int status = 500;
        bool perModelQuota = false;
        HeaderFields headers = {};
    };

    std::vector<Millis> rests(const Question& question)
    {
        const Connection connection = fresh();
        return untilSteady(
            [&] {
                fail(connection, question);
                const ConnectionHealth health = m_engine.health(connection.id);
                const Millis length = health.coolingUntil ? *health.coolingUntil - m_clock.wall() : Millis(0);
                m_clock.advance(length + kMoment);
                return length;
            },
            1);
    }

    std::vector<Millis> locks(const Question& question)
    {
        const Connection connection = fresh();
        return untilSteady(
            [&] {
                fail(connection, question);
                Millis length{0};
                for (const ModelLockout& lockout : m_engine.lockouts()) {
                    if (lockout.connection == connection.id)
                        length = std::max(length, lockout.remaining);
                }
                m_clock.advance(length + kMoment);
                return length;
            },
            1);
    }

private:
    Connection fresh()
    {
        const std::string name = "preview-" + std::to_string(++m_count);
        Connection connection;
        connection.id = ConnectionId(name);
        connection.provider = ProviderId(name);
        return connection;
    }

    void fail(const Connection& connection, const Question& question)
    {
        const EngineTarget target{connection.provider, question.providerClass, connection, "model", question.perModelQuota};
        Failure failure;
        failure.status = question.status;
        failure.headers = &question.headers;
        // The breaker would open on the way, and what it holds needs no lock.
        m_engine.resetBreakers(connection.provider);
        m_engine.recordFailure(target, m_engine.acquire(target), failure);
    }

    SimulatedClock m_clock;
    SimulatedRandom m_random;
    SilentObserver m_observer;
    Engine m_engine;
    int m_count = 0;
};

void previewBreaker(const BreakerOptions& options, WallTime now, ClassPreview& preview)
{
    SimulatedClock clock(now);
    CircuitBreaker breaker(options);
    for (int failures = 1; breaker.state() != BreakerState::Open; ++failures) {
        breaker.recordFailure(FailureKind::Transient, Instant::of(clock));
        if (breaker.state() == BreakerState::Degraded && preview.degradedAt == 0) {
            preview.degradedAt = failures;
            preview.degradedFor = breaker.untilChange(Instant::of(clock)).value_or(Millis(0));
        }
        if (breaker.state() == BreakerState::Open)
            preview.openAt = failures;
    }
    // The hold stands still for as many failed probes as the escalation waits for.
    const auto patience = static_cast<std::size_t>(std::clamp(options.backoffEscalationCount, 0, ClassPreview::kMostTries)) + 1;
    preview.openFor = untilSteady(
        [&] {
            const Millis length = breaker.holdLength();
            clock.advance(length + kMoment);
            const Instant then = Instant::of(clock);
            breaker.refresh(then);
            breaker.takeProbe(then);
            breaker.recordFailure(FailureKind::Transient, then);
            return length;
        },
        patience);
}

ClassPreview previewClass(Bench& bench, ProviderClass providerClass, const ResilienceSettings& settings, WallTime now)
{
    ClassPreview preview;
    preview.rests = bench.rests({providerClass});
    const std::vector<Millis> asked = bench.rests({providerClass, 429, false, {{"retry-after", "60"}}});
    preview.restWhenAsked = asked.empty() ? Millis(0) : asked.front();
    previewBreaker(breakerOptions(providerClass, settings), now, preview);
    return preview;
}

std::vector<Millis> previewProviderCooldown(const ProviderCooldownSettings& settings, WallTime now)
{
    SimulatedClock clock(now);
    ProviderCooldown cooldown;
    cooldown.applySettings(settings);
    const ConnectionId connection("preview");
    const ProviderId provider("preview");
    return untilSteady(
        [&] {
            cooldown.recordFailure(provider, ProviderClass::ApiKey, connection, Instant::of(clock));
            Millis length{0};
            for (const ProviderCooldownStatus& cooling : cooldown.list(Instant::of(clock))) {
                if (!cooling.connection.empty())
                    length = cooling.remaining;
            }
            clock.advance(length + kMoment);
            return length;
        },
        1);
}

}  // namespace

ResiliencePreview previewResilience(const ResilienceSettings& settings, WallTime now)
{
    Bench bench(settings, now);
    ResiliencePreview preview;
    preview.oauth = previewClass(bench, ProviderClass::OAuth, settings, now);
    preview.apiKey = previewClass(bench, ProviderClass::ApiKey, settings, now);
    for (const int code : settings.modelLockout.errorCodes) {
        const std::vector<Millis> lengths =
            settings.modelLockout.enabled ? bench.locks({ProviderClass::ApiKey, code}) : std::vector<Millis>();
        const auto same =
            std::find_if(preview.locks.begin(), preview.locks.end(), [&lengths](const LockPreview& one) { return one.lengths == lengths; });
        if (same != preview.locks.end())
            same->codes.push_back(code);
        else
            preview.locks.push_back({{code}, lengths});
    }
    preview.modelQuotaLocks = bench.locks({ProviderClass::ApiKey, 429, true});
    preview.providerRests = previewProviderCooldown(settings.providerCooldown, now);
    preview.untilDailyReset = untilDailyReset(settings.dailyReset, now);
    return preview;
}

}  // namespace omni
