#include "gui/held_fixture.h"
#include "program/test_program.h"
#include "ui/cooldowns/held_model.h"
#include "ui/cooldowns/hold_history.h"
#include "ui/cooldowns/hold_story.h"
#include "ui/lockouts/lockouts_model.h"
#include "ui/models/state_delegate.h"

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace omni;
using namespace omni::test;

namespace {

QString cell(const QAbstractItemModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

QStringList names(const HeldModel& model)
{
    QStringList list;
    for (int row = 0; row < model.rowCount(); ++row)
        list << cell(model, row, HeldModel::Name);
    return list;
}

std::vector<HeldRow> linesOf(const HeldModel& model)
{
    std::vector<HeldRow> lines;
    for (int row = 0; row < model.rowCount(); ++row)
        lines.push_back(*model.rowAt(row));
    return lines;
}

}  // namespace

/// What the Cooldown Manager's table makes of the engine's facts, without a window.
class CooldownsModelTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void everyKindHasItsLine();
    void terminalStatesSayWhatEndsThem_data();
    void terminalStatesSayWhatEndsThem();
    void linesMoveWithoutAReset();
    void anyChangeLeadsToTheSameTable();
    void modelsStayWithTheirConnection();
    void manyModelsAreFolded();
    void filtersFind();
    void whatIsOverGoes();
    void countsForTheRail();
    void theStoryNamesEverything();
    void meanwhileIsCounted();
    void failuresAreToldEachAndAnswersByTheRun();
    void theLastHourIsGathered();
    void lockoutsFollowTheEngine();
};

