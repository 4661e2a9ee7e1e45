#include "telemetry/metrics.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace omni {

namespace {

constexpr int kSubBits = 3;  ///< 8 buckets for each factor of two
constexpr std::uint64_t kSub = 1U << kSubBits;

/// Values below 8 have a bucket each; above, the three bits after the leading one choose among eight.
std::size_t bucketOf(std::uint64_t value)
{
    if (value < kSub)
        return value;
    const int exponent = static_cast<int>(std::bit_width(value)) - 1;
    const std::uint64_t sub = (value >> (exponent - kSubBits)) & (kSub - 1);
    return static_cast<std::size_t>(exponent - kSubBits + 1) * kSub + sub;
}

/// The middle of a bucket, so that the error is at most half its width: 1/16 of the value.
std::int64_t middleOf(std::size_t bucket)
{
    if (bucket < kSub)
        return static_cast<std::int64_t>(bucket);
    const int shift = static_cast<int>(bucket / kSub) - 1;
    const std::int64_t lower = static_cast<std::int64_t>(kSub + bucket % kSub) << shift;
    return lower + ((std::int64_t{1} << shift) - 1) / 2;
}

}  // namespace

void LatencyHistogram::record(std::int64_t micros)
{
    const std::uint64_t value = micros > 0 ? static_cast<std::uint64_t>(micros) : 0;
    ++m_buckets[std::min(bucketOf(value), kBuckets - 1)];
    ++m_count;
    m_sum += static_cast<std::int64_t>(value);
}

void LatencyHistogram::add(const LatencyHistogram& other)
{
    if (other.m_count == 0)
        return;
    for (std::size_t i = 0; i < kBuckets; ++i)
        m_buckets[i] += other.m_buckets[i];
    m_count += other.m_count;
    m_sum += other.m_sum;
}

void LatencyHistogram::clear()
{
    if (m_count == 0)
        return;
    *this = LatencyHistogram();
}

std::int64_t LatencyHistogram::percentile(double share) const
{
    if (m_count == 0)
        return 0;
    const double exactRank = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(m_count));
    const std::uint64_t rank = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(exactRank), 1, m_count);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < kBuckets; ++i) {
        seen += m_buckets[i];
        if (seen >= rank)
            return middleOf(i);
    }
    return middleOf(kBuckets - 1);
}

const std::array<std::int64_t, BoundedHistogram::kBounds>& BoundedHistogram::bounds()
{
    static constexpr std::array<std::int64_t, kBounds> kMicros = {
        100,       250,       500,       1'000,     2'500,     5'000,      10'000,     25'000,     50'000,      100'000,     250'000,
        500'000,   1'000'000, 2'500'000, 5'000'000, 10'000'000, 30'000'000, 60'000'000, 120'000'000, 300'000'000, 600'000'000};
    return kMicros;
}

void BoundedHistogram::record(std::int64_t micros)
{
    const std::int64_t value = std::max<std::int64_t>(micros, 0);
    const auto bound = std::lower_bound(bounds().begin(), bounds().end(), value);
    ++m_counts[static_cast<std::size_t>(bound - bounds().begin())];
    m_sum += value;
}

std::uint64_t BoundedHistogram::countUpTo(std::size_t at) const
{
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i <= std::min(at, kBounds); ++i)
        sum += m_counts[i];
    return sum;
}

}  // namespace omni
