#include "control/config_document.h"

#include "program/test_program.h"

#include <QTest>

using namespace omni;
using nlohmann::json;

namespace {

Configuration sample()
{
    Configuration configuration;
    ProviderNode node;
    node.id = ProviderId("openai-compatible-1");
    node.name = "Gateway";
    node.prefix = "gate";
    node.baseUrl = "https://gate.example/v1";
    node.chatPath = "/chat";
    node.modelsPath = "/list";
    node.headers = {{"X-Team", "blue"}};
    node.createdAt = fromEpochMillis(1);
    node.updatedAt = fromEpochMillis(2);
    configuration.nodes.push_back(node);
    Connection connection;
    connection.id = ConnectionId("c1");
    connection.provider = node.id;
    connection.name = "Schlüssel ক";
    connection.priority = 7;
    connection.enabled = false;
    connection.secretRef = "connection/c1/key/1";
    connection.keyHint = "sk-…9f2c";
    connection.baseUrl = "https://eu.gate.example/v1";
    connection.proxyUrl = "socks5h://127.0.0.1:1080";
    connection.proxySecretRef = "connection/c1/proxy/1";
    connection.defaultModel = "m1";
    connection.models = {"m1", "m2"};
    connection.disableCooling = true;
    connection.passthroughModels = false;
    connection.maxConcurrent = 3;
    connection.http2 = true;
    connection.group = "team";
    connection.createdAt = fromEpochMillis(3);
    connection.updatedAt = fromEpochMillis(4);
    configuration.connections.push_back(connection);
    Combo combo;
    combo.id = ComboId("b1");
    combo.name = "coding";
    combo.targets = {{"step-1", node.id, "m1", ConnectionId("c1"), "first"}, {"step-2", ProviderId("openai"), "gpt-4o", {}, ""}};
    combo.sortOrder = 5;
    combo.createdAt = fromEpochMillis(5);
    configuration.combos.push_back(combo);
    configuration.aliases.push_back({"fast", "coding"});
    ApiKey key;
    key.id = ApiKeyId("k1");
    key.name = "Laptop";
    key.prefix = "sk-omni-AbCd";
    key.hash = std::string(64, 'a');
    key.allowedModels = {"openai/*"};
    key.allowedConnections = {ConnectionId("c1")};
    key.scopes = {"manage"};
    key.active = false;
    key.noLog = true;
    key.expiresAt = fromEpochMillis(6);
    key.createdAt = fromEpochMillis(7);
    configuration.apiKeys.push_back(key);
    configuration.prices = {{ProviderId("openai"), "gpt-4o", 2.5, 10.0, 1.25}, {ProviderId("openai"), "o3", 2.0, 8.0, std::nullopt}};
    configuration.settings.proxy.port = 4711;
    return configuration;
}

}  // namespace

class ConfigDocumentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void roundTrip();
    void holdsNoReferences();
    void refusals_data();
    void refusals();
    void allFaultsAreNamed();
    void unknownFieldsAreLeftAside();
    void secretsRoundTrip();
    void brokenUtf8IsReplaced();
};

void ConfigDocumentTest::roundTrip()
{
    const Configuration before = sample();
    const std::string text = writeDocument(before, json{{"kdf", "scrypt"}}, fromEpochMillis(0));
    const auto read = readDocument(text);
    QVERIFY2(read.ok(), read ? "" : describe(read.error()).c_str());
    Configuration after;
    after.nodes = read->nodes;
    after.connections = read->connections;
    after.combos = read->combos;
    after.aliases = read->aliases;
    after.apiKeys = read->apiKeys;
    after.prices = read->prices;
    QVERIFY(read->prices == before.prices);
    const auto settings = patched(defaultSettings(), *read->settings);
    QVERIFY(settings.ok());
    after.settings = *settings;
    QVERIFY(read->secrets);
    // Written again it is the same text: nothing was lost on the way.
    QCOMPARE(writeDocument(after, *read->secrets, fromEpochMillis(0)), text);
    const json document = json::parse(text);
    QCOMPARE(document["format"].get<std::string>(), std::string("omniroute-configuration"));
    QCOMPARE(document["version"].get<int>(), 1);
    QCOMPARE(document["connections"][0]["maxConcurrent"].get<int>(), 3);
    QCOMPARE(document["settings"]["proxy"]["port"].get<int>(), 4711);
}

void ConfigDocumentTest::holdsNoReferences()
{
    const std::string text = writeDocument(sample(), std::nullopt, fromEpochMillis(0));
    QVERIFY(text.find("connection/c1") == std::string::npos);
    QVERIFY(!json::parse(text).contains("secrets"));
}

