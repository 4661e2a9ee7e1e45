#include "model/settings_fields.h"

#include "base/text.h"
#include "model/settings_values.h"
#include "model/url.h"

#include <QByteArray>
#include <QTimeZone>

#include <algorithm>
#include <filesystem>

namespace omni {

namespace {

constexpr std::int64_t kSecond = 1'000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kMiB = 1'048'576;

std::string checkOrigin(std::string& text)
{
    const Result<Url> url = parseUrl(text);
    if (!url)
        return url.error().message;
    if (!url->userInfo.empty() || !url->path.empty() || url->query || url->fragment)
        return "must be an origin like https://host or http://host:3000, without a path";
    text = toLower(text);
    return {};
}

std::string checkFile(std::string& text)
{
    if (text.empty())
        return {};
    const bool hasControl = std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    if (hasControl || text.size() > 4096)
        return "is not a file name";
    return std::filesystem::path(text).is_absolute() ? std::string() : "must be the full path of a PEM file";
}

std::string checkLanguage(std::string& text)
{
    const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    const bool plain = text.empty() || ((text.size() == 2 || text.size() == 3) && std::all_of(text.begin(), text.end(), small));
    const bool withRegion = text.size() == 5 && small(text[0]) && small(text[1]) && text[2] == '_' && capital(text[3]) && capital(text[4]);
    return plain || withRegion ? std::string() : "must be a language code such as \"en\" or \"bn\", or empty for the system's";
}

std::string checkTimeZone(std::string& text)
{
    if (text.empty() || QTimeZone::isTimeZoneIdAvailable(QByteArray::fromStdString(text)))
        return {};
    return "must be the name of a time zone such as \"Asia/Dhaka\", or empty for the machine's own";
}

/// spec 1-core §4.3, B1: compared in lower case, so kept in it.
std::string checkSignal(std::string& text)
{
    constexpr std::size_t kLongest = 200;
    std::string spelt = toLower(trimmed(text));
    if (spelt.empty() || characterCount(spelt) > kLongest)
        return "must be a text of 1 to " + std::to_string(kLongest) + " characters";
    text = std::move(spelt);
    return {};
}

SettingField number(std::string_view name, SettingAccess access, std::int64_t minimum, std::int64_t maximum)
{
    return {name, access, minimum, maximum, nullptr};
}

SettingField plain(std::string_view name, SettingAccess access)
{
    return {name, access, 0, 0, nullptr};
}

SettingField looseFlag(std::string_view name, SettingAccess access)
{
    return {name, access, 0, 0, nullptr, true};
}

SettingField text(std::string_view name, SettingAccess access, std::string (*check)(std::string&))
{
    return {name, access, 0, 0, check};
}

void addProxy(std::vector<SettingField>& fields)
{
    fields.push_back(number("proxy.port", +[](Settings& s) -> int& { return s.proxy.port; }, 1, 65'535));
    fields.push_back(plain("proxy.startWithProgram", +[](Settings& s) -> bool& { return s.proxy.startWithProgram; }));
    fields.push_back(plain("proxy.exposeToNetwork", +[](Settings& s) -> bool& { return s.proxy.exposeToNetwork; }));
    fields.push_back(plain("proxy.requireApiKey", +[](Settings& s) -> bool& { return s.proxy.requireApiKey; }));
    fields.push_back(text("proxy.allowedOrigins", +[](Settings& s) -> std::vector<std::string>& { return s.proxy.allowedOrigins; },
                          &checkOrigin));
    fields.push_back(number("proxy.maxHeaderBytes", +[](Settings& s) -> std::int64_t& { return s.proxy.maxHeaderBytes; }, 8'192, kMiB));
    fields.push_back(number("proxy.maxBodyBytes", +[](Settings& s) -> std::int64_t& { return s.proxy.maxBodyBytes; }, kMiB, 1'024 * kMiB));
    fields.push_back(number("proxy.maxConnections", +[](Settings& s) -> int& { return s.proxy.maxConnections; }, 16, 65'536));
    fields.push_back(number("proxy.headerTimeoutMs", +[](Settings& s) -> Millis& { return s.proxy.headerTimeout; }, kSecond, 10 * kMinute));
    fields.push_back(number("proxy.bodyTimeoutMs", +[](Settings& s) -> Millis& { return s.proxy.bodyTimeout; }, kSecond, kHour));
    fields.push_back(number("proxy.idleTimeoutMs", +[](Settings& s) -> Millis& { return s.proxy.idleTimeout; }, kSecond, kHour));
}

void addUpstream(std::vector<SettingField>& fields)
{
    fields.push_back(number("upstream.connectTimeoutMs",
                            +[](Settings& s) -> Millis& { return s.upstream.connectTimeout; }, 100, 10 * kMinute));
    fields.push_back(number("upstream.firstByteTimeoutMs",
                            +[](Settings& s) -> Millis& { return s.upstream.firstByteTimeout; }, kSecond, kHour));
    fields.push_back(number("upstream.readinessTimeoutMs",
                            +[](Settings& s) -> Millis& { return s.upstream.readinessTimeout; }, kSecond, kHour));
    fields.push_back(number("upstream.idleTimeoutMs", +[](Settings& s) -> Millis& { return s.upstream.idleTimeout; }, kSecond, kHour));
    fields.push_back(number("upstream.attemptDeadlineMs",
                            +[](Settings& s) -> Millis& { return s.upstream.attemptDeadline; }, kMinute, kDay));
    fields.push_back(text("upstream.caBundle", +[](Settings& s) -> std::string& { return s.upstream.caBundle; }, &checkFile));
    fields.push_back(plain("upstream.http2", +[](Settings& s) -> bool& { return s.upstream.http2; }));
}

void addLogAndRouting(std::vector<SettingField>& fields)
{
    fields.push_back(number("log.maxAgeDays", +[](Settings& s) -> int& { return s.log.maxAgeDays; }, 1, 3'650));
    fields.push_back(number("log.maxRows", +[](Settings& s) -> std::int64_t& { return s.log.maxRows; }, 1'000, 50'000'000));
    fields.push_back(number("log.maxMegabytes", +[](Settings& s) -> std::int64_t& { return s.log.maxMegabytes; }, 16, 1'000'000));
    fields.push_back(plain("routing.roundRobin", +[](Settings& s) -> bool& { return s.routing.roundRobin; }));
    fields.push_back(plain("routing.failoverBeforeRetry", +[](Settings& s) -> bool& { return s.routing.failoverBeforeRetry; }));
    fields.push_back(number("routing.maxAttempts", +[](Settings& s) -> int& { return s.routing.maxAttempts; }, 1, 64));
}

/// Where the parts of one profile are; "oauth" and "apikey" differ in nothing else.
struct CooldownAccess {
    std::string_view base, hints, breakerHints, steps;
    Millis& (*baseOf)(Settings&);
    bool& (*hintsOf)(Settings&);
    std::optional<bool>& (*breakerHintsOf)(Settings&);
    int& (*stepsOf)(Settings&);
};

struct BreakerAccess {
    std::string_view degradation, failure, reset;
    int& (*degradationOf)(Settings&);
    int& (*failureOf)(Settings&);
    Millis& (*resetOf)(Settings&);
};

void addCooldown(std::vector<SettingField>& fields, const CooldownAccess& access)
{
    fields.push_back(number(access.base, access.baseOf, 0, kDay));
    fields.push_back(plain(access.hints, access.hintsOf));
    fields.push_back(plain(access.breakerHints, access.breakerHintsOf));
    fields.push_back(number(access.steps, access.stepsOf, 0, 32));
}

void addBreaker(std::vector<SettingField>& fields, const BreakerAccess& access)
{
    fields.push_back(number(access.degradation, access.degradationOf, 1, 1'000));
    fields.push_back(number(access.failure, access.failureOf, 1, 1'000));
    fields.push_back(number(access.reset, access.resetOf, kSecond, kDay));
}

/// Names and ranges of spec 4-surfaces §2.1; the local profile is not offered there.
void addResilience(std::vector<SettingField>& fields)
{
    addCooldown(fields, {"resilience.connectionCooldown.oauth.baseCooldownMs", "resilience.connectionCooldown.oauth.useUpstreamRetryHints",
                         "resilience.connectionCooldown.oauth.useUpstream429BreakerHints",
                         "resilience.connectionCooldown.oauth.maxBackoffSteps",
                         +[](Settings& s) -> Millis& { return s.resilience.oauthCooldown.baseCooldown; },
                         +[](Settings& s) -> bool& { return s.resilience.oauthCooldown.useUpstreamRetryHints; },
                         +[](Settings& s) -> std::optional<bool>& { return s.resilience.oauthCooldown.useUpstream429BreakerHints; },
                         +[](Settings& s) -> int& { return s.resilience.oauthCooldown.maxBackoffSteps; }});
    addCooldown(fields, {"resilience.connectionCooldown.apikey.baseCooldownMs",
                         "resilience.connectionCooldown.apikey.useUpstreamRetryHints",
                         "resilience.connectionCooldown.apikey.useUpstream429BreakerHints",
                         "resilience.connectionCooldown.apikey.maxBackoffSteps",
                         +[](Settings& s) -> Millis& { return s.resilience.apiKeyCooldown.baseCooldown; },
                         +[](Settings& s) -> bool& { return s.resilience.apiKeyCooldown.useUpstreamRetryHints; },
                         +[](Settings& s) -> std::optional<bool>& { return s.resilience.apiKeyCooldown.useUpstream429BreakerHints; },
                         +[](Settings& s) -> int& { return s.resilience.apiKeyCooldown.maxBackoffSteps; }});
    addBreaker(fields, {"resilience.providerBreaker.oauth.degradationThreshold", "resilience.providerBreaker.oauth.failureThreshold",
                        "resilience.providerBreaker.oauth.resetTimeoutMs",
                        +[](Settings& s) -> int& { return s.resilience.oauthBreaker.degradationThreshold; },
                        +[](Settings& s) -> int& { return s.resilience.oauthBreaker.failureThreshold; },
                        +[](Settings& s) -> Millis& { return s.resilience.oauthBreaker.resetTimeout; }});
    addBreaker(fields, {"resilience.providerBreaker.apikey.degradationThreshold", "resilience.providerBreaker.apikey.failureThreshold",
                        "resilience.providerBreaker.apikey.resetTimeoutMs",
                        +[](Settings& s) -> int& { return s.resilience.apiKeyBreaker.degradationThreshold; },
                        +[](Settings& s) -> int& { return s.resilience.apiKeyBreaker.failureThreshold; },
                        +[](Settings& s) -> Millis& { return s.resilience.apiKeyBreaker.resetTimeout; }});
    fields.push_back(plain("resilience.streamStallCooldown.enabled",
                           +[](Settings& s) -> bool& { return s.resilience.streamStallCooldown; }));
    fields.push_back(plain("resilience.providerCooldown.enabled",
                           +[](Settings& s) -> bool& { return s.resilience.providerCooldown.enabled; }));
    fields.push_back(number("resilience.providerCooldown.minRetryCooldownMs",
                            +[](Settings& s) -> Millis& { return s.resilience.providerCooldown.minRetryCooldown; }, 0, kHour));
    fields.push_back(number("resilience.providerCooldown.maxRetryCooldownMs",
                            +[](Settings& s) -> Millis& { return s.resilience.providerCooldown.maxRetryCooldown; }, 0, kDay));
    fields.push_back(text("resilience.dailyReset.timeZone",
                          +[](Settings& s) -> std::string& { return s.resilience.dailyReset.timeZone; }, &checkTimeZone));
    fields.push_back(number("resilience.dailyReset.hour", +[](Settings& s) -> int& { return s.resilience.dailyReset.hour; }, 0, 23));
    fields.push_back(plain("resilience.probeCanDisable", +[](Settings& s) -> bool& { return s.resilience.probeCanDisable; }));
}

/// Kept beside the resilience section and not in it (spec 4-surfaces §2.3).
void addOperatorRules(std::vector<SettingField>& fields)
{
    fields.push_back(looseFlag("modelLockout.enabled", +[](Settings& s) -> bool& { return s.resilience.modelLockout.enabled; }));
    fields.push_back(number("modelLockout.errorCodes",
                            +[](Settings& s) -> std::vector<int>& { return s.resilience.modelLockout.errorCodes; }, 100, 599));
    fields.push_back(number("modelLockout.baseCooldownMs",
                            +[](Settings& s) -> Millis& { return s.resilience.modelLockout.baseCooldown; }, 5 * kSecond, 10 * kMinute));
    fields.push_back(number("modelLockout.maxCooldownMs",
                            +[](Settings& s) -> Millis& { return s.resilience.modelLockout.maxCooldown; }, 5 * kSecond, kHour));
    fields.push_back(number("modelLockout.maxBackoffSteps",
                            +[](Settings& s) -> int& { return s.resilience.modelLockout.maxBackoffSteps; }, 0, 20));
    fields.push_back(looseFlag("modelLockout.useExponentialBackoff",
                               +[](Settings& s) -> bool& { return s.resilience.modelLockout.useExponentialBackoff; }));
    fields.push_back(plain("providerErrorRules",
                           +[](Settings& s) -> std::vector<ProviderErrorRule>& { return s.resilience.providerErrorRules; }));
    fields.push_back(text("customBannedSignals",
                          +[](Settings& s) -> std::vector<std::string>& { return s.resilience.customBannedSignals; }, &checkSignal));
    fields.push_back(plain("autoDisableBannedAccounts.enabled",
                           +[](Settings& s) -> bool& { return s.resilience.autoDisableBanned.enabled; }));
    fields.push_back(plain("autoDisableBannedAccounts.scope",
                           +[](Settings& s) -> AutoDisableScope& { return s.resilience.autoDisableBanned.scope; }));
}

void addAppearance(std::vector<SettingField>& fields)
{
    fields.push_back(plain("appearance.theme", +[](Settings& s) -> Theme& { return s.appearance.theme; }));
    fields.push_back(text("appearance.language", +[](Settings& s) -> std::string& { return s.appearance.language; }, &checkLanguage));
    fields.push_back(plain("appearance.notifyHolds", +[](Settings& s) -> bool& { return s.appearance.notifyHolds; }));
    fields.push_back(plain("appearance.notifyBreakers", +[](Settings& s) -> bool& { return s.appearance.notifyBreakers; }));
    fields.push_back(plain("appearance.notifyRecovery", +[](Settings& s) -> bool& { return s.appearance.notifyRecovery; }));
}

std::vector<SettingField> makeFields()
{
    std::vector<SettingField> fields;
    addProxy(fields);
    addUpstream(fields);
    addLogAndRouting(fields);
    addResilience(fields);
    addOperatorRules(fields);
    addAppearance(fields);
    return fields;
}

}  // namespace

const std::vector<SettingField>& settingFields()
{
    static const std::vector<SettingField> fields = makeFields();
    return fields;
}

const std::vector<SettingRange>& settingRanges()
{
    static const std::vector<SettingRange> ranges = [] {
        std::vector<SettingRange> made;
        for (const SettingField& field : settingFields()) {
            if (field.maximum > field.minimum)
                made.push_back({field.name, field.minimum, field.maximum});
        }
        return made;
    }();
    return ranges;
}

int clampedDegradation(int degradation, int failureThreshold)
{
    return failureThreshold <= 1 ? 1 : std::clamp(degradation, 1, failureThreshold - 1);
}

}  // namespace omni
