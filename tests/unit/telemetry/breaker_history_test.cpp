#include "program/test_program.h"
#include "telemetry/breaker_history.h"

#include <QTest>

using namespace omni;

namespace {

const WallTime kBegin{Millis(1'790'000'000'000)};

WallTime at(int seconds) { return kBegin + Millis(seconds * 1000); }

}  // namespace

class BreakerHistoryTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatWasWatched_data();
    void whatWasWatched();
    void oddTextIsLeftOut_data();
    void oddTextIsLeftOut();
    void isCutAtBothEnds();
};

void BreakerHistoryTest::whatWasWatched_data()
{
    QTest::addColumn<int>("second");
    QTest::addColumn<int>("stretch");  // -1 = none
    const auto row = [](const char* name, int second, int stretch) { QTest::newRow(name) << second << stretch; };
    row("before the first", -1, -1);
    row("its first moment", 0, 0);
    row("within it", 50, 0);
    row("its end", 100, -1);
    row("between", 150, -1);
    row("the newest begins", 200, 1);
    row("within the newest", 250, 1);
    row("the newest goes on", 1000, 1);
}

void BreakerHistoryTest::whatWasWatched()
{
    QFETCH(int, second);
    QFETCH(int, stretch);
    BreakerHistory history;
    history.watched = {{at(0), at(100)}, {at(200), at(300)}};
    const WatchedTime* found = history.watchedAt(at(second));
    QCOMPARE(found ? static_cast<int>(found - history.watched.data()) : -1, stretch);
    QVERIFY(!BreakerHistory().watchedAt(at(second)));
}

void BreakerHistoryTest::oddTextIsLeftOut_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("stretches");
    QTest::addColumn<int>("spans");
    const auto row = [](const char* name, const char* text, int stretches, int spans) {
        QTest::newRow(name) << QByteArray(text) << stretches << spans;
    };
    row("nothing", "", 0, 0);
    row("no JSON", "{\"watched\": [", 0, 0);
    row("another form", "[1, 2]", 0, 0);
    row("one field only", R"({"watched": [[1000, 2000]]})", 0, 0);
    row("good", R"({"watched": [[1000, 2000]], "spans": {"groq": [["OPEN", 1200, 1900, 5]]}})", 1, 1);
    row("a stretch that ends before it begins", R"({"watched": [[2000, 1000], [3000, 4000]], "spans": {}})", 1, 0);
    row("stretches over each other", R"({"watched": [[1000, 3000], [2000, 4000], [2500, 3500]], "spans": {}})", 2, 0);
    row("texts for times", R"({"watched": [["1000", 2000], [1000]], "spans": {}})", 0, 0);
    row("an unknown state", R"({"watched": [[1000, 2000]], "spans": {"groq": [["AJAR", 1200, 1900, 5], ["OPEN", 1200, 1900, 5]]}})", 1, 1);
    row("a span that reaches out", R"({"watched": [[1000, 2000]], "spans": {"groq": [["OPEN", 1200, 2900, 5]]}})", 1, 1);
    row("a span nobody saw", R"({"watched": [[1000, 2000]], "spans": {"groq": [["OPEN", 2200, 2900, 5]]}})", 1, 0);
    row("a span of no length", R"({"watched": [[1000, 2000]], "spans": {"groq": [["OPEN", 1200, 1200, 5]]}})", 1, 0);
    row("spans that are none", R"({"watched": [[1000, 2000]], "spans": {"groq": 3, "openai": [7, [], ["OPEN"]]}})", 1, 0);
    row("lists that are none", R"({"watched": 3, "spans": 4})", 0, 0);
}

void BreakerHistoryTest::oddTextIsLeftOut()
{
    QFETCH(QByteArray, text);
    QFETCH(int, stretches);
    QFETCH(int, spans);
    const BreakerHistory history = breakerHistoryFromJson(text.toStdString());
    QCOMPARE(static_cast<int>(history.watched.size()), stretches);
    QCOMPARE(static_cast<int>(history.spans.size()), spans);
}

void BreakerHistoryTest::isCutAtBothEnds()
{
    BreakerHistory history;
    history.watched = {{at(0), at(100)}, {at(200), at(300)}};
    const ProviderId groq("groq");
    history.spans = {{groq, BreakerState::Open, at(20), at(90), 5}, {groq, BreakerState::Open, at(210), at(290), 5}};
    const BreakerHistory early = history.before(at(50));
    QCOMPARE(early.watched, (std::vector<WatchedTime>{{at(0), at(50)}}));
    QCOMPARE(early.spans, (std::vector<BreakerSpan>{{groq, BreakerState::Open, at(20), at(50), 5}}));
    const BreakerHistory late = history.after(at(250));
    QCOMPARE(late.watched, (std::vector<WatchedTime>{{at(250), at(300)}}));
    QCOMPARE(late.spans, (std::vector<BreakerSpan>{{groq, BreakerState::Open, at(250), at(290), 5}}));
}

OMNI_TEST(BreakerHistoryTest)
#include "breaker_history_test.moc"
