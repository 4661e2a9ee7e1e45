#pragma once

#include "base/clock.h"
#include "model/hold.h"
#include "model/request_record.h"
#include "telemetry/breaker_history.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace omni {

/// A histogram with logarithmic buckets (8 a factor of two, 1 µs … 9 h): constant memory, percentiles within 6.25 % of a recorded value.
class LatencyHistogram {
public:
    /// Negative counts as 0, more than the last bucket holds as the last bucket.
    void record(std::int64_t micros);
    void add(const LatencyHistogram& other);
    void clear();
    std::uint64_t count() const { return m_count; }
    /// The value below or at which `share` (0…1) of all lie, nearest rank; 0 when empty. Microseconds.
    std::int64_t percentile(double share) const;
    std::int64_t sum() const { return m_sum; }

private:
    static constexpr std::size_t kBuckets = 264;
    std::array<std::uint32_t, kBuckets> m_buckets{};
    std::uint64_t m_count = 0;
    std::int64_t m_sum = 0;
};

/// Counts by fixed upper bounds, as Prometheus wants them: exact, and never reset.
class BoundedHistogram {
public:
    static constexpr std::size_t kBounds = 21;
    /// Inclusive, ascending, 100 µs … 10 min. Microseconds.
    static const std::array<std::int64_t, kBounds>& bounds();

    void record(std::int64_t micros);
    /// How many lie at or below bounds()[at]; at = kBounds: all.
    std::uint64_t countUpTo(std::size_t at) const;
    std::int64_t sum() const { return m_sum; }

private:
    std::array<std::uint64_t, kBounds + 1> m_counts{};
    std::int64_t m_sum = 0;
};

/// A stretch of traffic, one second of it or more, as charts show it. Counts are of the whole `length`: divide by it for a rate.
/// Every finished request is answered, failed or clientGone.
struct TrafficSample {
    WallTime at{};     ///< its end
    int requests = 0;  ///< finished in it
    int answered = 0;
    int failed = 0;  ///< no answer, a broken one, or refused by us
    int viaAnotherTarget = 0;  ///< answered, but not by the first one tried
    int clientGone = 0;
    int active = 0;  ///< under way at its end
    std::int64_t p50Us = 0, p95Us = 0, p99Us = 0;     ///< whole duration
    std::int64_t firstFrameP50Us = 0;
    std::int64_t addedP50Us = 0, addedP99Us = 0;
    std::int64_t tokensIn = 0, tokensOut = 0;
    Millis length{1'000};

    bool operator==(const TrafficSample&) const = default;
};

/// Counts everything since start, keeps 24 h of samples in three resolutions (1 s for 10 min, 10 s for 2 h, 2 min for 26 h) and the
/// breakers' bands as long. Core thread only; snapshots are values. Ages are measured on the clock that never jumps and turned into wall
/// time when read, so that setting the wall clock neither tears nor folds a chart.
class Metrics {
public:
    explicit Metrics(const Clock& clock);

    void requestStarted();
    /// Under 0.5 µs; allocates only for a provider never seen before.
    void requestFinished(const RequestRecord& record);
    void breakerChanged(const BreakerStatus& breaker);
    /// As an earlier run left it: so it has stood since the start of this one.
    void breakerFound(const BreakerStatus& breaker);
    /// Once a second: closes the current sample and returns it.
    TrafficSample tick();

    /// Newest last, at most `points`, of the last `span`: from the finest ring that holds the whole span in so few points; when none does,
    /// neighbours are put together (counts add up, medians are weighed, of p95 and p99 the higher one stays).
    std::vector<TrafficSample> traffic(Millis span, std::size_t points) const;
    /// How breakers stood in the last `span`, in this run and in those before. This run's spans come by provider, oldest first.
    BreakerHistory breakerHistory(Millis span) const;
    /// What earlier runs saw, as the last of them left it.
    void rememberEarlier(BreakerHistory earlier) { m_earlier = std::move(earlier); }
    /// As far back as bands are kept.
    static constexpr Millis kBandAge = std::chrono::hours(26);
    int active() const { return m_active; }

    /// Prometheus text exposition (version 0.0.4). Gauges of breakers and connections come from the caller.
    std::string prometheus(const std::vector<BreakerStatus>& breakers, const std::vector<ConnectionHealth>& healths) const;

private:
    /// What is being counted, with the times that its percentiles will come from.
    struct Open {
        TrafficSample sample;
        LatencyHistogram total, firstFrame, added;
        MonoTime since{};

        void add(const Open& finer);
        TrafficSample closed(MonoTime now) const;
        void restart(MonoTime now);
    };
    struct Kept {
        MonoTime at{};
        TrafficSample sample;
    };
    /// Closed samples of one resolution; the oldest is overwritten. `open` is used by the coarse rings: closed seconds are added to it once
    /// a tick, so that a request is counted once and not for each resolution.
    struct Ring {
        Millis step{0};
        std::size_t capacity = 0;
        std::size_t oldest = 0;
        std::vector<Kept> samples;
        Open open;

        void push(const Kept& kept);
        const Kept& at(std::size_t index) const { return samples[(oldest + index) % samples.size()]; }
        bool covers(Millis span) const { return samples.size() < capacity || step * static_cast<std::int64_t>(capacity) >= span; }
    };
    struct Counter {
        std::uint64_t requests = 0, failed = 0, tokensIn = 0, tokensOut = 0, tokensCached = 0;
    };
    struct Band {
        BreakerState state = BreakerState::Closed;
        MonoTime from{};
        int failureCount = 0;
    };

    void countAttempts(const RequestRecord& record);
    std::vector<TrafficSample> samplesOf(const Ring& ring, MonoTime since) const;
    WallTime wallOf(MonoTime time) const;
    void dropOldBands(MonoTime now);

    const Clock& m_clock;
    MonoTime m_startedAt;
    WallTime m_startedWall;
    int m_active = 0;
    Open m_second;
    std::array<Ring, 3> m_rings;
    std::map<ProviderId, std::deque<Band>> m_bands;
    BreakerHistory m_earlier;
    std::map<ProviderId, Counter> m_byProvider;
    std::array<std::uint64_t, 600> m_byStatus{};  ///< [0] = anything that is no status
    std::array<std::uint64_t, 5> m_byOutcome{};
    BoundedHistogram m_duration, m_addedLatency, m_firstFrame;
};

}  // namespace omni