void CooldownsModelTest::everyKindHasItsLine()
{
    const HeldFacts facts = HeldFacts::ofEveryKind();
    HeldModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setFacts(facts.configuration, facts.engine, kHeldNow);
    QCOMPARE(names(model), (QStringList{QStringLiteral("all 6 connections"), QStringLiteral("rests"), QStringLiteral("locked"),
                                        QStringLiteral("gpt-4o"), QStringLiteral("o3"), QStringLiteral("gone")}));
    const auto is = [&](int row, const char* state, const char* reason, const char* level, const char* error) {
        QCOMPARE(cell(model, row, HeldModel::State), QString::fromUtf8(state));
        QCOMPARE(cell(model, row, HeldModel::Reason), QString::fromUtf8(reason));
        QCOMPARE(cell(model, row, HeldModel::Level), QString::fromUtf8(level));
        QCOMPARE(cell(model, row, HeldModel::LastError), QString::fromUtf8(error));
    };
    is(0, "open", "breaker, HTTP 503", "2", "HTTP 503");
    is(1, "resting", "rate limit", "3", "HTTP 429");
    is(2, "serving", "2 models resting", "0", "–");
    is(3, "model", "quota used up", "4", "HTTP 429");
    is(4, "model", "not found", "1", "HTTP 404");
    is(5, "no credit", "out of credit", "0", "HTTP 402");
    QVERIFY(!model.index(2, HeldModel::Remaining).data(RemainingDelegate::DeadlineRole).isValid());
    QCOMPARE(model.index(3, HeldModel::Remaining).data(RemainingDelegate::DeadlineRole).toLongLong(), epochMillis(kHeldNow) + 60'000);
    QVERIFY(!model.index(5, HeldModel::Remaining).data(RemainingDelegate::DeadlineRole).isValid());
    // The level is under its head, and no state goes without a shape.
    QVERIFY(model.index(0, HeldModel::State).data(StateDelegate::StateRole).isValid());
}

void CooldownsModelTest::terminalStatesSayWhatEndsThem_data()
{
    QTest::addColumn<int>("terminal");
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("remedy");
    const auto row = [](const char* name, TerminalState terminal, const char* state, const char* remedy) {
        QTest::newRow(name) << static_cast<int>(terminal) << QString::fromUtf8(state) << QString::fromUtf8(remedy);
    };
    row("banned", TerminalState::Banned, "banned", "needs another key");
    row("expired", TerminalState::Expired, "expired", "needs a new key");
    row("credits", TerminalState::CreditsExhausted, "no credit", "top up, then test");
}

void CooldownsModelTest::terminalStatesSayWhatEndsThem()
{
    QFETCH(int, terminal);
    QFETCH(QString, state);
    QFETCH(QString, remedy);
    HeldFacts facts = HeldFacts::of({"key"});
    facts.engine.healths[0].terminal = static_cast<TerminalState>(terminal);
    // Locked models of a connection that is out for good add nothing.
    facts.lock("key", "gpt-4o", 60);
    HeldModel model;
    model.setFacts(facts.configuration, facts.engine, kHeldNow);
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(cell(model, 0, HeldModel::State), state);
    QCOMPARE(cell(model, 0, HeldModel::Remaining), remedy);
    QVERIFY(!model.rowAt(0)->passing() && model.rowAt(0)->lasting());
}

void CooldownsModelTest::linesMoveWithoutAReset()
{
    HeldFacts facts = HeldFacts::of({"a", "b", "c", "d"});
    for (const char* name : {"a", "b", "c"})
        facts.rest(name, 60);
    HeldModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setFacts(facts.configuration, facts.engine, kHeldNow);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    const QPersistentModelIndex b = model.index(1, HeldModel::Name);
    QCOMPARE(b.data().toString(), QStringLiteral("b"));

    // The same once more is nothing at all.
    model.setFacts(facts.configuration, facts.engine, kHeldNow);
    QCOMPARE(inserted.count() + removed.count() + changed.count(), 0);
    // One rest is prolonged: it moves behind the others, and whoever looked at it still does.
    facts.rest("b", 90);
    facts.rest("d", 10);
    facts.end("a");
    model.setFacts(facts.configuration, facts.engine, kHeldNow);
    QCOMPARE(names(model), (QStringList{QStringLiteral("d"), QStringLiteral("c"), QStringLiteral("b")}));
    QVERIFY(b.isValid());
    QCOMPARE(b.row(), 2);
    QCOMPARE(inserted.count(), 1);
    QCOMPARE(removed.count(), 1);
    QCOMPARE(resets.count(), 0);
}

/// Whatever came before, a table shows what a new one would.
void CooldownsModelTest::anyChangeLeadsToTheSameTable()
{
    constexpr int kConnections = 12;
    QRandomGenerator random(20128);
    std::vector<std::string> keys;
    for (int i = 0; i < kConnections; ++i)
        keys.push_back("key " + std::to_string(i));
    HeldModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    for (int round = 0; round < 150; ++round) {
        HeldFacts facts = HeldFacts::of(keys);
        for (const std::string& key : keys) {
            if (random.bounded(3) == 0)
                facts.rest(key.c_str(), 1 + static_cast<int>(random.bounded(100)));
            const int locks = static_cast<int>(random.bounded(4));
            for (int i = 0; i < locks; ++i)
                facts.lock(key.c_str(), ("model " + std::to_string(random.bounded(5))).c_str(), 1 + static_cast<int>(random.bounded(100)));
        }
        const int column = static_cast<int>(random.bounded(int{HeldModel::ColumnCount}));
        const auto order = random.bounded(2) == 0 ? Qt::AscendingOrder : Qt::DescendingOrder;
        model.sort(column, order);
        model.setFacts(facts.configuration, facts.engine, kHeldNow);
        HeldModel fresh;
        fresh.sort(column, order);
        fresh.setFacts(facts.configuration, facts.engine, kHeldNow);
        QVERIFY2(linesOf(model) == linesOf(fresh), qPrintable(names(model).join(QLatin1Char(','))));
    }
    QCOMPARE(resets.count(), 0);
}

void CooldownsModelTest::modelsStayWithTheirConnection()
{
    HeldFacts facts = HeldFacts::of({"a", "b"});
    facts.lock("a", "zeta", 10);
    facts.lock("b", "alpha", 500);
    facts.lock("b", "gamma", 20);
    HeldModel model;
    model.setFacts(facts.configuration, facts.engine, kHeldNow);
    for (int column = 0; column < HeldModel::ColumnCount; ++column) {
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(column, order);
            QCOMPARE(model.rowCount(), 5);
            ConnectionId head;
            for (int row = 0; row < model.rowCount(); ++row) {
                if (model.rowAt(row)->kind == HeldRow::Kind::Connection)
                    head = model.rowAt(row)->connection;
                else
                    QVERIFY(model.rowAt(row)->connection == head);
            }
        }
    }
    model.sort(HeldModel::Name, Qt::DescendingOrder);
    QCOMPARE(names(model), (QStringList{QStringLiteral("b"), QStringLiteral("gamma"), QStringLiteral("alpha"), QStringLiteral("a"),
                                        QStringLiteral("zeta")}));
}

