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

std::vector<const BreakerSpan*> spansOf(const std::vector<BreakerSpan>& spans, const ProviderId& provider)
{
    std::vector<const BreakerSpan*> own;
    for (const BreakerSpan& span : spans) {
        if (span.provider == provider)
            own.push_back(&span);
    }
    std::stable_sort(own.begin(), own.end(), [](const BreakerSpan* a, const BreakerSpan* b) { return a->from < b->from; });
    return own;
}

WallTime endOf(const RequestRecord& record, const AttemptRecord& attempt)
{
    return record.startedAt + Millis((attempt.startedUs + std::max<std::int64_t>(attempt.totalUs, 0)) / 1000);
}

void addChanges(const std::vector<BreakerSpan>& spans, const ProviderId& provider, WallTime from, WallTime to, WallTime knownSince,
                std::vector<MinuteEvent>& events)
{
    BreakerState before = BreakerState::Closed;
    for (const BreakerSpan* span : spansOf(spans, provider)) {
        // Where the look back ends, a state has not begun but is only seen first.
        if (span->state != before && span->from >= from && span->from < to && span->from > knownSince)
            events.push_back({span->from, provider, span->state, {}, {}});
        before = span->state;
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

std::optional<BreakerState> stateAt(const std::vector<BreakerSpan>& spans, const ProviderId& provider, WallTime at, WallTime knownSince)
{
    if (at < knownSince)
        return std::nullopt;
    BreakerState state = BreakerState::Closed;
    for (const BreakerSpan* span : spansOf(spans, provider)) {
        if (span->from > at)
            break;
        state = span->state;
    }
    return state;
}

std::optional<BreakerState> worstDuring(const std::vector<BreakerSpan>& spans, const ProviderId& provider, WallTime from, WallTime to,
                                        WallTime knownSince)
{
    if (to <= knownSince)
        return std::nullopt;
    BreakerState worst = *stateAt(spans, provider, std::max(from, knownSince), knownSince);
    for (const BreakerSpan* span : spansOf(spans, provider)) {
        if (span->from >= from && span->from < to && badness(span->state) > badness(worst))
            worst = span->state;
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

PastMinute pastMinute(WallTime from, const std::vector<ProviderId>& providers, const std::vector<BreakerSpan>& spans,
                      const std::vector<RequestRecord>& records, WallTime knownSince)
{
    PastMinute minute;
    minute.from = from;
    const WallTime to = from + kOneMinute;
    std::map<ProviderId, std::size_t> places;
    for (const ProviderId& provider : providers) {
        places.emplace(provider, minute.providers.size());
        minute.providers.push_back({provider, worstDuring(spans, provider, from, to, knownSince)});
        addChanges(spans, provider, from, to, knownSince, minute.events);
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
                       stateAt(spans, attempt.provider, at - kSameMoment, knownSince).value_or(BreakerState::Closed) != BreakerState::Closed;
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
