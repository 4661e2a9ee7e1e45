#include "ui/cooldowns/hold_story.h"

#include "ui/models/display_text.h"
#include "ui/models/holds.h"
#include "ui/models/rule_text.h"
#include "ui/models/standing.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::HoldStory)
};

constexpr int kTooMany = 429;

const ModelLockout* lockoutOf(const HeldRow& row, const EngineSnapshot& snapshot)
{
    const auto found = std::find_if(snapshot.lockouts.begin(), snapshot.lockouts.end(), [&row](const ModelLockout& one) {
        return one.connection == row.connection && one.model == row.model && one.scope == row.scope && one.provider == row.provider;
    });
    return found == snapshot.lockouts.end() ? nullptr : &*found;
}

QString titleOf(const HeldRow& row, const Configuration& configuration)
{
    if (row.kind == HeldRow::Kind::Provider)
        return row.providerName;
    const Connection* connection = configuration.connection(row.connection);
    const QString target = targetText(&configuration, row.provider, connection ? connection->name : std::string());
    return row.kind == HeldRow::Kind::Model ? Words::tr("%1 on %2", "model, connection").arg(row.name, target) : target;
}

QString headingOf(const HeldRow& row, const QString& title)
{
    if (row.lasting())
        return Words::tr("Why is “%1” out of service?").arg(title);
    if (row.state == Exclusion::None)
        return Words::tr("Why do models of “%1” rest?").arg(title);
    if (row.state == Exclusion::CircuitOpen)
        return Words::tr("Why does nothing go to “%1”?").arg(title);
    return Words::tr("Why is “%1” resting?").arg(title);
}

QString subtitleOf(const HeldRow& row, const RequestId& request)
{
    QString text;
    if (row.until)
        text = Words::tr("until %1").arg(timeText(*row.until));
    else if (row.since && row.lasting())
        text = Words::tr("since %1").arg(timeText(*row.since));
    if (request.empty())
        return text;
    const QString by = toQString(request.str());
    return text.isEmpty() ? Words::tr("set by request %1").arg(by)
                          : Words::tr("%1, set by request %2", "since or until when").arg(text, by);
}

void addAnswer(const Evidence& evidence, std::vector<HoldFact>& facts)
{
    facts.push_back({Words::tr("The provider answered"),
                     Words::tr("%1 at %2", "status, time").arg(statusText(evidence.status), timeText(evidence.at)),
                     toQString(evidence.header)});
    if (!evidence.bodyFragment.empty())
        facts.push_back({Words::tr("Its words"), {}, toQString(evidence.bodyFragment).simplified()});
    if (!evidence.rule.empty())
        facts.push_back({Words::tr("Rule that matched"), ruleText(evidence.rule), {}});
}

/// Deadline, how long, and who said so.
void addDeadline(const HeldRow& row, const std::optional<Evidence>& evidence, std::vector<HoldFact>& facts)
{
    if (!row.until)
        return;
    QString text = timeText(*row.until);
    const Millis length = evidence && evidence->length > Millis(0) ? evidence->length
                          : row.since                              ? std::chrono::duration_cast<Millis>(*row.until - *row.since)
                                                                   : Millis(0);
    const QString source = evidence ? hintSourceText(evidence->source) : QString();
    if (length > Millis(0) && !source.isEmpty())
        text = Words::tr("%1: it rests for %2, %3", "deadline, length, who said so").arg(text, countdownText(length), source);
    else if (length > Millis(0))
        text = Words::tr("%1: it rests for %2", "deadline, length").arg(text, countdownText(length));
    facts.push_back({Words::tr("Until"), text, {}});
}

QString breakerNote(const HeldRow& row, const std::optional<Evidence>& evidence, const EngineSnapshot& snapshot)
{
    if (evidence && evidence->status == kTooMany)
        return Words::tr("The provider's breaker is untouched: a 429 never trips it.");
    const BreakerStatus* breaker = snapshot.breaker(row.provider);
    if (!breaker || breaker->failureCount == 0)
        return {};
    return Words::tr("The provider's breaker is %1, with %2 of %3 failures.", "state")
        .arg(lookOf(breaker->state, Colours()).word, numberText(breaker->failureCount), numberText(breaker->failureThreshold));
}

void tellConnection(const HeldRow& row, const ConnectionHealth* health, const EngineSnapshot& snapshot, std::vector<HoldFact>& facts)
{
    const std::optional<Evidence> evidence = health ? health->evidence : std::nullopt;
    if (evidence)
        addAnswer(*evidence, facts);
    else if (health && !health->lastError.empty())
        facts.push_back({Words::tr("Last error"), coreText(health->lastError), {}});
    addDeadline(row, evidence, facts);
    QStringList so;
    if (row.until && row.level > 0)
        so << Words::tr("Backoff level %1: the next failure rests it longer.").arg(numberText(row.level));
    if (health && awaitsKeyRetry(*health))
        so << Words::tr("The key is tried again when this ends; another key ends it at once.");
    if (row.until) {
        if (const QString breaker = breakerNote(row, evidence, snapshot); !breaker.isEmpty())
            so << breaker;
    }
    if (row.lasting())
        so << Words::tr("It does not end by itself.");
    if (!so.isEmpty())
        facts.push_back({Words::tr("So"), so.join(QLatin1Char(' ')), {}});
    switch (row.state) {
    case Exclusion::Banned:
    case Exclusion::Expired:
        facts.push_back({Words::tr("What ends it"), Words::tr("Another key, a test that succeeds, or switching it off and on."), {}});
        break;
    case Exclusion::CreditsExhausted:
        facts.push_back(
            {Words::tr("What ends it"), Words::tr("Top up the account, then test the connection; or give it another key."), {}});
        break;
    case Exclusion::SecretMissing: facts.push_back({Words::tr("What ends it"), Words::tr("Enter its key."), {}}); break;
    case Exclusion::SecretUnreadable:
        facts.push_back({Words::tr("What ends it"), Words::tr("Enter its key again: the stored one cannot be read on this machine."), {}});
        break;
    default: break;
    }
}