void ConfigDocumentTest::refusals_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("field");
    const auto row = [](const char* name, const char* pointer, const char* value, const char* field) {
        QTest::newRow(name) << QString::fromUtf8(pointer) << QString::fromUtf8(value) << QString::fromUtf8(field);
    };
    row("another format", "/format", "\"openrouter\"", "format");
    row("a newer version", "/version", "2", "version");
    row("version 0", "/version", "0", "version");
    row("a version in words", "/version", "\"1\"", "version");
    row("connections are no list", "/connections", "{}", "connections");
    row("a connection is no object", "/connections/0", "5", "connections[0]");
    row("a connection without id", "/connections/0/id", "null", "connections[0].id");
    row("an empty name", "/connections/0/name", "\"\"", "connections[0].name");
    row("a name that is a number", "/connections/0/name", "5", "connections[0].name");
    row("a priority in words", "/connections/0/priority", "\"1\"", "connections[0].priority");
    row("a huge priority", "/connections/0/priority", "5000000000", "connections[0].priority");
    row("a number beyond all", "/connections/0/createdAt", "18446744073709551615", "connections[0].createdAt");
    row("enabled as a number", "/connections/0/enabled", "1", "connections[0].enabled");
    row("models as a text", "/connections/0/models", "\"m\"", "connections[0].models");
    row("a model as a number", "/connections/0/models/0", "1", "connections[0].models");
    row("a combo step without model", "/combos/0/models/1/model", "null", "combos[0].models[1].model");
    row("a header without name", "/nodes/0/headers/0/name", "null", "nodes[0].headers[0].name");
    row("an alias without model", "/aliases/0/model", "null", "aliases[0].model");
    row("a key without hash", "/apiKeys/0/hash", "null", "apiKeys[0].hash");
}

void ConfigDocumentTest::refusals()
{
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, field);
    json document = json::parse(writeDocument(sample(), std::nullopt, fromEpochMillis(0)));
    document[json::json_pointer(pointer.toStdString())] = json::parse(value.toStdString());
    const auto read = readDocument(document.dump());
    QVERIFY(!read.ok());
    QVERIFY(read.error().kind == ErrorKind::InvalidArgument);
    QVERIFY(!read.error().details.empty());
    QCOMPARE(QString::fromStdString(read.error().details.front().field), field);
}

void ConfigDocumentTest::allFaultsAreNamed()
{
    const auto read = readDocument(R"({"format":"omniroute-configuration","version":1,"connections":[{"id":"a"},{"name":7}],"combos":5})");
    QVERIFY(!read.ok());
    QStringList fields;
    for (const FieldError& error : read.error().details)
        fields << QString::fromStdString(error.field);
    for (const char* field : {"connections[0].provider", "connections[0].name", "connections[1].id", "connections[1].name", "combos"})
        QVERIFY2(fields.contains(QLatin1String(field)), field);
    QVERIFY(!readDocument("nonsense").ok());
    QVERIFY(!readDocument("").ok());
    QVERIFY(!readDocument("[]").ok());
}

void ConfigDocumentTest::unknownFieldsAreLeftAside()
{
    const auto read = readDocument(
        R"({"format":"omniroute-configuration","version":1,"later":{"x":1},"connections":[{"id":"a","provider":"p","name":"n","new":[1]}]})");
    QVERIFY(read.ok());
    QCOMPARE(read->connections.size(), std::size_t{1});
    QVERIFY(read->connections[0].enabled);
    QVERIFY(!read->settings);
}

void ConfigDocumentTest::secretsRoundTrip()
{
    const SecretsById secrets{{ConnectionId("a"), {"sk-1", ""}}, {ConnectionId("b"), {"", "user:pass word"}}};
    const auto read = readSecrets(writeSecrets(secrets));
    QVERIFY(read.ok());
    QCOMPARE(read->size(), std::size_t{2});
    QCOMPARE(read->at(ConnectionId("a")).key, std::string("sk-1"));
    QCOMPARE(read->at(ConnectionId("b")).proxy, std::string("user:pass word"));
    QVERIFY(!readSecrets("[]").ok());
    QVERIFY(!readSecrets(R"({"a":{"key":5}})").ok());
}

void ConfigDocumentTest::brokenUtf8IsReplaced()
{
    Configuration configuration = sample();
    configuration.connections[0].name = "broken \xff name";
    const auto read = readDocument(writeDocument(configuration, std::nullopt, fromEpochMillis(0)));
    QVERIFY(read.ok());
}

OMNI_TEST(ConfigDocumentTest)
#include "config_document_test.moc"
