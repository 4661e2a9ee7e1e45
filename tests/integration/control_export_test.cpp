#include "control/control.h"
#include "program/test_program.h"
#include "support/control_fixture.h"

#include <nlohmann/json.hpp>

#include <QSignalSpy>
#include <QTest>

using namespace omni;
using nlohmann::json;
using omni::test::ControlFixture;

/// Configurations handed from one installation to another.
class ControlExportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void roundTripWithoutSecrets();
    void roundTripWithSecrets();
    void bothWaysOfExportingAgree();
    void secretsAreOnlyUnderThePassphrase();
    void wrongPassphraseChangesNothing();
    void missingPassphraseLeavesKeysOut();
    void sameIdIsReplaced();
    void sameIdKeepsItsKey();
    void whatIsHereStays();
    void clashesAreTold();
    void whatIsMissingHereIsTold();
    void allIsCheckedFirst_data();
    void allIsCheckedFirst();
    void settingsThatCannotBeBound();
    void unreadableKeyStopsTheExport();
    void importedTwiceIsTheSame();

private:
    void fill(ControlFixture& fixture);
    Result<ImportReport> import(ControlFixture& into, const std::string& document, const std::string& passphrase = {})
    {
        return into.wait<ImportReport>(
            [&](Reply<ImportReport> reply) { into.control->importConfiguration(document, passphrase, std::move(reply)); });
    }

    std::unique_ptr<ControlFixture> m_from, m_to;
};

void ControlExportTest::init()
{
    m_from = std::make_unique<ControlFixture>();
    m_to = std::make_unique<ControlFixture>();
    fill(*m_from);
}

void ControlExportTest::cleanup()
{
    m_from.reset();
    m_to.reset();
}

void ControlExportTest::fill(ControlFixture& f)
{
    ProviderNode node;
    node.name = "Gateway";
    node.prefix = "gate";
    node.baseUrl = "https://gate.example/v1";
    node.headers = {{"X-Team", "blue"}};
    const auto savedNode = f.wait<ProviderNode>([&](Reply<ProviderNode> reply) { f.control->saveNode(node, std::move(reply)); });
    QVERIFY(savedNode.ok());
    ConnectionDraft work = ControlFixture::draft("Work", "sk-work-SeCrEtSeCrEt0001");
    work.connection.priority = 4;
    work.connection.proxyUrl = "http://127.0.0.1:3128";
    work.proxySecret = "me:PrOxYsEcReT";
    QVERIFY(f.save(work).ok());
    ConnectionDraft gate;
    gate.connection.provider = savedNode->id;
    gate.connection.name = "Gate";
    gate.connection.models = {"g1"};
    QVERIFY(f.save(gate).ok());
    Combo combo;
    combo.name = "coding";
    combo.targets = {{"", ProviderId("openai"), "gpt-4o", f.idOf("Work"), ""}, {"", savedNode->id, "g1", {}, "second"}};
    QVERIFY(f.wait<Combo>([&](Reply<Combo> reply) { f.control->saveCombo(combo, std::move(reply)); }).ok());
    QVERIFY(f.wait<ModelAlias>([&](Reply<ModelAlias> reply) { f.control->saveAlias({"fast", "coding"}, std::move(reply)); }).ok());
    ApiKey key;
    key.name = "Laptop";
    key.allowedConnections = {f.idOf("Work")};
    QVERIFY(f.wait<CreatedApiKey>([&](Reply<CreatedApiKey> reply) { f.control->createApiKey(key, std::move(reply)); }).ok());
    QVERIFY(f.wait<int>([&](Reply<int> reply) {
                 f.control->savePrices({{ProviderId("openai"), "gpt-4o", 2.5, 10.0, 1.25}}, std::move(reply));
             }).ok());
    QVERIFY(
        f.wait<Settings>([&](Reply<Settings> reply) { f.control->patchSettings(R"({"proxy":{"port":4711}})", std::move(reply)); }).ok());
}

