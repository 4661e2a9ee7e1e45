#include "model/error_rule.h"

#include "base/text.h"
#include "model/settings_values.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace omni {

namespace {

using Json = nlohmann::json;
using RulesByProvider = std::map<std::string, std::vector<ProviderErrorRule>>;

constexpr std::int64_t kLowestStatus = 100;
constexpr std::int64_t kHighestStatus = 599;
constexpr std::size_t kLongestMatch = 500;      // characters
constexpr std::size_t kLongestProvider = 100;   // bytes
constexpr std::int64_t kLongestCooldown = std::int64_t{30} * 86'400'000;
/// What an operator can mean; the other reasons are the program's own findings.
constexpr std::array kReasons = {FailureReason::QuotaExhausted, FailureReason::RateLimitExceeded, FailureReason::ModelCapacity,
                                 FailureReason::ServerError,    FailureReason::AuthError,         FailureReason::NotFound,
                                 FailureReason::Unknown};

/// Reads one rule; what is wrong goes to `errors` under `at`.
class RuleReader {
public:
    RuleReader(const Json& rule, std::string at, std::vector<FieldError>& errors) : m_rule(rule), m_at(std::move(at)), m_errors(errors) {}

    ProviderErrorRule read(const std::string& provider)
    {
        ProviderErrorRule rule;
        rule.provider = provider;
        if (!m_rule.is_object()) {
            m_errors.push_back({m_at, "must be an object with status, match and scope"});
            return rule;
        }
        readStatus(rule);
        readMatch(rule);
        readScope(rule);
        readReason(rule);
        readCooldown(rule);
        static const std::set<std::string_view> known = {"status", "match", "scope", "reason", "cooldownMs"};
        for (const auto& [key, value] : m_rule.items()) {
            if (!known.contains(key))
                wrong(key, "is not a part of a rule");
        }
        return rule;
    }

private:
    const Json* member(const char* key) const
    {
        const auto found = m_rule.find(key);
        return found == m_rule.end() || found->is_null() ? nullptr : &*found;
    }
    void wrong(const std::string& key, std::string message) { m_errors.push_back({m_at + "." + key, std::move(message)}); }

    void readStatus(ProviderErrorRule& rule)
    {
        const Json* value = member("status");
        const std::optional<std::int64_t> status = value ? wholeNumber(*value) : std::nullopt;
        if (!status || *status < kLowestStatus || *status > kHighestStatus)
            return wrong("status", rangeText(kLowestStatus, kHighestStatus));
        if (*status == 400)
            return wrong("status", "cannot be 400: such an answer is judged by what it says of the request, so the rule would never act");
        rule.status = static_cast<int>(*status);
    }

    void readMatch(ProviderErrorRule& rule)
    {
        const Json* value = member("match");
        rule.match = value && value->is_string() ? value->get<std::string>() : std::string();
        if (rule.match.empty() || characterCount(rule.match) > kLongestMatch)
            wrong("match", "must be a text of 1 to " + std::to_string(kLongestMatch) + " characters, found in the answer as it stands");
    }

    void readScope(ProviderErrorRule& rule)
    {
        const Json* value = member("scope");
        const auto scope = value && value->is_string() ? ruleScopeFromString(value->get_ref<const std::string&>()) : std::nullopt;
        if (scope)
            rule.scope = *scope;
        else
            wrong("scope", "must be \"model\", \"connection\" or \"provider\"");
    }

    void readReason(ProviderErrorRule& rule)
    {
        const Json* value = member("reason");
        if (!value)
            return;
        const std::string_view name = value->is_string() ? std::string_view(value->get_ref<const std::string&>()) : std::string_view();
        const auto isNamed = [name](FailureReason reason) { return toString(reason) == name; };
        const auto found = std::find_if(kReasons.begin(), kReasons.end(), isNamed);
        if (found != kReasons.end()) {
            rule.reason = *found;
            return;
        }
        std::string names;
        for (const FailureReason reason : kReasons)
            names += (names.empty() ? "" : ", ") + std::string(toString(reason));
        wrong("reason", "must be one of " + names);
    }

