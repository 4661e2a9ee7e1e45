#pragma once

#include "model/error_rule.h"
#include "resilience/retry_hints.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omni {

/// What a provider's own rule makes of an answer.
struct RuleMatch {
    std::string id;  ///< for evidence: "agentrouter-user-quota-exhausted"
    FailureReason reason = FailureReason::QuotaExhausted;
    RuleScope scope = RuleScope::Connection;
    std::optional<Millis> cooldown;  ///< unset = the ladder
};

/// The first built-in rule that fits (spec 2-around §10.1). `text` is lower case: the whole answer where `rulesSeeFullText`, elsewhere
/// only its code and type. A 400 never reaches the rules (guide §7).
std::optional<RuleMatch> builtInRule(std::string_view provider, int status, const HeaderFields* headers, std::string_view text);

/// Whether the provider's rules may look at the whole text of an answer (guide §7, FULL_TEXT_RULE_PROVIDERS). A provider the operator
/// has a rule for needs no listing, here and in the next.
bool rulesSeeFullText(std::string_view provider, bool hasOperatorRule);
/// Whether the scope of the provider's rules is acted on; elsewhere it only tells (guide §7, HONORS_RULE_LOCK_SCOPE_PROVIDERS).
bool rulesSettleScope(std::string_view provider, bool hasOperatorRule);

/// opencode and its siblings.
bool isOpencodeFamily(std::string_view provider);

/// Providers that count by the address requests come from, not by account (guide §7, EGRESS_BUCKETED_LOCK_PROVIDERS): `environment` is the
/// value of OMNIROUTE_EGRESS_IP_LOCK_PROVIDERS. "none", "off", "false" or "0" is none at all, a list with commas replaces the built-in one.
std::vector<std::string> egressBucketedProviders(std::optional<std::string_view> environment);
/// The same asked of one provider, an alias included; the environment is read once.
bool isEgressBucketed(std::string_view provider);

}  // namespace omni
