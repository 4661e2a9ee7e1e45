#include "model/configuration.h"

#include "program/test_program.h"

#include <QTest>

using namespace omni;

/// What tokens cost, and that a missing price never counts as none to pay.
class UsageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void costs_data();
    void costs();
    void aModelWithoutAPriceIsNotFree();
    void pricesBelongToAProvider();
};

void UsageTest::costs_data()
{
    QTest::addColumn<qlonglong>("in");
    QTest::addColumn<qlonglong>("cached");
    QTest::addColumn<qlonglong>("out");
    QTest::addColumn<double>("cachedPrice");  // -1 = none of its own
    QTest::addColumn<double>("dollars");
    const auto row = [](const char* name, qlonglong in, qlonglong cached, qlonglong out, double cachedPrice, double dollars) {
        QTest::newRow(name) << in << cached << out << cachedPrice << dollars;
    };
    row("nothing", 0, 0, 0, 0.5, 0.0);
    row("input", 1'000'000, 0, 0, 0.5, 2.0);
    row("output", 0, 0, 500'000, 0.5, 4.0);
    row("cached is a part of the input", 1'000'000, 400'000, 0, 0.5, 0.6 * 2.0 + 0.4 * 0.5);
    row("cached input without a price of its own", 1'000'000, 400'000, 0, -1, 2.0);
    row("cached input for nothing", 1'000'000, 400'000, 0, 0.0, 1.2);
    row("more cached than input", 100'000, 400'000, 0, 0.5, 0.2);
    row("all", 1'000'000, 500'000, 250'000, 1.0, 1.0 + 0.5 + 2.0);
}

void UsageTest::costs()
{
    QFETCH(const qlonglong, in);
    QFETCH(const qlonglong, cached);
    QFETCH(const qlonglong, out);
    QFETCH(const double, cachedPrice);
    QFETCH(const double, dollars);
    const ModelPrice price{ProviderId("openai"), "gpt-5", 2.0, 8.0, cachedPrice < 0 ? std::nullopt : std::optional(cachedPrice)};
    UsageCounts counts;
    counts.tokensIn = in;
    counts.tokensCached = cached;
    counts.tokensOut = out;
    const UsageCost cost = costOf(counts, &price);
    QVERIFY2(qAbs(cost.dollars - dollars) < 1e-9, qPrintable(QString::number(cost.dollars, 'g', 12)));
    QCOMPARE(cost.pricedTokens, std::int64_t{in + out});
    QCOMPARE(cost.unpricedTokens, std::int64_t{0});
}

void UsageTest::aModelWithoutAPriceIsNotFree()
{
    UsageCounts counts;
    counts.tokensIn = 700;
    counts.tokensOut = 300;
    const UsageCost cost = costOf(counts, nullptr);
    QCOMPARE(cost.unpricedTokens, std::int64_t{1'000});
    UsageCost sum = costOf(counts, nullptr);
    const ModelPrice price{ProviderId("openai"), "gpt-5", 1000.0, 1000.0, {}};
    sum += costOf(counts, &price);
    QVERIFY(qAbs(sum.dollars - 1.0) < 1e-9);
    QCOMPARE(sum.pricedTokens, std::int64_t{1'000});
    QCOMPARE(sum.unpricedTokens, std::int64_t{1'000});
}

void UsageTest::pricesBelongToAProvider()
{
    const std::vector<ModelPrice> prices = {{ProviderId("openai"), "gpt-5", 1.0, 2.0, {}}, {ProviderId("azure"), "gpt-5", 3.0, 4.0, {}}};
    QVERIFY(findPrice(prices, ProviderId("azure"), "gpt-5") == &prices[1]);
    QVERIFY(!findPrice(prices, ProviderId("azure"), "gpt-5-mini"));
    QVERIFY(!findPrice(prices, ProviderId("groq"), "gpt-5"));
}

OMNI_TEST(UsageTest)
#include "usage_test.moc"