    void readCooldown(ProviderErrorRule& rule)
    {
        const Json* value = member("cooldownMs");
        if (!value)
            return;
        const std::optional<std::int64_t> cooldown = wholeNumber(*value);
        if (!cooldown || *cooldown < 0 || *cooldown > kLongestCooldown)
            return wrong("cooldownMs", rangeText(0, kLongestCooldown));
        rule.cooldown = Millis(*cooldown);
    }

    const Json& m_rule;
    std::string m_at;
    std::vector<FieldError>& m_errors;
};

std::vector<ProviderErrorRule> flat(RulesByProvider byProvider)
{
    std::vector<ProviderErrorRule> rules;
    for (auto& [provider, own] : byProvider)
        std::move(own.begin(), own.end(), std::back_inserter(rules));
    return rules;
}

}  // namespace

nlohmann::json errorRulesToJson(const std::vector<ProviderErrorRule>& rules)
{
    Json document = Json::object();
    for (const ProviderErrorRule& rule : rules) {
        Json one{{"status", rule.status}, {"match", rule.match}, {"scope", toString(rule.scope)}, {"reason", toString(rule.reason)}};
        if (rule.cooldown)
            one["cooldownMs"] = rule.cooldown->count();
        document[rule.provider].push_back(std::move(one));
    }
    return document;
}

std::vector<ProviderErrorRule> patchedErrorRules(const std::vector<ProviderErrorRule>& rules, const nlohmann::json& patch,
                                                 const std::string& field, std::vector<FieldError>& errors)
{
    if (patch.is_null() || (patch.is_object() && patch.empty()))
        return {};
    if (!patch.is_object()) {
        errors.push_back({field, "must be an object with a list of rules for each provider, or null for none"});
        return rules;
    }
    RulesByProvider byProvider;
    for (const ProviderErrorRule& rule : rules)
        byProvider[rule.provider].push_back(rule);

    std::set<std::string> named;
    for (const auto& [key, list] : patch.items()) {
        const std::string at = field + "." + key;
        const std::string provider = toLower(trimmed(key));
        if (provider.empty() || provider.size() > kLongestProvider) {
            errors.push_back({at, "must be the id of a provider"});
        } else if (!named.insert(provider).second) {
            errors.push_back({at, "names the provider \"" + provider + "\" a second time"});
        } else if (list.is_null()) {
            byProvider.erase(provider);
        } else if (!list.is_array()) {
            errors.push_back({at, "must be a list of rules, or null to remove them"});
        } else {
            std::vector<ProviderErrorRule>& own = byProvider[provider];
            own.clear();
            for (std::size_t i = 0; i < list.size(); ++i)
                own.push_back(RuleReader(list[i], at + "[" + std::to_string(i) + "]", errors).read(provider));
        }
    }
    std::vector<ProviderErrorRule> changed = flat(std::move(byProvider));
    if (changed.size() > kMostErrorRules)
        errors.push_back({field, "may hold at most " + std::to_string(kMostErrorRules) + " rules of all providers together, not " +
                                     std::to_string(changed.size())});
    return changed;
}

std::vector<ProviderErrorRule> errorRulesFromStored(const nlohmann::json& stored)
{
    RulesByProvider byProvider;
    if (!stored.is_object())
        return {};
    for (const auto& [key, list] : stored.items()) {
        const std::string provider = toLower(trimmed(key));
        if (provider.empty() || provider.size() > kLongestProvider || !list.is_array())
            continue;
        for (const Json& item : list) {
            std::vector<FieldError> problems;
            ProviderErrorRule rule = RuleReader(item, {}, problems).read(provider);
            if (problems.empty())
                byProvider[provider].push_back(std::move(rule));
        }
    }
    std::vector<ProviderErrorRule> rules = flat(std::move(byProvider));
    if (rules.size() > kMostErrorRules)
        rules.resize(kMostErrorRules);
    return rules;
}

}  // namespace omni
