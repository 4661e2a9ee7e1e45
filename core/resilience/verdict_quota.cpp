#include "base/text.h"
#include "resilience/quota_family.h"
#include "resilience/reset_clock.h"
#include "resilience/verdict_context.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace omni {

namespace {

using namespace std::chrono_literals;

constexpr Millis kDay = 24h;
constexpr std::uint64_t kMidnightSpread = 5'000;  ///< ms: not every account comes back in the same instant (field-faults H17)

bool operatorSetTheClock(const VerdictContext& context)
{
    return context.settings.dailyReset != DailyResetSettings();
}

/// The operator's daily reset, else the next local midnight (§4.10).
Millis untilReset(const VerdictContext& context)
{
    return untilDailyReset(context.settings.dailyReset, context.facts.now);
}

/// When a provider's own day is known, it counts unless the operator knows better.
Millis untilReset(const VerdictContext& context, Millis known)
{
    return operatorSetTheClock(context) ? untilReset(context) : known;
}

/// Until a daily reset, at most a day.
Judgement untilMidnight(const VerdictContext& context, Millis wait, std::string rule)
{
    const Millis spread(static_cast<std::int64_t>(context.random.below(kMidnightSpread)));
    Judgement judgement;
    judgement.reason = FailureReason::QuotaExhausted;
    judgement.cooldown = std::min(wait + spread, kDay);
    judgement.source = HintSource::Rule;
    judgement.dailyQuotaExhausted = true;
    judgement.ownEnd = true;
    judgement.rule = std::move(rule);
    return judgement;
}

/// §4.6: the quota that Google's own words name.
std::optional<GeminiMetric> namedMetric(const VerdictContext& context)
{
    if (!context.has(Marker::GoogleApi) && context.body.violations.empty())
        return std::nullopt;
    if (context.has(Marker::GooglePerDay))
        return GeminiMetric::RequestsPerDay;
    if (context.has(Marker::GoogleTokens))
        return GeminiMetric::TokensPerMinute;
    if (!context.has(Marker::GoogleRequests))
        return std::nullopt;
    // "…_requests, limit: 20, model: …" does not say of which time; the limit itself does when it is the day's.
    const std::optional<StatedLimit> stated = statedLimit(context.body.message.empty() ? context.raw : context.body.message);
    const bool ofTheDay =
        stated && context.gemini.limit(context.facts.connection, stated->model, GeminiMetric::RequestsPerDay) == stated->limit;
    return ofTheDay ? GeminiMetric::RequestsPerDay : GeminiMetric::RequestsPerMinute;
}

/// Row 9: by Google's words, else by what was counted here.
std::optional<Judgement> googleMetric(const VerdictContext& context)
{
    const FailureFacts& facts = context.facts;
    if (context.status() != 429 || facts.model.empty())
        return std::nullopt;
    std::optional<GeminiMetric> metric = namedMetric(context);
    const bool named = metric.has_value();
    if (!named && canonicalProviderId(facts.provider) == "gemini")
        metric = context.gemini.spent(facts.connection, facts.model, facts.now);
    if (!metric)
        return std::nullopt;
    const std::string_view how = named ? "" : ", by what was counted here";
    if (metric != GeminiMetric::RequestsPerDay)
        return context.backoff(FailureReason::RateLimitExceeded, context.http(std::string("the limit for a minute") + std::string(how)));

    const Millis reset = untilReset(context, untilGoogleReset(facts.now));
    Judgement daily = untilMidnight(context, reset, context.http(std::string("the quota for a day is spent") + std::string(how)));
    if (!facts.perModelQuota)
        return daily;
    // The wait that Google adds to such a refusal is the one for a minute's quota: it must not shorten the lock (field-faults F10).
    Judgement judgement = context.ladder(FailureReason::QuotaExhausted, daily.rule);
    judgement.dailyQuotaExhausted = true;
    judgement.ownEnd = true;
    judgement.modelLock = daily.cooldown;
    return judgement;
}

/// Row 10: where many accounts of different upstreams share a provider, most "no credit" is one model's or one upstream's.
bool sharesProvider(const VerdictContext& context)
{
    static constexpr std::array<std::string_view, 5> single = {"antigravity", "agy", "codex", "gemini", "github"};
    return context.facts.perModelQuota &&
           std::find(single.begin(), single.end(), canonicalProviderId(context.facts.provider)) == single.end();
}

/// Row 10, and §8 step 17. A short wait on offer contradicts an empty account, unless the wording leaves no doubt.
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
    if (context.has(Marker::FreeTierOfModel) && !context.facts.model.empty()) {
        judgement.scope = Judgement::Scope::Model;
        return judgement;
    }
    judgement.creditsExhausted = !sharesProvider(context) || context.has(Marker::AccountWallet);
    return judgement;
}

