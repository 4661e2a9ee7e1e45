#include "ui/models/connections_filter.h"
#include "ui/models/connections_model.h"
#include "ui/models/display_text.h"
#include "ui/models/holds.h"
#include "ui/models/state_delegate.h"
#include "ui/requests/attempts_model.h"
#include "ui/shell/shell_status.h"

#include "program/test_program.h"

#include <QLocale>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace omni;

namespace {

const WallTime kNow{Millis(1'790'000'000'000)};
constexpr std::size_t kAll = 1'000;

Configuration configurationOf(const std::vector<const char*>& names)
{
    Configuration configuration;
    configuration.catalogue = ProviderCatalogue::load().valueOr(nullptr);
    for (const char* name : names) {
        Connection connection;
        connection.id = ConnectionId(name);
        connection.provider = ProviderId("groq");
        connection.name = name;
        connection.secretRef = "kept";
        configuration.connections.push_back(connection);
    }
    return configuration;
}

ModelLockout lockOf(const char* connection, const char* model, int seconds, int failures = 1)
{
    ModelLockout lock;
    lock.provider = ProviderId("groq");
    lock.connection = ConnectionId(connection);
    lock.model = model;
    lock.reason = FailureReason::NotFound;
    lock.scope = LockoutScope::NotFound;
    lock.failureCount = failures;
    lock.lockedAt = kNow - Millis(8'000);
    lock.until = kNow + Millis(seconds * 1000);
    return lock;
}

ConnectionHealth restOf(const char* connection, int seconds)
{
    ConnectionHealth health;
    health.id = ConnectionId(connection);
    health.coolingSince = kNow;
    health.coolingUntil = kNow + Millis(seconds * 1000);
    return health;
}

}  // namespace

/// Holds of snapshots made up here, in words.
class HoldsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void reasonsHaveWords();
    void everyKindIsListed();
    void whatAddsNothingIsLeftOut();
    void familiesAreNamed_data();
    void familiesAreNamed();
    void manyLocksAreOneTrouble();
    void leftOutTargetsAreTold_data();
    void leftOutTargetsAreTold();
    void connectionsTellOfRestingModels();
    void thousandsOfLocksAreListedShortly();
};

void HoldsTest::reasonsHaveWords()
{
    QStringList seen;
    for (int i = 0; i <= static_cast<int>(FailureReason::Credits); ++i) {
        const QString words = reasonText(static_cast<FailureReason>(i));
        QVERIFY2(!words.isEmpty() && !seen.contains(words), qPrintable(QString::number(i)));
        seen << words;
    }
    QCOMPARE(reasonText(FailureReason::RequestRejected), QStringLiteral("turned away by the provider"));
    QCOMPARE(reasonText(FailureReason::Forbidden), QStringLiteral("forbidden for this key"));
    QCOMPARE(reasonText(FailureReason::Credits), QStringLiteral("out of credit"));
}

