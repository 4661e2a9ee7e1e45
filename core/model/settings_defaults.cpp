#include "model/settings_fields.h"

#include <QByteArray>

#include <charconv>
#include <cmath>

namespace omni {

namespace {

/// spec 1-core §1.1: a finite number of at least 0, 0 included; anything else leaves the default.
std::optional<std::int64_t> fromEnvironment(const char* name, std::int64_t maximum)
{
    const QByteArray text = qgetenv(name).trimmed();
    double number = 0;
    const auto [end, error] = std::from_chars(text.constBegin(), text.constEnd(), number);
    if (text.isEmpty() || error != std::errc() || end != text.constEnd() || !std::isfinite(number) || number < 0)
        return std::nullopt;
    return number >= static_cast<double>(maximum) ? maximum : static_cast<std::int64_t>(number);
}

void overrideFrom(const char* name, int& value, int maximum)
{
    if (const std::optional<std::int64_t> number = fromEnvironment(name, maximum))
        value = static_cast<int>(*number);
}

void overrideFrom(const char* name, Millis& value)
{
    constexpr std::int64_t kDay = 86'400'000;
    if (const std::optional<std::int64_t> number = fromEnvironment(name, kDay))
        value = Millis(*number);
}

}  // namespace

Settings defaultSettings()
{
    constexpr int kMaxThreshold = 1'000;
    constexpr int kMaxMultiplier = 1'000'000;
    Settings settings;
    BreakerProfile& oauth = settings.resilience.oauthBreaker;
    overrideFrom("OMNIROUTE_CIRCUIT_BREAKER_OAUTH_THRESHOLD", oauth.failureThreshold, kMaxThreshold);
    overrideFrom("OMNIROUTE_CIRCUIT_BREAKER_OAUTH_RESET_MS", oauth.resetTimeout);
    overrideFrom("OMNIROUTE_PROVIDER_BREAKER_OAUTH_DEGRADATION_THRESHOLD", oauth.degradationThreshold, kMaxThreshold);
    overrideFrom("OMNIROUTE_PROVIDER_BREAKER_OAUTH_MAX_BACKOFF_MULTIPLIER", oauth.maxBackoffMultiplier, kMaxMultiplier);
    overrideFrom("OMNIROUTE_PROVIDER_BREAKER_OAUTH_BACKOFF_ESCALATION_COUNT", oauth.backoffEscalationCount, kMaxThreshold);
    oauth.degradationThreshold = clampedDegradation(oauth.degradationThreshold, oauth.failureThreshold);

    BreakerProfile& apiKey = settings.resilience.apiKeyBreaker;
    overrideFrom("OMNIROUTE_CIRCUIT_BREAKER_API_KEY_THRESHOLD", apiKey.failureThreshold, kMaxThreshold);
    overrideFrom("OMNIROUTE_CIRCUIT_BREAKER_API_KEY_RESET_MS", apiKey.resetTimeout);
    overrideFrom("OMNIROUTE_PROVIDER_BREAKER_API_KEY_DEGRADATION_THRESHOLD", apiKey.degradationThreshold, kMaxThreshold);
    overrideFrom("OMNIROUTE_PROVIDER_BREAKER_API_KEY_MAX_BACKOFF_MULTIPLIER", apiKey.maxBackoffMultiplier, kMaxMultiplier);
    overrideFrom("OMNIROUTE_PROVIDER_BREAKER_API_KEY_BACKOFF_ESCALATION_COUNT", apiKey.backoffEscalationCount, kMaxThreshold);
    apiKey.degradationThreshold = clampedDegradation(apiKey.degradationThreshold, apiKey.failureThreshold);

    BreakerProfile& local = settings.resilience.localBreaker;
    overrideFrom("OMNIROUTE_CIRCUIT_BREAKER_LOCAL_THRESHOLD", local.failureThreshold, kMaxThreshold);
    overrideFrom("OMNIROUTE_CIRCUIT_BREAKER_LOCAL_RESET_MS", local.resetTimeout);
    // Not given for local ones but derived: 60 % of the failure threshold, rounded up.
    local.degradationThreshold = (local.failureThreshold * 3 + 4) / 5;
    return settings;
}

}  // namespace omni
