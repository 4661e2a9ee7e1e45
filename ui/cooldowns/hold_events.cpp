#include "ui/cooldowns/hold_story.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::HoldEvents)
};

WallTime timeOf(const RequestRecord& record, const AttemptRecord& attempt)
{
    return record.startedAt + Millis((attempt.startedUs + std::max<std::int64_t>(attempt.totalUs, 0)) / 1000);
}

bool leftOutFor(const ExcludedTarget& target, const HeldRow& row)
{
    if (target.connection != row.connection)
        return false;
    return row.kind != HeldRow::Kind::Model || target.reason == Exclusion::ModelLockout;
}

HoldEvent answeredEvent(WallTime at, int count)
{
    return {at, count == 1 ? Words::tr("answered") : Words::tr("answered %1 requests").arg(numberText(count)), Exclusion::None, {}};
}

}  // namespace

HoldFact meanwhileOf(const HeldRow& row, const std::vector<RequestRecord>& records, const Configuration& configuration)
{
    std::map<QString, int> takers;
    int unanswered = 0;
    for (const RequestRecord& record : records) {
        if (row.since && record.startedAt < *row.since)
            continue;
        const bool concerned = std::any_of(record.excluded.begin(), record.excluded.end(),
                                           [&row](const ExcludedTarget& target) { return leftOutFor(target, row); });
        if (!concerned)
            continue;
        if (record.outcome == Outcome::Answered && !record.connection.empty())
            ++takers[targetText(&configuration, record.provider, record.connectionName)];
        else if (record.outcome == Outcome::UpstreamFailed)
            ++unanswered;
    }
    int answered = 0;
    auto most = takers.end();
    for (auto taker = takers.begin(); taker != takers.end(); ++taker) {
        answered += taker->second;
        if (most == takers.end() || taker->second > most->second)
            most = taker;
    }
    QStringList parts;
    if (answered == 1)
        parts << Words::tr("One request went to “%1”.").arg(most->first);
    else if (takers.size() == 1)
        parts << Words::tr("%1 requests went to “%2”.").arg(numberText(answered), most->first);
    else if (answered > 0)
        parts << Words::tr("%1 requests went to others, most of them to “%2”.").arg(numberText(answered), most->first);
    if (unanswered == 1)
        parts << Words::tr("One request found nobody.");
    else if (unanswered > 1)
        parts << Words::tr("%1 requests found nobody.").arg(numberText(unanswered));
    if (parts.isEmpty())
        return {};
    return {Words::tr("Meanwhile"), parts.join(QLatin1Char(' ')), {}};
}

std::vector<HoldEvent> eventsOf(const ConnectionId& connection, const std::vector<RequestRecord>& records, std::size_t limit)
{
    struct Try {
        WallTime at;
        const RequestRecord* record;
        const AttemptRecord* attempt;
    };
    std::vector<Try> tries;
    for (const RequestRecord& record : records) {
        for (const AttemptRecord& attempt : record.attempts) {
            if (attempt.connection == connection)
                tries.push_back({timeOf(record, attempt), &record, &attempt});
        }
    }
    std::sort(tries.begin(), tries.end(), [](const Try& a, const Try& b) { return a.at > b.at; });

    std::vector<HoldEvent> events;
    int run = 0;
    WallTime runEnd{};
    for (const Try& one : tries) {
        if (one.attempt->success) {
            if (run++ == 0)
                runEnd = one.at;
            continue;
        }
        if (run > 0)
            events.push_back(answeredEvent(runEnd, run));
        run = 0;
        if (events.size() >= limit)
            break;
        // Failures beside an answer tell of the model and the reason; a status of 0 is no answer at all.
        const QString what =
            one.attempt->reason == FailureReason::Unknown
                ? statusText(one.attempt->status)
                : Words::tr("%1, %2", "status, reason").arg(statusText(one.attempt->status), reasonText(one.attempt->reason));
        events.push_back({one.at, Words::tr("%1 for %2", "what failed, model").arg(what, toQString(one.attempt->model)),
                          Exclusion::CircuitOpen, one.record->id});
    }
    if (run > 0)
        events.push_back(answeredEvent(runEnd, run));
    if (events.size() > limit)
        events.resize(limit);
    return events;
}

std::vector<HoldEvent> eventsOf(const BreakerStatus& breaker, std::size_t limit)
{
    std::vector<HoldEvent> events;
    for (auto step = breaker.history.rbegin(); step != breaker.history.rend() && events.size() < limit; ++step) {
        const QString word = lookOf(step->to, Colours()).word;
        QString text = word;
        if (step->failureCount == 1)
            text = Words::tr("%1, after one failure", "state").arg(word);
        else if (step->failureCount > 1)
            text = Words::tr("%1, after %2 failures", "state").arg(word, numberText(step->failureCount));
        Exclusion look = Exclusion::ConnectionCooldown;
        if (step->to == BreakerState::Closed)
            look = Exclusion::None;
        else if (step->to == BreakerState::Open)
            look = Exclusion::CircuitOpen;
        events.push_back({step->at, text, look, {}});
    }
    return events;
}

}  // namespace omni
