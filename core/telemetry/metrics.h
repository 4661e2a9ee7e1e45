#pragma once

#include "base/clock.h"
#include "model/hold.h"
#include "model/request_record.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace omni {

/// A histogram with logarithmic buckets (8 a factor of two, 1 µs … 1 h): constant memory, percentiles within 9 %.
class LatencyHistogram {
public:
    void record(std::int64_t micros);
    void add(const LatencyHistogram& other);
    void clear();
    std::uint64_t count() const { return m_count; }
    /// `share` in 0…1; 0 when empty. Microseconds.
    std::int64_t percentile(double share) const;
    std::int64_t sum() const { return m_sum; }

private:
    static constexpr std::size_t kBuckets = 264;
    std::array<std::uint32_t, kBuckets> m_buckets{};
    std::uint64_t m_count = 0;
    std::int64_t m_sum = 0;
};

/// One second of traffic, as charts show it.
struct TrafficSample {
    WallTime at{};
    int requests = 0;
    int answered = 0;
    int failed = 0;
    int viaAnotherTarget = 0;  ///< answered, but not by the first one tried
    int clientGone = 0;
    int active = 0;  ///< under way at the end of the second
    std::int64_t p50Us = 0, p95Us = 0, p99Us = 0;     ///< whole duration
    std::int64_t firstFrameP50Us = 0;
    std::int64_t addedP50Us = 0, addedP99Us = 0;
    std::int64_t tokensIn = 0, tokensOut = 0;

    bool operator==(const TrafficSample&) const = default;
};

/// Breaker states over time, one band per provider.
struct BreakerSpan {
    ProviderId provider;
    BreakerState state = BreakerState::Closed;
    WallTime from{};
    WallTime to{};
    int failureCount = 0;
};

/// Counts everything since start, keeps 24 h of samples in three resolutions (1 s for 10 min, 10 s for 2 h, 2 min for 26 h) and the
/// breakers' bands as long. Core thread only; snapshots are values.
class Metrics {
public:
    explicit Metrics(const Clock& clock);

    void requestStarted();
    void requestFinished(const RequestRecord& record);
    void breakerChanged(const BreakerStatus& breaker);
    /// Once a second: closes the current sample and returns it.
    TrafficSample tick();

    /// Newest last, at most `points`, of the last `span`.
    std::vector<TrafficSample> traffic(Millis span, std::size_t points) const;
    std::vector<BreakerSpan> breakerBands(Millis span) const;
    int active() const { return m_active; }

    /// Prometheus text exposition (version 0.0.4). Gauges of breakers and connections come from the caller.
    std::string prometheus(const std::vector<BreakerStatus>& breakers, const std::vector<ConnectionHealth>& healths) const;

private:
    struct Open {
        TrafficSample sample;
        LatencyHistogram total, firstFrame, added;
    };
    struct Ring {
        Millis step{0};
        std::size_t capacity = 0;
        std::deque<TrafficSample> samples;
        Open open;
    };
    struct Counter {
        std::uint64_t requests = 0, failed = 0, tokensIn = 0, tokensOut = 0;
    };

    void closeInto(Ring& ring, WallTime now);

    const Clock& m_clock;
    int m_active = 0;
    std::array<Ring, 3> m_rings;
    std::map<ProviderId, std::deque<BreakerSpan>> m_bands;
    std::map<std::string, Counter> m_byProvider;
    std::map<int, std::uint64_t> m_byStatus;
    std::map<Outcome, std::uint64_t> m_byOutcome;
    std::uint64_t m_attempts = 0, m_failedAttempts = 0;
    LatencyHistogram m_total, m_added, m_firstFrame;
    WallTime m_startedAt{};
};

}  // namespace omni
