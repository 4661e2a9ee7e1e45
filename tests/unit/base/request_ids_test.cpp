#include "base/request_ids.h"

#include "base/random.h"
#include "program/test_program.h"

#include <QTest>

#include <set>

using namespace omni;

class RequestIdsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sixteenHexDigitsThatSortByTime();
    void neverTwiceWhateverTheClockDoes();
    void twoRunsDoNotMeet();
};

void RequestIdsTest::sixteenHexDigitsThatSortByTime()
{
    RequestIds ids;
    SimulatedRandom random;
    std::string last;
    for (std::int64_t millis = 1'790'000'000'000; millis < 1'790'000'001'000; ++millis) {
        const std::string id = ids.next(fromEpochMillis(millis), random.next()).str();
        QCOMPARE(id.size(), std::size_t{16});
        QVERIFY(id.find_first_not_of("0123456789abcdef") == std::string::npos);
        QVERIFY(id > last);
        last = id;
    }
}

void RequestIdsTest::neverTwiceWhateverTheClockDoes()
{
    RequestIds ids;
    SimulatedRandom random;
    std::set<std::string> seen;
    for (int i = 0; i < 20'000; ++i) {
        // Stands still, and is set back now and then.
        const std::int64_t millis = 1'790'000'000'000 + i / 1'000 - (i % 3'000 == 0 ? 500 : 0);
        seen.insert(ids.next(fromEpochMillis(millis), random.next()).str());
    }
    seen.insert(ids.next(fromEpochMillis(-5), 0).str());
    QCOMPARE(seen.size(), std::size_t{20'001});
}

void RequestIdsTest::twoRunsDoNotMeet()
{
    SystemRandom random;
    std::set<std::string> seen;
    for (int run = 0; run < 20; ++run)
        seen.insert(RequestIds().next(fromEpochMillis(1'790'000'000'000), random.next()).str());
    QVERIFY(seen.size() >= 19);
}

OMNI_TEST(RequestIdsTest)
#include "request_ids_test.moc"