void CooldownsModelTest::manyModelsAreFolded()
{
    HeldFacts facts = HeldFacts::of({"few", "many"});
    for (int i = 0; i < 6; ++i)
        facts.lock("few", ("f" + std::to_string(i)).c_str(), 60);
    for (int i = 0; i < 7; ++i)
        facts.lock("many", ("m" + std::to_string(i)).c_str(), 60);
    HeldModel model;
    model.setFacts(facts.configuration, facts.engine, kHeldNow);
    QCOMPARE(model.rowCount(), 1 + 6 + 1);
    const int many = model.rowOf("c/many");
    QVERIFY(model.index(many, HeldModel::State).data(HeldModel::FoldRole).toBool());
    model.setFolded("c/many", false);
    model.setFolded("c/few", true);
    QCOMPARE(model.rowCount(), 1 + 1 + 7);
    // As the user left it, whatever the engine says next.
    facts.rest("few", 5);
    model.setFacts(facts.configuration, facts.engine, kHeldNow);
    QCOMPARE(model.rowCount(), 1 + 1 + 7);
    model.foldAll(true);
    QCOMPARE(model.rowCount(), 2);
    // A model that is looked for is found although it is folded away.
    model.setText(QStringLiteral("m3"));
    QCOMPARE(names(model), (QStringList{QStringLiteral("many"), QStringLiteral("m3")}));
    model.setText({});
    QVERIFY(model.reveal("m/few/2/f4") > 0);
}

void CooldownsModelTest::filtersFind()
{
    const HeldFacts facts = HeldFacts::ofEveryKind();
    HeldModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setFacts(facts.configuration, facts.engine, kHeldNow);
    const auto found = [&](const char* text) {
        model.setText(QString::fromUtf8(text));
        return names(model);
    };
    QCOMPARE(found("RESTS groq"), QStringList{QStringLiteral("rests")});
    QCOMPARE(found("o3"), (QStringList{QStringLiteral("locked"), QStringLiteral("o3")}));
    QCOMPARE(found("no credit"), QStringList{QStringLiteral("gone")});
    QCOMPARE(found("nowhere"), QStringList());
    QCOMPARE(found("").size(), 6);
    model.setShow(HeldModel::Show::Lasting);
    QCOMPARE(names(model), QStringList{QStringLiteral("gone")});
    model.setShow(HeldModel::Show::Passing);
    QCOMPARE(model.rowCount(), 5);
    model.setProvider(ProviderId("openai"));
    QCOMPARE(model.rowCount(), 1);
    QVERIFY(model.filtering());
    QCOMPARE(model.providers().size(), std::size_t{2});
}

