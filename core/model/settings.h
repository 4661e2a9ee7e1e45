#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "model/error_rule.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace omni {

/// The listener. Changes to port, addresses and exposure bind anew; the old port is closed only when the new one serves.
struct ProxySettings {
    int port = 20128;                ///< 1…65535 (guide); 0 only from the command line
    bool startWithProgram = true;
    bool exposeToNetwork = false;    ///< listen beyond loopback; only with requireApiKey
    bool requireApiKey = false;
    std::vector<std::string> allowedOrigins;  ///< exact, "https://host[:port]"
    std::int64_t maxHeaderBytes = 65'536;     ///< 8,192…1,048,576
    std::int64_t maxBodyBytes = 67'108'864;   ///< 1 MiB…1 GiB
    int maxConnections = 4096;                ///< 16…65,536
    Millis headerTimeout{10'000};             ///< 1 s…10 min: first byte to end of head
    Millis bodyTimeout{60'000};               ///< 1 s…1 h: between two pieces of a body
    Millis idleTimeout{120'000};              ///< 1 s…1 h: between requests on a kept connection
};

/// How upstreams are spoken to.
struct UpstreamSettings {
    Millis connectTimeout{10'000};      ///< 100 ms…10 min, name resolution and TLS included
    Millis firstByteTimeout{120'000};   ///< 1 s…1 h; non-stream answers too
    Millis readinessTimeout{80'000};    ///< 1 s…1 h: first meaningful frame of a stream (spec 0-decisions)
    Millis idleTimeout{300'000};        ///< 1 s…1 h between two pieces of an answer
    Millis attemptDeadline{1'800'000};  ///< 1 min…24 h (spec 0-decisions: 30 min)
    std::string caBundle;               ///< PEM file added to the system's authorities; empty = none
    bool http2 = false;
};

struct LogSettings {
    int maxAgeDays = 30;            ///< 1…3650
    std::int64_t maxRows = 500'000; ///< 1,000…50,000,000
    std::int64_t maxMegabytes = 1024;  ///< 16…1,000,000, of the whole database
};

struct RoutingSettings {
    bool roundRobin = false;          ///< among connections of equal standing; off = fill first
    bool failoverBeforeRetry = true;  ///< spec 0-decisions
    int maxAttempts = 16;             ///< 1…64 targets tried for one request
};

/// spec 1-core §3.2, per provider class.
struct CooldownProfile {
    Millis baseCooldown{0};  ///< 0…24 h
    bool useUpstreamRetryHints = false;
    std::optional<bool> useUpstream429BreakerHints;  ///< unset = the provider's default
    int maxBackoffSteps = 0;  ///< 0…32

    bool operator==(const CooldownProfile&) const = default;
};

/// spec 1-core §1.1, per provider class.
struct BreakerProfile {
    int failureThreshold = 0;      ///< 1…1000
    int degradationThreshold = 0;  ///< 1…failureThreshold − 1
    Millis resetTimeout{0};        ///< 1 s…24 h
    int maxBackoffMultiplier = 16;
    int backoffEscalationCount = 3;

    bool operator==(const BreakerProfile&) const = default;
};

/// guide §3, spec 1-core §3.3
struct ModelLockoutSettings {
    bool enabled = false;
    std::vector<int> errorCodes{403, 404, 429, 502, 503, 504};  ///< 100…599, ascending
    Millis baseCooldown{120'000};                               ///< 5 s…10 min
    Millis maxCooldown{1'800'000};  ///< 5 s…1 h, at least the base; caps the connections' ladder too (spec 1-core §2.1)
    int maxBackoffSteps = 10;       ///< 0…20
    bool useExponentialBackoff = true;

    bool operator==(const ModelLockoutSettings&) const = default;
};

/// The window gate of one class: so many failures within the window cool the provider (guide, PROVIDER_PROFILES).
struct ProviderCooldownWindow {
    int failureThreshold = 0;
    Millis window{0};
    Millis cooldown{0};

    bool operator==(const ProviderCooldownWindow&) const = default;
};

/// guide "Opt-in global provider cooldown", spec 1-core §7
struct ProviderCooldownSettings {
    bool enabled = false;
    Millis minRetryCooldown{5'000};    ///< 0…1 h
    Millis maxRetryCooldown{300'000};  ///< minRetryCooldown…24 h
    ProviderCooldownWindow oauth{10, Millis(900'000), Millis(300'000)};
    ProviderCooldownWindow apiKey{15, Millis(1'800'000), Millis(600'000)};
    ProviderCooldownWindow local{2, Millis(300'000), Millis(60'000)};

    bool operator==(const ProviderCooldownSettings&) const = default;
};

/// When a daily quota comes back (spec 1-core §4.10).
struct DailyResetSettings {
    std::string timeZone;  ///< IANA name such as "Asia/Dhaka"; empty = the machine's own
    int hour = 0;          ///< 0…23

    bool operator==(const DailyResetSettings&) const = default;
};

enum class AutoDisableScope : std::uint8_t { All, Subscription };
std::string_view toString(AutoDisableScope scope);  ///< "all", "subscription"
std::optional<AutoDisableScope> autoDisableScopeFromString(std::string_view text);

/// Whether a connection that is banned is switched off as well (spec 1-core §8 step 24). Which ones is kept while it is off.
struct AutoDisableBanned {
    bool enabled = false;
    AutoDisableScope scope = AutoDisableScope::All;  ///< Subscription: only seats of the OAuth class

    bool operator==(const AutoDisableBanned&) const = default;
};

struct ResilienceSettings {
    CooldownProfile oauthCooldown{Millis(5'000), false, std::nullopt, 8};
    CooldownProfile apiKeyCooldown{Millis(3'000), true, std::nullopt, 5};
    CooldownProfile localCooldown{Millis(2'000), false, std::nullopt, 3};
    BreakerProfile oauthBreaker{8, 5, Millis(60'000), 8, 2};
    BreakerProfile apiKeyBreaker{12, 7, Millis(30'000), 4, 3};
    BreakerProfile localBreaker{2, 2, Millis(15'000), 16, 3};
    bool streamStallCooldown = false;
    ModelLockoutSettings modelLockout;
    ProviderCooldownSettings providerCooldown;
    DailyResetSettings dailyReset;
    std::vector<std::string> customBannedSignals;       ///< the operator's own ban words, lower case, each of 1…200 characters
    std::vector<ProviderErrorRule> providerErrorRules;  ///< at most 50; by provider, and in the operator's order within one
    AutoDisableBanned autoDisableBanned;
    bool probeCanDisable = false;  ///< tests may mark connections like requests do (spec 1-core §1.12)

    bool operator==(const ResilienceSettings&) const = default;
};

enum class Theme : std::uint8_t { System, Light, Dark };
std::string_view toString(Theme theme);  ///< "system", "light", "dark"
std::optional<Theme> themeFromString(std::string_view text);

struct AppearanceSettings {
    Theme theme = Theme::System;
    std::string language;  ///< "en", "bn"; empty = the system's
    /// Notifications of the desktop, each kind by itself.
    bool notifyHolds = true;      ///< a connection is out until someone acts, or a whole provider rests
    bool notifyBreakers = true;   ///< a provider's breaker opened
    bool notifyRecovery = true;   ///< what was told of serves again
};

/// Everything a user can set, with its default. The stored form is the JSON below: one document for each of its members.
struct Settings {
    ProxySettings proxy;
    UpstreamSettings upstream;
    LogSettings log;
    RoutingSettings routing;
    ResilienceSettings resilience;
    AppearanceSettings appearance;
};

/// The whole, camelCase, durations as "<name>Ms": {"proxy":{…},"upstream":{…},"log":{…},"routing":{…},"resilience":{…},"appearance":{…},
/// "modelLockout":{…},"providerErrorRules":{"<provider>":[{"status","match","scope","reason","cooldownMs"},…]},"customBannedSignals":[…],
/// "autoDisableBannedAccounts":{"enabled","scope"}}. The last four are parts of `ResilienceSettings` (spec 4-surfaces §2.3).
nlohmann::json toJson(const Settings& settings);

/// `patch` merged into `current`. Refuses unknown keys, wrong types and values out of range, each with its field
/// ("proxy.port", "providerErrorRules.agentrouter[2].status") and its range, and changes nothing then. A list replaces the list there was.
/// In `providerErrorRules` a provider's list replaces that provider's rules, null removes them, and {} or null in place of the whole
/// removes all. Cross-field rules: degradation below failure threshold, longest cooldown at least the shortest, exposeToNetwork only with
/// requireApiKey. A limit that is moved alone takes the other one with it where that one allows; one that is named and contradicts is
/// refused.
Result<Settings> patched(const Settings& current, const nlohmann::json& patch);

/// For loading: what is out of range is clamped, what is unreadable keeps its default; never fails. PROBE_CAN_DISABLE beats what is stored
/// (spec 1-core §1.12).
Settings settingsFromStored(const nlohmann::json& stored);

/// A whole settings document as the present version would have written it: what an earlier one meant by fewer fields is spelled out.
/// Not for patches, which name only what is to change.
nlohmann::json inPresentTerms(nlohmann::json document);

/// Defaults with the environment's overrides; read once at start. Thresholds and resets of the breakers and of the provider cooldown
/// (spec 1-core §1.1), PROVIDER_COOLDOWN_ENABLED, _MIN_MS and _MAX_MS (§3.2), PROBE_CAN_DISABLE (§1.12).
Settings defaultSettings();

/// What a window needs to build an input for one field: kept beside the parser, so that both tell the same range.
struct SettingRange {
    std::string_view field;  ///< "proxy.port"
    std::int64_t minimum;
    std::int64_t maximum;
};
const std::vector<SettingRange>& settingRanges();

}  // namespace omni
