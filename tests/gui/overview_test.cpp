#include "gui/window_fixture.h"
#include "program/test_program.h"
#include "support/http_client.h"
#include "ui/charts/chart_math.h"
#include "ui/charts/live_chart.h"
#include "ui/models/breaker_bands_model.h"
#include "ui/models/failure_history.h"
#include "ui/models/holds.h"
#include "ui/models/standing.h"
#include "ui/models/state_delegate.h"
#include "ui/overview/holds_panel.h"
#include "ui/overview/providers_panel.h"
#include "ui/overview/stat_tile.h"
#include "ui/overview/traffic_figures.h"
#include "ui/theme/colours.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QDialog>
#include <QImage>
#include <QLocale>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

#include <limits>

using namespace omni;
using omni::test::HttpClient;
using omni::test::WindowFixture;

namespace {

const WallTime kNow{Millis(1'790'000'000'000)};

TrafficSample sampleAt(int secondsAgo, int requests, Millis length = Millis(1000))
{
    TrafficSample sample;
    sample.at = kNow - Millis(secondsAgo * 1000);
    sample.requests = sample.answered = requests;
    sample.length = length;
    return sample;
}

BreakerStatus breakerOf(const char* provider, BreakerState state, int failures, int holdSeconds = 0)
{
    BreakerStatus breaker;
    breaker.provider = ProviderId(provider);
    breaker.state = state;
    breaker.failureCount = failures;
    breaker.failureThreshold = 12;
    breaker.degradationThreshold = 7;
    if (holdSeconds > 0)
        breaker.heldUntil = kNow + Millis(holdSeconds * 1000);
    return breaker;
}

Connection connectionOf(const char* id, const char* provider)
{
    Connection connection;
    connection.id = ConnectionId(id);
    connection.provider = ProviderId(provider);
    connection.name = id;
    connection.secretRef = "kept";
    return connection;
}

/// Whether any pixel comes near `colour`.
bool shows(const QImage& image, const QColor& colour)
{
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            if (std::abs(pixel.red() - colour.red()) + std::abs(pixel.green() - colour.green()) + std::abs(pixel.blue() - colour.blue()) <
                12)
                return true;
        }
    }
    return false;
}

}  // namespace

class OverviewTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void axesEndAtRoundNumbers_data();
    void axesEndAtRoundNumbers();
    void axesGrowAtOnceAndShrinkLate();
    void thinningKeepsTheExtremes();
    void figuresComeFromTheRightTimes();
    void percentilesAreWeighed();
    void sharesAreNeverRoundedUp_data();
    void sharesAreNeverRoundedUp();
    void standings_data();
    void standings();
    void holdsStandInTheOrderOfNeed();
    void bandsFollowTheSpans();
    void bandsHaveAGapWhereTheProgramDidNotRun();
    void bandsAnnounceOnlyWhatDiffers();
    void failuresAreRemembered();
    void chartTellsItsValues();
    void chartDrawsNothingWhileHidden();
    void chartFollowsTheTheme();
    void holdsKeepTheirRows();
    void pageShowsWhatIsOut();
    void pageRestsWhileHidden();
    void chosenProviderShowsItsFailures();
    void countsBelowTheThresholdsAreDrawn();
    void emptyPageLeadsToTheFirstConnection();
};

void OverviewTest::axesEndAtRoundNumbers_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("end");
    QTest::newRow("nothing") << 0.0 << 1.0;
    QTest::newRow("below one") << 0.3 << 0.5;
    QTest::newRow("exactly") << 2.0 << 2.0;
    QTest::newRow("just above") << 2.01 << 5.0;
    QTest::newRow("tens") << 31.0 << 50.0;
    QTest::newRow("next power") << 67'000.0 << 100'000.0;
    QTest::newRow("no number") << std::numeric_limits<double>::quiet_NaN() << 1.0;
}