void tellLock(const HeldRow& row, const ModelLockout& lockout, std::vector<HoldFact>& facts)
{
    if (lockout.evidence)
        addAnswer(*lockout.evidence, facts);
    addDeadline(row, lockout.evidence, facts);
    QString reach;
    switch (lockout.scope) {
    case LockoutScope::Family: reach = Words::tr("Every model that shares this quota rests; the connection's others serve."); break;
    case LockoutScope::NotFound: reach = Words::tr("The model under this name rests; the connection's others serve."); break;
    case LockoutScope::Exact: reach = Words::tr("This model rests; the connection's others serve."); break;
    }
    facts.push_back({Words::tr("So"), reach, {}});
    facts.push_back({Words::tr("Failures that count"), numberText(lockout.failureCount), {}});
}

void tellBreaker(const HeldRow& row, const BreakerStatus* breaker, std::vector<HoldFact>& facts)
{
    if (breaker && breaker->evidence)
        addAnswer(*breaker->evidence, facts);
    addDeadline(row, std::nullopt, facts);
    if (breaker)
        facts.push_back(
            {Words::tr("So"),
             Words::tr("The breaker counted %1 of %2 failures: no connection of the provider is asked. Then one request probes it.")
                 .arg(numberText(breaker->failureCount), numberText(breaker->failureThreshold)),
             {}});
    facts.push_back({Words::tr("Connections"), row.name, {}});
}

void tellProvider(const HeldRow& row, std::vector<HoldFact>& facts)
{
    facts.push_back({Words::tr("Failures that count"), numberText(row.level), {}});
    addDeadline(row, std::nullopt, facts);
    facts.push_back(
        {Words::tr("So"),
         Words::tr("The whole provider is left out, by the provider cooldown, which concerns combos, or by an error rule of yours, which "
                   "concerns every request."),
         {}});
    facts.push_back({Words::tr("Connections"), row.name, {}});
}

}  // namespace

HoldStory storyOf(const HeldRow& row, const Configuration& configuration, const EngineSnapshot& snapshot)
{
    HoldStory story;
    story.connection = row.connection;
    story.until = row.until;
    story.heading = headingOf(row, titleOf(row, configuration));
    const ConnectionHealth* health = row.connection.empty() ? nullptr : snapshot.health(row.connection);
    switch (row.kind) {
    case HeldRow::Kind::Provider:
        if (row.state == Exclusion::CircuitOpen) {
            const BreakerStatus* breaker = snapshot.breaker(row.provider);
            tellBreaker(row, breaker, story.facts);
            if (breaker && breaker->evidence)
                story.request = breaker->evidence->request;
        } else {
            tellProvider(row, story.facts);
        }
        break;
    case HeldRow::Kind::Connection:
        if (row.state == Exclusion::None) {
            story.facts.push_back(
                {Words::tr("So"), Words::tr("The connection serves. The models beneath it rest, each for its own sake."), {}});
        } else if (row.state == Exclusion::ProviderCooldown) {
            addDeadline(row, std::nullopt, story.facts);
            story.facts.push_back(
                {Words::tr("So"),
                 Words::tr("Combos leave the connection out after its failures. A request that names its provider still reaches it."),
                 {}});
        } else {
            tellConnection(row, health, snapshot, story.facts);
            if (health && health->evidence)
                story.request = health->evidence->request;
        }
        break;
    case HeldRow::Kind::Model:
        if (const ModelLockout* lockout = lockoutOf(row, snapshot)) {
            tellLock(row, *lockout, story.facts);
            if (lockout->evidence)
                story.request = lockout->evidence->request;
        }
        break;
    }
    story.subtitle = subtitleOf(row, story.request);
    return story;
}

QString storyText(const HoldStory& story, const std::vector<HoldFact>& more)
{
    QStringList lines{story.heading};
    if (!story.subtitle.isEmpty())
        lines << story.subtitle;
    const auto tell = [&lines](const HoldFact& fact) {
        QStringList parts;
        for (const QString& part : {fact.value, fact.code}) {
            if (!part.isEmpty())
                parts << part;
        }
        lines << QStringLiteral("%1: %2").arg(fact.label, parts.join(QStringLiteral(", ")));
    };
    std::for_each(story.facts.begin(), story.facts.end(), tell);
    std::for_each(more.begin(), more.end(), tell);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace omni
