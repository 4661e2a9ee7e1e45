#include "resilience/resilience_preview.h"

#include "program/test_program.h"
#include "unit/resilience/resilience_fixture.h"

#include <QTest>

using namespace omni;
using namespace std::chrono_literals;

namespace {

const WallTime kNow = fromEpochMillis(1'790'000'000'000);

std::vector<Millis> seconds(std::initializer_list<int> values)
{
    std::vector<Millis> lengths;
    for (const int value : values)
        lengths.push_back(std::chrono::seconds(value));
    return lengths;
}

QByteArray told(const std::vector<Millis>& lengths)
{
    QByteArray text;
    for (const Millis length : lengths)
        text += QByteArray::number(qint64(length.count())) + ' ';
    return text;
}

}  // namespace

#define COMPARE_LENGTHS(actual, expected) QCOMPARE(told(actual), told(expected))

/// What settings mean in practice, found out by running the policies (spec 1-core §1.5, §4.1, §6.3).
class ResiliencePreviewTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theDefaults()
    {
        const ResiliencePreview preview = previewResilience(ResilienceSettings(), kNow);
        COMPARE_LENGTHS(preview.apiKey.rests, seconds({3, 6, 12, 24, 48, 96}));
        COMPARE_LENGTHS(preview.oauth.rests, seconds({5, 10, 20, 40, 80, 160, 320, 640, 1280}));
        QCOMPARE(qint64(preview.apiKey.restWhenAsked.count()), 60'000);
        QVERIFY2(preview.oauth.restWhenAsked == 5s, "sign-ins do not obey Retry-After unless told to");
        QCOMPARE(preview.apiKey.degradedAt, 7);
        QCOMPARE(preview.apiKey.openAt, 12);
        QCOMPARE(preview.oauth.degradedAt, 5);
        QCOMPARE(preview.oauth.openAt, 8);
        COMPARE_LENGTHS(preview.apiKey.openFor, seconds({30, 30, 30, 30, 60, 120}));
        COMPARE_LENGTHS(preview.oauth.openFor, seconds({60, 60, 60, 120, 240, 480}));
        QVERIFY(preview.apiKey.degradedFor == 120s);
        QVERIFY(preview.oauth.degradedFor == 480s);
        QVERIFY(preview.providerRests.empty());
        QVERIFY(preview.untilDailyReset > 0s && preview.untilDailyReset <= 25h);
        QVERIFY2(!preview.modelQuotaLocks.empty(), "a provider that counts by model locks models without the setting");
        QCOMPARE(preview.locks.size(), std::size_t{1});
        QVERIFY2(preview.locks.front().lengths.empty(), "switched off, no listed code locks by itself");
    }

    void lockoutsSwitchedOn()
    {
        ResilienceSettings settings;
        settings.modelLockout.enabled = true;
        settings.modelLockout.errorCodes = {400, 429, 503};
        const ResiliencePreview preview = previewResilience(settings, kNow);
        QCOMPARE(preview.locks.size(), std::size_t{2});
        QCOMPARE(preview.locks[0].codes, std::vector<int>{400});
        QVERIFY2(preview.locks[0].lengths.empty(), "a bad request is never the model's fault");
        QCOMPARE(preview.locks[1].codes, (std::vector<int>{429, 503}));
        COMPARE_LENGTHS(preview.locks[1].lengths, seconds({120, 240, 480, 960, 1800}));
    }

    void lengthsAreThePolicys_data()
    {
        QTest::addColumn<int>("base");  // s
        QTest::addColumn<int>("steps");
        QTest::addColumn<int>("longest");
        QTest::addColumn<QByteArray>("rests");
        const auto row = [](const char* name, int base, int steps, int longest, std::initializer_list<int> rests) {
            QTest::newRow(name) << base << steps << longest << told(seconds(rests));
        };
        row("no doubling", 7, 0, 1800, {7});
        row("one doubling", 7, 1, 1800, {7, 14});
        row("the longest lock caps rests, too", 600, 5, 1500, {600, 1200, 1500});
        row("zero counts as a second", 0, 2, 1800, {1, 2, 4});
    }
    void lengthsAreThePolicys()
    {
        QFETCH(int, base);
        QFETCH(int, steps);
        QFETCH(int, longest);
        ResilienceSettings settings;
        settings.apiKeyCooldown.baseCooldown = std::chrono::seconds(base);
        settings.apiKeyCooldown.maxBackoffSteps = steps;
        settings.modelLockout.maxCooldown = std::chrono::seconds(longest);
        QTEST(told(previewResilience(settings, kNow).apiKey.rests), "rests");
    }

    void hintsAreObeyedWhereTheyAreTrusted()
    {
        ResilienceSettings settings;
        settings.oauthCooldown.useUpstreamRetryHints = true;
        settings.apiKeyCooldown.useUpstreamRetryHints = false;
        const ResiliencePreview preview = previewResilience(settings, kNow);
        QVERIFY(preview.oauth.restWhenAsked == 60s);
        QVERIFY(preview.apiKey.restWhenAsked == 3s);
    }

    void breakersWithoutADegradedBand()
    {
        ResilienceSettings settings;
        settings.apiKeyBreaker = {1, 1, Millis(5'000), 2, 0};
        const ClassPreview preview = previewResilience(settings, kNow).apiKey;
        QCOMPARE(preview.degradedAt, 0);
        QCOMPARE(preview.openAt, 1);
        COMPARE_LENGTHS(preview.openFor, seconds({5, 10}));
    }

    void providerCooldownClimbs()
    {
        ResilienceSettings settings;
        settings.providerCooldown.enabled = true;
        settings.providerCooldown.maxRetryCooldown = 15s;
        COMPARE_LENGTHS(previewResilience(settings, kNow).providerRests, seconds({5, 10, 15}));
    }
};

OMNI_TEST(ResiliencePreviewTest)
#include "resilience_preview_test.moc"
