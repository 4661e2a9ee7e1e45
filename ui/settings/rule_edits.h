#pragma once

#include "model/configuration.h"
#include "model/error_rule.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace omni {

using ErrorRules = std::vector<ProviderErrorRule>;

/// JSON text for Control::patchSettings that makes `after` of `before`: the lists of those providers whose rules differ. "" = none does.
std::string errorRulesPatch(const ErrorRules& before, const ErrorRules& after);

/// `rules` with `rule` in place of the one at `index`, or added behind its provider's others; `place` is where it stands then. One that
/// moves to another provider goes behind that one's.
ErrorRules withErrorRule(ErrorRules rules, const ProviderErrorRule& rule, std::optional<std::size_t> index, std::size_t& place);
/// The rule at `index` before or behind its neighbour of the same provider; nullopt when there is none.
std::optional<ErrorRules> withMovedErrorRule(ErrorRules rules, std::size_t index, bool up);

/// "the connection", for the window.
QString ruleScopeText(RuleScope scope);
/// What an operator can mean, in the order offered.
const std::vector<FailureReason>& ruleReasons();
/// Own providers first, then the catalogue's, each by name.
std::vector<ProviderId> ruleProviders(const Configuration& configuration);

}  // namespace omni
