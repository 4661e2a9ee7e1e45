#include "control/control.h"
#include "program/test_program.h"
#include "store/request_history.h"
#include "support/control_fixture.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <regex>

using namespace omni;
using omni::test::ControlFixture;

namespace {

QString fieldsOf(const Error& error)
{
    QStringList fields;
    for (const FieldError& detail : error.details)
        fields << QString::fromStdString(detail.field);
    return fields.join(QLatin1Char(' '));
}

}  // namespace

/// Everything that changes the configuration, on a real store.
class ControlTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_fixture = std::make_unique<ControlFixture>(); }
    void cleanup() { m_fixture.reset(); }

    void savesANewConnection();
    void changesAConnection();
    void anotherKeyReplacesTheFirst();
    void refusals_data();
    void refusals();
    void proxyPasswordGoesWithTheProxy();
    void aKeyThatCannotBeKept();
    void aChangeThatCannotBeKept();
    void secretsOfTheSandbox();
    void secretsNeverReachTheDatabase();

    void removesAndRestores();
    void removalIsAllOrNothing();
    void removalEndsAfterTenMinutes();
    void removalEndsWithTheProgram();
    void restoringMeetsATakenName();
    void enablesAndDisables();
    void duplicates();

    void changesAreMadeOneAfterTheOther();
    void aFailureDoesNotStopTheNextChange();

    void nodes();
    void combosAndAliases();
    void apiKeys();
    void apiKeysThatOpenNothing_data();
    void apiKeysThatOpenNothing();
    void useOfAKeyIsShownLater();
    void keyWithoutItsLastConnectionStaysClosed();

private:
    std::unique_ptr<ControlFixture> m_fixture;
};

void ControlTest::savesANewConnection()
{
    ControlFixture& f = *m_fixture;
    QSignalSpy changed(f.control.get(), &Control::configurationChanged);
    ConnectionDraft draft = ControlFixture::draft("  Work key \n", " sk-test-0123456789abcdef\n");
    draft.connection.priority = 3;
    draft.connection.baseUrl = " https://eu.api.openai.com/v1/ ";
    const auto saved = f.save(draft);
    QVERIFY2(saved.ok(), saved ? "" : describe(saved.error()).c_str());
    QVERIFY(!saved->id.empty());
    QCOMPARE(saved->name, std::string("Work key"));
    QCOMPARE(saved->baseUrl, std::string("https://eu.api.openai.com/v1"));
    QCOMPARE(saved->keyHint, std::string("sk-test-…cdef"));
    QVERIFY(saved->createdAt == f.clock.wall() && saved->updatedAt == f.clock.wall());
    QCOMPARE(changed.count(), 1);
    QCOMPARE(f.control->secretOf(*saved).valueOr({}), std::string("sk-test-0123456789abcdef"));

    const std::string id = saved->id.str();
    f.restart();
    const Connection* loaded = f.find("Work key");
    QVERIFY(loaded);
    QCOMPARE(loaded->id.str(), id);
    QCOMPARE(loaded->priority, 3);
    QCOMPARE(f.control->secretOf(*loaded).valueOr({}), std::string("sk-test-0123456789abcdef"));
}

