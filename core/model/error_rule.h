#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "model/hold.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omni {

/// How far a rule reaches (guide §2, spec 2-around §10).
enum class RuleScope : std::uint8_t { Model, Connection, Provider };
std::string_view toString(RuleScope scope);  ///< "model", "connection", "provider"
std::optional<RuleScope> ruleScopeFromString(std::string_view text);

/// One rule of the operator's `providerErrorRules`: an answer with this status whose body contains the text, in any case, means this.
struct ProviderErrorRule {
    std::string provider;  ///< id, lower case
    int status = 429;      ///< 100…599 except 400, for which no rule ever takes effect (guide §7)
    std::string match;     ///< 1…500 characters, taken literally
    RuleScope scope = RuleScope::Connection;
    FailureReason reason = FailureReason::QuotaExhausted;
    std::optional<Millis> cooldown;  ///< 0…30 days; absent = the ladder

    bool operator==(const ProviderErrorRule&) const = default;
};

constexpr std::size_t kMostErrorRules = 50;  ///< of all providers together (spec 2-around §10.2)

/// {"<provider>":[{"status","match","scope","reason","cooldownMs"},…]}; a cooldown that is absent is left out.
nlohmann::json errorRulesToJson(const std::vector<ProviderErrorRule>& rules);

/// `rules` with `patch` merged in, as `patched` of settings says. What is wrong goes to `errors`, under `field`:
/// "<field>.<provider>[2].status". The result is of use only when there is none.
std::vector<ProviderErrorRule> patchedErrorRules(const std::vector<ProviderErrorRule>& rules, const nlohmann::json& patch,
                                                 const std::string& field, std::vector<FieldError>& errors);

/// For loading: rules that cannot be read are left out, and those beyond the limit.
std::vector<ProviderErrorRule> errorRulesFromStored(const nlohmann::json& stored);

}  // namespace omni