/// A free allocation for the UTC day (spec 2-around §10.1, cloudflare-ai).
std::optional<Judgement> dailyUtc(const VerdictContext& context)
{
    if (context.status() != 429 || !context.has(Marker::DailyUtc))
        return std::nullopt;
    const Millis midnight = untilReset(context, untilDailyReset({"UTC", 0}, context.facts.now));
    return untilMidnight(context, midnight, context.saying("the allocation of the day is used up", Marker::DailyUtc));
}

/// Rows 11 and 12.
std::optional<Judgement> daily(const VerdictContext& context)
{
    if (!context.quotaAllowed || !context.has(Marker::Daily))
        return std::nullopt;
    std::string rule = context.saying("the quota of the day is used up", Marker::Daily);
    if (!context.has(Marker::DailyTokens))
        return untilMidnight(context, untilReset(context), std::move(rule));
    // Tokens a day roll over at an hour of the provider's own: without one that is told, no guess.
    if (context.hint && context.hint->source == HintSource::Header && context.hint->wait > Millis(0)) {
        Judgement judgement = untilMidnight(context, context.hint->wait, std::move(rule));
        judgement.cooldown = context.hint->wait;
        judgement.source = HintSource::Header;
        judgement.quotaReset = context.hint->wait;
        return judgement;
    }
    if (operatorSetTheClock(context))
        return untilMidnight(context, untilReset(context), std::move(rule));
    return std::nullopt;
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
    if (context.hint && context.hint->windowReset && context.hint->wait > Millis(0)) {
        // The end of the window that refused is no wish, so trust does not enter into it (field-faults F22, H08).
        judgement.cooldown = context.hint->wait;
        judgement.source = context.hint->source;
        judgement.quotaReset = context.hint->wait;
    } else if (context.hint && context.hint->source == HintSource::Body) {
        judgement.quotaReset = context.hint->wait;
    }
    return judgement;
}

/// A quota of many hours. A stated reset counts whether hints are trusted or not.
Judgement longQuota(const VerdictContext& context, Millis length, std::string rule)
{
    Judgement judgement = context.fixed(length, FailureReason::QuotaExhausted, std::move(rule));
    judgement.ownEnd = true;
    if (context.hint && context.hint->wait > Millis(0)) {
        judgement.cooldown = context.hint->wait;
        judgement.source = context.hint->source;
        judgement.quotaReset = context.hint->wait;
    }
    return judgement;
}

/// Row 14.
std::optional<Judgement> weekly(const VerdictContext& context)
{
    if (!context.has(Marker::Weekly))
        return std::nullopt;
    return longQuota(context, kDay, context.saying("the quota of the week is used up", Marker::Weekly));
}

/// Row 15.
std::optional<Judgement> session(const VerdictContext& context)
{
    if (!context.has(Marker::Session))
        return std::nullopt;
    return longQuota(context, 5h, context.saying("the session's limit is reached", Marker::Session));
}

/// Row 16.
std::optional<Judgement> rollingDay(const VerdictContext& context)
{
    if (!context.has(Marker::RollingDay))
        return std::nullopt;
    return longQuota(context, kDay, context.saying("the quota of the last 24 hours is used up", Marker::RollingDay));
}

/// Row 17, read as §4.4 does.
std::optional<Judgement> quotaWithHint(const VerdictContext& context)
{
    const bool readsAsQuota =
        context.quotaNamed || context.has(Marker::QuotaWords) || context.has(Marker::Subscription) || context.has(Marker::Credits) ||
        (context.has(Marker::TextQuota) && !context.has(Marker::TextRateLimit));
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
    judgement.scopeSettled = true;
    judgement.skipBreaker = true;
    return judgement;
}

/// Row 18.
std::optional<Judgement> concurrency(const VerdictContext& context)
{
    if (context.status() != 429 || context.quotaNamed || !context.has(Marker::Concurrency))
        return std::nullopt;
    return moment(context, FailureReason::ConcurrencyLimited,
                  context.http(context.saying("too many requests at once", Marker::Concurrency)));
}

/// field-faults F25: the upstream itself says that another try may succeed at once.
std::optional<Judgement> shouldRetry(const VerdictContext& context)
{
    const std::string* value = context.status() == 429 && !context.hint && !context.quotaNamed ? context.header("x-should-retry") : nullptr;
    if (!value || !equalsIgnoreCase(trimmed(*value), "true"))
        return std::nullopt;
    return moment(context, FailureReason::RateLimitExceeded, context.http("x-should-retry: true"));
}

constexpr std::array<VerdictRow, 11> kRows = {{
    {true, googleMetric},
    {true, dailyUtc},
    {true, credits},
    {true, daily},
    {true, subscription},
    {true, weekly},
    {true, session},
    {true, rollingDay},
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
