#pragma once

#include "base/random.h"
#include "model/hold.h"
#include "model/provider.h"
#include "model/settings.h"
#include "resilience/engine.h"
#include "resilience/error_body.h"
#include "resilience/markers.h"
#include "resilience/retry_hints.h"

#include <optional>
#include <string>
#include <string_view>

namespace omni {

/// What a failure is judged by.
struct FailureFacts {
    const Failure& failure;
    std::string_view provider;  ///< empty = unknown
    ProviderClass providerClass = ProviderClass::ApiKey;
    std::string_view model;
    bool perModelQuota = false;
    int backoffLevel = 0;
    const CooldownProfile& profile;
    Millis maxCooldown{1'800'000};  ///< caps the ladder
    bool stallsCool = false;        ///< resilience.streamStallCooldown
    WallTime now{};
};

/// What a failure means, in full (spec 1-core §4): the engine applies it to breaker and connection, and tells the router the part it needs.
struct Judgement {
    /// How far a failure reaches.
    enum class Scope : std::uint8_t {
        Connection,  ///< this account
        Model,       ///< one model of it: the connection stays in use
        Note,        ///< the connection keeps the error, and nothing else
        Request      ///< nothing but this request
    };

    bool tryNextTarget = true;
    Scope scope = Scope::Connection;
    FailureReason reason = FailureReason::Unknown;
    Millis cooldown{0};
    bool ladder = false;                   ///< `cooldown` comes from the ladder, so a running hold is never extended by it
    std::optional<int> newLevel;           ///< unset = unchanged
    HintSource source = HintSource::None;  ///< of `cooldown`
    std::optional<RetryHint> hint;         ///< what the upstream asked for, obeyed or not
    std::optional<Millis> quotaReset;
    bool permanent = false;
    bool creditsExhausted = false;
    bool dailyQuotaExhausted = false;
    bool ownEnd = false;      ///< a quota that comes back by itself, so no terminal state
    bool keyRefused = false;  ///< 401: goes up the retry ladder of `expired`
    bool skipBreaker = false;
    bool countsOnBreaker = false;
    TerminalState terminal = TerminalState::None;
    FailureKind kind = FailureKind::Transient;
    std::string rule;
    std::string message;  ///< for lastError: redacted, one line
};

/// Judges failures by the decision table of spec 1-core §4.2: an ordered list of rows, the first that answers decides. Not thread-safe.
class FailureJudge {
public:
    explicit FailureJudge(Random& random);
    Judgement judge(const FailureFacts& facts);

private:
    Random& m_random;
    MarkerTable m_markers;
    ErrorBodyReader m_reader;
};

}  // namespace omni
