#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "model/connection.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace omni {

enum class BreakerState : std::uint8_t { Closed, Degraded, Open, HalfOpen };
std::string_view toString(BreakerState state);  ///< CLOSED, DEGRADED, OPEN, HALF_OPEN
std::optional<BreakerState> breakerStateFromString(std::string_view text);

/// spec 1-core §1.3
enum class FailureKind : std::uint8_t { RateLimit, QuotaExhausted, Transient };
std::string_view toString(FailureKind kind);  ///< rate_limit, quota_exhausted, transient
std::optional<FailureKind> failureKindFromString(std::string_view text);

/// spec 1-core §4, "Reasons".
enum class FailureReason : std::uint8_t {
    Unknown, QuotaExhausted, RateLimitExceeded, ModelCapacity, ServerError, AuthError, NotFound, ServiceNotRunning,
    ConcurrencyLimited, Overloaded, BadRequest, Transport, RequestRejected, Forbidden, Credits
};
std::string_view toString(FailureReason reason);  ///< snake_case
FailureReason failureReasonFromString(std::string_view text);  ///< Unknown for anything else

/// Who set a deadline.
enum class HintSource : std::uint8_t { None, Header, GoogleRpcRetryInfo, Body, Ladder, Rule, Operator };
std::string_view toString(HintSource source);  ///< "none", "header", "google_rpc_retry_info", …
HintSource hintSourceFromString(std::string_view text);  ///< None for anything else

/// Why something is held: kept with every hold and shown under "Why?". Redacted before it is stored.
struct Evidence {
    WallTime at{};
    RequestId request;
    int status = 0;            ///< HTTP status, 0 = the transport failed
    std::string header;        ///< "Retry-After: 120", or empty
    std::string bodyFragment;  ///< at most 300 bytes of the answer
    std::string rule;          ///< the rule that matched, in words
    HintSource source = HintSource::None;
    Millis length{0};          ///< of the hold it led to

    bool operator==(const Evidence&) const = default;
};

/// Runtime state of one connection, persisted behind. Times are wall-clock deadlines.
struct ConnectionHealth {
    ConnectionId id;
    TerminalState terminal = TerminalState::None;
    std::optional<WallTime> coolingUntil;
    std::optional<WallTime> coolingSince;
    int backoffLevel = 0;
    FailureReason reason = FailureReason::Unknown;
    int errorCode = 0;
    std::string lastError;  ///< redacted, one line
    std::optional<WallTime> lastErrorAt;
    std::optional<WallTime> lastUsedAt;
    std::optional<WallTime> lastTestedAt;
    bool secretUnreadable = false;  ///< not persisted: found out at start
    std::optional<Evidence> evidence;

    bool operator==(const ConnectionHealth&) const = default;
};

struct BreakerTransition {
    BreakerState from = BreakerState::Closed;
    BreakerState to = BreakerState::Closed;
    WallTime at{};
    int failureCount = 0;
    std::string reason;

    bool operator==(const BreakerTransition&) const = default;
};

/// What a lazy read of a breaker answers (spec 1-core §1.7). Always refreshed before it is made.
struct BreakerStatus {
    ProviderId provider;
    BreakerState state = BreakerState::Closed;
    int failureCount = 0;
    int failureThreshold = 0;
    int degradationThreshold = 0;
    std::optional<WallTime> lastFailureAt;
    std::optional<FailureKind> lastFailureKind;
    std::map<FailureKind, int> kindCounts;
    int openCycleCount = 0;
    Millis resetTimeout{0};
    Millis retryAfter{0};
    std::optional<WallTime> heldUntil;  ///< set while OPEN
    std::vector<BreakerTransition> history;  ///< newest last, at most 20
    std::optional<Evidence> evidence;        ///< of the last counted failure

    bool operator==(const BreakerStatus&) const = default;
};

/// Which of the three keys a model is locked under (guide §3, spec 1-core §6.1).
enum class LockoutScope : std::uint8_t {
    Family,    ///< every model that shares its quota
    NotFound,  ///< the model as it was asked for
    Exact      ///< this model, whatever it shares a quota with
};
std::string_view toString(LockoutScope scope);  ///< "family", "not_found", "exact"

/// One model of one connection, out of routing for a while. In memory only (guide §3).
struct ModelLockout {
    ProviderId provider;
    ConnectionId connection;
    std::string model;  ///< the scoped name: a model, or the name of a quota family ("codex", "family:gemini")
    LockoutScope scope = LockoutScope::Exact;
    FailureReason reason = FailureReason::Unknown;
    int failureCount = 0;
    WallTime lockedAt{};
    WallTime until{};
    Millis remaining{0};
    std::optional<Evidence> evidence;

    bool operator==(const ModelLockout&) const = default;
};

/// An entry of the opt-in window gate (guide "Opt-in global provider cooldown") that is cooling now.
struct ProviderCooldownStatus {
    ProviderId provider;
    ConnectionId connection;  ///< empty = the whole provider
    int failureCount = 0;
    WallTime until{};
    Millis remaining{0};

    bool operator==(const ProviderCooldownStatus&) const = default;
};

/// Why a target is not used now (guide, diagnostics.excluded).
enum class Exclusion : std::uint8_t {
    None, Disabled, SecretMissing, SecretUnreadable, Banned, Expired, CreditsExhausted, CircuitOpen, ConnectionCooldown, ModelLockout,
    ProviderCooldown, DialectMismatch, ModelNotOffered, NotAllowed, Unavailable, AlreadyTried,
    ContextWindow
};
std::string_view toString(Exclusion reason);  ///< "circuit_open", "connection_cooldown", …
Exclusion exclusionFromString(std::string_view text);  ///< None for anything else

}  // namespace omni