void ControlExportTest::roundTripWithoutSecrets()
{
    const auto document = m_from->control->exportConfiguration("");
    QVERIFY(document.ok());
    QVERIFY(document->find("SeCrEt") == std::string::npos);
    QSignalSpy changed(m_to->control.get(), &Control::configurationChanged);
    const auto report = import(*m_to, *document);
    QVERIFY2(report.ok(), report ? "" : describe(report.error()).c_str());
    QCOMPARE(report->nodes, 1);
    QCOMPARE(report->connections, 2);
    QCOMPARE(report->combos, 1);
    QCOMPARE(report->aliases, 1);
    QCOMPARE(report->apiKeys, 1);
    QCOMPARE(report->secrets, 0);
    QVERIFY(report->settings);
    QCOMPARE(report->skipped.size(), std::size_t{1});  // the key of "Work" must be entered by hand
    QVERIFY(report->skipped.front().find("Work") != std::string::npos);
    QCOMPARE(changed.count(), 1);  // all at once
    QCOMPARE(m_to->find("Work")->priority, 4);
    QVERIFY(m_to->find("Work")->secretRef.empty());
    QVERIFY(m_to->find("Work")->keyHint.empty());
    m_to->restart();
    QVERIFY(m_to->find("Gate"));
    QVERIFY(m_to->control->configuration()->prices == m_from->control->configuration()->prices);
    QCOMPARE(m_to->control->configuration()->settings.proxy.port, 4711);
    QVERIFY(m_to->control->configuration()->combos.front().targets[0].connection == m_to->idOf("Work"));
}

void ControlExportTest::roundTripWithSecrets()
{
    const auto document = m_from->control->exportConfiguration("correct horse");
    QVERIFY(document.ok());
    const auto report = import(*m_to, *document, "correct horse");
    QVERIFY2(report.ok(), report ? "" : describe(report.error()).c_str());
    QCOMPARE(report->secrets, 2);
    QVERIFY(report->skipped.empty());
    const Connection& work = *m_to->find("Work");
    QCOMPARE(m_to->control->secretOf(work).valueOr({}), std::string("sk-work-SeCrEtSeCrEt0001"));
    QCOMPARE(m_to->control->proxySecretOf(work).valueOr({}), std::string("me:PrOxYsEcReT"));
    QCOMPARE(work.keyHint, m_from->find("Work")->keyHint);
    m_to->restart();
    QVERIFY(m_to->control->secretOf(*m_to->find("Work")).ok());
}

void ControlExportTest::bothWaysOfExportingAgree()
{
    const auto without =
        m_from->wait<std::string>([&](Reply<std::string> reply) { m_from->control->exportConfiguration("", std::move(reply)); });
    QCOMPARE(without.valueOr({}), m_from->control->exportConfiguration("").valueOr("?"));
    const auto with =
        m_from->wait<std::string>([&](Reply<std::string> reply) { m_from->control->exportConfiguration("p", std::move(reply)); });
    QVERIFY(with.ok());
    QCOMPARE(import(*m_to, *with, "p")->secrets, 2);
}

void ControlExportTest::secretsAreOnlyUnderThePassphrase()
{
    const auto document = m_from->control->exportConfiguration("p");
    for (const char* part : {"SeCrEt", "PrOxY", "connection/"})
        QVERIFY2(document->find(part) == std::string::npos, part);
}

void ControlExportTest::wrongPassphraseChangesNothing()
{
    const auto document = m_from->control->exportConfiguration("correct horse");
    const ConfigurationPtr before = m_to->control->configuration();
    const auto report = import(*m_to, *document, "wrong horse");
    QVERIFY(!report.ok() && report.error().kind == ErrorKind::Secret);
    QCOMPARE(m_to->control->configuration(), before);
}

void ControlExportTest::missingPassphraseLeavesKeysOut()
{
    const auto document = m_from->control->exportConfiguration("correct horse");
    const auto report = import(*m_to, *document);
    QVERIFY(report.ok());
    QCOMPARE(report->connections, 2);
    QCOMPARE(report->secrets, 0);
    QVERIFY(report->skipped.front().find("passphrase") != std::string::npos);
}

