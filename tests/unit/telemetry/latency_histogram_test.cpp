#include "telemetry/metrics.h"

#include "program/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace omni;

namespace {

std::int64_t exact(const std::vector<std::int64_t>& sorted, double share)
{
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

}  // namespace

class LatencyHistogramTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void empty();
    void smallValuesAreExact();
    void everyValueStaysWithinTheBound();
    void percentiles_data();
    void percentiles();
    void outOfRange();
    void addAndClear();
    void bounded();
};

void LatencyHistogramTest::empty()
{
    const LatencyHistogram histogram;
    QCOMPARE(histogram.percentile(0.5), std::int64_t{0});
    QCOMPARE(histogram.count(), std::uint64_t{0});
}

void LatencyHistogramTest::smallValuesAreExact()
{
    for (std::int64_t value = 0; value < 16; ++value) {
        LatencyHistogram histogram;
        histogram.record(value);
        QCOMPARE(histogram.percentile(0.5), value);
    }
}

void LatencyHistogramTest::everyValueStaysWithinTheBound()
{
    // Around every power of two, where buckets change their width, up to beyond an hour.
    for (std::int64_t power = 16; power < 3'600'000'000; power *= 2) {
        for (std::int64_t value : {power - 1, power, power + 1, power + power / 8 - 1, power + power / 8, power + power / 2 + 3}) {
            LatencyHistogram histogram;
            histogram.record(value);
            const std::int64_t told = histogram.percentile(1.0);
            const double error = std::abs(static_cast<double>(told - value)) / static_cast<double>(value);
            QVERIFY2(error <= 0.0625, qPrintable(QStringLiteral("%1 told as %2").arg(value).arg(told)));
        }
    }
}

void LatencyHistogramTest::percentiles_data()
{
    QTest::addColumn<QString>("shape");
    QTest::addColumn<int>("count");
    for (const char* shape : {"even", "exponential", "two humps", "one value"}) {
        for (int count : {1, 2, 10, 100, 20'000}) {
            const QString name = QString::fromUtf8(shape);
            QTest::newRow(qPrintable(QStringLiteral("%1, %2").arg(name).arg(count))) << name << count;
        }
    }
}

void LatencyHistogramTest::percentiles()
{
    QFETCH(QString, shape);
    QFETCH(int, count);
    std::mt19937_64 random(42);
    std::vector<std::int64_t> values;
    LatencyHistogram histogram;
    std::int64_t sum = 0;
    for (int i = 0; i < count; ++i) {
        std::int64_t value = 777'777;
        if (shape == QLatin1String("even"))
            value = std::uniform_int_distribution<std::int64_t>(1, 5'000'000)(random);
        else if (shape == QLatin1String("exponential"))
            value = 100 + static_cast<std::int64_t>(std::exponential_distribution<double>(1e-5)(random));
        else if (shape == QLatin1String("two humps"))
            value = std::uniform_int_distribution<std::int64_t>(0, 99)(random) < 90 ? 2'000 + i % 100 : 9'000'000 + i % 1'000;
        values.push_back(value);
        histogram.record(value);
        sum += value;
    }
    std::sort(values.begin(), values.end());
    QCOMPARE(histogram.count(), static_cast<std::uint64_t>(count));
    QCOMPARE(histogram.sum(), sum);
    for (double share : {0.0, 0.01, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0}) {
        const auto expected = static_cast<double>(exact(values, share));
        const auto told = static_cast<double>(histogram.percentile(share));
        QVERIFY2(std::abs(told - expected) <= expected * 0.0625,
                 qPrintable(QStringLiteral("p%1: %2, not %3").arg(share).arg(told).arg(expected)));
    }
}

void LatencyHistogramTest::outOfRange()
{
    LatencyHistogram histogram;
    histogram.record(-5);
    QCOMPARE(histogram.percentile(1.0), std::int64_t{0});
    QCOMPARE(histogram.sum(), std::int64_t{0});
    histogram.record(std::numeric_limits<std::int64_t>::max() / 2);
    QVERIFY(histogram.percentile(1.0) > 3'600'000'000);
    QCOMPARE(histogram.percentile(-1.0), std::int64_t{0});
    QCOMPARE(histogram.percentile(7.0), histogram.percentile(1.0));
}

void LatencyHistogramTest::addAndClear()
{
    LatencyHistogram all;
    LatencyHistogram odd;
    LatencyHistogram even;
    for (int i = 1; i <= 1'000; ++i) {
        all.record(i * 37);
        (i % 2 == 0 ? even : odd).record(i * 37);
    }
    odd.add(even);
    odd.add(LatencyHistogram());
    QCOMPARE(odd.count(), all.count());
    QCOMPARE(odd.sum(), all.sum());
    for (double share : {0.1, 0.5, 0.99})
        QCOMPARE(odd.percentile(share), all.percentile(share));
    odd.clear();
    QCOMPARE(odd.count(), std::uint64_t{0});
    QCOMPARE(odd.sum(), std::int64_t{0});
    QCOMPARE(odd.percentile(0.5), std::int64_t{0});
}

void LatencyHistogramTest::bounded()
{
    QVERIFY(std::is_sorted(BoundedHistogram::bounds().begin(), BoundedHistogram::bounds().end()));
    BoundedHistogram histogram;
    histogram.record(-1);
    histogram.record(100);
    histogram.record(101);
    histogram.record(600'000'000);
    histogram.record(600'000'001);
    QCOMPARE(histogram.countUpTo(0), std::uint64_t{2});
    QCOMPARE(histogram.countUpTo(1), std::uint64_t{3});
    QCOMPARE(histogram.countUpTo(BoundedHistogram::kBounds - 1), std::uint64_t{4});
    QCOMPARE(histogram.countUpTo(BoundedHistogram::kBounds), std::uint64_t{5});
    QCOMPARE(histogram.sum(), std::int64_t{1'200'000'202});
}

OMNI_TEST(LatencyHistogramTest)
#include "latency_histogram_test.moc"
