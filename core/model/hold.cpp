#include "model/hold.h"

#include "model/enum_text.h"
#include "model/error_rule.h"

namespace omni {

namespace {

constexpr EnumNames<BreakerState, BreakerState::HalfOpen> kBreakerStates("CLOSED", "DEGRADED", "OPEN", "HALF_OPEN");
constexpr EnumNames<FailureKind, FailureKind::Transient> kFailureKinds("rate_limit", "quota_exhausted", "transient");
constexpr EnumNames<FailureReason, FailureReason::Credits> kFailureReasons(
    "unknown", "quota_exhausted", "rate_limit_exceeded", "model_capacity", "server_error", "auth_error", "not_found",
    "service_not_running", "concurrency_limited", "overloaded", "bad_request", "transport", "request_rejected",
    "forbidden", "credits");
constexpr EnumNames<RuleScope, RuleScope::Provider> kRuleScopes("model", "connection", "provider");
constexpr EnumNames<LockoutScope, LockoutScope::Exact> kLockoutScopes("family", "not_found", "exact");
constexpr EnumNames<HintSource, HintSource::Operator> kHintSources("none", "header", "google_rpc_retry_info", "body", "ladder", "rule",
                                                                   "operator");
constexpr EnumNames<Exclusion, Exclusion::ContextWindow> kExclusions(
    "none", "disabled", "secret_missing", "secret_unreadable", "banned", "expired", "credits_exhausted", "circuit_open",
    "connection_cooldown", "model_lockout", "provider_cooldown", "dialect_mismatch", "model_not_offered", "not_allowed", "unavailable",
    "already_tried", "context_window");

}  // namespace

std::string_view toString(BreakerState state)
{
    return kBreakerStates.nameOf(state);
}

std::optional<BreakerState> breakerStateFromString(std::string_view text)
{
    return kBreakerStates.valueOf(text);
}

std::string_view toString(FailureKind kind)
{
    return kFailureKinds.nameOf(kind);
}

std::optional<FailureKind> failureKindFromString(std::string_view text)
{
    return kFailureKinds.valueOf(text);
}

std::string_view toString(FailureReason reason)
{
    return kFailureReasons.nameOf(reason);
}

FailureReason failureReasonFromString(std::string_view text)
{
    return kFailureReasons.valueOf(text).value_or(FailureReason::Unknown);
}

std::string_view toString(HintSource source)
{
    return kHintSources.nameOf(source);
}

HintSource hintSourceFromString(std::string_view text)
{
    return kHintSources.valueOf(text).value_or(HintSource::None);
}

std::string_view toString(RuleScope scope)
{
    return kRuleScopes.nameOf(scope);
}

std::optional<RuleScope> ruleScopeFromString(std::string_view text)
{
    return kRuleScopes.valueOf(text);
}

std::string_view toString(LockoutScope scope)
{
    return kLockoutScopes.nameOf(scope);
}

std::string_view toString(Exclusion reason)
{
    return kExclusions.nameOf(reason);
}

Exclusion exclusionFromString(std::string_view text)
{
    return kExclusions.valueOf(text).value_or(Exclusion::None);
}

}  // namespace omni
