#include "ui/overview/past_minute.h"

#include <algorithm>
#include <map>

namespace omni {

namespace {

/// A breaker moves while the request that moves it is still being answered; the record of that one ends some milliseconds later. A cause
/// is told before what it brought about all the same.
constexpr Millis kSameMoment{20};

int badness(BreakerState state)
{
    switch (state) {
    case BreakerState::Closed: return 0;
    case BreakerState::Degraded: return 1;
    case BreakerState::HalfOpen: return 2;
    case BreakerState::Open: return 3;
    }
    return 0;
}

/// Those of one provider that begin in the stretch, oldest first.
std::vector<const BreakerSpan*> spansOf(const BreakerHistory& history, const ProviderId& provider, const WatchedTime& stretch)
{
    const bool newest = &stretch == &history.watched.back();
    std::vector<const BreakerSpan*> own;
    for (const BreakerSpan& span : history.spans) {
        if (span.provider == provider && span.from >= stretch.from && (newest || span.from < stretch.to))
            own.push_back(&span);
    }
    std::stable_sort(own.begin(), own.end(), [](const BreakerSpan* a, const BreakerSpan* b) { return a->from < b->from; });
    return own;
}

WallTime endOf(const RequestRecord& record, const AttemptRecord& attempt)
{
    return record.startedAt + Millis((attempt.startedUs + std::max<std::int64_t>(attempt.totalUs, 0)) / 1000);
}

void addChanges(const BreakerHistory& history, const ProviderId& provider, WallTime from, WallTime to, std::vector<MinuteEvent>& events)
{
    for (const WatchedTime& stretch : history.watched) {
        BreakerState before = BreakerState::Closed;
        for (const BreakerSpan* span : spansOf(history, provider, stretch)) {
            // Where a stretch begins, a state has not begun but is only seen first.
            if (span->state != before && span->from >= from && span->from < to && span->from > stretch.from)
                events.push_back({span->from, provider, span->state, {}, {}});
            before = span->state;
        }
    }
}

bool mayHaveBroughtAbout(const MinuteEvent& attempt, const MinuteEvent& change)
{
    return !attempt.became && attempt.provider == change.provider && attempt.attempt.success == (change.became == BreakerState::Closed);
}

void putCausesFirst(std::vector<MinuteEvent>& events)
{
    for (auto change = events.begin(); change != events.end(); ++change) {
        if (!change->became || change->became == BreakerState::HalfOpen)
            continue;
        const auto isCause = [&](const MinuteEvent& one) { return mayHaveBroughtAbout(one, *change); };
        const auto before = std::find_if(events.begin(), change, [&](const MinuteEvent& one) { return one.at >= change->at - kSameMoment; });
        if (std::any_of(before, change, isCause))
            continue;
        const auto end = std::find_if(change, events.end(), [&](const MinuteEvent& one) { return one.at > change->at + kSameMoment; });
        const auto cause = std::find_if(change, end, isCause);
        if (cause != end)
            std::rotate(change, cause, cause + 1);
    }
}

}  // namespace

WallTime minuteOf(WallTime at)
{
    return fromEpochMillis(epochMillis(at) / kOneMinute.count() * kOneMinute.count());
}

std::optional<BreakerState> stateAt(const BreakerHistory& history, const ProviderId& provider, WallTime at)
{
    const WatchedTime* stretch = history.watchedAt(at);
    if (!stretch)
        return std::nullopt;
    BreakerState state = BreakerState::Closed;
    for (const BreakerSpan* span : spansOf(history, provider, *stretch)) {
        if (span->from > at)
            break;
        state = span->state;
    }
    return state;
}

std::optional<BreakerState> worstDuring(const BreakerHistory& history, const ProviderId& provider, WallTime from, WallTime to)
{
    std::optional<BreakerState> worst;
    const auto meet = [&worst](BreakerState state) {
        if (!worst || badness(state) > badness(*worst))
            worst = state;
    };
    for (const WatchedTime& stretch : history.watched) {
        const bool newest = &stretch == &history.watched.back();
        const WallTime begin = std::max(from, stretch.from);
        if (begin >= to || (!newest && begin >= stretch.to))
            continue;
        meet(stateAt(history, provider, begin).value_or(BreakerState::Closed));
        for (const BreakerSpan* span : spansOf(history, provider, stretch)) {
            if (span->from >= begin && span->from < to)
                meet(span->state);
        }
    }
    return worst;
}

int PastMinute::failed() const
{
    int sum = 0;
    for (const ProviderMinute& provider : providers)
        sum += provider.failed;
    return sum;
}

int PastMinute::answered() const
{
    int sum = 0;
    for (const ProviderMinute& provider : providers)
        sum += provider.answered;
    return sum;
}

PastMinute pastMinute(WallTime from, const std::vector<ProviderId>& providers, const BreakerHistory& history,
                      const std::vector<RequestRecord>& records)
{
    PastMinute minute;
    minute.from = from;
    const WallTime to = from + kOneMinute;
    std::map<ProviderId, std::size_t> places;
    for (const ProviderId& provider : providers) {
        places.emplace(provider, minute.providers.size());
        minute.providers.push_back({provider, worstDuring(history, provider, from, to)});
        addChanges(history, provider, from, to, minute.events);
    }
    for (const RequestRecord& record : records) {
        for (const AttemptRecord& attempt : record.attempts) {
            const WallTime at = endOf(record, attempt);
            const auto place = places.find(attempt.provider);
            if (at < from || at >= to || place == places.end())
                continue;
            ProviderMinute& provider = minute.providers[place->second];
            ++(attempt.success ? provider.answered : provider.failed);
            const auto foundUnwell = [&] {
                // Before it: the success that closed a breaker found it half-open. Most minutes are calm, and not looked into.
                return provider.state.value_or(BreakerState::Closed) != BreakerState::Closed &&
                       stateAt(history, attempt.provider, at - kSameMoment).value_or(BreakerState::Closed) != BreakerState::Closed;
            };
            if (!attempt.success || foundUnwell())
                minute.events.push_back({at, attempt.provider, std::nullopt, record.id, attempt});
        }
    }
    // Of the same instant the request comes before what it brought about.
    std::stable_sort(minute.events.begin(), minute.events.end(), [](const MinuteEvent& a, const MinuteEvent& b) {
        return a.at != b.at ? a.at < b.at : !a.became.has_value() && b.became.has_value();
    });
    putCausesFirst(minute.events);
    if (minute.events.size() > PastMinute::kMostEvents)
        minute.events.erase(minute.events.begin(), minute.events.end() - static_cast<std::ptrdiff_t>(PastMinute::kMostEvents));
    return minute;
}

}  // namespace omni
