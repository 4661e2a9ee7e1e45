#include "gui/tray_fixture.h"
#include "program/test_program.h"
#include "ui/charts/breaker_band.h"
#include "ui/models/breaker_bands_model.h"
#include "ui/models/cell_delegate.h"
#include "ui/overview/minute_panel.h"
#include "ui/overview/past_minute.h"

#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

using namespace omni;
using namespace omni::test;

namespace {

const WallTime kMinute{Millis(1'790'000'040'000)};  // a whole minute of the clock
const ProviderId kGroq("groq");
const ProviderId kOpenAi("openai");

WallTime at(int seconds)
{
    return kMinute + Millis(seconds * 1000);
}

/// Watched since -600 s: open from -30 s to 20 s, then half-open, closed from 40 s.
BreakerHistory story()
{
    return {{{at(-600), at(600)}}, {{kGroq, BreakerState::Closed, at(-600), at(-30), 0},
            {kGroq, BreakerState::Open, at(-30), at(20), 5},
            {kGroq, BreakerState::HalfOpen, at(20), at(40), 5},
            {kGroq, BreakerState::Closed, at(40), at(600), 0}}};
}

RequestRecord requestOf(const char* id, int seconds, std::vector<AttemptRecord> attempts)
{
    RequestRecord record;
    record.id = RequestId(id);
    record.startedAt = at(seconds);
    record.attempts = std::move(attempts);
    return record;
}

AttemptRecord attemptOf(const ProviderId& provider, int endsAfterMs, int status)
{
    AttemptRecord attempt;
    attempt.provider = provider;
    attempt.connectionName = "key";
    attempt.totalUs = std::int64_t{endsAfterMs} * 1000;
    attempt.status = status;
    attempt.success = status == 200;
    return attempt;
}

}  // namespace

class PastMinuteTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void stateAtATime_data();
    void stateAtATime();
    void theWorstOfAMinuteCounts_data();
    void theWorstOfAMinuteCounts();
    void whatMovedTheBreakers();
    void whileTheProgramDidNotRun_data();
    void whileTheProgramDidNotRun();
    void wordsTellTheMinute();
    void bandsAreScrubbed();
};