void ControlExportTest::sameIdIsReplaced()
{
    const std::string document = *m_from->control->exportConfiguration("p");
    QVERIFY(import(*m_to, document, "p").ok());
    ConnectionDraft draft;
    draft.connection = *m_to->find("Work");
    draft.connection.name = "Renamed";
    draft.connection.priority = 77;
    draft.secret = "sk-other-0123456789abcdef";
    QVERIFY(m_to->save(draft).ok());
    QVERIFY(import(*m_to, document, "p").ok());
    QVERIFY(!m_to->find("Renamed"));
    QCOMPARE(m_to->find("Work")->priority, 4);
    QCOMPARE(m_to->control->secretOf(*m_to->find("Work")).valueOr({}), std::string("sk-work-SeCrEtSeCrEt0001"));
    QCOMPARE(m_to->control->configuration()->connections.size(), std::size_t{2});
    QTRY_COMPARE(m_to->secrets.values.size(), std::size_t{2});  // those replaced are gone
}

void ControlExportTest::sameIdKeepsItsKey()
{
    QVERIFY(import(*m_to, *m_from->control->exportConfiguration("p"), "p").ok());
    const auto report = import(*m_to, *m_from->control->exportConfiguration(""));
    QVERIFY(report.ok() && report->skipped.empty());
    QCOMPARE(m_to->control->secretOf(*m_to->find("Work")).valueOr({}), std::string("sk-work-SeCrEtSeCrEt0001"));
    QVERIFY(!m_to->find("Work")->keyHint.empty());
}

void ControlExportTest::whatIsHereStays()
{
    QVERIFY(m_to->save(ControlFixture::draft("Mine")).ok());
    QVERIFY(m_to->wait<ModelAlias>([&](Reply<ModelAlias> reply) {
                    m_to->control->saveAlias({"mine", "openai/x"}, std::move(reply));
                })
                .ok());
    QVERIFY(import(*m_to, *m_from->control->exportConfiguration("")).ok());
    QVERIFY(m_to->find("Mine"));
    QCOMPARE(m_to->control->configuration()->aliases.size(), std::size_t{2});
    QVERIFY(m_to->control->secretOf(*m_to->find("Mine")).ok());
}

void ControlExportTest::clashesAreTold()
{
    QVERIFY(m_to->save(ControlFixture::draft("work")).ok());
    ApiKey key;
    key.name = "laptop";
    QVERIFY(m_to->wait<CreatedApiKey>([&](Reply<CreatedApiKey> reply) { m_to->control->createApiKey(key, std::move(reply)); }).ok());
    QVERIFY(m_to->wait<ModelAlias>([&](Reply<ModelAlias> reply) {
                    m_to->control->saveAlias({"coding", "openai/x"}, std::move(reply));
                })
                .ok());
    const auto report = import(*m_to, *m_from->control->exportConfiguration(""));
    QVERIFY2(report.ok(), report ? "" : describe(report.error()).c_str());
    QCOMPARE(report->connections, 1);
    QCOMPARE(report->apiKeys, 0);
    QCOMPARE(report->combos, 0);
    const std::string all = [&] {
        std::string text;
        for (const std::string& line : report->skipped)
            text += line + "\n";
        return text;
    }();
    for (const char* name : {"\"Work\"", "\"Laptop\"", "\"coding\""})
        QVERIFY2(all.find(name) != std::string::npos, all.c_str());
    QVERIFY(m_to->find("work"));
    QCOMPARE(m_to->control->configuration()->aliases.front().model, std::string("openai/x"));
}

void ControlExportTest::whatIsMissingHereIsTold()
{
    json document = json::parse(*m_from->control->exportConfiguration(""));
    document["connections"][0]["provider"] = "from-the-future";
    document["connections"][0]["id"] = "unknown-one";
    const auto report = import(*m_to, document.dump());
    QVERIFY2(report.ok(), report ? "" : describe(report.error()).c_str());
    QCOMPARE(report->connections, 1);
    QCOMPARE(report->combos, 1);
    // The step that was pinned to the missing connection is left out, the other one stays.
    QCOMPARE(m_to->control->configuration()->combos.front().targets.size(), std::size_t{1});
    QVERIFY(report->skipped.size() >= 2);
    // A client's key for that connection opens no other one.
    QCOMPARE(m_to->control->configuration()->apiKeys.front().allowedConnections.size(), std::size_t{1});
}

