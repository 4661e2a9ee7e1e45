#pragma once

#include "model/settings.h"
#include "resilience/marker_scanner.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace omni {

/// The operator's ban words and error rules, compiled: literal text in any case (ASCII), never a pattern, found in one pass over an answer
/// however many there are. Immutable.
class OperatorWords {
public:
    /// More are refused when they are set (spec 2-around §10.2); of an older document the first ones count.
    static constexpr std::size_t kMostRules = 50;

    OperatorWords() = default;
    explicit OperatorWords(const ResilienceSettings& settings);
    OperatorWords(const OperatorWords&) = delete;
    OperatorWords& operator=(const OperatorWords&) = delete;

    bool hasBanWords() const { return m_banScanner != nullptr; }
    /// Adds the ban words that `text` holds.
    void scanBans(std::string_view text, MarkerHits& hits) const { m_banScanner->scan(text, hits); }
    /// The word that was found; empty = none.
    static std::string_view banWord(const MarkerHits& hits) { return hits.wording(0); }

    bool hasRuleFor(std::string_view provider) const;
    /// Adds the rules whose text is in `text`.
    void scanRules(std::string_view text, MarkerHits& hits) const { m_ruleScanner->scan(text, hits); }
    /// The first rule of the provider, in the operator's order, with this status and a text that was found. Never one for 400 (guide §7).
    const ProviderErrorRule* rule(const MarkerHits& hits, std::string_view provider, int status) const;
    /// Its place among the settings' rules, of which none has an empty text.
    std::size_t indexOf(const ProviderErrorRule& rule) const { return static_cast<std::size_t>(&rule - m_rules.data()); }

private:
    std::vector<std::string> m_bans;
    std::vector<ProviderErrorRule> m_rules;
    std::unique_ptr<const MarkerScanner> m_banScanner;
    std::unique_ptr<const MarkerScanner> m_ruleScanner;
};

}  // namespace omni
