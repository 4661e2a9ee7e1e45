#include "resilience/operator_words.h"

#include "base/text.h"
#include "resilience/quota_family.h"

#include <algorithm>

namespace omni {

namespace {

bool isFor(const ProviderErrorRule& rule, std::string_view provider)
{
    return equalsIgnoreCase(canonicalProviderId(rule.provider), canonicalProviderId(provider));
}

}  // namespace

OperatorWords::OperatorWords(const ResilienceSettings& settings)
{
    std::vector<MarkerPattern> patterns;
    // Complete before the scanner sees them: it keeps views of these texts.
    std::copy_if(settings.customBannedSignals.begin(), settings.customBannedSignals.end(), std::back_inserter(m_bans),
                 [](const std::string& word) { return !trimmed(word).empty(); });
    for (const std::string& word : m_bans)
        patterns.push_back({0, word, false, true});
    if (!patterns.empty())
        m_banScanner = std::make_unique<MarkerScanner>(patterns);

    static_assert(kMostRules <= MarkerHits::kMaxFamilies);
    for (const ProviderErrorRule& rule : settings.providerErrorRules) {
        if (!rule.match.empty() && m_rules.size() < kMostRules)
            m_rules.push_back(rule);
    }
    patterns.clear();
    for (std::size_t i = 0; i < m_rules.size(); ++i)
        patterns.push_back({static_cast<int>(i), m_rules[i].match, false, true});
    if (!patterns.empty())
        m_ruleScanner = std::make_unique<MarkerScanner>(patterns);
}

bool OperatorWords::hasRuleFor(std::string_view provider) const
{
    return std::any_of(m_rules.begin(), m_rules.end(), [provider](const ProviderErrorRule& rule) { return isFor(rule, provider); });
}

const ProviderErrorRule* OperatorWords::rule(const MarkerHits& hits, std::string_view provider, int status) const
{
    if (status == 400)
        return nullptr;
    for (std::size_t i = 0; i < m_rules.size(); ++i) {
        if (hits.has(static_cast<int>(i)) && m_rules[i].status == status && isFor(m_rules[i], provider))
            return &m_rules[i];
    }
    return nullptr;
}

}  // namespace omni
