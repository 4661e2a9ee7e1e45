#include "ui/settings/resilience_text.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::ResilienceText)
};

constexpr std::size_t kSpelledOut = 3;

QString codesText(const std::vector<int>& codes)
{
    QStringList texts;
    for (const int code : codes)
        texts << QString::number(code);
    return texts.join(QStringLiteral(", "));
}

}  // namespace

QString ladderText(const std::vector<Millis>& lengths)
{
    if (lengths.empty())
        return {};
    if (lengths.size() == 1)
        return Words::tr("%1 each time").arg(lengthText(lengths.front()));
    QStringList first;
    for (std::size_t i = 0; i < std::min(kSpelledOut, lengths.size() - 1); ++i)
        first << lengthText(lengths[i]);
    const QString last = lengthText(lengths.back());
    if (lengths.size() <= kSpelledOut + 1)
        return Words::tr("%1, then %2 each time", "lengths of time").arg(first.join(QStringLiteral(", ")), last);
    return Words::tr("%1, … up to %2 from failure %3 on", "lengths of time")
        .arg(first.join(QStringLiteral(", ")), last, numberText(static_cast<std::int64_t>(lengths.size())));
}

QString restsText(const ClassPreview& preview)
{
    const std::vector<Millis>& rests = preview.rests;
    if (rests.empty())
        return {};
    QString text;
    const auto length = [&rests](std::size_t i) { return lengthText(rests[std::min(i, rests.size() - 1)]); };
    if (rests.size() == 1) {
        text = Words::tr("Each failure: out for %1.").arg(length(0));
    } else if (rests.size() == 2) {
        text = Words::tr("First failure: out for %1. Every further one in a row: out for %2.").arg(length(0), length(1));
    } else {
        text = Words::tr("First failure: out for %1. Second in a row: out for %2. Third in a row: out for %3.")
                   .arg(length(0), length(1), length(2));
        if (rests.size() > kSpelledOut)
            text += QLatin1Char(' ') + Words::tr("From failure %1 in a row on: out for %2.")
                                           .arg(numberText(static_cast<std::int64_t>(rests.size())), lengthText(rests.back()));
    }
    return text + QLatin1Char(' ') + Words::tr("A 429 that asks for 60 seconds: out for %1.").arg(lengthText(preview.restWhenAsked));
}

QString breakerText(const ClassPreview& preview)
{
    QStringList sentences;
    if (preview.degradedAt > 0)
        sentences << Words::tr("After %1 failures: degraded, still serving; closed again after %2 without another one.")
                         .arg(numberText(preview.degradedAt), lengthText(preview.degradedFor));
    if (!preview.openFor.empty()) {
        sentences << Words::tr("After %1 failures: open, nothing is sent for %2; then one request probes.")
                         .arg(numberText(preview.openAt), lengthText(preview.openFor.front()));
        if (preview.openFor.size() > 1)
            sentences << Words::tr("While probes fail it stays open longer, up to %1.").arg(lengthText(preview.openFor.back()));
    }
    sentences << Words::tr("Each success takes one failure off.");
    return sentences.join(QLatin1Char(' '));
}

QString providerCooldownText(const ResiliencePreview& preview, const ProviderCooldownSettings& settings)
{
    if (!settings.enabled)
        return Words::tr("Off: the next request to a combo tries a provider again even when it has just failed.");
    const QString connections =
        preview.providerRests.empty()
            ? QString()
            : Words::tr("A connection that failed is left out of combos: %1.").arg(ladderText(preview.providerRests)) + QLatin1Char(' ');
    const auto window = [](const ProviderCooldownWindow& one) {
        return Words::tr("%1 failures within %2: out for %3", "of a whole provider")
            .arg(numberText(one.failureThreshold), lengthText(one.window), lengthText(one.cooldown));
    };
    return connections +
           Words::tr("A whole provider with API keys: %1. With sign-ins: %2.").arg(window(settings.apiKey), window(settings.oauth));
}

QString dailyResetText(const ResiliencePreview& preview, WallTime now)
{
    // To the minute: the seconds of it are nobody's concern.
    const Millis minutes = std::chrono::ceil<std::chrono::minutes>(preview.untilDailyReset);
    return Words::tr("A daily quota that is spent now counts as back in %1, at %2.")
        .arg(lengthText(minutes), timeText(now + preview.untilDailyReset));
}

QString lockoutText(const ResiliencePreview& preview, bool enabled)
{
    QStringList sentences;
    if (!enabled) {
        sentences << Words::tr("Off: only an answer that is about one model locks it.");
        if (!preview.modelQuotaLocks.empty())
            sentences << Words::tr("A 429 of a provider that counts quota by model: %1.").arg(ladderText(preview.modelQuotaLocks));
        return sentences.join(QLatin1Char(' '));
    }
    for (const LockPreview& lock : preview.locks) {
        if (lock.lengths.empty())
            sentences << Words::tr("%1: never the fault of a model, locks nothing.", "HTTP statuses").arg(codesText(lock.codes));
        else
            sentences << Words::tr("%1: the model is locked for %2.", "HTTP statuses").arg(codesText(lock.codes), ladderText(lock.lengths));
    }
    return sentences.join(QLatin1Char('\n'));
}

}  // namespace omni