void OverviewTest::axesEndAtRoundNumbers()
{
    QFETCH(double, value);
    QFETCH(double, end);
    QCOMPARE(niceCeiling(value), end);
}

void OverviewTest::axesGrowAtOnceAndShrinkLate()
{
    AxisScale axis(1.0);
    QCOMPARE(axis.fit(31.0), 50.0);
    for (int i = 0; i < 9; ++i)
        QCOMPARE(axis.fit(3.0), 50.0);
    QCOMPARE(axis.fit(45.0), 50.0);  // a peak begins the waiting anew
    for (int i = 0; i < 9; ++i)
        QCOMPARE(axis.fit(3.0), 50.0);
    QCOMPARE(axis.fit(3.0), 5.0);
    QCOMPARE(axis.fit(80.0), 100.0);
    QCOMPARE(axis.reset(3.0), 5.0);
}

void OverviewTest::thinningKeepsTheExtremes()
{
    QList<QPointF> points;
    for (int i = 0; i < 5000; ++i)
        points << QPointF(i, i == 1234 ? 900.0 : i == 4321 ? -900.0 : i % 7);
    const QList<QPointF> few = thinned(points, 600);
    QVERIFY(few.size() <= 600);
    QVERIFY(few.contains(QPointF(1234, 900.0)));
    QVERIFY(few.contains(QPointF(4321, -900.0)));
    QVERIFY(std::is_sorted(few.begin(), few.end(), [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); }));
    QCOMPARE(thinned(points.mid(0, 600), 600), points.mid(0, 600));
}

