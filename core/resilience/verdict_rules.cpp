#include "base/text.h"
#include "resilience/provider_rules.h"
#include "resilience/verdict_context.h"

#include <chrono>

namespace omni {

namespace {

using namespace std::chrono_literals;

/// What a rule says becomes the verdict: its own cooldown or the ladder (spec 1-core §4.2 rows 20, 23).
Judgement byRule(const VerdictContext& context, const RuleMatch& rule, bool settlesScope, std::string why)
{
    Judgement judgement;
    if (rule.cooldown) {
        judgement = context.fixed(*rule.cooldown, rule.reason, std::move(why));
        if (judgement.cooldown < *rule.cooldown) {
            // The upstream may ask for longer than a rule (field-faults F23), not for less.
            judgement.cooldown = *rule.cooldown;
            judgement.source = HintSource::Rule;
        }
        judgement.newLevel = 0;
        judgement.modelLock = judgement.cooldown;
        judgement.modelLockAuthoritative =
            judgement.source == HintSource::Header || judgement.source == HintSource::GoogleRpcRetryInfo;
    } else {
        judgement = context.backoff(rule.reason, std::move(why));
    }
    if (settlesScope)
        judgement.ruleScope = rule.scope;
    return judgement;
}

/// What a provider's built-in rules may see of the answer, in lower case.
std::string textForRules(const VerdictContext& context, bool full)
{
    if (full)
        return toLower(context.raw) + '\n' + toLower(context.body.prose());
    return toLower(context.body.code) + '\n' + toLower(context.body.type);
}

/// §4.7: a model of opencode's is down, told in words that only these two rules may look at.
std::optional<Judgement> opencodeModel(const VerdictContext& context)
{
    const bool refused = context.status() == 400 || context.status() == 429;
    if (!refused || !isOpencodeFamily(context.facts.provider))
        return std::nullopt;
    const bool endpoint = context.has(Marker::EndpointUnavailable);
    if (!endpoint && (context.status() != 400 || !context.has(Marker::UpstreamModelDown)))
        return std::nullopt;
    const RuleMatch rule{endpoint ? "opencode-endpoint-unavailable" : "opencode-model-unavailable", FailureReason::ModelCapacity,
                         RuleScope::Model, endpoint ? Millis(5min) : Millis(1h)};
    const Marker marker = endpoint ? Marker::EndpointUnavailable : Marker::UpstreamModelDown;
    return byRule(context, rule, true, context.http(context.saying("the model is not to be had here", marker)));
}

}  // namespace

std::optional<Judgement> operatorRule(const VerdictContext& context)
{
    if (context.status() == 400 || !context.words.hasRuleFor(context.facts.provider))
        return std::nullopt;
    MarkerHits hits;
    context.words.scanRules(context.raw, hits);
    if (context.raw.find('\\') != std::string_view::npos)
        context.words.scanRules(context.body.prose(), hits);
    const ProviderErrorRule* rule = context.words.rule(hits, context.facts.provider, context.status());
    if (!rule)
        return std::nullopt;
    const RuleMatch match{"operator", rule->reason, rule->scope, rule->cooldown};
    Judgement judgement = byRule(context, match, true, context.http("your own error rule “" + rule->match + "”"));
    judgement.ownRule = context.words.indexOf(*rule);
    judgement.ownEnd = true;  // whoever writes a rule has said all there is to do
    return judgement;
}

std::optional<Judgement> providerRule(const VerdictContext& context)
{
    if (std::optional<Judgement> judgement = opencodeModel(context))
        return judgement;
    const std::string_view provider = context.facts.provider;
    const bool byOperator = context.words.hasRuleFor(provider);
    const std::string text = textForRules(context, rulesSeeFullText(provider, byOperator));
    const std::optional<RuleMatch> rule = builtInRule(provider, context.status(), context.facts.failure.headers, text);
    if (!rule)
        return std::nullopt;
    Judgement judgement = byRule(context, *rule, rulesSettleScope(provider, byOperator), context.http("the rule " + rule->id));
    // The fixed rules of 402 and the like know no level (§4.2 row 23).
    if (rule->cooldown && context.status() == 402)
        judgement.newLevel.reset();
    return judgement;
}

}  // namespace omni
