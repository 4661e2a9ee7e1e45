#include "resilience/status_restatement.h"

#include "base/text.h"
#include "resilience/quota_family.h"

#include <algorithm>
#include <array>

namespace omni {

namespace {

/// Markers are lower case and of the provider's own words: a phrase that others use too belongs to the markers of the verdict.
struct Rule {
    std::string_view provider;
    std::string_view id;
    std::array<int, 2> from;  ///< 0 = none
    int to;
    std::array<std::string_view, 2> markers;  ///< any of them; empty = none
    std::array<std::string_view, 2> vetoes;   ///< none of them
    Millis defaultRetryAfter;
};

constexpr std::array<Rule, 2> kRules = {{
    {"agentrouter", "agentrouter-quota-misstatus", {403, 400}, 429, {"额度不足"}, {"无权访问"}, Millis(60'000)},
    {"groq", "groq-tpm-misstatus", {413}, 429, {"tokens per minute"}, {}, Millis(60'000)},
}};

bool anyIn(std::string_view text, const std::array<std::string_view, 2>& words)
{
    return std::any_of(words.begin(), words.end(), [text](std::string_view word) { return !word.empty() && text.find(word) != text.npos; });
}

}  // namespace

std::optional<Restatement> restateStatus(std::string_view provider, int status, std::string_view message, std::string_view body,
                                         std::optional<Millis> retryAfter)
{
    const std::string_view id = canonicalProviderId(provider);
    std::string text;
    for (const Rule& rule : kRules) {
        if (!equalsIgnoreCase(rule.provider, id) || status <= 0 || std::find(rule.from.begin(), rule.from.end(), status) == rule.from.end())
            continue;
        if (text.empty())
            text = toLower(message) + ' ' + toLower(body);
        if (!anyIn(text, rule.markers) || anyIn(text, rule.vetoes))
            continue;
        return Restatement{rule.to, status, retryAfter && *retryAfter > Millis(0) ? *retryAfter : rule.defaultRetryAfter, rule.id};
    }
    return std::nullopt;
}

}  // namespace omni