void ControlTest::changesAConnection()
{
    ControlFixture& f = *m_fixture;
    const auto first = f.save(ControlFixture::draft("Key"));
    QVERIFY(first.ok());
    f.clock.advance(Millis(5'000));
    ConnectionDraft draft;
    draft.connection = *first;
    draft.connection.name = "Renamed";
    draft.connection.enabled = false;
    // What an editor cannot know or must not change is taken from what is stored.
    draft.connection.secretRef.clear();
    draft.connection.keyHint = "forged";
    draft.connection.createdAt = fromEpochMillis(1);
    const auto second = f.save(draft);
    QVERIFY(second.ok());
    QCOMPARE(second->secretRef, first->secretRef);
    QCOMPARE(second->keyHint, first->keyHint);
    QVERIFY(second->createdAt == first->createdAt);
    QVERIFY(second->updatedAt == first->updatedAt + Millis(5'000));
    QCOMPARE(f.control->configuration()->connections.size(), std::size_t{1});
    QVERIFY(!f.find("Renamed")->enabled);
}

void ControlTest::anotherKeyReplacesTheFirst()
{
    ControlFixture& f = *m_fixture;
    const auto first = f.save(ControlFixture::draft("Key", "sk-first-0123456789abcdef"));
    f.engine->noteSecretUnreadable(first->id, true);
    ConnectionDraft draft;
    draft.connection = *first;
    draft.secret = "sk-second-0123456789abcdef";
    const auto second = f.save(draft);
    QVERIFY(second.ok());
    QVERIFY(second->secretRef != first->secretRef);
    QCOMPARE(f.control->secretOf(*second).valueOr({}), std::string("sk-second-0123456789abcdef"));
    QTRY_COMPARE(f.secrets.values.size(), std::size_t{1});
    QVERIFY(!f.engine->health(first->id).secretUnreadable);
}

void ControlTest::refusals_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("fields");
    QTest::newRow("no key") << "no key"
                            << "apiKey";
    QTest::newRow("key taken away") << "key taken away"
                                    << "apiKey";
    QTest::newRow("key on two lines") << "key on two lines"
                                      << "apiKey";
    QTest::newRow("key of other letters") << "key of other letters"
                                          << "apiKey";
    QTest::newRow("name taken") << "name taken"
                                << "name";
    QTest::newRow("another provider") << "another provider"
                                      << "provider";
    QTest::newRow("unknown id") << "unknown id"
                                << "";
    QTest::newRow("proxy password on two lines") << "proxy password on two lines"
                                                 << "proxyPassword";
    QTest::newRow("proxy without scheme") << "proxy without scheme"
                                          << "proxyUrl";
}

void ControlTest::refusals()
{
    QFETCH(QString, what);
    QFETCH(QString, fields);
    ControlFixture& f = *m_fixture;
    const auto first = f.save(ControlFixture::draft("Key"));
    QVERIFY(first.ok());
    ConnectionDraft draft = ControlFixture::draft("New");
    if (what == QLatin1String("no key"))
        draft.secret.reset();
    if (what == QLatin1String("key taken away")) {
        draft.connection = *first;
        draft.secret = "";
    }
    if (what == QLatin1String("key on two lines"))
        draft.secret = "sk-one\nsk-two";
    if (what == QLatin1String("key of other letters"))
        draft.secret = "sk-ключ";
    if (what == QLatin1String("name taken"))
        draft.connection.name = "KEY";
    if (what == QLatin1String("another provider")) {
        draft.connection = *first;
        draft.connection.provider = ProviderId("anthropic");
    }
    if (what == QLatin1String("unknown id"))
        draft.connection.id = ConnectionId("nobody");
    if (what == QLatin1String("proxy password on two lines")) {
        draft.connection.proxyUrl = "http://127.0.0.1:3128";
        draft.proxySecret = "user:pa\nss";
    }
    if (what == QLatin1String("proxy without scheme"))
        draft.connection.proxyUrl = "127.0.0.1:3128";
    const ConfigurationPtr before = f.control->configuration();
    const auto secretsBefore = f.secrets.values;
    const auto saved = f.save(draft);
    QVERIFY(!saved.ok());
    QCOMPARE(fieldsOf(saved.error()), fields);
    QVERIFY(saved.error().kind == (fields.isEmpty() ? ErrorKind::NotFound : ErrorKind::InvalidArgument));
    QCOMPARE(f.control->configuration(), before);
    QVERIFY(f.secrets.values == secretsBefore);
}

void ControlTest::proxyPasswordGoesWithTheProxy()
{
    ControlFixture& f = *m_fixture;
    ConnectionDraft draft = ControlFixture::draft("Key");
    draft.connection.proxyUrl = "http://127.0.0.1:3128";
    draft.proxySecret = "me:secret";
    const auto first = f.save(draft);
    QVERIFY2(first.ok(), first ? "" : describe(first.error()).c_str());
    QCOMPARE(f.control->proxySecretOf(*first).valueOr({}), std::string("me:secret"));
    ConnectionDraft changed;
    changed.connection = *first;
    changed.connection.priority = 2;
    QCOMPARE(f.save(changed)->proxySecretRef, first->proxySecretRef);
    changed.connection.proxyUrl.clear();
    const auto second = f.save(changed);
    QVERIFY(second.ok() && second->proxySecretRef.empty());
    QTRY_COMPARE(f.secrets.values.size(), std::size_t{1});
    QVERIFY(f.control->secretOf(*second).ok());
}

void ControlTest::aKeyThatCannotBeKept()
{
    ControlFixture& f = *m_fixture;
    f.secrets.failWrites = true;
    const auto saved = f.save(ControlFixture::draft("Key"));
    QVERIFY(!saved.ok());
    QVERIFY(saved.error().kind == ErrorKind::Secret);
    QVERIFY(f.control->configuration()->connections.empty());
    f.restart();
    QVERIFY(f.control->configuration()->connections.empty());
}

void ControlTest::aChangeThatCannotBeKept()
{
    ControlFixture& f = *m_fixture;
    const auto first = f.save(ControlFixture::draft("Key", "sk-first-0123456789abcdef"));
    QVERIFY(f.store->close().ok());
    QSignalSpy changed(f.control.get(), &Control::configurationChanged);
    ConnectionDraft draft;
    draft.connection = *first;
    draft.secret = "sk-second-0123456789abcdef";
    const auto second = f.save(draft);
    QVERIFY(!second.ok());
    // The old key is whole, the new one is gone, and nobody was told of a change.
    QTRY_COMPARE(f.secrets.values.size(), std::size_t{1});
    QCOMPARE(f.control->secretOf(*f.find("Key")).valueOr({}), std::string("sk-first-0123456789abcdef"));
    QCOMPARE(changed.count(), 0);
}

void ControlTest::secretsOfTheSandbox()
{
    ControlFixture& f = *m_fixture;
    ConnectionDraft draft;
    draft.connection.provider = ProviderId("sandbox");
    draft.connection.name = "Sandbox";
    draft.secret = "sk-whatever";
    const auto saved = f.save(draft);
    QVERIFY2(saved.ok(), saved ? "" : describe(saved.error()).c_str());
    QVERIFY(saved->secretRef.empty());
    QVERIFY(f.secrets.values.empty());
    QCOMPARE(f.control->secretOf(*saved).valueOr({}), std::string("run-time-key"));
    QVERIFY(!f.engine->health(saved->id).secretUnreadable);
}

void ControlTest::secretsNeverReachTheDatabase()
{
    ControlFixture& f = *m_fixture;
    ConnectionDraft draft = ControlFixture::draft("Key", "sk-live-QzXcVbNm1234567890");
    draft.connection.proxyUrl = "http://127.0.0.1:3128";
    draft.proxySecret = "proxyuser:Pr0xyPassw0rd";
    QVERIFY(f.save(draft).ok());
    ApiKey key;
    key.name = "Laptop";
    const auto created = f.wait<CreatedApiKey>([&](Reply<CreatedApiKey> reply) { f.control->createApiKey(key, std::move(reply)); });
    QVERIFY(created.ok());
    const std::string whole = created->key;
    f.stop();
    QVERIFY(omni::test::anyFileContains(f.folder.path(), "Laptop"));
    QVERIFY(!omni::test::anyFileContains(f.folder.path(), "QzXcVbNm"));
    QVERIFY(!omni::test::anyFileContains(f.folder.path(), "Pr0xyPassw0rd"));
    QVERIFY(!omni::test::anyFileContains(f.folder.path(), whole.substr(12)));
}

void ControlTest::removesAndRestores()
{
    ControlFixture& f = *m_fixture;
    for (const char* name : {"One", "Two", "Three"})
        QVERIFY(f.save(ControlFixture::draft(name)).ok());
    const Connection before = *f.find("Two");
    const auto token = f.wait<std::string>([&](Reply<std::string> reply) {
        f.control->removeConnections({f.idOf("One"), before.id}, std::move(reply));
    });
    QVERIFY(token.ok() && !token->empty());
    QCOMPARE(f.control->configuration()->connections.size(), std::size_t{1});
    f.clock.advance(Millis(599'000));
    f.scheduler->advance(Micros(0));
    const auto restored =
        f.wait<std::vector<Connection>>([&](Reply<std::vector<Connection>> reply) { f.control->undoRemove(*token, std::move(reply)); });
    QVERIFY2(restored.ok(), restored ? "" : describe(restored.error()).c_str());
    QCOMPARE(restored->size(), std::size_t{2});
    QVERIFY(f.find("One") && f.find("Two") && f.find("Three"));
    QCOMPARE(f.find("Two")->secretRef, before.secretRef);
    QVERIFY(f.control->secretOf(*f.find("Two")).ok());

    const auto again =
        f.wait<std::vector<Connection>>([&](Reply<std::vector<Connection>> reply) { f.control->undoRemove(*token, std::move(reply)); });
    QVERIFY(!again.ok());
    QVERIFY(again.error().kind == ErrorKind::NotFound);
    f.scheduler->advance(Millis(700'000));
    f.restart();
    QVERIFY(f.find("Two"));
    QVERIFY(f.control->secretOf(*f.find("Two")).ok());
}

void ControlTest::removalIsAllOrNothing()
{
    ControlFixture& f = *m_fixture;
    QVERIFY(f.save(ControlFixture::draft("One")).ok());
    const auto unknown = f.wait<std::string>([&](Reply<std::string> reply) {
        f.control->removeConnections({f.idOf("One"), ConnectionId("nobody")}, std::move(reply));
    });
    QVERIFY(!unknown.ok());
    QVERIFY(unknown.error().kind == ErrorKind::NotFound);
    QVERIFY(f.find("One"));
    const auto none = f.wait<std::string>([&](Reply<std::string> reply) { f.control->removeConnections({}, std::move(reply)); });
    QVERIFY(!none.ok());
    QVERIFY(none.error().kind == ErrorKind::InvalidArgument);
}

void ControlTest::removalEndsAfterTenMinutes()
{
    ControlFixture& f = *m_fixture;
    QVERIFY(f.save(ControlFixture::draft("One")).ok());
    const auto token =
        f.wait<std::string>([&](Reply<std::string> reply) { f.control->removeConnections({f.idOf("One")}, std::move(reply)); });
    QVERIFY(token.ok());
    f.scheduler->advance(Millis(599'999));
    QCOMPARE(f.secrets.values.size(), std::size_t{1});
    f.scheduler->advance(Millis(1));
    QTRY_COMPARE(f.secrets.values.size(), std::size_t{0});
    const auto undone =
        f.wait<std::vector<Connection>>([&](Reply<std::vector<Connection>> reply) { f.control->undoRemove(*token, std::move(reply)); });
    QVERIFY(!undone.ok());
}

void ControlTest::removalEndsWithTheProgram()
{
    ControlFixture& f = *m_fixture;
    QVERIFY(f.save(ControlFixture::draft("One")).ok());
    QVERIFY(f.save(ControlFixture::draft("Two")).ok());
    QVERIFY(f.wait<std::string>([&](Reply<std::string> reply) { f.control->removeConnections({f.idOf("One")}, std::move(reply)); }).ok());
    QCOMPARE(f.secrets.values.size(), std::size_t{2});
    f.restart();
    QTRY_COMPARE(f.secrets.values.size(), std::size_t{1});
    QVERIFY(f.control->secretOf(*f.find("Two")).ok());
}

void ControlTest::restoringMeetsATakenName()
{
    ControlFixture& f = *m_fixture;
    QVERIFY(f.save(ControlFixture::draft("One")).ok());
    const auto token =
        f.wait<std::string>([&](Reply<std::string> reply) { f.control->removeConnections({f.idOf("One")}, std::move(reply)); });
    QVERIFY(f.save(ControlFixture::draft("One")).ok());
    const auto restored =
        f.wait<std::vector<Connection>>([&](Reply<std::vector<Connection>> reply) { f.control->undoRemove(*token, std::move(reply)); });
    QVERIFY(restored.ok());
    QCOMPARE(restored->front().name, std::string("One (restored)"));
    QCOMPARE(f.control->configuration()->connections.size(), std::size_t{2});
}

void ControlTest::enablesAndDisables()
{
    ControlFixture& f = *m_fixture;
    QVERIFY(f.save(ControlFixture::draft("One")).ok());
    QVERIFY(f.save(ControlFixture::draft("Two")).ok());
    const auto set = [&](std::vector<ConnectionId> ids, bool enabled) {
        return f.wait<int>([&](Reply<int> reply) { f.control->setConnectionsEnabled(ids, enabled, std::move(reply)); });
    };
    QCOMPARE(set({f.idOf("One"), f.idOf("Two")}, false).valueOr(-1), 2);
    QVERIFY(!f.find("One")->enabled && !f.find("Two")->enabled);
    QCOMPARE(set({f.idOf("One")}, true).valueOr(-1), 1);
    QCOMPARE(set({f.idOf("One")}, true).valueOr(-1), 0);
    const auto unknown = set({f.idOf("Two"), ConnectionId("nobody")}, true);
    QVERIFY(!unknown.ok() && unknown.error().kind == ErrorKind::NotFound);
    QVERIFY(!f.find("Two")->enabled);
    f.restart();
    QVERIFY(f.find("One")->enabled && !f.find("Two")->enabled);

    // Enabling anew ends what nothing else but another key would end.
    const auto ban = [&](const Connection& connection) {
        const EngineTarget target{connection.provider, ProviderClass::ApiKey, connection, "m"};
        Failure failure;
        failure.status = 402;
        failure.body = R"({"error":{"message":"You exceeded your current quota, insufficient_quota","code":"insufficient_quota"}})";
        f.engine->recordFailure(target, f.engine->acquire(target), failure);
        return f.engine->health(connection.id).terminal != TerminalState::None;
    };
    QVERIFY(ban(*f.find("One")));
    QCOMPARE(set({f.idOf("One")}, false).valueOr(-1), 1);
    QVERIFY(f.engine->health(f.idOf("One")).terminal != TerminalState::None);
    QCOMPARE(set({f.idOf("One")}, true).valueOr(-1), 1);
    QVERIFY(f.engine->health(f.idOf("One")).terminal == TerminalState::None);
    QVERIFY(ban(*f.find("One")));
    ConnectionDraft draft;
    draft.connection = *f.find("One");
    draft.connection.enabled = false;
    QVERIFY(f.save(draft).ok());
    draft.connection.enabled = true;
    QVERIFY(f.save(draft).ok());
    QVERIFY(f.engine->health(f.idOf("One")).terminal == TerminalState::None);
}

void ControlTest::duplicates()
{
    ControlFixture& f = *m_fixture;
    QVERIFY(f.save(ControlFixture::draft("One")).ok());
    const auto duplicate = [&] {
        return f.wait<Connection>([&](Reply<Connection> reply) { f.control->duplicateConnection(f.idOf("One"), std::move(reply)); });
    };
    const auto first = duplicate(), second = duplicate();
    QVERIFY(first.ok() && second.ok());
    QCOMPARE(first->name, std::string("One (copy)"));
    QCOMPARE(second->name, std::string("One (copy 2)"));
    QVERIFY(!first->enabled);
    QVERIFY(first->secretRef != f.find("One")->secretRef);
    QCOMPARE(f.control->secretOf(*first).valueOr({}), f.control->secretOf(*f.find("One")).valueOr("?"));
    QCOMPARE(first->keyHint, f.find("One")->keyHint);
    f.secrets.locked = true;
    const auto locked = duplicate();
    QVERIFY(!locked.ok() && locked.error().kind == ErrorKind::Secret);
}

void ControlTest::changesAreMadeOneAfterTheOther()
{
    ControlFixture& f = *m_fixture;
    int replies = 0;
    for (int i = 0; i < 40; ++i)
        f.control->saveConnection(ControlFixture::draft("Key " + std::to_string(i)), [&](const Result<Connection>& saved) {
            QVERIFY2(saved.ok(), saved ? "" : describe(saved.error()).c_str());
            ++replies;
        });
    // The second change of the settings starts from what the first one left, although it was asked for before that was durable.
    f.control->patchSettings(R"({"routing":{"roundRobin":true}})", [&](const Result<Settings>& settings) {
        QVERIFY(settings.ok());
        ++replies;
    });
    f.control->patchSettings(R"({"routing":{"maxAttempts":5}})", [&](const Result<Settings>& settings) {
        QVERIFY(settings.ok() && settings->routing.roundRobin && settings->routing.maxAttempts == 5);
        ++replies;
    });
    // The name is taken by a change that is not yet durable.
    bool refused = false;
    f.control->saveConnection(ControlFixture::draft("Key 7"), [&](const Result<Connection>& saved) { refused = !saved.ok(); });
    QTRY_COMPARE(replies, 42);
    QTRY_VERIFY(refused);
    QCOMPARE(f.control->configuration()->connections.size(), std::size_t{40});
    f.restart();
    QCOMPARE(f.control->configuration()->connections.size(), std::size_t{40});
    QCOMPARE(f.control->configuration()->settings.routing.maxAttempts, 5);
    QVERIFY(f.control->configuration()->settings.routing.roundRobin);
}

void ControlTest::aFailureDoesNotStopTheNextChange()
{
    ControlFixture& f = *m_fixture;
    std::vector<bool> outcomes;
    const auto note = [&](const Result<Connection>& saved) { outcomes.push_back(saved.ok()); };
    f.secrets.failWrites = true;
    f.control->saveConnection(ControlFixture::draft("One"), note);
    f.control->saveConnection(ControlFixture::draft(""), note);
    f.control->saveConnection(ControlFixture::draft("Three"), [&](const Result<Connection>& saved) {
        note(saved);
        f.secrets.failWrites = false;
        f.control->saveConnection(ControlFixture::draft("Four"), note);  // asked for from inside a reply
    });
    QTRY_COMPARE(outcomes.size(), std::size_t{4});
    QCOMPARE(outcomes, (std::vector<bool>{false, false, false, true}));
    QVERIFY(f.find("Four"));
}

void ControlTest::nodes()
{
    ControlFixture& f = *m_fixture;
    const auto saveNode = [&](const ProviderNode& node) {
        return f.wait<ProviderNode>([&](Reply<ProviderNode> reply) { f.control->saveNode(node, std::move(reply)); });
    };
    const auto removeNode = [&](const ProviderId& id) {
        return f.wait<int>([&](Reply<int> reply) { f.control->removeNode(id, std::move(reply)); });
    };
    ProviderNode node;
    node.name = "Gateway";
    node.prefix = "gate";
    node.baseUrl = "https://gate.example/v1/";
    const auto openAi = saveNode(node);
    QVERIFY2(openAi.ok(), openAi ? "" : describe(openAi.error()).c_str());
    QVERIFY(openAi->id.str().rfind("openai-compatible-", 0) == 0 && openAi->id.str().size() > 20);
    QCOMPARE(openAi->baseUrl, std::string("https://gate.example/v1"));
    QVERIFY(f.control->configuration()->provider(openAi->id));

    node.id = ProviderId("anthropic-compatible-");
    node.name = "Other";
    node.prefix = "other";
    const auto anthropic = saveNode(node);
    QVERIFY(anthropic.ok() && anthropic->id.str().rfind("anthropic-compatible-", 0) == 0);
    node.id = {};
    const auto clash = saveNode(node);
    QVERIFY(!clash.ok());
    QCOMPARE(fieldsOf(clash.error()), QStringLiteral("name prefix"));
    node.id = ProviderId("openai-compatible-nobody");
    QVERIFY(saveNode(node).error().kind == ErrorKind::NotFound);

    ConnectionDraft draft;
    draft.connection.provider = openAi->id;
    draft.connection.name = "Gate key";
    QVERIFY(f.save(draft).ok());
    const auto used = removeNode(openAi->id);
    QVERIFY(!used.ok() && used.error().kind == ErrorKind::Conflict);
    QVERIFY(used.error().message.find("Gate key") != std::string::npos);
    QCOMPARE(removeNode(anthropic->id).valueOr(0), 1);
    QVERIFY(removeNode(anthropic->id).error().kind == ErrorKind::NotFound);
    f.restart();
    QCOMPARE(f.control->configuration()->nodes.size(), std::size_t{1});
    QVERIFY(f.control->configuration()->provider(f.control->configuration()->nodes.front().id));
}

void ControlTest::combosAndAliases()
{
    ControlFixture& f = *m_fixture;
    QVERIFY(f.save(ControlFixture::draft("One")).ok());
    const auto saveCombo = [&](const Combo& combo) {
        return f.wait<Combo>([&](Reply<Combo> reply) { f.control->saveCombo(combo, std::move(reply)); });
    };
    const auto saveAlias = [&](const ModelAlias& alias) {
        return f.wait<ModelAlias>([&](Reply<ModelAlias> reply) { f.control->saveAlias(alias, std::move(reply)); });
    };
    Combo combo;
    combo.name = "coding";
    combo.targets = {{"step-2", ProviderId("openai"), "a", f.idOf("One"), ""},
                     {"", ProviderId("openai"), "b", {}, ""},
                     {"", ProviderId("openai"), "c", {}, ""}};
    const auto first = saveCombo(combo);
    QVERIFY2(first.ok(), first ? "" : describe(first.error()).c_str());
    QCOMPARE(first->targets[1].id, std::string("step-1"));
    QCOMPARE(first->targets[2].id, std::string("step-3"));
    combo.name = "second";
    const auto second = saveCombo(combo);
    QVERIFY(second.ok() && second->sortOrder > first->sortOrder);
    combo.name = "Coding";
    QVERIFY(!saveCombo(combo).ok());
    Combo changed = *first;
    changed.targets.pop_back();
    QVERIFY(saveCombo(changed).ok());

    QVERIFY(saveAlias({"fast", "coding"}).ok());
    QVERIFY(saveAlias({"fast", "second"}).ok());
    QVERIFY(!saveAlias({"coding", "second"}).ok());
    QCOMPARE(f.control->configuration()->aliases.size(), std::size_t{1});
    QCOMPARE(f.control->configuration()->aliases.front().model, std::string("second"));

    f.restart();
    QCOMPARE(f.control->configuration()->combos.size(), std::size_t{2});
    QCOMPARE(f.control->configuration()->aliases.size(), std::size_t{1});
    const ComboId id = first->id;
    QVERIFY(f.wait<int>([&](Reply<int> reply) { f.control->removeCombo(id, std::move(reply)); }).ok());
    QVERIFY(!f.wait<int>([&](Reply<int> reply) { f.control->removeCombo(id, std::move(reply)); }).ok());
    QVERIFY(f.wait<int>([&](Reply<int> reply) { f.control->removeAlias("fast", std::move(reply)); }).ok());
    QVERIFY(!f.wait<int>([&](Reply<int> reply) { f.control->removeAlias("fast", std::move(reply)); }).ok());
}

void ControlTest::apiKeys()
{
    ControlFixture& f = *m_fixture;
    ApiKey key;
    key.name = "Laptop";
    key.scopes = {"manage"};
    const auto create = [&] {
        return f.wait<CreatedApiKey>([&](Reply<CreatedApiKey> reply) { f.control->createApiKey(key, std::move(reply)); });
    };
    const auto created = create();
    QVERIFY(created.ok());
    QVERIFY2(std::regex_match(created->key, std::regex("sk-omni-[A-Za-z0-9_-]{43}")), created->key.c_str());
    QCOMPARE(created->record.prefix, created->key.substr(0, 12));
    QCOMPARE(created->record.hash.size(), std::size_t{64});
    QVERIFY(!create().ok());  // the name is in use
    key.name = "Desktop";
    const auto other = create();
    QVERIFY(other.ok() && other->key != created->key);

    const ApiKey* found = f.control->findApiKey(created->key);
    QVERIFY(found);
    QVERIFY(found->id == created->record.id);
    QVERIFY(!f.control->findApiKey(""));
    QVERIFY(!f.control->findApiKey(created->key + "x"));
    QVERIFY(!f.control->findApiKey(created->record.hash));

    ApiKey changed = created->record;
    changed.name = "Laptop 2";
    changed.hash = other->record.hash;  // not the editor's business
    changed.prefix = "forged";
    const auto updated = f.wait<ApiKey>([&](Reply<ApiKey> reply) { f.control->updateApiKey(changed, std::move(reply)); });
    QVERIFY(updated.ok());
    QCOMPARE(updated->hash, created->record.hash);
    QCOMPARE(updated->prefix, created->record.prefix);
    f.restart();
    QVERIFY(f.control->findApiKey(created->key));
    QVERIFY(f.wait<int>([&](Reply<int> reply) { f.control->removeApiKey(created->record.id, std::move(reply)); }).ok());
    QVERIFY(!f.control->findApiKey(created->key));
    QVERIFY(f.control->findApiKey(other->key));
}

void ControlTest::apiKeysThatOpenNothing_data()
{
    QTest::addColumn<QString>("what");
    QTest::newRow("switched off") << "switched off";
    QTest::newRow("revoked") << "revoked";
    QTest::newRow("expired") << "expired";
}

void ControlTest::apiKeysThatOpenNothing()
{
    QFETCH(QString, what);
    ControlFixture& f = *m_fixture;
    ApiKey key;
    key.name = "Laptop";
    if (what == QLatin1String("expired"))
        key.expiresAt = f.clock.wall() + Millis(1'000);
    const auto created = f.wait<CreatedApiKey>([&](Reply<CreatedApiKey> reply) { f.control->createApiKey(key, std::move(reply)); });
    QVERIFY(f.control->findApiKey(created->key));
    ApiKey changed = created->record;
    changed.active = what != QLatin1String("switched off");
    if (what == QLatin1String("revoked"))
        changed.revokedAt = f.clock.wall();
    QVERIFY(f.wait<ApiKey>([&](Reply<ApiKey> reply) { f.control->updateApiKey(changed, std::move(reply)); }).ok());
    if (what == QLatin1String("expired")) {
        QVERIFY(f.control->findApiKey(created->key));
        f.clock.advance(Millis(1'000));
    }
    QVERIFY(!f.control->findApiKey(created->key));
    if (what == QLatin1String("revoked")) {
        changed.revokedAt.reset();  // what was given up once is not trusted again
        QVERIFY(f.wait<ApiKey>([&](Reply<ApiKey> reply) { f.control->updateApiKey(changed, std::move(reply)); }).ok());
        QVERIFY(!f.control->findApiKey(created->key));
    }
}

void ControlTest::useOfAKeyIsShownLater()
{
    ControlFixture& f = *m_fixture;
    ApiKey key;
    key.name = "Laptop";
    const auto created = f.wait<CreatedApiKey>([&](Reply<CreatedApiKey> reply) { f.control->createApiKey(key, std::move(reply)); });
    const ApiKey* found = f.control->findApiKey(created->key);
    const ConfigurationPtr held = f.control->configuration();
    for (int i = 0; i < 100; ++i)
        f.control->noteApiKeyUsed(found->id);
    QCOMPARE(f.control->configuration(), held);  // not in the caller's turn
    const WallTime used = f.clock.wall();
    f.scheduler->advance(Millis(2'000));
    QVERIFY(f.control->configuration() != held);
    QVERIFY(f.control->configuration()->apiKeys.front().lastUsedAt == used);
    const ConfigurationPtr second = f.control->configuration();
    f.control->noteApiKeyUsed(created->record.id);  // within five minutes nothing more happens
    f.scheduler->advance(Millis(10'000));
    QCOMPARE(f.control->configuration(), second);
    f.scheduler->advance(Millis(300'000));
    f.control->noteApiKeyUsed(created->record.id);
    f.scheduler->advance(Millis(2'000));
    QVERIFY(f.control->configuration()->apiKeys.front().lastUsedAt > used);
    f.restart();
    QVERIFY(f.control->configuration()->apiKeys.front().lastUsedAt);
}

void ControlTest::keyWithoutItsLastConnectionStaysClosed()
{
    ControlFixture& f = *m_fixture;
    QVERIFY(f.save(ControlFixture::draft("One")).ok());
    ApiKey key;
    key.name = "Laptop";
    key.allowedConnections = {f.idOf("One")};
    const auto created = f.wait<CreatedApiKey>([&](Reply<CreatedApiKey> reply) { f.control->createApiKey(key, std::move(reply)); });
    QVERIFY(created.ok());
    QVERIFY(f.wait<std::string>([&](Reply<std::string> reply) { f.control->removeConnections({f.idOf("One")}, std::move(reply)); }).ok());
    // An empty list would mean every connection.
    QCOMPARE(f.control->findApiKey(created->key)->allowedConnections.size(), std::size_t{1});
    ApiKey renamed = created->record;
    renamed.name = "Laptop 2";
    QVERIFY(f.wait<ApiKey>([&](Reply<ApiKey> reply) { f.control->updateApiKey(renamed, std::move(reply)); }).ok());
}

OMNI_TEST(ControlTest)
#include "control_test.moc"
