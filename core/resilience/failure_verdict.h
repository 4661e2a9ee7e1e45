#pragma once

#include "base/random.h"
#include "model/hold.h"
#include "model/provider.h"
#include "model/settings.h"
#include "resilience/engine.h"
#include "resilience/error_body.h"
#include "resilience/gemini_limits.h"
#include "resilience/markers.h"
#include "resilience/operator_words.h"
#include "resilience/retry_hints.h"

#include <cstddef>
#include <memory>
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
    std::string_view connection = {};  ///< id; for counting what it used
    /// The connection's `disableCooling`: what would cool it is left to the model's lock where there is one.
    bool coolingDisabled = false;
};

/// What a failure means, in full (spec 1-core §4): the engine applies it to breaker, connection and model, and tells the router the part
/// it needs.
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
    bool scopeSettled = false;  ///< by the row that answered: nothing that is known of the provider moves it
    FailureReason reason = FailureReason::Unknown;
    Millis cooldown{0};                    ///< of the connection; for Scope::Model the foot of the lock's ladder, 0 = the lock's own base
    bool ladder = false;                   ///< `cooldown` comes from the ladder, so a running hold is never extended by it
    std::optional<int> newLevel;           ///< unset = unchanged
    HintSource source = HintSource::None;  ///< of `cooldown`
    std::optional<RetryHint> hint;         ///< what the upstream asked for, obeyed or not
    std::optional<Millis> quotaReset;
    bool permanent = false;
    bool creditsExhausted = false;
    bool dailyQuotaExhausted = false;
    bool ownEnd = false;           ///< a quota that comes back by itself, so no terminal state
    bool keyRefused = false;       ///< 401: goes up the retry ladder of `expired`
    bool requestRejected = false;  ///< goes up the streak of spec 1-core §8.3, whose rungs replace `cooldown`
    bool contextOverflow = false;  ///< only a model with a larger window can answer (field-faults H20)
    bool providerLacksModel = false;  ///< no account of the provider serves it (spec 1-core §8 step 9)
    std::optional<RuleScope> ruleScope;  ///< of the provider rule that decided, where its scope is acted on (spec 2-around §10.3)
    std::optional<std::size_t> ownRule;  ///< which of `ResilienceSettings::providerErrorRules` decided, where one of them did
    bool locksEgress = false;  ///< whoever shares this connection's address is used up too (spec 2-around §10.5)

    /// For Scope::Model (spec 1-core §6.4): the length that the evidence itself gives. 0 = the ladder, since what was asked for is shorter
    /// than its base; unset = the ladder, or for a used-up quota until the daily reset.
    std::optional<Millis> modelLock;
    bool modelLockAuthoritative = false;  ///< a header or a typed RetryInfo said so: not clamped (spec 0-decisions)
    FailureReason lockReason = FailureReason::Unknown;  ///< what the lock is stored with (spec 1-core §8 steps 15, 20)

    std::optional<int> restatedStatus;  ///< what the upstream's status was restated to (spec 2-around §9)
    std::optional<Millis> restatedRetryAfter;  ///< with it: what the client is told to wait, the upstream's own wish or else the rule's

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
    /// A longer body is judged by this much of its beginning.
    static constexpr std::size_t kBodyLimit = 64 * 1024;

    explicit FailureJudge(Random& random);
    ~FailureJudge();

    /// Takes over the operator's ban words, error rules and daily clock.
    void applySettings(const ResilienceSettings& settings);
    Judgement judge(const FailureFacts& facts);

    /// A request of provider "gemini" was answered: counted against the limits its refusals state. `tokens` of the prompt, 0 = not known.
    void countServed(std::string_view provider, std::string_view connection, std::string_view model, std::int64_t tokens, WallTime now);
    void forgetConnection(std::string_view connection) { m_gemini.forgetConnection(connection); }

private:
    Random& m_random;
    MarkerTable m_markers;
    ErrorBodyReader m_reader;
    ResilienceSettings m_settings;
    std::unique_ptr<const OperatorWords> m_words;
    GeminiLimits m_gemini;
};

}  // namespace omni