void PastMinuteTest::stateAtATime_data()
{
    QTest::addColumn<QString>("provider");
    QTest::addColumn<int>("seconds");
    QTest::addColumn<int>("state");  // -1 = not known
    const auto row = [](const char* name, const char* provider, int seconds, int state) {
        QTest::newRow(name) << QString::fromLatin1(provider) << seconds << state;
    };
    const auto number = [](BreakerState state) { return static_cast<int>(state); };
    row("before anything is known", "groq", -601, -1);
    row("from the first moment known", "groq", -600, number(BreakerState::Closed));
    row("last moment before it opened", "groq", -31, number(BreakerState::Closed));
    row("the moment it opened", "groq", -30, number(BreakerState::Open));
    row("open", "groq", 19, number(BreakerState::Open));
    row("probing", "groq", 20, number(BreakerState::HalfOpen));
    row("closed again", "groq", 41, number(BreakerState::Closed));
    row("after the last word of it", "groq", 10'000, number(BreakerState::Closed));
    row("never anything of it", "openai", 0, number(BreakerState::Closed));
}

void PastMinuteTest::stateAtATime()
{
    QFETCH(QString, provider);
    QFETCH(int, seconds);
    QFETCH(int, state);
    BreakerHistory history = story();
    std::reverse(history.spans.begin(), history.spans.end());  // whatever their order
    const auto found = stateAt(history, ProviderId(provider.toStdString()), at(seconds));
    QCOMPARE(found ? static_cast<int>(*found) : -1, state);
}

void PastMinuteTest::theWorstOfAMinuteCounts_data()
{
    QTest::addColumn<int>("minute");
    QTest::addColumn<int>("state");
    QTest::newRow("opened within it") << -1 << static_cast<int>(BreakerState::Open);
    QTest::newRow("open at its beginning only") << 0 << static_cast<int>(BreakerState::Open);
    QTest::newRow("calm after") << 1 << static_cast<int>(BreakerState::Closed);
    QTest::newRow("calm before") << -5 << static_cast<int>(BreakerState::Closed);
    QTest::newRow("half of it known") << -10 << static_cast<int>(BreakerState::Closed);
    QTest::newRow("before the program ran") << -11 << -1;
}

void PastMinuteTest::theWorstOfAMinuteCounts()
{
    QFETCH(int, minute);
    QFETCH(int, state);
    BreakerHistory history = story();
    history.watched.front().from += Millis(1);
    const auto found = worstDuring(history, kGroq, at(minute * 60), at(minute * 60 + 60));
    QCOMPARE(found ? static_cast<int>(*found) : -1, state);
}

void PastMinuteTest::whatMovedTheBreakers()
{
    const std::vector<RequestRecord> records{
        // Failed over: one attempt of each.
        requestOf("r1", 5, {attemptOf(kGroq, 1'000, 503), attemptOf(kOpenAi, 3'000, 200)}),
        // Began before the minute, ended in it.
        requestOf("r2", -20, {attemptOf(kGroq, 21'000, 503)}),
        // Ended after it.
        requestOf("r3", 59, {attemptOf(kGroq, 2'000, 503)}),
        requestOf("r4", 30, {attemptOf(kGroq, 10'000, 200)}),
        requestOf("r5", 31, {attemptOf(kOpenAi, 10, 429)}),
        // Of a provider that is not shown.
        requestOf("r6", 32, {attemptOf(ProviderId("gone"), 10, 500)})};
    const PastMinute minute = pastMinute(kMinute, {kGroq, kOpenAi}, story(), records);
    QCOMPARE(minute.providers.size(), std::size_t{2});
    QCOMPARE(minute.providers[0].failed, 2);
    QCOMPARE(minute.providers[0].answered, 1);
    QCOMPARE(minute.providers[1].failed, 1);
    QCOMPARE(minute.providers[1].answered, 1);
    QCOMPARE(minute.failed(), 3);
    QCOMPARE(minute.answered(), 2);
    QStringList events;
    for (const MinuteEvent& event : minute.events) {
        events << (event.became ? QString::fromStdString(event.provider.str() + " " + std::string(toString(*event.became)))
                                : QString::fromStdString(event.request.str() + " " + std::to_string(event.attempt.status)));
    }
    // OpenAI's success moved nothing: its breaker was closed all along.
    QCOMPARE(events.join(QStringLiteral(", ")),
             QStringLiteral("r2 503, r1 503, groq HALF_OPEN, r5 429, r4 200, groq CLOSED"));
    // The record of the request that moves a breaker ends a little after it has moved.
    const BreakerHistory moves{{{at(-600), at(600)}}, {{kGroq, BreakerState::Open, at(10), at(30), 1},
                                                       {kGroq, BreakerState::HalfOpen, at(30), at(40), 1},
                                                       {kGroq, BreakerState::Closed, at(40), at(60), 0}}};
    const std::vector<RequestRecord> late{requestOf("fails", 9, {attemptOf(kGroq, 1'003, 503)}), requestOf("probe", 39, {attemptOf(kGroq, 1'004, 200)})};
    QStringList order;
    for (const MinuteEvent& event : pastMinute(kMinute, {kGroq}, moves, late).events)
        order << QString::fromStdString(event.became ? std::string(toString(*event.became)) : event.request.str());
    QCOMPARE(order.join(QLatin1Char(' ')), QStringLiteral("fails OPEN HALF_OPEN probe CLOSED"));
    // Where the look back ends, the state of that time did not begin then.
    const PastMinute cut = pastMinute(kMinute, {kGroq}, {{{at(5), at(100)}}, {{kGroq, BreakerState::Open, at(5), at(100), 5}}}, {});
    QVERIFY(cut.events.empty());
    QVERIFY(cut.providers[0].state == BreakerState::Open);
    std::vector<RequestRecord> many;
    for (int i = 0; i < 800; ++i)
        many.push_back(requestOf("m", 10, {attemptOf(kGroq, i, 503)}));
    const PastMinute busy = pastMinute(kMinute, {kGroq}, story(), many);
    QCOMPARE(busy.providers[0].failed, 800);
    QCOMPARE(busy.events.size(), PastMinute::kMostEvents);
}

void PastMinuteTest::whileTheProgramDidNotRun_data()
{
    QTest::addColumn<int>("second");
    QTest::addColumn<int>("state");  // -1 = not known
    QTest::addColumn<int>("worst");  // of the minute that begins then
    const auto row = [](const char* name, int second, int state, int worst) { QTest::newRow(name) << second << state << worst; };
    const auto number = [](BreakerState state) { return static_cast<int>(state); };
    row("before it ever ran", -200, -1, -1);
    row("in the run before", 20, number(BreakerState::Closed), number(BreakerState::Open));
    row("open when it ended", 90, number(BreakerState::Open), number(BreakerState::Open));
    row("between the runs", 101, -1, -1);
    row("a minute that reaches into this run", 280, -1, number(BreakerState::Closed));
    row("closed since, though it was open when the run before ended", 310, number(BreakerState::Closed), number(BreakerState::Degraded));
    row("this run goes on", 400, number(BreakerState::Degraded), number(BreakerState::Degraded));
}

void PastMinuteTest::whileTheProgramDidNotRun()
{
    QFETCH(int, second);
    QFETCH(int, state);
    QFETCH(int, worst);
    const BreakerHistory history{{{at(0), at(100)}, {at(300), at(390)}},
                                 {{kGroq, BreakerState::Open, at(50), at(100), 5}, {kGroq, BreakerState::Degraded, at(345), at(390), 2}}};
    const auto numberOf = [](const std::optional<BreakerState>& found) { return found ? static_cast<int>(*found) : -1; };
    QCOMPARE(numberOf(stateAt(history, kGroq, at(second))), state);
    QCOMPARE(numberOf(worstDuring(history, kGroq, at(second), at(second + 60))), worst);
}

void PastMinuteTest::wordsTellTheMinute()
{
    Configuration configuration;
    configuration.catalogue = ProviderCatalogue::load().valueOr(nullptr);
    PastMinute minute;
    minute.from = kMinute;
    minute.providers = {{kGroq, BreakerState::Open, 3, 1}, {kOpenAi, BreakerState::Closed, 0, 5}};
    QCOMPARE(MinutePanel::sentenceOf(minute, &configuration), QStringLiteral("Groq open; attempts failed: 3, answered: 6"));
    minute.providers[0].state = BreakerState::Closed;
    QVERIFY(MinutePanel::sentenceOf(minute, &configuration).startsWith(QStringLiteral("every breaker closed")));
    for (ProviderMinute& provider : minute.providers)
        provider.state.reset();
    QVERIFY(MinutePanel::sentenceOf(minute, &configuration).startsWith(QStringLiteral("how the breakers stood is not known")));
}

void PastMinuteTest::bandsAreScrubbed()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    f.core.patchSettings(R"({"resilience":{"providerBreaker":{"apikey":{"degradationThreshold":1,"failureThreshold":1}}}})");
    ask(f, "503");
    Page* page = f.window->openPage(QStringLiteral("overview"));
    auto* bands = page->findChild<QTableView*>(QStringLiteral("breakerBands"));
    auto* line = page->findChild<QLabel*>(QStringLiteral("minuteLine"));
    auto* panel = page->findChild<QWidget*>(QStringLiteral("minutePanel"));
    QTRY_COMPARE(bands->model()->rowCount(), 1);
    const auto state = [bands] { return bands->model()->index(0, BreakerBandsModel::State).data().toString(); };
    QTRY_VERIFY2(state().startsWith(QStringLiteral("open")), qPrintable(state()));
    const QRect band = bands->visualRect(bands->model()->index(0, BreakerBandsModel::Band));
    const QString hint = line->text();

    // The pointer moves the line and tells; when it leaves, now counts again.
    const QImage without = bands->viewport()->grab(band).toImage();
    QTest::mouseMove(bands->viewport(), QPoint(band.left() + CellDelegate::kPadding + 2, band.center().y()));
    QTRY_VERIFY(line->text() != hint);
    QCOMPARE(state(), QStringLiteral("not known"));
    QVERIFY(!panel->isVisible());
    QVERIFY(bands->viewport()->grab(band).toImage() != without);
    // The failure is of the present minute, or of the one before if the clock has gone on since.
    const QPoint present(band.right() - CellDelegate::kPadding - 1, band.center().y());
    const QPoint minuteBefore = present - QPoint((band.width() - 2 * CellDelegate::kPadding) / 5, 0);
    const auto failureIsTold = [line] { return line->text().contains(QStringLiteral("failed: 1")); };
    QTest::mouseMove(bands->viewport(), present);
    if (!QTest::qWaitFor(failureIsTold, 2'000))
        QTest::mouseMove(bands->viewport(), minuteBefore);
    QTRY_VERIFY2(failureIsTold(), qPrintable(line->text()));
    QCOMPARE(state(), QStringLiteral("open"));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(bands->viewport(), &leave);
    QTRY_COMPARE(line->text(), hint);

    // A click keeps the minute, with its requests.
    QTest::mouseClick(bands->viewport(), Qt::LeftButton, {}, present);
    if (!QTest::qWaitFor(failureIsTold, 2'000))
        QTest::mouseClick(bands->viewport(), Qt::LeftButton, {}, minuteBefore);
    QTRY_VERIFY(panel->isVisible());
    auto* events = page->findChild<QTableView*>(QStringLiteral("minuteTable"));
    const auto rowOf = [events](const char* part) {
        for (int row = 0; row < events->model()->rowCount(); ++row) {
            if (events->model()->index(row, 2).data().toString().contains(QLatin1String(part)))
                return row;
        }
        return -1;
    };
    QTRY_VERIFY(rowOf("503") >= 0);
    QVERIFY(rowOf("open") > rowOf("503"));
    QCoreApplication::sendEvent(bands->viewport(), &leave);
    QVERIFY(panel->isVisible());
    bands->setFocus();
    QTest::keyClick(bands, Qt::Key_Escape);
    QVERIFY(!panel->isVisible());
    QTRY_COMPARE(line->text(), hint);

    // By keyboard: Left begins at the present minute, a minute a press, to the left end and back.
    QTest::keyClick(bands, Qt::Key_Left);
    QVERIFY(panel->isVisible());
    const QString now = line->text();
    QTest::keyClick(bands, Qt::Key_Left);
    QVERIFY(line->text() != now);
    QTest::keyClick(bands, Qt::Key_Home);
    const QString first = line->text().section(QLatin1String(": "), 0, 0);
    QTest::keyClick(bands, Qt::Key_Left);
    QCOMPARE(line->text().section(QLatin1String(": "), 0, 0), first);
    QVERIFY(line->text().contains(QStringLiteral("not known")));
    QTest::keyClick(bands, Qt::Key_End);
    if (!QTest::qWaitFor([&] { return rowOf("503") >= 0; }, 2'000))
        QTest::keyClick(bands, Qt::Key_Left);
    QTRY_VERIFY(rowOf("503") >= 0);
    QVERIFY(bands->accessibleDescription().contains(QStringLiteral("open")));
    // A longer span keeps the minute.
    QTest::mouseClick(page->findChild<QToolButton*>(QStringLiteral("span2")), Qt::LeftButton);
    QVERIFY(panel->isVisible());
    QTRY_VERIFY(rowOf("503") >= 0);
    // A failure leads to its request.
    const int failed = rowOf("503");
    QTest::mouseClick(events->viewport(), Qt::LeftButton, {}, events->visualRect(events->model()->index(failed, 2)).center());
    QCOMPARE(f.window->currentPage(), QStringLiteral("requests"));
    auto* detail = f.find<QTableView>(QStringLiteral("attemptTable"));
    QTRY_VERIFY(detail->isVisible() && detail->model()->rowCount() > 0);
    f.window->openPage(QStringLiteral("overview"));
    QTest::mouseClick(page->findChild<QPushButton*>(QStringLiteral("minuteClose")), Qt::LeftButton);
    QVERIFY(!panel->isVisible());
}

OMNI_TEST(PastMinuteTest)
#include "past_minute_test.moc"