void ControlExportTest::allIsCheckedFirst_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("field");
    QTest::newRow("a priority out of range") << "/connections/0/priority"
                                             << "0"
                                             << "connections[0].priority";
    QTest::newRow("a broken address") << "/connections/1/baseUrl"
                                      << "\"nonsense\""
                                      << "connections[1].baseUrl";
    QTest::newRow("a strategy that is not known") << "/combos/0/strategy"
                                                  << "\"magic\""
                                                  << "combos[0].strategy";
    QTest::newRow("an alias of itself") << "/aliases/0/model"
                                        << "\"fast\""
                                        << "aliases[0].model";
    QTest::newRow("a credential in a header") << "/nodes/0/headers/0/name"
                                              << "\"Authorization\""
                                              << "nodes[0].headers";
    QTest::newRow("a hash that is none") << "/apiKeys/0/hash"
                                         << "\"abc\""
                                         << "apiKeys[0].hash";
    QTest::newRow("a setting out of range") << "/settings/proxy/port"
                                            << "70000"
                                            << "settings.proxy.port";
    QTest::newRow("an unknown setting") << "/settings/proxy/nonsense"
                                        << "1"
                                        << "settings.proxy.nonsense";
    QTest::newRow("no list") << "/combos"
                             << "5"
                             << "combos";
}

void ControlExportTest::allIsCheckedFirst()
{
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, field);
    json document = json::parse(*m_from->control->exportConfiguration(""));
    document[json::json_pointer(pointer.toStdString())] = json::parse(value.toStdString());
    const ConfigurationPtr before = m_to->control->configuration();
    const auto report = import(*m_to, document.dump());
    QVERIFY(!report.ok());
    QVERIFY(report.error().kind == ErrorKind::InvalidArgument);
    QCOMPARE(QString::fromStdString(report.error().details.front().field), field);
    QCOMPARE(m_to->control->configuration(), before);
    m_to->restart();
    QVERIFY(m_to->control->configuration()->connections.empty());
}

void ControlExportTest::settingsThatCannotBeBound()
{
    m_to->control->startProxy();
    m_to->listener->taken = {4711};
    const auto report = import(*m_to, *m_from->control->exportConfiguration(""));
    QVERIFY2(report.ok(), report ? "" : describe(report.error()).c_str());
    QCOMPARE(report->connections, 2);
    QVERIFY(report->settings);
    QCOMPARE(m_to->control->configuration()->settings.proxy.port, 20128);
    QCOMPARE(m_to->control->listenerState().port, 20128);
    QVERIFY(std::any_of(report->skipped.begin(), report->skipped.end(),
                        [](const std::string& line) { return line.find("4711") != std::string::npos; }));
}

void ControlExportTest::unreadableKeyStopsTheExport()
{
    m_from->secrets.values.erase(m_from->find("Work")->secretRef);
    const auto document = m_from->control->exportConfiguration("p");
    QVERIFY(!document.ok() && document.error().kind == ErrorKind::Secret);
    QVERIFY(document.error().message.find("Work") != std::string::npos);
    QVERIFY(m_from->control->exportConfiguration("").ok());
}

void ControlExportTest::importedTwiceIsTheSame()
{
    const std::string document = *m_from->control->exportConfiguration("p");
    QVERIFY(import(*m_to, document, "p").ok());
    QVERIFY(import(*m_to, document, "p").ok());
    json one = json::parse(document), two = json::parse(*m_to->control->exportConfiguration("p"));
    for (json* each : {&one, &two}) {
        each->erase("exportedAt");
        each->erase("secrets");
    }
    QCOMPARE(QString::fromStdString(two.dump(1)), QString::fromStdString(one.dump(1)));
}

OMNI_TEST(ControlExportTest)
#include "control_export_test.moc"
