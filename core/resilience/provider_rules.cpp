#include "resilience/provider_rules.h"

#include "base/text.h"
#include "resilience/quota_family.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

namespace omni {

namespace {

/// An answer as a rule sees it; `text` is lower case.
struct Answer {
    int status;
    const HeaderFields* headers;
    std::string_view text;

    bool says(std::string_view words) const { return text.find(words) != std::string_view::npos; }
    bool isZero(std::string_view header) const
    {
        const std::string* value = findHeader(headers, header);
        return value && trimmed(*value) == "0";
    }
};

/// T8, "resets in 13 days", anywhere in the text; 0 and what is beyond 30 days count as absent.
std::optional<Millis> countdown(std::string_view text)
{
    struct Unit {
        std::string_view name;
        std::int64_t millis;
    };
    static constexpr std::array<Unit, 4> units = {{{"day", 86'400'000}, {"hour", 3'600'000}, {"minute", 60'000}, {"second", 1'000}}};
    for (std::size_t at = text.find("reset"); at != std::string_view::npos; at = text.find("reset", at + 1)) {
        std::string_view rest = text.substr(at + 5);
        if (!rest.empty() && rest.front() == 's')
            rest.remove_prefix(1);
        if (rest.substr(0, 4) != " in ")
            continue;
        rest.remove_prefix(4);
        const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
        const std::optional<std::uint64_t> count = parseUnsigned(rest.substr(0, digits));
        if (!count || *count == 0 || *count > 2'592'000 || rest.substr(digits, 1) != " ")
            continue;
        rest.remove_prefix(digits + 1);
        for (const Unit& unit : units) {
            const Millis wait(static_cast<std::int64_t>(*count) * unit.millis);
            if (rest.substr(0, unit.name.size()) == unit.name && wait <= std::chrono::hours(24 * 30))
                return wait;
        }
    }
    return std::nullopt;
}

std::optional<RuleMatch> opencode(const Answer& answer)
{
    if (answer.status != 429)
        return std::nullopt;
    if (answer.says("monthly usage limit reached")) {
        if (const std::optional<Millis> wait = countdown(answer.text))
            return RuleMatch{"opencode-monthly-quota-resets-in", FailureReason::QuotaExhausted, RuleScope::Connection, wait};
    }
    if (answer.isZero("x-ratelimit-remaining-requests") || answer.isZero("x-ratelimit-remaining-tokens"))
        return RuleMatch{"opencode-quota-exhausted-headers", FailureReason::QuotaExhausted, RuleScope::Connection, std::nullopt};
    if (answer.says("organization_quota_exceeded") || answer.says("account_quota_exceeded") || answer.says("plan_limit_reached"))
        return RuleMatch{"opencode-quota-exhausted-body", FailureReason::QuotaExhausted, RuleScope::Connection, std::nullopt};
    return std::nullopt;
}

/// "haiku=0,sonnet=42": what is left for each model.
std::optional<RuleMatch> minimax(const Answer& answer)
{
    const std::string* left = answer.status == 429 ? findHeader(answer.headers, "x-model-quota-remaining") : nullptr;
    if (!left)
        return std::nullopt;
    std::string_view rest = *left;
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view entry = trimmed(rest.substr(0, comma));
        const std::size_t equals = entry.find('=');
        if (equals != std::string_view::npos && trimmed(entry.substr(equals + 1)) == "0")
            return RuleMatch{"minimax-per-model-quota", FailureReason::QuotaExhausted, RuleScope::Model, std::nullopt};
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return std::nullopt;
}

std::optional<RuleMatch> cloudflare(const Answer& answer)
{
    if (answer.status != 429 || !answer.says("daily free allocation"))
        return std::nullopt;
    return RuleMatch{"cloudflare-daily-neuron-allocation", FailureReason::QuotaExhausted, RuleScope::Connection, std::nullopt};
}

std::optional<RuleMatch> openrouter(const Answer& answer)
{
    if (answer.status != 402)
        return std::nullopt;
    return RuleMatch{"openrouter-credit-exhausted-402", FailureReason::QuotaExhausted, RuleScope::Connection, Millis(120'000)};
}

/// That a model is refused for good is asked first: it must not pass for a quota that comes back (guide §7).
std::optional<RuleMatch> agentrouter(const Answer& answer)
{
    if (answer.status == 403 && answer.says("无权访问模型"))
        return RuleMatch{"agentrouter-model-access-denied", FailureReason::AuthError, RuleScope::Model, std::chrono::hours(6)};
    if ((answer.status == 403 || answer.status == 429) && answer.says("额度不足"))
        return RuleMatch{"agentrouter-user-quota-exhausted", FailureReason::QuotaExhausted, RuleScope::Connection, std::nullopt};
    return std::nullopt;
}

struct Entry {
    std::string_view provider;
    std::optional<RuleMatch> (*rule)(const Answer& answer);
};

constexpr std::array<Entry, 8> kRules = {{
    {"opencode-zen", opencode},
    {"opencode-go", opencode},
    {"opencode-cli", opencode},
    {"minimax", minimax},
    {"minimax-passthrough", minimax},
    {"cloudflare-ai", cloudflare},
    {"openrouter", openrouter},
    {"agentrouter", agentrouter},
}};

constexpr std::string_view kFullTextProvider = "agentrouter";
constexpr std::string_view kScopeProvider = "agentrouter";

bool isSame(std::string_view provider, std::string_view id)
{
    return equalsIgnoreCase(canonicalProviderId(provider), id);
}

}  // namespace

std::optional<RuleMatch> builtInRule(std::string_view provider, int status, const HeaderFields* headers, std::string_view text)
{
    if (status == 400)
        return std::nullopt;
    const auto found =
        std::find_if(kRules.begin(), kRules.end(), [provider](const Entry& entry) { return isSame(provider, entry.provider); });
    return found == kRules.end() ? std::nullopt : found->rule({status, headers, text});
}

bool rulesSeeFullText(std::string_view provider, bool hasOperatorRule)
{
    return hasOperatorRule || isSame(provider, kFullTextProvider);
}

bool rulesSettleScope(std::string_view provider, bool hasOperatorRule)
{
    return hasOperatorRule || isSame(provider, kScopeProvider);
}

bool isOpencodeFamily(std::string_view provider)
{
    return isSame(provider, "opencode-zen") || isSame(provider, "opencode-go") || isSame(provider, "opencode-cli");
}

std::vector<std::string> egressBucketedProviders(std::optional<std::string_view> environment)
{
    const std::string text = toLower(trimmed(environment.value_or("")));
    if (text.empty())
        return {"opencode", "opencode-go", "opencode-cli"};
    if (text == "none" || text == "off" || text == "false" || text == "0")
        return {};
    std::vector<std::string> providers;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view name = trimmed(rest.substr(0, comma));
        if (!name.empty())
            providers.emplace_back(name);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return providers;
}

bool isEgressBucketed(std::string_view provider)
{
    static const std::vector<std::string> providers = [] {
        const char* value = std::getenv("OMNIROUTE_EGRESS_IP_LOCK_PROVIDERS");
        return egressBucketedProviders(value ? std::optional<std::string_view>(value) : std::nullopt);
    }();
    return std::any_of(providers.begin(), providers.end(),
                       [provider](const std::string& listed) { return isSame(provider, canonicalProviderId(listed)); });
}

}  // namespace omni