void OverviewTest::figuresComeFromTheRightTimes()
{
    std::deque<TrafficSample> seconds;
    seconds.push_back(sampleAt(120, 40));
    seconds.back().tokensIn = 9'000;
    seconds.push_back(sampleAt(30, 10));
    seconds.back().tokensIn = 700;
    seconds.back().tokensOut = 300;
    for (int age = 9; age >= 0; --age)
        seconds.push_back(sampleAt(age, age % 2 == 0 ? 20 : 10));
    std::vector<TrafficSample> hour{sampleAt(1800, 500, Millis(10'000)), sampleAt(0, 200)};
    hour[0].answered = 480;
    hour[0].failed = 20;
    hour[0].viaAnotherTarget = 7;

    const TrafficFigures figures = figuresOf(seconds, hour, kNow);
    QCOMPARE(figures.perSecond, 15.0);
    QCOMPARE(figures.peakPerSecond, 200.0);
    QCOMPARE(figures.answered, 680);
    QCOMPARE(figures.failed, 20);
    QCOMPARE(figures.viaAnotherTarget, 7);
    QCOMPARE(figures.tokensIn, 700);
    QCOMPARE(figures.tokensOut, 300);
}

void OverviewTest::percentilesAreWeighed()
{
    std::deque<TrafficSample> seconds{sampleAt(5, 98), sampleAt(4, 1), sampleAt(3, 1), sampleAt(2, 0)};
    seconds[0].addedP50Us = seconds[0].addedP99Us = 100;
    seconds[1].addedP50Us = seconds[1].addedP99Us = 5'000;
    seconds[2].addedP50Us = seconds[2].addedP99Us = 90'000;
    seconds[3].addedP50Us = seconds[3].addedP99Us = 1;
    const TrafficFigures figures = figuresOf(seconds, {}, kNow);
    QCOMPARE(figures.addedP50Us.value_or(-1), 100);
    QCOMPARE(figures.addedP99Us.value_or(-1), 5'000);
    QVERIFY(!figures.firstFrameP50Us);
    QVERIFY(!figuresOf({}, {}, kNow).addedP50Us);
}

void OverviewTest::sharesAreNeverRoundedUp_data()
{
    QTest::addColumn<qint64>("part");
    QTest::addColumn<qint64>("whole");
    QTest::addColumn<QString>("text");
    QTest::newRow("nothing asked") << qint64(0) << qint64(0) << QStringLiteral("–");
    QTest::newRow("all") << qint64(2118) << qint64(2118) << QStringLiteral("100 %");
    QTest::newRow("one of a million") << qint64(999'999) << qint64(1'000'000) << QStringLiteral("99.99 %");
    QTest::newRow("most") << qint64(985) << qint64(1000) << QStringLiteral("98.5 %");
    QTest::newRow("none") << qint64(0) << qint64(12) << QStringLiteral("0 %");
}

void OverviewTest::sharesAreNeverRoundedUp()
{
    QFETCH(qint64, part);
    QFETCH(qint64, whole);
    QFETCH(QString, text);
    QCOMPARE(shareText(part, whole), text);
}

void OverviewTest::standings_data()
{
    QTest::addColumn<int>("cooling");   // seconds, 0 = none
    QTest::addColumn<int>("breaker");   // seconds, 0 = closed
    QTest::addColumn<int>("terminal");
    QTest::addColumn<bool>("enabled");
    QTest::addColumn<bool>("unreadable");
    QTest::addColumn<bool>("key");
    QTest::addColumn<int>("reason");
    QTest::addColumn<int>("until");
    const auto row = [](const char* name, int cooling, int breaker, TerminalState terminal, bool enabled, bool unreadable, bool key,
                        Exclusion reason, int until) {
        QTest::newRow(name) << cooling << breaker << static_cast<int>(terminal) << enabled << unreadable << key << static_cast<int>(reason)
                            << until;
    };
    const auto none = TerminalState::None;
    row("serving", 0, 0, none, true, false, true, Exclusion::None, 0);
    row("resting", 60, 0, none, true, false, true, Exclusion::ConnectionCooldown, 60);
    row("rest is over", -5, 0, none, true, false, true, Exclusion::None, 0);
    row("breaker open", 0, 21, none, true, false, true, Exclusion::CircuitOpen, 21);
    row("the longer hold counts: breaker", 10, 21, none, true, false, true, Exclusion::CircuitOpen, 21);
    row("the longer hold counts: rest", 60, 21, none, true, false, true, Exclusion::ConnectionCooldown, 60);
    row("expired outranks both", 60, 21, TerminalState::Expired, true, false, true, Exclusion::Expired, 0);
    row("no credit", 0, 0, TerminalState::CreditsExhausted, true, false, true, Exclusion::CreditsExhausted, 0);
    row("banned", 0, 0, TerminalState::Banned, true, false, true, Exclusion::Banned, 0);
    row("unreadable outranks terminal", 0, 0, TerminalState::Expired, true, true, true, Exclusion::SecretUnreadable, 0);
    row("no key", 0, 0, none, true, false, false, Exclusion::SecretMissing, 0);
    row("disabled outranks all", 60, 21, TerminalState::Banned, false, true, false, Exclusion::Disabled, 0);
}

void OverviewTest::standings()
{
    QFETCH(int, cooling);
    QFETCH(int, breaker);
    QFETCH(int, terminal);
    QFETCH(bool, enabled);
    QFETCH(bool, unreadable);
    QFETCH(bool, key);
    QFETCH(int, reason);
    QFETCH(int, until);
    Configuration configuration;
    const auto catalogue = ProviderCatalogue::load();
    QVERIFY(catalogue.ok());
    configuration.catalogue = *catalogue;
    Connection connection = connectionOf("one", "openai");
    connection.enabled = enabled;
    connection.secretRef = key ? "kept" : "";
    ConnectionHealth health;
    health.id = connection.id;
    health.terminal = static_cast<TerminalState>(terminal);
    health.secretUnreadable = unreadable;
    if (cooling != 0)
        health.coolingUntil = kNow + Millis(cooling * 1000);
    const BreakerStatus status = breakerOf("openai", breaker > 0 ? BreakerState::Open : BreakerState::Closed, 12, breaker);

    const Standing standing = standingOf(connection, configuration, &health, &status, kNow);
    QCOMPARE(static_cast<int>(standing.reason), reason);
    QCOMPARE(standing.until.has_value(), until > 0);
    if (until > 0)
        QCOMPARE(epochMillis(*standing.until), epochMillis(kNow) + until * 1000);
}

void OverviewTest::holdsStandInTheOrderOfNeed()
{
    Configuration configuration;
    const auto catalogue = ProviderCatalogue::load();
    QVERIFY(catalogue.ok());
    configuration.catalogue = *catalogue;
    for (const char* id : {"expired", "late", "soon", "fine"})
        configuration.connections.push_back(connectionOf(id, "groq"));
    EngineSnapshot engine;
    engine.breakers = {breakerOf("openai", BreakerState::Open, 12, 21), breakerOf("glm", BreakerState::Degraded, 7)};
    ConnectionHealth expired;
    expired.id = ConnectionId("expired");
    expired.terminal = TerminalState::Expired;
    ConnectionHealth late;
    late.id = ConnectionId("late");
    late.coolingUntil = kNow + Millis(900'000);
    ConnectionHealth soon;
    soon.id = ConnectionId("soon");
    soon.coolingUntil = kNow + Millis(9'000);
    soon.evidence = Evidence{};
    soon.evidence->status = 429;
    soon.evidence->header = "Retry-After: 9";
    engine.healths = {expired, late, soon};

    const HoldList list = listHolds(configuration, engine, kNow, 100);
    const std::vector<HoldItem>& holds = list.first;
    QCOMPARE(holds.size(), std::size_t{4});
    QCOMPARE(list.total, std::size_t{4});
    QCOMPARE(list.clearable, std::size_t{3});
    QCOMPARE(list.connections, std::size_t{3});
    QCOMPARE(holdsOf(configuration, engine, kNow).size(), std::size_t{4});
    QCOMPARE(listHolds(configuration, engine, kNow, 2).first, std::vector<HoldItem>(holds.begin(), holds.begin() + 2));
    QCOMPARE(listHolds(configuration, engine, kNow, 2).total, std::size_t{4});
    QCOMPARE(holds[0].provider.str(), std::string("openai"));
    QVERIFY(holds[0].connection.empty() && holds[0].clearable());
    QCOMPARE(holds[1].connection.str(), std::string("soon"));
    QCOMPARE(holds[1].explanation, QStringLiteral("HTTP 429, Retry-After: 9"));
    QCOMPARE(holds[2].connection.str(), std::string("late"));
    QCOMPARE(holds[3].connection.str(), std::string("expired"));
    QVERIFY(!holds[3].clearable());
}

void OverviewTest::bandsFollowTheSpans()
{
    Configuration configuration;
    const auto catalogue = ProviderCatalogue::load();
    QVERIFY(catalogue.ok());
    configuration.catalogue = *catalogue;
    configuration.connections = {connectionOf("a", "openai"), connectionOf("b", "anthropic"), connectionOf("c", "groq")};
    configuration.connections[2].enabled = false;
    EngineSnapshot engine;
    engine.breakers = {breakerOf("openai", BreakerState::Open, 12, 30)};
    const BreakerHistory history{{{kNow - Millis(225'000), kNow}},
                                 {{ProviderId("openai"), BreakerState::Degraded, kNow - Millis(150'000), kNow - Millis(75'000), 8},
                                  {ProviderId("openai"), BreakerState::Open, kNow - Millis(75'000), kNow, 12}}};
    BreakerBandsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.update(configuration, engine, history, Millis(300'000), kNow);

    QCOMPARE(model.rowCount(), 2);  // the disabled one is not in use
    const int row = model.rowOf(ProviderId("openai"));
    const auto band = model.index(row, BreakerBandsModel::Band).data(BreakerBandDelegate::BandRole).value<BandSegments>().segments;
    QCOMPARE(band.size(), std::size_t{3});
    QCOMPARE(band[0], (BandSegment{0.25, 0.5, BreakerState::Closed}));  // before the program's start nothing is known
    QCOMPARE(band[1], (BandSegment{0.5, 0.75, BreakerState::Degraded}));
    QCOMPARE(band[2], (BandSegment{0.75, 1.0, BreakerState::Open}));
    QCOMPARE(model.index(row, BreakerBandsModel::State).data().toString(), QStringLiteral("open, 0:30"));
    QVERIFY(
        model.index(row, BreakerBandsModel::Band).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("degraded for 1:15")));
    const auto calm = model.index(model.rowOf(ProviderId("anthropic")), BreakerBandsModel::Band).data(BreakerBandDelegate::BandRole);
    QCOMPARE(calm.value<BandSegments>().segments, (std::vector<BandSegment>{{0.25, 1.0, BreakerState::Closed}}));
    QCOMPARE(model.mostTroubled().str(), std::string("openai"));
}

void OverviewTest::bandsHaveAGapWhereTheProgramDidNotRun()
{
    Configuration configuration;
    configuration.catalogue = ProviderCatalogue::load().valueOr(nullptr);
    configuration.connections = {connectionOf("a", "openai")};
    const BreakerHistory history{{{kNow - Millis(300'000), kNow - Millis(225'000)}, {kNow - Millis(150'000), kNow - Millis(1'000)}},
                                 {{ProviderId("openai"), BreakerState::Open, kNow - Millis(240'000), kNow - Millis(225'000), 12}}};
    BreakerBandsModel model;
    model.update(configuration, {}, history, Millis(300'000), kNow);
    const auto band = model.index(0, BreakerBandsModel::Band).data(BreakerBandDelegate::BandRole).value<BandSegments>().segments;
    QCOMPARE(band, (std::vector<BandSegment>{{0.0, 0.2, BreakerState::Closed}, {0.2, 0.25, BreakerState::Open}, {0.5, 1.0, BreakerState::Closed}}));
}

void OverviewTest::bandsAnnounceOnlyWhatDiffers()
{
    Configuration configuration;
    const auto catalogue = ProviderCatalogue::load();
    QVERIFY(catalogue.ok());
    configuration.catalogue = *catalogue;
    configuration.connections = {connectionOf("a", "openai"), connectionOf("b", "anthropic")};
    EngineSnapshot engine;
    const BreakerHistory calm{{{kNow - Millis(400'000), kNow}}, {}};
    BreakerBandsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.update(configuration, engine, calm, Millis(300'000), kNow);
    QVERIFY(model.mostTroubled().empty());
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.update(configuration, engine, calm, Millis(300'000), kNow + Millis(1000));
    QCOMPARE(changes.count(), 0);
    engine.breakers = {breakerOf("openai", BreakerState::Degraded, 7)};
    model.update(configuration, engine, calm, Millis(300'000), kNow + Millis(2000));
    QCOMPARE(changes.count(), 1);
    QCOMPARE(changes.first().at(0).toModelIndex(), model.index(model.rowOf(ProviderId("openai")), BreakerBandsModel::State));
    QCOMPARE(resets.count(), 0);
}

void OverviewTest::failuresAreRemembered()
{
    FailureHistory history;
    EngineSnapshot engine;
    BreakerStatus breaker = breakerOf("openai", BreakerState::Closed, 2);
    breaker.history = {{BreakerState::Degraded, BreakerState::Closed, kNow - Millis(200'000), 0, ""}};
    engine.breakers = {breaker};
    history.add(engine, kNow - Millis(100'000));
    history.add(engine, kNow - Millis(90'000));  // nothing new
    engine.breakers[0].failureCount = 5;
    history.add(engine, kNow - Millis(40'000));
    // Nothing is known of the time before the transition that the first snapshot told of.
    const QList<QPointF> expected{{-200'000, 0}, {-100'000, 0}, {-100'000, 2}, {-40'000, 2}, {-40'000, 5}, {0, 5}};
    QCOMPARE(history.line(ProviderId("openai"), Millis(300'000), kNow), expected);
    // What happened before the left edge is its height there.
    QCOMPARE(history.line(ProviderId("openai"), Millis(60'000), kNow).first(), QPointF(-60'000, 2));
    const QList<QPointF> flat{{-60'000, 0}, {0, 0}};
    QCOMPARE(history.line(ProviderId("groq"), Millis(60'000), kNow), flat);
    QCOMPARE(history.line(ProviderId("groq"), Millis(300'000), kNow).first(), QPointF(-100'000, 0));
}

void OverviewTest::chartTellsItsValues()
{
    LiveChart chart;
    chart.setTitle(QStringLiteral("Traffic"));
    chart.setScale(LiveChart::Scale::Left, [](double value) { return QString::number(value); }, 1);
    chart.setLines({{QStringLiteral("requests"), ChartTone::Accent, LiveChart::Scale::Left},
                    {QStringLiteral("other"), ChartTone::Good, LiveChart::Scale::Left}});
    chart.replace({{{-2000, 4}, {-1000, 9}, {0, 6}}, {}});
    QCOMPARE(chart.accessibleName(), QStringLiteral("Traffic"));
    QCOMPARE(chart.summary(), QStringLiteral("requests: now 6, lowest 4, highest 9. other: nothing yet."));
    QCOMPARE(chart.valuesAsText(), QStringLiteral("Seconds ago\trequests\tother\n2\t4\t\n1\t9\t\n0\t6\t"));

    chart.resize(500, 200);
    chart.show();
    QVERIFY(QTest::qWaitForWindowActive(&chart));
    chart.setFocus();
    QVERIFY(chart.accessibleDescription().contains(QStringLiteral("highest 9")));
    QTest::keyClick(&chart, Qt::Key_End);
    QCOMPARE(chart.accessibleDescription(), QStringLiteral("requests 6"));
    QTest::keyClick(&chart, Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("Seconds ago")));
}

void OverviewTest::chartDrawsNothingWhileHidden()
{
    LiveChart chart;
    chart.setScale(LiveChart::Scale::Left, [](double value) { return QString::number(value); }, 1);
    chart.setLines({{QStringLiteral("line"), ChartTone::Accent, LiveChart::Scale::Left}});
    chart.setSpan(10'000);
    chart.resize(400, 200);
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    const QColor accent = coloursFor(chart.palette()).accent;
    chart.replace({{{-10'000, 1}, {0, 1}}});
    QTRY_VERIFY(shows(chart.grab().toImage(), accent));
    chart.hide();
    chart.replace({{{-9000, 5}}});  // only remembered
    QCOMPARE(chart.summary(), QStringLiteral("line: now 5, lowest 5, highest 5."));
    chart.replace({{{-10'000, 3}, {0, 3}}});
    chart.show();
    QTRY_VERIFY(shows(chart.grab().toImage(), accent));
}

void OverviewTest::chartFollowsTheTheme()
{
    LiveChart chart;
    chart.setScale(LiveChart::Scale::Left, [](double value) { return QString::number(value); }, 1);
    chart.setLines({{QStringLiteral("line"), ChartTone::Accent, LiveChart::Scale::Left}});
    chart.setSpan(10'000);
    chart.setPalette(paletteFrom(lightColours()));
    chart.resize(400, 200);
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    chart.replace({{{-10'000, 1}, {0, 1}}});
    QTRY_VERIFY(shows(chart.grab().toImage(), lightColours().accent));
    QVERIFY(!shows(chart.grab().toImage(), darkColours().accent));
    chart.setPalette(paletteFrom(darkColours()));
    QTRY_VERIFY(shows(chart.grab().toImage(), darkColours().accent));
    QVERIFY(!shows(chart.grab().toImage(), lightColours().accent));
}

void OverviewTest::holdsKeepTheirRows()
{
    HoldsPanel panel;
    const auto hold = [](const char* id, int seconds) {
        HoldItem item;
        item.reason = Exclusion::ConnectionCooldown;
        item.connection = ConnectionId(id);
        item.title = QString::fromLatin1(id);
        item.until = wallNow() + Millis(seconds * 1000);
        return item;
    };
    const HoldItem a = hold("a", 60);
    const HoldItem b = hold("b", 90);
    panel.setHolds(HoldList{{a, b}, 2, 2});
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    const QList<QPushButton*> buttons = panel.findChildren<QPushButton*>(QStringLiteral("holdAction"));
    QCOMPARE(buttons.size(), 2);
    buttons[1]->setFocus();
    panel.setHolds(HoldList{{b, a}, 2, 2});
    QVERIFY(buttons[1]->hasFocus());
    QTRY_VERIFY(buttons[1]->mapTo(&panel, QPoint()).y() < buttons[0]->mapTo(&panel, QPoint()).y());

    QSignalSpy cleared(&panel, &HoldsPanel::clearRequested);
    QTest::mouseClick(buttons[1], Qt::LeftButton);
    QCOMPARE(cleared.count(), 1);
    QVERIFY(!buttons[1]->isEnabled());  // until the engine has spoken

    std::vector<HoldItem> many;
    for (int i = 0; i < 50; ++i)
        many.push_back(hold(qPrintable(QString::number(i)), 100 + i));
    panel.setHolds(HoldList{many, 300, 300});
    QTRY_COMPARE(panel.findChildren<QPushButton*>(QStringLiteral("holdAction")).size(), 50);
    auto* more = panel.findChild<QPushButton*>(QStringLiteral("moreHolds"));
    QVERIFY(more->isVisible() && more->text().contains(QStringLiteral("250")));
    panel.setHolds({});
    QVERIFY(!more->isVisible());
}

void OverviewTest::pageShowsWhatIsOut()
{
    WindowFixture fixture;
    QVERIFY2(fixture.start(), fixture.core.error().c_str());
    fixture.core.addSandboxConnection("resting");
    HttpClient client(fixture.core.port());
    client.postJson("/v1/chat/completions", R"({"model":"sandbox/rate-limited?seconds=90","messages":[{"role":"user","content":"x"}]})");
    Page* page = fixture.window->openPage(QStringLiteral("overview"));
    QTRY_VERIFY(!page->findChildren<QPushButton*>(QStringLiteral("holdAction")).isEmpty());
    QTRY_VERIFY(page->findChild<StatTile*>(QStringLiteral("tileAnswered"))->accessibleName().contains(QLatin1Char('%')));

    while (!page->findChildren<QPushButton*>(QStringLiteral("holdAction")).isEmpty()) {
        const auto buttons = page->findChildren<QPushButton*>(QStringLiteral("holdAction"));
        QVERIFY(buttons.first()->accessibleName().startsWith(QStringLiteral("Clear now")));
        QTest::mouseClick(buttons.first(), Qt::LeftButton);
        QTRY_VERIFY(page->findChildren<QPushButton*>(QStringLiteral("holdAction")).size() < buttons.size());
    }
    QVERIFY(fixture.window->messages().text().contains(QStringLiteral("serves again")));
    const auto snapshot = fixture.core.read<EngineSnapshot>([](Control& control) { return control.engineSnapshot(); });
    for (const ConnectionHealth& health : snapshot.healths)
        QVERIFY(!health.coolingUntil || *health.coolingUntil <= wallNow());
}

void OverviewTest::pageRestsWhileHidden()
{
    WindowFixture fixture;
    QVERIFY2(fixture.start(), fixture.core.error().c_str());
    auto* timer = fixture.window->openPage(QStringLiteral("overview"))->findChild<QTimer*>(QStringLiteral("refreshTimer"));
    QTRY_VERIFY(timer->isActive());
    fixture.window->openPage(QStringLiteral("connections"));
    QVERIFY(!timer->isActive());
    fixture.window->openPage(QStringLiteral("overview"));
    QVERIFY(timer->isActive());
    fixture.window->hide();
    QVERIFY(!timer->isActive());
}

void OverviewTest::chosenProviderShowsItsFailures()
{
    WindowFixture fixture;
    QVERIFY2(fixture.start(), fixture.core.error().c_str());
    fixture.core.addSandboxConnection("one");
    Page* page = fixture.window->openPage(QStringLiteral("overview"));
    auto* bands = page->findChild<QTableView*>(QStringLiteral("breakerBands"));
    auto* failures = page->findChild<LiveChart*>(QStringLiteral("failureChart"));
    QTRY_COMPARE(bands->model()->rowCount(), 1);
    QVERIFY(!failures->isVisible());  // all is well
    QTest::mouseClick(bands->viewport(), Qt::LeftButton, {}, bands->visualRect(bands->model()->index(0, 0)).center());
    QTRY_VERIFY(failures->isVisible());
    QVERIFY(failures->accessibleName().startsWith(QStringLiteral("Sandbox")));
    QTest::mouseClick(bands->viewport(), Qt::LeftButton, {}, bands->visualRect(bands->model()->index(0, 0)).center());
    QTRY_VERIFY(!failures->isVisible());
    // By keyboard, too.
    bands->setFocus();
    bands->setCurrentIndex(bands->model()->index(0, 0));
    QTest::keyClick(bands, Qt::Key_Return);
    QTRY_VERIFY(failures->isVisible());

    QTest::mouseClick(page->findChild<QToolButton*>(QStringLiteral("span1")), Qt::LeftButton);
    QCOMPARE(page->findChild<ProvidersPanel*>()->span(), Millis(3'600'000));
}

void OverviewTest::countsBelowTheThresholdsAreDrawn()
{
    WindowFixture fixture;
    QVERIFY2(fixture.start(), fixture.core.error().c_str());
    Page* page = fixture.window->openPage(QStringLiteral("overview"));
    auto* failures = page->findChild<LiveChart*>(QStringLiteral("failureChart"));
    HttpClient client(fixture.core.port());
    client.postJson("/v1/chat/completions", R"({"model":"sandbox/503","messages":[{"role":"user","content":"x"}]})");
    // One failure changes no state; its provider is looked at all the same.
    QTRY_VERIFY(failures->isVisible());
    QTRY_VERIFY2(failures->summary().contains(QStringLiteral("now 1, lowest 0, highest 1")), qPrintable(failures->summary()));
}

void OverviewTest::emptyPageLeadsToTheFirstConnection()
{
    WindowFixture fixture;
    QVERIFY2(fixture.start(), fixture.core.error().c_str());
    const auto configuration = fixture.core.read<ConfigurationPtr>([](Control& control) { return control.configuration(); });
    std::vector<ConnectionId> all;
    for (const Connection& connection : configuration->connections)
        all.push_back(connection.id);
    QVERIFY(!all.empty());  // a first start brings the sandbox
    QVERIFY(
        fixture.core.ask<std::string>([all](Control& control, Reply<std::string> reply) { control.removeConnections(all, reply); }).ok());
    Page* page = fixture.window->openPage(QStringLiteral("overview"));
    QPushButton* action = nullptr;
    QTRY_VERIFY((action = page->findChild<QPushButton*>(QStringLiteral("emptyAction"), Qt::FindChildrenRecursively)) &&
                action->isVisible());
    for (QPushButton* button : page->findChildren<QPushButton*>(QStringLiteral("emptyAction"))) {
        if (button->isVisible())
            action = button;
    }
    QTest::mouseClick(action, Qt::LeftButton);
    QTRY_VERIFY(fixture.window->findChild<QDialog*>(QStringLiteral("connectionDialog")));
    QCOMPARE(fixture.window->currentPage(), QStringLiteral("connections"));
}

OMNI_TEST(OverviewTest)
#include "overview_test.moc"