void HoldsTest::everyKindIsListed()
{
    const Configuration configuration = configurationOf({"rests", "locked", "waits", "gone", "fine"});
    EngineSnapshot engine;
    BreakerStatus breaker;
    breaker.provider = ProviderId("openai");
    breaker.state = BreakerState::Open;
    breaker.failureCount = 12;
    breaker.heldUntil = kNow + Millis(21'000);
    engine.breakers = {breaker};
    ConnectionHealth rests = restOf("rests", 60);
    rests.evidence = Evidence{};
    rests.evidence->status = 429;
    rests.evidence->header = "Retry-After: 60";
    ConnectionHealth gone;
    gone.id = ConnectionId("gone");
    gone.terminal = TerminalState::CreditsExhausted;
    gone.lastError = "HTTP 402: no credit";
    engine.healths = {rests, gone};
    ModelLockout lock = lockOf("locked", "gpt-4o", 112, 3);
    lock.evidence = Evidence{kNow, RequestId("8f21"), 404, {}, "no such model", "HTTP 404: no such model here", HintSource::Rule,
                             Millis(112'000)};
    engine.lockouts = {lock};
    engine.providerCooldowns = {{ProviderId("groq"), {}, 15, kNow + Millis(600'000), Millis(600'000)},
                                {ProviderId("groq"), ConnectionId("waits"), 2, kNow + Millis(30'000), Millis(30'000)}};

    const HoldList list = listHolds(configuration, engine, kNow, kAll);
    QCOMPARE(list.total, std::size_t{6});
    QCOMPARE(list.clearable, std::size_t{5});
    QCOMPARE(list.connections, std::size_t{2});
    const auto is = [&](std::size_t i, HoldKind kind, Exclusion reason, const char* title, const char* explanation) {
        const HoldItem& hold = list.first[i];
        QVERIFY(hold.kind == kind && hold.reason == reason);
        QCOMPARE(hold.title, QString::fromUtf8(title));
        QCOMPARE(hold.explanation, QString::fromUtf8(explanation));
    };
    is(0, HoldKind::Breaker, Exclusion::CircuitOpen, "OpenAI", "provider breaker, failures ×12");
    is(1, HoldKind::Provider, Exclusion::ProviderCooldown, "Groq", "provider cooldown, 15 failures");
    is(2, HoldKind::Provider, Exclusion::ProviderCooldown, "Groq · waits", "provider cooldown, 2 failures");
    is(3, HoldKind::Connection, Exclusion::ConnectionCooldown, "Groq · rests", "HTTP 429, Retry-After: 60");
    is(4, HoldKind::Model, Exclusion::ModelLockout, "gpt-4o on locked", "Groq: model resting, HTTP 404, not found, 3 failures");
    is(5, HoldKind::Connection, Exclusion::CreditsExhausted, "Groq · gone", "balance is empty; top up, then test");
    QCOMPARE(epochMillis(*list.first[4].until), epochMillis(kNow) + 112'000);
    // "Why?" has an answer: what came, which rule matched, who set the end, how long, what it concerns.
    for (const char* part : {"HTTP 404", "no such model", "HTTP 404: no such model here", "1:52", "set by a rule", "8f21",
                             "other models serve", "after 3 failures"})
        QVERIFY2(list.first[4].evidence.contains(QLatin1String(part)), part);
    QVERIFY(list.first[5].evidence.contains(QStringLiteral("Only you can end it")));
    QVERIFY(list.first[2].evidence.contains(QStringLiteral("combos leave the connection out")));

    const std::vector<HoldItem> concerning = holdsConcerning(configuration, engine, kNow, configuration.connections[1]);
    QCOMPARE(concerning.size(), std::size_t{2});  // its model and its provider
    QVERIFY(whyText(concerning).contains(QStringLiteral("gpt-4o on locked: model resting")));
    QCOMPARE(holdsOf(configuration, engine, kNow).size(), std::size_t{5});
}

void HoldsTest::whatAddsNothingIsLeftOut()
{
    Configuration configuration = configurationOf({"rests", "gone", "off"});
    configuration.connections[2].enabled = false;
    EngineSnapshot engine;
    ConnectionHealth gone;
    gone.id = ConnectionId("gone");
    gone.terminal = TerminalState::Banned;
    engine.healths = {restOf("rests", 60), gone};
    engine.lockouts = {lockOf("gone", "m", 60), lockOf("off", "m", 60), lockOf("unknown", "m", 60), lockOf("rests", "m", -1)};
    engine.providerCooldowns = {{ProviderId("groq"), ConnectionId("rests"), 1, kNow + Millis(30'000), Millis(30'000)}};
    QCOMPARE(listHolds(configuration, engine, kNow, kAll).total, std::size_t{2});
    engine.providerCooldowns[0].until = kNow + Millis(90'000);  // longer than its own rest
    engine.lockouts[3].until = kNow + Millis(10'000);
    QCOMPARE(listHolds(configuration, engine, kNow, kAll).total, std::size_t{4});
}

void HoldsTest::familiesAreNamed_data()
{
    QTest::addColumn<QString>("provider");
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("scope");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, const char* provider, const char* model, LockoutScope scope, const char* text) {
        QTest::newRow(name) << QString::fromLatin1(provider) << QString::fromLatin1(model) << static_cast<int>(scope)
                            << QString::fromLatin1(text);
    };
    row("one model", "openai", "gpt-4o", LockoutScope::Family, "gpt-4o");
    row("codex", "codex", "codex", LockoutScope::Family, "codex models");
    row("a model of codex", "codex", "gpt-5-codex", LockoutScope::NotFound, "gpt-5-codex");
    row("antigravity", "antigravity", "family:gemini", LockoutScope::Family, "gemini models");
}

void HoldsTest::familiesAreNamed()
{
    QFETCH(QString, provider);
    QFETCH(QString, model);
    QFETCH(int, scope);
    QFETCH(QString, text);
    ModelLockout lock;
    lock.provider = ProviderId(toUtf8(provider));
    lock.model = toUtf8(model);
    lock.scope = static_cast<LockoutScope>(scope);
    QCOMPARE(lockedModelText(lock), text);
}

void HoldsTest::manyLocksAreOneTrouble()
{
    const Configuration configuration = configurationOf({"a", "b"});
    EngineSnapshot engine;
    engine.lockouts = {lockOf("a", "gpt-4o", 112)};
    std::vector<Trouble> troubles = troublesOf(configuration, engine, kNow);
    QCOMPARE(troubles.size(), std::size_t{1});
    QCOMPARE(troubles[0].text(kNow), QStringLiteral("gpt-4o on a model resting, 1:52"));
    engine.lockouts.push_back(lockOf("a", "o1", 60));
    engine.lockouts.push_back(lockOf("b", "o1", 60));
    troubles = troublesOf(configuration, engine, kNow);
    QCOMPARE(troubles.size(), std::size_t{1});
    QCOMPARE(troubles[0].text(kNow), QStringLiteral("3 models resting"));
    engine.providerCooldowns = {{ProviderId("groq"), {}, 15, kNow + Millis(60'000), Millis(60'000)}};
    QCOMPARE(troublesOf(configuration, engine, kNow)[0].text(kNow), QStringLiteral("Groq provider resting, 1:00"));
}

void HoldsTest::leftOutTargetsAreTold_data()
{
    QTest::addColumn<int>("reason");
    QTest::addColumn<qint64>("remaining");
    QTest::addColumn<QString>("result");
    QTest::addColumn<QString>("time");
    const auto row = [](const char* name, Exclusion reason, qint64 remaining, const char* result, const char* time) {
        QTest::newRow(name) << static_cast<int>(reason) << remaining << QString::fromLatin1(result) << QString::fromLatin1(time);
    };
    row("model_lockout", Exclusion::ModelLockout, 112'000, "model resting", "left out, for another 1:52");
    row("provider_cooldown", Exclusion::ProviderCooldown, 9'000, "provider resting", "left out, for another 0:09");
    row("context_window", Exclusion::ContextWindow, 0, "prompt too long for this model", "left out");
    row("expired", Exclusion::Expired, 0, "expired", "left out");
    row("the key is tried again", Exclusion::Expired, 299'000, "key refused", "left out, tried again in 4:59");
}

void HoldsTest::leftOutTargetsAreTold()
{
    QFETCH(int, reason);
    QFETCH(qint64, remaining);
    QFETCH(QString, result);
    QFETCH(QString, time);
    RequestRecord record;
    record.excluded = {{ProviderId("groq"), ConnectionId("a"), "work key", "gpt-4o", static_cast<Exclusion>(reason), remaining}};
    AttemptsModel model;
    model.setRecord(record, nullptr);
    QCOMPARE(model.index(0, AttemptsModel::Result).data().toString(), result);
    QCOMPARE(model.index(0, AttemptsModel::Phases).data().toString(), time);
    QVERIFY(model.index(0, AttemptsModel::Result).data(StateDelegate::StateRole).isValid());
}

void HoldsTest::connectionsTellOfRestingModels()
{
    ConnectionsModel model;
    ConnectionsFilter filter;
    filter.setSourceModel(&model);
    const auto configuration = std::make_shared<Configuration>(configurationOf({"a", "b", "c", "d"}));
    EngineSnapshot engine;
    engine.healths = {restOf("c", 60)};
    engine.lockouts = {lockOf("a", "gpt-4o", 112, 3), lockOf("a", "o1", 30), lockOf("b", "o1", 30), lockOf("c", "o1", 30)};
    model.setConfiguration(configuration, engine, kNow);
    const auto cell = [&model](const char* id, int column, int role = Qt::DisplayRole) {
        return model.index(model.rowOf(ConnectionId(id)), column).data(role);
    };
    QCOMPARE(cell("a", ConnectionsModel::State).toString(), QStringLiteral("2 models resting"));
    QCOMPARE(cell("b", ConnectionsModel::State).toString(), QStringLiteral("one model resting"));
    QCOMPARE(cell("c", ConnectionsModel::State).toString(), QStringLiteral("resting"));
    QCOMPARE(cell("d", ConnectionsModel::State).toString(), QStringLiteral("serving"));
    const QString tip = cell("a", ConnectionsModel::State, Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QStringLiteral("gpt-4o: not found, 3 failures, until")), qPrintable(tip));
    QVERIFY2(tip.contains(QStringLiteral("o1: not found, 1 failure")), qPrintable(tip));
    QCOMPARE(cell("a", ConnectionsModel::Remaining, RemainingDelegate::DeadlineRole).toLongLong(), epochMillis(kNow) + 112'000);
    QCOMPARE(model.summary(), QStringLiteral("4 connections: 1 resting, 3 serving, 2 of them with models resting"));
    filter.setShow(ConnectionsFilter::Show::OutOfService);
    QCOMPARE(filter.rowCount(), 3);
    filter.setShow(ConnectionsFilter::Show::Serving);
    QCOMPARE(filter.rowCount(), 3);

    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setEngine(engine, kNow + Millis(1'000));
    QCOMPARE(changes.count(), 0);
    model.expire(engine, kNow + Millis(30'000));
    QCOMPARE(cell("a", ConnectionsModel::State).toString(), QStringLiteral("one model resting"));
    QCOMPARE(cell("b", ConnectionsModel::State).toString(), QStringLiteral("serving"));

    // The provider cooldown shows where nothing else holds.
    engine.lockouts.clear();
    engine.providerCooldowns = {{ProviderId("groq"), {}, 15, kNow + Millis(60'000), Millis(60'000)}};
    model.setEngine(engine, kNow + Millis(30'000));
    QCOMPARE(cell("c", ConnectionsModel::State).toString(), QStringLiteral("resting"));
    QCOMPARE(cell("d", ConnectionsModel::State).toString(), QStringLiteral("provider resting"));
}

void HoldsTest::thousandsOfLocksAreListedShortly()
{
    Configuration configuration = configurationOf({"a"});
    EngineSnapshot engine;
    for (int i = 0; i < 20'000; ++i)
        engine.lockouts.push_back(lockOf("a", ("m" + std::to_string(i)).c_str(), 20'000 - i));
    const HoldList list = listHolds(configuration, engine, kNow, 50);
    QCOMPARE(list.total, std::size_t{20'000});
    QCOMPARE(list.first.size(), std::size_t{50});
    QCOMPARE(list.first.front().model, std::string("m19999"));
    QBENCHMARK_ONCE {
        listHolds(configuration, engine, kNow, 50);
    }
}

OMNI_TEST(HoldsTest)
#include "holds_test.moc"
