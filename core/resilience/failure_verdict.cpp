#include "resilience/failure_verdict.h"

#include "base/text.h"
#include "resilience/classify_429.h"
#include "resilience/evidence.h"
#include "resilience/provider_faults.h"
#include "resilience/quota_family.h"
#include "resilience/status_restatement.h"
#include "resilience/verdict_context.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace omni {

namespace {

constexpr std::size_t kMessageLength = 240;

/// One line, redacted, of what the upstream said, or of what happened when it said nothing.
std::string messageOf(const Failure& failure, const ErrorBody& body)
{
    std::string text = redactedHead(body.message.empty() ? failure.body : std::string_view(body.message), kMessageLength);
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    const std::size_t start = text.find_first_not_of(' ');
    text = start == std::string::npos ? std::string() : text.substr(start);
    if (failure.status == 0)
        return text.empty() ? std::string(describe(failure.transport)) : std::string(describe(failure.transport)) + ": " + text;
    return "HTTP " + std::to_string(failure.status) + (text.empty() ? "" : ": " + text);
}

std::optional<Judgement> firstAnswer(std::span<const VerdictRow> rows, const VerdictContext& context)
{
    for (const VerdictRow& row : rows) {
        if (row.needsBody && context.facts.failure.body.empty())
            continue;
        if (std::optional<Judgement> judgement = row.apply(context))
            return judgement;
    }
    return std::nullopt;
}

std::string seconds(Millis wait)
{
    return std::to_string((wait.count() + 999) / 1000) + " s";
}

/// spec 1-core §8.1. A quota that comes back by itself is no end, whatever the status.
void resolveTerminal(const VerdictContext& context, Judgement& judgement)
{
    if (judgement.permanent) {
        judgement.terminal = TerminalState::Banned;
        return;
    }
    if (!judgement.tryNextTarget || judgement.scope != Judgement::Scope::Connection || judgement.ownEnd ||
        judgement.terminal != TerminalState::None)
        return;
    if (judgement.creditsExhausted || (context.status() == 402 && !context.facts.perModelQuota))
        judgement.terminal = TerminalState::CreditsExhausted;
    else if (context.status() == 401)
        judgement.keyRefused = true;
}

}  // namespace

std::optional<Millis> VerdictContext::trustedHint() const
{
    if (!facts.profile.useUpstreamRetryHints || !hint || hint->wait <= Millis(0))
        return std::nullopt;
    return hint->wait;
}

std::string VerdictContext::http(std::string_view meaning) const
{
    return "HTTP " + std::to_string(httpStatus) + ": " + std::string(meaning);
}

std::string VerdictContext::saying(std::string_view what, Marker marker) const
{
    return std::string(what) + " (the answer says “" + markers.wording(marker) + "”)";
}

Judgement VerdictContext::backoff(FailureReason reason, std::string rule) const
{
    if (const std::optional<Millis> wait = trustedHint()) {
        Judgement judgement;
        judgement.reason = reason;
        judgement.cooldown = *wait;
        judgement.newLevel = 0;
        judgement.source = hint->source;
        judgement.rule = std::move(rule) + "; the upstream asked for " + seconds(*wait);
        return judgement;
    }
    Judgement judgement = ladder(reason, std::move(rule));
    // Whether hints are trusted or not: a window that is over by then needs no hold beyond it (field-faults H08).
    if (hint && hint->windowReset && hint->wait > Millis(0) && hint->wait < judgement.cooldown) {
        judgement.cooldown = hint->wait;
        judgement.rule += ", not beyond the reset of the window";
    }
    return judgement;
}

