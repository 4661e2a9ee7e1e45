#include "ui/settings/rule_edits.h"

#include "ui/models/display_text.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>

#include <algorithm>
#include <set>
#include <utility>

namespace omni {

namespace {

using Json = nlohmann::json;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::RuleEdits)
};

}  // namespace

std::string errorRulesPatch(const ErrorRules& before, const ErrorRules& after)
{
    const Json old = errorRulesToJson(before);
    const Json wanted = errorRulesToJson(after);
    Json lists = Json::object();
    for (const auto& [provider, list] : wanted.items()) {
        if (!old.contains(provider) || old[provider] != list)
            lists[provider] = list;
    }
    for (const auto& [provider, list] : old.items()) {
        if (!wanted.contains(provider))
            lists[provider] = nullptr;
    }
    return lists.empty() ? std::string()
                         : Json{{"providerErrorRules", std::move(lists)}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ErrorRules withErrorRule(ErrorRules rules, const ProviderErrorRule& rule, std::optional<std::size_t> index, std::size_t& place)
{
    if (index && *index < rules.size()) {
        if (rules[*index].provider == rule.provider) {
            rules[*index] = rule;
            place = *index;
            return rules;
        }
        rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(*index));
    }
    // The core keeps them by provider; within one the order is the user's.
    const auto behind =
        std::upper_bound(rules.begin(), rules.end(), rule.provider,
                         [](const std::string& provider, const ProviderErrorRule& other) { return provider < other.provider; });
    place = static_cast<std::size_t>(behind - rules.begin());
    rules.insert(behind, rule);
    return rules;
}

std::optional<ErrorRules> withMovedErrorRule(ErrorRules rules, std::size_t index, bool up)
{
    if (index >= rules.size() || (up && index == 0))
        return std::nullopt;
    const std::size_t other = up ? index - 1 : index + 1;
    if (other >= rules.size() || rules[other].provider != rules[index].provider)
        return std::nullopt;
    std::swap(rules[index], rules[other]);
    return rules;
}

QString ruleScopeText(RuleScope scope)
{
    switch (scope) {
    case RuleScope::Model: return Words::tr("this model");
    case RuleScope::Connection: return Words::tr("the connection");
    case RuleScope::Provider: return Words::tr("the whole provider");
    }
    return {};
}

const std::vector<FailureReason>& ruleReasons()
{
    static const std::vector<FailureReason> reasons{
        FailureReason::QuotaExhausted, FailureReason::RateLimitExceeded, FailureReason::ModelCapacity, FailureReason::ServerError,
        FailureReason::AuthError,      FailureReason::NotFound,          FailureReason::Unknown};
    return reasons;
}

std::vector<ProviderId> ruleProviders(const Configuration& configuration)
{
    std::set<ProviderId> used;
    for (const Connection& connection : configuration.connections)
        used.insert(connection.provider);
    std::vector<ProviderId> ids;
    for (const ProviderNode& node : configuration.nodes)
        ids.push_back(node.id);
    if (configuration.catalogue) {
        for (const Provider& provider : configuration.catalogue->all())
            ids.push_back(provider.id);
    }
    std::stable_sort(ids.begin(), ids.end(), [&](const ProviderId& a, const ProviderId& b) {
        if (used.contains(a) != used.contains(b))
            return used.contains(a);
        return QString::localeAwareCompare(providerText(&configuration, a), providerText(&configuration, b)) < 0;
    });
    return ids;
}

}  // namespace omni
