#include "base/text.h"
#include "model/settings_fields.h"

#include <QByteArray>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace omni {

namespace {

constexpr int kMaxThreshold = 1'000;

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

void overrideFrom(const char* name, Millis& value, Millis maximum = std::chrono::hours(24))
{
    if (const std::optional<std::int64_t> number = fromEnvironment(name, maximum.count()))
        value = Millis(*number);
}

std::string wordFrom(const char* name)
{
    return toLower(qgetenv(name).trimmed().toStdString());
}

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

void overrideProviderCooldown(ProviderCooldownSettings& settings)
{
    constexpr const char* kEnabled = "PROVIDER_COOLDOWN_ENABLED";
    if (qEnvironmentVariableIsSet(kEnabled))
        settings.enabled = isOneOf(wordFrom(kEnabled), {"true", "1", "on"});
    overrideFrom("PROVIDER_COOLDOWN_MIN_MS", settings.minRetryCooldown, std::chrono::hours(1));
    overrideFrom("PROVIDER_COOLDOWN_MAX_MS", settings.maxRetryCooldown);
    settings.maxRetryCooldown = std::max(settings.maxRetryCooldown, settings.minRetryCooldown);

    overrideFrom("OMNIROUTE_PROVIDER_BREAKER_OAUTH_FAILURE_THRESHOLD", settings.oauth.failureThreshold, kMaxThreshold);
    overrideFrom("OMNIROUTE_PROVIDER_BREAKER_OAUTH_FAILURE_WINDOW_MS", settings.oauth.window);
    overrideFrom("OMNIROUTE_PROVIDER_BREAKER_OAUTH_COOLDOWN_MS", settings.oauth.cooldown);
    overrideFrom("OMNIROUTE_PROVIDER_BREAKER_API_KEY_FAILURE_THRESHOLD", settings.apiKey.failureThreshold, kMaxThreshold);
    overrideFrom("OMNIROUTE_PROVIDER_BREAKER_API_KEY_FAILURE_WINDOW_MS", settings.apiKey.window);
    overrideFrom("OMNIROUTE_PROVIDER_BREAKER_API_KEY_COOLDOWN_MS", settings.apiKey.cooldown);
    overrideFrom("OMNIROUTE_PROVIDER_BREAKER_LOCAL_FAILURE_THRESHOLD", settings.local.failureThreshold, kMaxThreshold);
    overrideFrom("OMNIROUTE_PROVIDER_BREAKER_LOCAL_FAILURE_WINDOW_MS", settings.local.window);
    overrideFrom("OMNIROUTE_PROVIDER_BREAKER_LOCAL_COOLDOWN_MS", settings.local.cooldown);
}

}  // namespace

std::optional<bool> probeFlagFromEnvironment()
{
    const std::string word = wordFrom("PROBE_CAN_DISABLE");
    if (isOneOf(word, {"true", "1", "yes", "on"}))
        return true;
    if (isOneOf(word, {"false", "0", "no", "off"}))
        return false;
    return std::nullopt;
}

Settings defaultSettings()
{
    constexpr int kMaxMultiplier = 1'000'000;
    Settings settings;
    settings.resilience.probeCanDisable = probeFlagFromEnvironment().value_or(false);
    overrideProviderCooldown(settings.resilience.providerCooldown);
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