Judgement VerdictContext::ladder(FailureReason reason, std::string rule) const
{
    Judgement judgement;
    judgement.reason = reason;
    const int steps = std::clamp(facts.profile.maxBackoffSteps, 0, 32);
    const int level = std::clamp(facts.backoffLevel, 0, steps);
    const Millis base = facts.profile.baseCooldown > Millis(0) ? facts.profile.baseCooldown : Millis(1'000);
    const double ladder = std::ldexp(static_cast<double>(base.count()), level);
    judgement.cooldown = Millis(static_cast<std::int64_t>(std::min(ladder, static_cast<double>(facts.maxCooldown.count()))));
    judgement.ladder = true;
    judgement.newLevel = std::min(level + 1, steps);
    judgement.source = HintSource::Ladder;
    judgement.rule = std::move(rule) + "; step " + std::to_string(level + 1) + " of the ladder";
    return judgement;
}

Judgement VerdictContext::fixed(Millis cooldown, FailureReason reason, std::string rule) const
{
    Judgement judgement;
    judgement.reason = reason;
    judgement.cooldown = cooldown;
    judgement.source = HintSource::Rule;
    judgement.rule = std::move(rule);
    if (const std::optional<Millis> wait = trustedHint()) {
        judgement.cooldown = *wait;
        judgement.source = hint->source;
        judgement.rule += "; the upstream asked for " + seconds(*wait);
    }
    return judgement;
}

Judgement VerdictContext::moveOn(FailureReason reason, Judgement::Scope scope, std::string rule) const
{
    Judgement judgement;
    judgement.reason = reason;
    judgement.scope = scope;
    judgement.rule = std::move(rule);
    return judgement;
}

Judgement VerdictContext::clientFault(std::string rule) const
{
    Judgement judgement = moveOn(FailureReason::BadRequest, Judgement::Scope::Request, std::move(rule));
    judgement.tryNextTarget = false;
    judgement.skipBreaker = true;
    return judgement;
}

FailureJudge::FailureJudge(Random& random) : m_random(random), m_words(std::make_unique<OperatorWords>()) {}

FailureJudge::~FailureJudge() = default;

void FailureJudge::applySettings(const ResilienceSettings& settings)
{
    m_settings = settings;
    m_words = std::make_unique<OperatorWords>(settings);
}

void FailureJudge::countServed(std::string_view provider, std::string_view connection, std::string_view model, std::int64_t tokens,
                               WallTime now)
{
    if (canonicalProviderId(provider) == "gemini" && !model.empty())
        m_gemini.count(connection, model, tokens, now);
}

Judgement FailureJudge::judge(const FailureFacts& facts)
{
    const Failure& failure = facts.failure;
    const std::string_view raw = clippedUtf8(failure.body, kBodyLimit);
    const ErrorBody body = m_reader.read(raw);
    const std::string fields = body.json ? body.prose() : std::string();
    // A refused request is often quoted in the answer; what the user wrote must not be taken for the provider's words.
    const bool quotesRequest = (failure.status == 400 || failure.status == 422) && !fields.empty();
    const std::string_view text = quotesRequest ? std::string_view(fields) : raw;
    const bool escaped = !fields.empty() && text.find('\\') != std::string_view::npos;  // "\u5e76\u53d1" in the JSON reads 并发

    MarkerSet markers = m_markers.scan(text);
    if (escaped)
        m_markers.scan(fields, markers);
    const std::optional<ProseHint> prose = markers.has(Marker::HintStem) ? parseProse(text, facts.now) : std::nullopt;
    VerdictContext context{facts, m_settings, body, markers, prose, m_gemini, *m_words, m_random, raw, failure.status,
                           retryHint(failure.headers, body, prose, facts.now)};
    if (m_words->hasBanWords()) {
        m_words->scanBans(text, context.bans);
        if (escaped)
            m_words->scanBans(fields, context.bans);
    }

    std::optional<Restatement> restated;
    if (!failure.insideOk && !failure.afterCommit) {
        const std::optional<Millis> asked = context.hint ? std::optional(context.hint->wait) : std::nullopt;
        restated = restateStatus(facts.provider, failure.status, fields, raw, asked);
        if (restated)
            context.httpStatus = restated->status;
    }
    context.quotaNamed = namesQuota(markers, body);
    context.preserve = facts.provider.empty() || facts.providerClass == ProviderClass::OAuth || context.quotaNamed;
    context.quotaAllowed = context.status() != 429 || context.preserve;
    if (context.status() == 429 && !body.violations.empty() && canonicalProviderId(facts.provider) == "gemini")
        m_gemini.learn(facts.connection, facts.model, body, facts.now);

    std::optional<Judgement> found;
    if (failure.status == 0) {
        found = firstAnswer(transportRows(), context);
    } else {
        for (const std::span<const VerdictRow> rows : {refusalRows(), quotaRows(), badRequestRows(), statusRows()}) {
            found = firstAnswer(rows, context);
            if (found)
                break;
        }
    }
    Judgement judgement = found ? std::move(*found) : context.backoff(FailureReason::Unknown, "an unknown failure");
    judgement.hint = context.hint;
    judgement.kind = classify429(context.status(), markers, body, prose);
    judgement.message = messageOf(failure, body);
    if (restated) {
        judgement.restatedStatus = restated->status;
        judgement.restatedRetryAfter = restated->retryAfter;
        judgement.rule =
            "HTTP " + std::to_string(restated->fromStatus) + " restated (" + std::string(restated->rule) + "); " + judgement.rule;
    }
    settleScope(context, judgement);
    resolveTerminal(context, judgement);

    const bool providerFault =
        failure.status == 0 ? isProviderTransportFault(failure.transport, failure.afterCommit) : isTripStatus(context.status());
    judgement.countsOnBreaker =
        providerFault && !judgement.skipBreaker && !isNobodysFault(context.status(), markers, body.type == "overloaded_error");
    return judgement;
}

}  // namespace omni
