#include "ui/overview/traffic_figures.h"

#include "ui/models/display_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::TrafficFigures)
};

constexpr Millis kRateWindow{10'000};
constexpr Millis kMinute{60'000};
constexpr Millis kLatencyWindow{300'000};

double rateOf(const TrafficSample& sample)
{
    return sample.length > Millis(0) ? sample.requests * 1000.0 / static_cast<double>(sample.length.count()) : 0.0;
}

struct Weighed {
    std::int64_t value = 0;
    std::int64_t weight = 0;
};

/// The value that `share` of all weight lies at or below.
std::optional<std::int64_t> quantile(std::vector<Weighed> values, double share)
{
    std::sort(values.begin(), values.end(), [](const Weighed& a, const Weighed& b) { return a.value < b.value; });
    std::int64_t total = 0;
    for (const Weighed& one : values)
        total += one.weight;
    std::int64_t passed = 0;
    for (const Weighed& one : values) {
        passed += one.weight;
        if (static_cast<double>(passed) >= share * static_cast<double>(total))
            return one.value;
    }
    return std::nullopt;
}

}  // namespace

TrafficFigures figuresOf(const std::deque<TrafficSample>& seconds, const std::vector<TrafficSample>& hour, WallTime now)
{
    TrafficFigures figures;
    Millis covered{0};
    int recent = 0;
    std::vector<Weighed> addedP50;
    std::vector<Weighed> addedP99;
    std::vector<Weighed> firstFrame;
    for (const TrafficSample& sample : seconds) {
        figures.peakPerSecond = std::max(figures.peakPerSecond, rateOf(sample));
        const Millis age = now - sample.at;
        if (age <= kRateWindow) {
            recent += sample.requests;
            covered += sample.length;
        }
        if (age <= kMinute) {
            figures.tokensIn += sample.tokensIn;
            figures.tokensOut += sample.tokensOut;
        }
        if (age <= kLatencyWindow && sample.requests > 0) {
            addedP50.push_back({sample.addedP50Us, sample.requests});
            addedP99.push_back({sample.addedP99Us, sample.requests});
            if (sample.firstFrameP50Us > 0)
                firstFrame.push_back({sample.firstFrameP50Us, sample.requests});
        }
    }
    if (covered > Millis(0))
        figures.perSecond = recent * 1000.0 / static_cast<double>(covered.count());
    for (const TrafficSample& sample : hour) {
        figures.peakPerSecond = std::max(figures.peakPerSecond, rateOf(sample));
        figures.answered += sample.answered;
        figures.failed += sample.failed;
        figures.viaAnotherTarget += sample.viaAnotherTarget;
    }
    figures.addedP50Us = quantile(std::move(addedP50), 0.5);
    figures.addedP99Us = quantile(std::move(addedP99), 0.99);
    figures.firstFrameP50Us = quantile(std::move(firstFrame), 0.5);
    return figures;
}

TrafficLines linesOf(const std::vector<TrafficSample>& samples, WallTime now)
{
    TrafficLines lines;
    lines.perSecond.reserve(static_cast<qsizetype>(samples.size()));
    for (const TrafficSample& sample : samples) {
        const double x = std::min(0.0, static_cast<double>((sample.at - now).count()));
        lines.perSecond << QPointF(x, rateOf(sample));
        if (sample.requests > 0) {
            lines.p50 << QPointF(x, static_cast<double>(sample.p50Us) / 1000.0);
            lines.p95 << QPointF(x, static_cast<double>(sample.p95Us) / 1000.0);
        }
    }
    return lines;
}

QString shareText(std::int64_t part, std::int64_t whole)
{
    if (whole <= 0)
        return QStringLiteral("–");
    if (part >= whole)
        return Words::tr("%1 %", "percent").arg(numberText(100));
    const double share = std::floor(static_cast<double>(part) * 10'000.0 / static_cast<double>(whole)) / 100.0;
    return Words::tr("%1 %", "percent").arg(decimalText(share, share < 99.0 ? 1 : 2));
}

}  // namespace omni
