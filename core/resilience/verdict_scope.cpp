#include "base/text.h"
#include "resilience/model_lockouts.h"
#include "resilience/provider_faults.h"
#include "resilience/provider_rules.h"
#include "resilience/quota_family.h"
#include "resilience/verdict_context.h"

#include <chrono>

namespace omni {

namespace {

using Scope = Judgement::Scope;
using namespace std::chrono_literals;

constexpr std::size_t kNameSearch = 4 * 1024;  ///< bytes of a body in which a model's name is looked for

bool isQuotaOrRate(FailureReason reason)
{
    return reason == FailureReason::QuotaExhausted || reason == FailureReason::RateLimitExceeded;
}

bool namesModel(const VerdictContext& context)
{
    const std::string text = toLower(clippedUtf8(context.body.message.empty() ? context.raw : context.body.message, kNameSearch));
    return text.find(toLower(context.facts.model)) != std::string::npos;
}

/// §2.2: whether a failure with this status is one of the model.
bool isFailureOfModel(const VerdictContext& context)
{
    if (context.facts.perModelQuota)
        return true;
    switch (context.status()) {
    case 429: return false;
    case 413: return context.has(Marker::RequestTooLarge) && namesModel(context);
    case 504: return namesModel(context) || canonicalProviderId(context.facts.provider) == "claude";
    default: return canonicalProviderId(context.facts.provider) == "claude";
    }
}

/// §8 step 15.
bool locksModel(const VerdictContext& context, const Judgement& judgement)
{
    if (!isFailureOfModel(context))
        return false;
    const int status = context.status();
    if (canonicalProviderId(context.facts.provider) == "codex")
        return status == 429;
    if (status == 404 || status == 429 || status >= 500)
        return true;
    if (status == 413)
        return context.has(Marker::RequestTooLarge);
    if (status == 410 && context.facts.provider == "nvidia")
        return true;
    return status != 402 && isQuotaOrRate(judgement.reason);
}

/// Nothing of the connection's level or cooldown is touched.
void note(Judgement& judgement, std::string_view why)
{
    judgement.scope = Scope::Note;
    judgement.cooldown = Millis(0);
    judgement.newLevel.reset();
    judgement.ladder = false;
    judgement.source = HintSource::None;
    judgement.rule += why;
}

/// A verdict by a rule whose scope counts; false = the rule leaves it to what follows.
bool settledByRule(const VerdictContext& context, Judgement& judgement)
{
    if (!judgement.ruleScope)
        return false;
    if (*judgement.ruleScope == RuleScope::Model) {
        judgement.scope = context.facts.model.empty() ? Scope::Connection : Scope::Model;
        return true;
    }
    if (context.facts.coolingDisabled && context.facts.perModelQuota)
        return false;
    // A connection's quota under a rule is never a state without end (§8 step 12).
    if (judgement.reason == FailureReason::QuotaExhausted) {
        judgement.ownEnd = true;
        if (judgement.cooldown <= Millis(0))
            judgement.cooldown = 120s;
    }
    return true;
}

void settleAnswer(const VerdictContext& context, Judgement& judgement)
{
    if (settledByRule(context, judgement) || judgement.creditsExhausted)
        return;
    if (context.status() == 429 && isQuotaOrRate(judgement.reason) && !context.facts.coolingDisabled &&
        isEgressBucketed(context.facts.provider)) {
        judgement.locksEgress = true;
        return;
    }
    if (context.facts.model.empty())
        return;
    if (locksModel(context, judgement)) {
        const bool bare = context.status() == 500 && judgement.reason == FailureReason::ServerError;
        if (bare)
            note(judgement, "; a bare 500 locks no model");
        else if (context.status() >= 500 && context.facts.failure.afterCommit)
            note(judgement, "; the answer had begun, so the model is not locked");
        else
            judgement.scope = Scope::Model;
        return;
    }
    // A typed RetryInfo speaks of the quota that refused, which is one model's (spec 0-decisions, "modelLockout.enabled").
    if (context.status() == 429 && context.hint && context.hint->source == HintSource::GoogleRpcRetryInfo)
        judgement.scope = Scope::Model;
    // §8 step 20.
    if (context.facts.perModelQuota && (context.status() == 402 || context.status() == 403))
        judgement.scope = Scope::Model;
}

/// An upstream that can be reached and does not answer for one model may answer for others.
void settleTransport(const VerdictContext& context, Judgement& judgement)
{
    const TransportFailure failure = context.facts.failure.transport;
    if (context.facts.perModelQuota && !context.facts.model.empty() && !isNetworkFault(failure) && failure != TransportFailure::ProxyFailed)
        judgement.scope = Scope::Model;
}

/// §8 steps 15 and 20.
FailureReason lockReasonOf(const VerdictContext& context, const Judgement& judgement)
{
    const int status = context.status();
    if (status == 404 || judgement.reason == FailureReason::NotFound)
        return FailureReason::NotFound;
    if (status == 402)
        return FailureReason::Credits;
    if (isQuotaOrRate(judgement.reason))
        return judgement.reason;
    if (status == 403)
        return FailureReason::Forbidden;
    if (status == 429 || status == 400 || status == 422 || status == 413)
        return judgement.reason;
    return judgement.reason == FailureReason::Overloaded || judgement.reason == FailureReason::Transport ? judgement.reason
                                                                                                        : FailureReason::ServerError;
}

/// §6.4. What a header or a typed RetryInfo states is exact; what stands in a text may only lengthen the ladder.
void settleLock(const VerdictContext& context, Judgement& judgement)
{
    judgement.lockReason = lockReasonOf(context, judgement);
    if (judgement.modelLock)
        return;
    const std::optional<RetryHint>& hint = context.hint;
    const bool hasHint = hint && hint->wait > Millis(0);
    const bool typed = hasHint && (hint->source == HintSource::Header || hint->source == HintSource::GoogleRpcRetryInfo);
    // A stated reset of the quota always reaches the lock, a mere wish where hints are trusted (spec 0-decisions, "OAuth and hints").
    const bool stated = hasHint && (judgement.quotaReset == hint->wait || hint->windowReset ||
                                    hint->source == HintSource::GoogleRpcRetryInfo || context.trustedHint());
    if (stated) {
        judgement.modelLock = typed ? hint->wait : lockLengthFromHint(hint->wait, context.settings.modelLockout);
        judgement.modelLockAuthoritative = typed;
    } else if (judgement.quotaReset) {
        judgement.modelLock = judgement.quotaReset;
    } else if (judgement.ownEnd && judgement.source == HintSource::Rule) {
        judgement.modelLock = judgement.cooldown;
    }
}

}  // namespace

void settleScope(const VerdictContext& context, Judgement& judgement)
{
    const bool open = judgement.scope == Scope::Connection && judgement.tryNextTarget && !judgement.scopeSettled && !judgement.permanent &&
                      judgement.terminal == TerminalState::None && !judgement.keyRefused;
    if (open && context.facts.failure.status != 0)
        settleAnswer(context, judgement);
    else if (open)
        settleTransport(context, judgement);
    if (judgement.scope == Scope::Model)
        settleLock(context, judgement);
}

}  // namespace omni
