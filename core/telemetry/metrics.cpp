#include "telemetry/metrics.h"

#include <algorithm>

namespace omni {

namespace {

/// A breaker that flaps all day keeps its newest spans only.
constexpr std::size_t kMaxBands = 2'000;

std::int64_t known(std::int64_t count)
{
    return std::max<std::int64_t>(count, 0);
}

bool answeredByAnother(const RequestRecord& record)
{
    if (record.outcome != Outcome::Answered || record.attempts.size() < 2)
        return false;
    const AttemptRecord& first = record.attempts.front();
    const AttemptRecord& last = record.attempts.back();
    return first.connection != last.connection || first.model != last.model || first.provider != last.provider;
}

/// Counts of `from` onto `to`, which keeps the later end.
void addCounts(TrafficSample& to, const TrafficSample& from)
{
    to.requests += from.requests;
    to.answered += from.answered;
    to.failed += from.failed;
    to.viaAnotherTarget += from.viaAnotherTarget;
    to.clientGone += from.clientGone;
    to.tokensIn += from.tokensIn;
    to.tokensOut += from.tokensOut;
    to.active = from.active;
    to.at = from.at;
}

/// Two neighbours as one. Percentiles of a union cannot be had from percentiles: medians are weighed by requests, and of the high ones
/// the higher stays, so that no peak is hidden.
void mergeInto(TrafficSample& to, const TrafficSample& from)
{
    const std::int64_t weight = to.requests + from.requests;
    const auto weighed = [&](std::int64_t a, std::int64_t b) { return weight > 0 ? (a * to.requests + b * from.requests) / weight : 0; };
    to.p50Us = weighed(to.p50Us, from.p50Us);
    to.firstFrameP50Us = weighed(to.firstFrameP50Us, from.firstFrameP50Us);
    to.addedP50Us = weighed(to.addedP50Us, from.addedP50Us);
    to.p95Us = std::max(to.p95Us, from.p95Us);
    to.p99Us = std::max(to.p99Us, from.p99Us);
    to.addedP99Us = std::max(to.addedP99Us, from.addedP99Us);
    addCounts(to, from);
    to.length += from.length;
}

}  // namespace

void Metrics::Open::add(const Open& finer)
{
    addCounts(sample, finer.sample);
    total.add(finer.total);
    firstFrame.add(finer.firstFrame);
    added.add(finer.added);
}

TrafficSample Metrics::Open::closed(MonoTime now) const
{
    TrafficSample done = sample;
    done.p50Us = total.percentile(0.50);
    done.p95Us = total.percentile(0.95);
    done.p99Us = total.percentile(0.99);
    done.firstFrameP50Us = firstFrame.percentile(0.50);
    done.addedP50Us = added.percentile(0.50);
    done.addedP99Us = added.percentile(0.99);
    // At least a millisecond, so that a rate can always be had.
    done.length = std::max(std::chrono::round<Millis>(now - since), Millis(1));
    return done;
}

void Metrics::Open::restart(MonoTime now)
{
    sample = TrafficSample();
    total.clear();
    firstFrame.clear();
    added.clear();
    since = now;
}

void Metrics::Ring::push(const Kept& kept)
{
    if (samples.size() < capacity) {
        samples.push_back(kept);
        return;
    }
    samples[oldest] = kept;
    oldest = (oldest + 1) % capacity;
}

Metrics::Metrics(const Clock& clock) : m_clock(clock), m_startedAt(clock.mono()), m_startedWall(clock.wall())
{
    m_rings[0].step = std::chrono::seconds(1);
    m_rings[0].capacity = 600;
    m_rings[1].step = std::chrono::seconds(10);
    m_rings[1].capacity = 720;
    m_rings[2].step = std::chrono::minutes(2);
    m_rings[2].capacity = 780;
    m_second.since = m_startedAt;
    for (Ring& ring : m_rings) {
        ring.samples.reserve(ring.capacity);
        ring.open.since = m_startedAt;
    }
}

void Metrics::requestStarted()
{
    ++m_active;
}

void Metrics::requestFinished(const RequestRecord& record)
{
    m_active = std::max(m_active - 1, 0);
    TrafficSample& sample = m_second.sample;
    ++sample.requests;
    switch (record.outcome) {
    case Outcome::Answered: ++sample.answered; break;
    case Outcome::ClientGone: ++sample.clientGone; break;
    case Outcome::UpstreamFailed:
    case Outcome::Broken:
    case Outcome::Refused: ++sample.failed; break;
    }
    if (answeredByAnother(record))
        ++sample.viaAnotherTarget;
    sample.tokensIn += known(record.tokensIn);
    sample.tokensOut += known(record.tokensOut);

    m_second.total.record(record.durationUs);
    m_duration.record(record.durationUs);
    if (record.addedUs >= 0) {
        m_second.added.record(record.addedUs);
        m_addedLatency.record(record.addedUs);
    }
    if (record.firstFrameUs >= 0) {
        m_second.firstFrame.record(record.firstFrameUs);
        m_firstFrame.record(record.firstFrameUs);
    }
    ++m_byOutcome[static_cast<std::size_t>(record.outcome)];
    const bool isStatus = record.status >= 100 && record.status < static_cast<int>(m_byStatus.size());
    ++m_byStatus[isStatus ? static_cast<std::size_t>(record.status) : 0];
    countAttempts(record);
}

void Metrics::countAttempts(const RequestRecord& record)
{
    for (const AttemptRecord& attempt : record.attempts) {
        Counter& counter = m_byProvider[attempt.provider];
        ++counter.requests;
        // The attempt under way when the client left is nobody's failure.
        const bool abandoned = record.outcome == Outcome::ClientGone && &attempt == &record.attempts.back();
        if (!attempt.success && !abandoned)
            ++counter.failed;
    }
    if (record.provider.empty() || (record.tokensIn <= 0 && record.tokensOut <= 0 && record.tokensCached <= 0))
        return;
    Counter& counter = m_byProvider[record.provider];
    counter.tokensIn += static_cast<std::uint64_t>(known(record.tokensIn));
    counter.tokensOut += static_cast<std::uint64_t>(known(record.tokensOut));
    counter.tokensCached += static_cast<std::uint64_t>(known(record.tokensCached));
}

void Metrics::breakerChanged(const BreakerStatus& breaker)
{
    const MonoTime now = m_clock.mono();
    std::deque<Band>& bands = m_bands[breaker.provider];
    if (bands.empty())
        bands.push_back({BreakerState::Closed, m_startedAt, 0});
    if (bands.back().state == breaker.state) {
        bands.back().failureCount = std::max(bands.back().failureCount, breaker.failureCount);
        return;
    }
    if (bands.back().from == now)
        bands.pop_back();
    if (!bands.empty() && bands.back().state == breaker.state)
        bands.back().failureCount = std::max(bands.back().failureCount, breaker.failureCount);
    else
        bands.push_back({breaker.state, now, breaker.failureCount});
    if (bands.size() > kMaxBands)
        bands.pop_front();
}

void Metrics::breakerFound(const BreakerStatus& breaker)
{
    if (breaker.state != BreakerState::Closed)
        m_bands[breaker.provider] = {{breaker.state, m_startedAt, breaker.failureCount}};
}

void Metrics::dropOldBands(MonoTime now)
{
    for (auto& [provider, bands] : m_bands) {
        // The span that reaches into the kept time stays, though it began before it.
        while (bands.size() > 1 && bands[1].from < now - kBandAge)
            bands.pop_front();
    }
}

TrafficSample Metrics::tick()
{
    const MonoTime now = m_clock.mono();
    m_second.sample.at = m_clock.wall();
    m_second.sample.active = m_active;
    const TrafficSample second = m_second.closed(now);
    m_rings[0].push({now, second});
    for (std::size_t i = 1; i < m_rings.size(); ++i) {
        Ring& ring = m_rings[i];
        ring.open.add(m_second);
        // Half a second early counts: ticks come with a jitter, and a window of ten must not become one of eleven.
        if (now - ring.open.since >= ring.step - Millis(500)) {
            ring.push({now, ring.open.closed(now)});
            ring.open.restart(now);
            if (i == m_rings.size() - 1)
                dropOldBands(now);
        }
    }
    m_second.restart(now);
    return second;
}

WallTime Metrics::wallOf(MonoTime time) const
{
    return m_clock.wall() - std::chrono::round<Millis>(m_clock.mono() - time);
}

std::vector<TrafficSample> Metrics::samplesOf(const Ring& ring, MonoTime since) const
{
    std::vector<TrafficSample> found;
    std::size_t first = ring.samples.size();
    while (first > 0 && ring.at(first - 1).at > since)
        --first;
    found.reserve(ring.samples.size() - first + 1);
    for (std::size_t i = first; i < ring.samples.size(); ++i) {
        found.push_back(ring.at(i).sample);
        found.back().at = wallOf(ring.at(i).at);
    }
    // What a coarse ring has not closed yet: without it a chart would lag by up to a step.
    if (&ring != &m_rings.front() && m_second.since > ring.open.since && m_second.since > since) {
        found.push_back(ring.open.closed(m_second.since));
        found.back().at = wallOf(m_second.since);
    }
    return found;
}

std::vector<TrafficSample> Metrics::traffic(Millis span, std::size_t points) const
{
    if (points == 0 || span <= Millis(0))
        return {};
    const MonoTime now = m_clock.mono();
    const MonoTime since = span < std::chrono::duration_cast<Millis>(now.time_since_epoch()) ? now - span : MonoTime{};
    std::vector<TrafficSample> samples;
    for (const Ring& ring : m_rings) {
        if (!ring.covers(span) && &ring != &m_rings.back())
            continue;
        samples = samplesOf(ring, since);
        if (samples.size() <= points)
            return samples;
    }
    const std::size_t group = (samples.size() + points - 1) / points;
    std::vector<TrafficSample> merged;
    merged.reserve(points);
    // Groups are counted from the newest, so that only the oldest one may be smaller.
    std::size_t left = samples.size() % group == 0 ? group : samples.size() % group;
    for (const TrafficSample& sample : samples) {
        if (merged.empty() || left == 0) {
            if (left == 0)
                left = group;
            merged.push_back(sample);
        } else {
            mergeInto(merged.back(), sample);
        }
        --left;
    }
    return merged;
}

BreakerHistory Metrics::breakerHistory(Millis span) const
{
    // Read once: every time below is one and the same distance from these two.
    const MonoTime now = m_clock.mono();
    const WallTime wall = m_clock.wall();
    const auto wallOf = [now, wall](MonoTime time) { return wall - std::chrono::round<Millis>(now - time); };
    const MonoTime since = now - std::min(span, kBandAge);
    // A clock that was set back makes this run begin before an earlier one has ended; then this one counts.
    BreakerHistory history = m_earlier.before(wallOf(m_startedAt)).after(wallOf(since));
    history.watched.push_back({wallOf(std::max(m_startedAt, since)), wall});
    for (const auto& [provider, bands] : m_bands) {
        for (std::size_t i = 0; i < bands.size(); ++i) {
            const MonoTime end = i + 1 < bands.size() ? bands[i + 1].from : now;
            if (end <= since && i + 1 < bands.size())
                continue;
            history.spans.push_back({provider, bands[i].state, wallOf(std::max(bands[i].from, since)), wallOf(end), bands[i].failureCount});
        }
    }
    return history;
}

}  // namespace omni
