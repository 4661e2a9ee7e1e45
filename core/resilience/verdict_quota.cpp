#include "base/text.h"
#include "resilience/date_text.h"
#include "resilience/verdict_context.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace omni {

namespace {

using namespace std::chrono_literals;

constexpr Millis kDay = 24h;
constexpr std::uint64_t kMidnightSpread = 5'000;  ///< ms: not every account comes back in the same instant (field-faults H17)

/// Until midnight, local time; at most a day.
Judgement untilMidnight(const VerdictContext& context, std::string rule)
{
    const Millis spread(static_cast<std::int64_t>(context.random.below(kMidnightSpread)));
    Judgement judgement;
    judgement.reason = FailureReason::QuotaExhausted;
    judgement.cooldown = std::min(untilLocalMidnight(context.facts.now) + spread, kDay);
    judgement.source = HintSource::Rule;
    judgement.dailyQuotaExhausted = true;
    judgement.ownEnd = true;
    judgement.rule = std::move(rule);
    return judgement;
}

/// Row 9 and §4.6: Google names the quota that refused.
std::optional<Judgement> googleMetric(const VerdictContext& context)
{
    if (context.status() != 429 || context.facts.model.empty() || (!context.has(Marker::GoogleApi) && !context.body.quotaFailure))
        return std::nullopt;
    if (context.has(Marker::GooglePerDay)) {
        std::string rule = context.saying("the quota for a day is spent", Marker::GooglePerDay);
        return context.facts.perModelQuota ? context.backoff(FailureReason::QuotaExhausted, std::move(rule))
                                           : untilMidnight(context, std::move(rule));
    }
    if (context.has(Marker::GoogleTokens) || context.has(Marker::GoogleRequests))
        return context.backoff(FailureReason::RateLimitExceeded, "HTTP 429: the limit for a minute");
    return std::nullopt;
}

/// Row 10. A short wait on offer contradicts an empty account, unless the wording leaves no doubt.
std::optional<Judgement> credits(const VerdictContext& context)
{
    if (!context.quotaAllowed || !context.has(Marker::Credits))
        return std::nullopt;
    if (context.status() == 429 && !context.has(Marker::QuotaTerminal)) {
        const std::optional<Millis> window = declaredWindow(context.body, context.prose);
        if (window && *window < Millis(1h))
            return std::nullopt;
    }
    Judgement judgement = context.fixed(120s, FailureReason::QuotaExhausted, context.saying("the credits are used up", Marker::Credits));
    judgement.creditsExhausted = !context.facts.perModelQuota;
    return judgement;
}

/// Rows 11 and 12.
std::optional<Judgement> daily(const VerdictContext& context)
{
    if (!context.quotaAllowed || !context.has(Marker::Daily))
        return std::nullopt;
    std::string rule = context.saying("the quota of the day is used up", Marker::Daily);
    if (!context.has(Marker::DailyTokens))
        return untilMidnight(context, std::move(rule));
    // Tokens a day roll over at an hour of the provider's own: without one that is told, no guess.
    if (!context.hint || context.hint->source != HintSource::Header || context.hint->wait <= Millis(0))
        return std::nullopt;
    Judgement judgement = untilMidnight(context, std::move(rule));
    judgement.cooldown = context.hint->wait;
    judgement.source = HintSource::Header;
    return judgement;
}

/// Row 13.
std::optional<Judgement> subscription(const VerdictContext& context)
{
    const bool claude = context.facts.provider == "claude" && context.has(Marker::ClaudeSubscription);
    if (!context.quotaAllowed || (!claude && !context.has(Marker::Subscription)))
        return std::nullopt;
    Judgement judgement =
        context.fixed(1h, FailureReason::QuotaExhausted,
                      context.saying("the subscription's limit is reached", claude ? Marker::ClaudeSubscription : Marker::Subscription));
    judgement.ownEnd = true;
    if (context.hint && context.hint->source == HintSource::Body)
        judgement.quotaReset = context.hint->wait;
    return judgement;
}

/// Row 14: a stated reset counts whether hints are trusted or not.
std::optional<Judgement> weekly(const VerdictContext& context)
{
    if (!context.has(Marker::Weekly))
        return std::nullopt;
    Judgement judgement =
        context.fixed(kDay, FailureReason::QuotaExhausted, context.saying("the quota of the week is used up", Marker::Weekly));
    judgement.ownEnd = true;
    if (context.hint && context.hint->wait > Millis(0)) {
        judgement.cooldown = context.hint->wait;
        judgement.source = context.hint->source;
        judgement.quotaReset = context.hint->wait;
    }
    return judgement;
}

/// Row 15.
std::optional<Judgement> session(const VerdictContext& context)
{
    if (!context.has(Marker::Session))
        return std::nullopt;
    Judgement judgement =
        context.fixed(5h, FailureReason::QuotaExhausted, context.saying("the session's limit is reached", Marker::Session));
    judgement.ownEnd = true;
    return judgement;
}

/// Row 17.
std::optional<Judgement> quotaWithHint(const VerdictContext& context)
{
    const bool readsAsQuota =
        context.quotaNamed || context.has(Marker::QuotaWords) || context.has(Marker::Subscription) || context.has(Marker::Credits);
    if (!context.quotaAllowed || !readsAsQuota || !context.hint || context.hint->wait <= Millis(0))
        return std::nullopt;
    Judgement judgement = context.backoff(FailureReason::QuotaExhausted, "a quota is used up");
    judgement.quotaReset = context.hint->wait;
    judgement.ownEnd = true;
    return judgement;
}

/// A refusal that passes in a moment and says nothing about the account: the level stays.
Judgement moment(const VerdictContext& context, FailureReason reason, std::string rule)
{
    Judgement judgement = context.fixed(1s, reason, std::move(rule));
    judgement.skipBreaker = true;
    return judgement;
}

/// Row 18.
std::optional<Judgement> concurrency(const VerdictContext& context)
{
    if (context.status() != 429 || context.quotaNamed || !context.has(Marker::Concurrency))
        return std::nullopt;
    return moment(context, FailureReason::ConcurrencyLimited, context.saying("HTTP 429: too many requests at once", Marker::Concurrency));
}

/// field-faults F25: the upstream itself says that another try may succeed at once.
std::optional<Judgement> shouldRetry(const VerdictContext& context)
{
    const std::string* value = context.status() == 429 && !context.hint && !context.quotaNamed ? context.header("x-should-retry") : nullptr;
    if (!value || !equalsIgnoreCase(trimmed(*value), "true"))
        return std::nullopt;
    return moment(context, FailureReason::RateLimitExceeded, "HTTP 429 with x-should-retry: true");
}

constexpr std::array<VerdictRow, 9> kRows = {{
    {true, googleMetric},
    {true, credits},
    {true, daily},
    {true, subscription},
    {true, weekly},
    {true, session},
    {true, quotaWithHint},
    {true, concurrency},
    {false, shouldRetry},
}};

}  // namespace

std::span<const VerdictRow> quotaRows()
{
    return kRows;
}

}  // namespace omni