void CooldownsModelTest::whatIsOverGoes()
{
    HeldFacts facts = HeldFacts::of({"a", "b"});
    facts.rest("a", 5);
    facts.lock("b", "m", 9);
    HeldModel model;
    model.setFacts(facts.configuration, facts.engine, kHeldNow);
    QVERIFY(!model.anythingOver(kHeldNow + Millis(4'999)));
    QVERIFY(model.anythingOver(kHeldNow + Millis(5'000)));
    model.setFacts(facts.configuration, facts.engine, kHeldNow + Millis(5'000));
    QCOMPARE(names(model), (QStringList{QStringLiteral("b"), QStringLiteral("m")}));
    model.setFacts(facts.configuration, facts.engine, kHeldNow + Millis(9'000));
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(!model.anythingOver(kHeldNow + Millis(99'000)));
}

void CooldownsModelTest::countsForTheRail()
{
    // A breaker, one that rests, one without credit; models at rest leave their connection in service.
    HeldFacts facts = HeldFacts::ofEveryKind();
    QCOMPARE(countHeld(facts.configuration, facts.engine, kHeldNow), 3);
    facts.configuration.connections[0].enabled = false;
    QCOMPARE(countHeld(facts.configuration, facts.engine, kHeldNow), 2);
    QCOMPARE(countHeld(facts.configuration, EngineSnapshot(), kHeldNow), 0);
}

void CooldownsModelTest::theStoryNamesEverything()
{
    const HeldFacts facts = HeldFacts::ofEveryKind();
    HeldModel model;
    model.setFacts(facts.configuration, facts.engine, kHeldNow);
    const auto told = [&](int row) { return storyText(storyOf(*model.rowAt(row), facts.configuration, facts.engine), {}); };
    const auto holds = [](const QString& text, std::initializer_list<const char*> parts) {
        for (const char* part : parts)
            QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(QString::fromUtf8(part) + QStringLiteral(" not in ") + text));
    };
    holds(told(0), {"Why does nothing go to “OpenAI”?", "HTTP 503", "8 of 5 failures"});
    holds(told(1), {"Why is “Groq · rests” resting?", "set by request 8f21", "HTTP 429", "Retry-After: 120", "rate reached",
                    "Rule that matched: HTTP 429: rate limit", "asked for in a header", "2:00", "Backoff level 3", "never trips"});
    holds(told(3), {"Why is “gpt-4o on Groq · locked” resting?", "from our own ladder", "1:00", "Failures that count: 4", "this quota"});
    holds(told(5), {"Why is “Groq · gone” out of service?", "What ends it", "Top up the account"});
    const HoldStory story = storyOf(*model.rowAt(1), facts.configuration, facts.engine);
    QCOMPARE(story.request.str(), std::string("8f21"));
    QVERIFY(story.until == kHeldNow + Millis(120'000));
}

void CooldownsModelTest::meanwhileIsCounted()
{
    HeldFacts facts = HeldFacts::of({"rests", "home"});
    facts.rest("rests", 60);
    HeldModel model;
    model.setFacts(facts.configuration, facts.engine, kHeldNow);
    const HeldRow& row = *model.rowAt(0);
    const auto record = [&](int secondsAfter, Outcome outcome, const char* by) {
        RequestRecord made;
        made.startedAt = *row.since + Millis(secondsAfter * 1000);
        made.outcome = outcome;
        made.provider = ProviderId("groq");
        made.connection = ConnectionId(by);
        made.connectionName = by;
        made.excluded = {{ProviderId("groq"), ConnectionId("rests"), "rests", "m", Exclusion::ConnectionCooldown, 1000}};
        return made;
    };
    std::vector<RequestRecord> records;
    QVERIFY(meanwhileOf(row, records, facts.configuration).label.isEmpty());
    records.push_back(record(-5, Outcome::Answered, "home"));  // before it rested
    QVERIFY(meanwhileOf(row, records, facts.configuration).label.isEmpty());
    records.push_back(record(1, Outcome::Answered, "home"));
    QCOMPARE(meanwhileOf(row, records, facts.configuration).value, QStringLiteral("One request went to “Groq · home”."));
    records.push_back(record(2, Outcome::Answered, "home"));
    QCOMPARE(meanwhileOf(row, records, facts.configuration).value, QStringLiteral("2 requests went to “Groq · home”."));
    records.push_back(record(3, Outcome::Answered, "spare"));
    records.push_back(record(4, Outcome::UpstreamFailed, ""));
    QCOMPARE(meanwhileOf(row, records, facts.configuration).value,
             QStringLiteral("3 requests went to others, most of them to “Groq · home”. One request found nobody."));
}

void CooldownsModelTest::failuresAreToldEachAndAnswersByTheRun()
{
    std::vector<RequestRecord> records;
    const auto add = [&records](int second, bool success) {
        RequestRecord record;
        record.id = RequestId("r" + std::to_string(second));
        record.startedAt = kHeldNow + Millis(second * 1000);
        AttemptRecord attempt;
        attempt.connection = ConnectionId("mine");
        attempt.model = "gpt-4o";
        attempt.success = success;
        attempt.status = success ? 200 : 429;
        attempt.reason = success ? FailureReason::Unknown : FailureReason::RateLimitExceeded;
        AttemptRecord other;
        other.connection = ConnectionId("other");
        record.attempts = {other, attempt};
        records.push_back(record);
    };
    add(1, true);
    add(2, true);
    add(3, false);
    add(4, true);
    const std::vector<HoldEvent> events = eventsOf(ConnectionId("mine"), records, 10);
    QCOMPARE(events.size(), std::size_t{3});
    QCOMPARE(events[0].text, QStringLiteral("answered"));
    QCOMPARE(events[1].text, QStringLiteral("HTTP 429, rate limit for gpt-4o"));
    QCOMPARE(events[1].request.str(), std::string("r3"));
    QCOMPARE(events[2].text, QStringLiteral("answered 2 requests"));
    QVERIFY(events[2].at == kHeldNow + Millis(2'000));
    QCOMPARE(eventsOf(ConnectionId("mine"), records, 1).size(), std::size_t{1});
    QVERIFY(eventsOf(ConnectionId("nobody"), records, 10).empty());
}

void CooldownsModelTest::theLastHourIsGathered()
{
    HeldFacts facts = HeldFacts::of({"key"});
    HoldHistory hours;
    const ConnectionId key("key");
    QVERIFY(hours.spans(key, kHeldNow).empty());
    hours.add(facts.configuration, facts.engine, kHeldNow);
    facts.rest("key", 60, kHeldNow + Millis(600'000));
    hours.add(facts.configuration, facts.engine, kHeldNow + Millis(600'100));
    facts.end("key");
    hours.add(facts.configuration, facts.engine, kHeldNow + Millis(660'000));
    std::vector<HoldSpan> spans = hours.spans(key, kHeldNow + Millis(900'000));
    QCOMPARE(spans.size(), std::size_t{3});
    QVERIFY((spans[0] == HoldSpan{kHeldNow, kHeldNow + Millis(600'000), Exclusion::None}));
    QVERIFY((spans[1] == HoldSpan{kHeldNow + Millis(600'000), kHeldNow + Millis(660'000), Exclusion::ConnectionCooldown}));
    QVERIFY(spans[2].state == Exclusion::None && spans[2].to == kHeldNow + Millis(900'000));
    // An hour later nothing of it is left but that it serves.
    spans = hours.spans(key, kHeldNow + Millis(4'400'000));
    QCOMPARE(spans.size(), std::size_t{1});
    QVERIFY(spans[0].from == kHeldNow + Millis(800'000));
}

void CooldownsModelTest::lockoutsFollowTheEngine()
{
    HeldFacts facts = HeldFacts::of({"work", "home"});
    facts.lock("work", "gpt-4o", 60, 3, LockoutScope::Family);
    facts.lock("home", "o3", 90, 1, LockoutScope::NotFound);
    // One of a connection that is switched off is a lock all the same.
    facts.configuration.connections[1].enabled = false;
    LockoutsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.setFacts(facts.configuration, facts.engine, kHeldNow);
    const auto row = [&model](int at) {
        QStringList cells;
        for (const int column : {LockoutsModel::Model, LockoutsModel::Provider, LockoutsModel::Connection, LockoutsModel::Scope,
                                 LockoutsModel::Reason, LockoutsModel::Failures})
            cells << cell(model, at, column);
        return cells.join(QLatin1Char('|'));
    };
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(row(0), QStringLiteral("o3|Groq|home|this name|rate limit|1"));  // the longest first
    QCOMPARE(row(1), QStringLiteral("gpt-4o|Groq|work|its quota|rate limit|3"));
    model.setText(QStringLiteral("quota gpt"));
    QCOMPARE(model.rowCount(), 1);
    model.setText({});
    model.sort(LockoutsModel::Failures, Qt::DescendingOrder);
    QCOMPARE(cell(model, 0, LockoutsModel::Model), QStringLiteral("gpt-4o"));
    model.setFacts(facts.configuration, facts.engine, kHeldNow + Millis(60'000));
    QCOMPARE(model.rowCount(), 1);
    QVERIFY(model.anythingOver(kHeldNow + Millis(90'000)));
    QCOMPARE(resets.count(), 0);
}

OMNI_TEST(CooldownsModelTest)
#include "cooldowns_model_test.moc"
