#include "control/validation.h"

#include "program/test_program.h"

#include <QTest>

#include <limits>

using namespace omni;

namespace {

/// hosted "openai", local "ollama-local"; node "My gateway" (prefix "gate"); connections a, b; combo "coding"; alias "fast" -> "coding".
Configuration sample()
{
    Configuration configuration;
    const std::string document = R"({"providers":[
        {"id":"openai","name":"OpenAI","category":"hosted","auth":"bearer","baseUrl":"https://api.openai.com/v1",
         "paths":{"chat":"/chat/completions"},"modelsPath":"/models","models":[{"id":"gpt-4o"}]},
        {"id":"ollama-local","alias":"ollama","name":"Ollama","category":"local","auth":"bearer","keyOptional":true,
         "baseUrl":"http://localhost:11434/v1","paths":{"chat":"/chat/completions"},"modelsPath":"/models","models":[]}]})";
    const auto catalogue = ProviderCatalogue::fromJson({document});
    if (!catalogue)
        qFatal("%s", describe(catalogue.error()).c_str());
    configuration.catalogue = *catalogue;
    ProviderNode node;
    node.id = ProviderId("openai-compatible-1");
    node.name = "My gateway";
    node.prefix = "gate";
    node.baseUrl = "https://gate.example.com/v1";
    configuration.nodes.push_back(node);
    for (const char* id : {"a", "b"}) {
        Connection connection;
        connection.id = ConnectionId(id);
        connection.provider = ProviderId("openai");
        connection.name = std::string("Key ") + id;
        connection.secretRef = "ref";
        configuration.connections.push_back(connection);
    }
    Combo combo;
    combo.id = ComboId("c1");
    combo.name = "coding";
    configuration.combos.push_back(combo);
    configuration.aliases.push_back({"fast", "coding"});
    ApiKey key;
    key.id = ApiKeyId("k1");
    key.name = "Laptop";
    key.allowedConnections = {ConnectionId("gone")};
    configuration.apiKeys.push_back(key);
    configuration.refreshNodeProviders();
    return configuration;
}

QString fieldsOf(const std::vector<FieldError>& errors)
{
    QStringList fields;
    for (const FieldError& error : errors) {
        fields << QString::fromStdString(error.field);
        if (error.message.empty())
            fields << QStringLiteral("(no message)");
    }
    return fields.join(QLatin1Char(' '));
}

using ConnectionChange = std::function<void(Connection&, bool& hasSecret)>;
using ComboChange = std::function<void(Combo&)>;
using NodeChange = std::function<void(ProviderNode&)>;
using KeyChange = std::function<void(ApiKey&)>;

}  // namespace

Q_DECLARE_METATYPE(ConnectionChange)
Q_DECLARE_METATYPE(ComboChange)
Q_DECLARE_METATYPE(NodeChange)
Q_DECLARE_METATYPE(KeyChange)
Q_DECLARE_METATYPE(omni::ModelAlias)

class ValidationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void connections_data();
    void connections();
    void combos_data();
    void combos();
    void aliases_data();
    void aliases();
    void nodes_data();
    void nodes();
    void prices_data();
    void prices();
    void apiKeys_data();
    void apiKeys();
};

void ValidationTest::connections_data()
{
    QTest::addColumn<ConnectionChange>("change");
    QTest::addColumn<QString>("fields");
    const auto row = [](const char* name, const char* fields, ConnectionChange change) {
        QTest::newRow(name) << std::move(change) << QString::fromUtf8(fields);
    };
    row("fine", "", [](Connection&, bool&) {});
    row("no provider", "provider", [](Connection& c, bool&) { c.provider = {}; });
    row("unknown provider", "provider", [](Connection& c, bool&) { c.provider = ProviderId("nobody"); });
    row("an alias is no provider id", "provider", [](Connection& c, bool&) { c.provider = ProviderId("ollama"); });
    row("no name", "name", [](Connection& c, bool&) { c.name = ""; });
    row("a name of blanks", "name", [](Connection& c, bool&) { c.name = "  \t"; });
    row("a name of 100 characters", "", [](Connection& c, bool&) { c.name = std::string(100, 'x'); });
    row("a name of 101 characters", "name", [](Connection& c, bool&) { c.name = std::string(101, 'x'); });
    row("100 Bengali characters are 100", "", [](Connection& c, bool&) {
        c.name.clear();
        for (int i = 0; i < 100; ++i)
            c.name += "ক";
    });
    row("a name on two lines", "name", [](Connection& c, bool&) { c.name = "one\ntwo"; });
    row("a name in use", "name", [](Connection& c, bool&) { c.name = "key A"; });
    row("a name in use at another provider", "", [](Connection& c, bool&) {
        c.name = "Key a";
        c.provider = ProviderId("ollama-local");
    });
    row("its own name", "", [](Connection& c, bool&) {
        c.id = ConnectionId("a");
        c.name = "Key a";
    });
    row("priority 0", "priority", [](Connection& c, bool&) { c.priority = 0; });
    row("priority 1", "", [](Connection& c, bool&) { c.priority = 1; });
    row("priority 1,000,000", "", [](Connection& c, bool&) { c.priority = 1'000'000; });
    row("priority 1,000,001", "priority", [](Connection& c, bool&) { c.priority = 1'000'001; });
    row("a base URL", "", [](Connection& c, bool&) { c.baseUrl = "https://eu.api.openai.com/v1"; });
    row("a base URL without scheme", "baseUrl", [](Connection& c, bool&) { c.baseUrl = "api.openai.com/v1"; });
    row("a base URL by ftp", "baseUrl", [](Connection& c, bool&) { c.baseUrl = "ftp://api.openai.com/v1"; });
    row("a SOCKS proxy", "", [](Connection& c, bool&) { c.proxyUrl = "socks5h://127.0.0.1:1080"; });
    row("an unknown kind of proxy", "proxyUrl", [](Connection& c, bool&) { c.proxyUrl = "gopher://127.0.0.1:70"; });
    row("maxConcurrent 0", "maxConcurrent", [](Connection& c, bool&) { c.maxConcurrent = 0; });
    row("maxConcurrent 10,001", "maxConcurrent", [](Connection& c, bool&) { c.maxConcurrent = 10'001; });
    row("maxConcurrent 1", "", [](Connection& c, bool&) { c.maxConcurrent = 1; });
    row("a default model of 301 characters", "defaultModel", [](Connection& c, bool&) { c.defaultModel = std::string(301, 'm'); });
    row("a group on two lines", "group", [](Connection& c, bool&) { c.group = "a\r\nb"; });
    row("no key where one is needed", "apiKey", [](Connection&, bool& hasSecret) { hasSecret = false; });
    row("no key at a local server", "", [](Connection& c, bool& hasSecret) {
        c.provider = ProviderId("ollama-local");
        hasSecret = false;
    });
    row("everything wrong is told at once", "name priority baseUrl apiKey", [](Connection& c, bool& hasSecret) {
        c.name = "";
        c.priority = -1;
        c.baseUrl = "nonsense";
        hasSecret = false;
    });
}

void ValidationTest::connections()
{
    QFETCH(ConnectionChange, change);
    QFETCH(QString, fields);
    Connection connection;
    connection.id = ConnectionId("new");
    connection.provider = ProviderId("openai");
    connection.name = "New";
    bool hasSecret = true;
    change(connection, hasSecret);
    QCOMPARE(fieldsOf(validateConnection(connection, hasSecret, sample())), fields);
}

void ValidationTest::combos_data()
{
    QTest::addColumn<ComboChange>("change");
    QTest::addColumn<QString>("fields");
    const auto row = [](const char* name, const char* fields, ComboChange change) {
        QTest::newRow(name) << std::move(change) << QString::fromUtf8(fields);
    };
    row("fine", "", [](Combo&) {});
    row("no name", "name", [](Combo& c) { c.name = ""; });
    row("100 characters", "", [](Combo& c) { c.name = std::string(100, 'x'); });
    row("101 characters", "name", [](Combo& c) { c.name = std::string(101, 'x'); });
    row("all that is allowed", "", [](Combo& c) { c.name = "My-combo_1.5"; });
    row("a blank in the name", "name", [](Combo& c) { c.name = "my combo"; });
    row("a slash in the name", "name", [](Combo& c) { c.name = "my/combo"; });
    row("a name in use, other case", "name", [](Combo& c) { c.name = "Coding"; });
    row("the name of an alias", "name", [](Combo& c) { c.name = "fast"; });
    row("another strategy", "strategy", [](Combo& c) { c.strategy = "auto"; });
    row("no targets", "models", [](Combo& c) { c.targets.clear(); });
    row("an unknown provider", "models[0].provider", [](Combo& c) { c.targets[0].provider = ProviderId("nobody"); });
    row("a node's provider", "", [](Combo& c) { c.targets[0].provider = ProviderId("openai-compatible-1"); });
    row("no model", "models[0].model", [](Combo& c) { c.targets[0].model = ""; });
    row("a model of 301 characters", "models[0].model", [](Combo& c) { c.targets[0].model = std::string(301, 'm'); });
    row("a pinned connection", "", [](Combo& c) { c.targets[0].connection = ConnectionId("a"); });
    row("a pinned connection that is gone", "models[0].connectionId", [](Combo& c) { c.targets[0].connection = ConnectionId("zz"); });
    row("a pinned connection of another provider", "models[0].connectionId", [](Combo& c) {
        c.targets[0].provider = ProviderId("ollama-local");
        c.targets[0].connection = ConnectionId("a");
    });
    row("the same target twice", "models[1]", [](Combo& c) { c.targets.push_back(c.targets[0]); });
    row("the same model on two connections", "", [](Combo& c) {
        c.targets[0].connection = ConnectionId("a");
        c.targets.push_back(c.targets[0]);
        c.targets[1].connection = ConnectionId("b");
    });
    row("101 targets", "models", [](Combo& c) {
        c.targets.clear();
        for (int i = 0; i < 101; ++i)
            c.targets.push_back({"", ProviderId("openai"), "m" + std::to_string(i), {}, ""});
    });
}

void ValidationTest::combos()
{
    QFETCH(ComboChange, change);
    QFETCH(QString, fields);
    Combo combo;
    combo.id = ComboId("new");
    combo.name = "new-one";
    combo.targets.push_back({"", ProviderId("openai"), "gpt-4o", {}, ""});
    change(combo);
    QCOMPARE(fieldsOf(validateCombo(combo, sample())), fields);
}

void ValidationTest::aliases_data()
{
    QTest::addColumn<ModelAlias>("alias");
    QTest::addColumn<QString>("fields");
    QTest::newRow("fine") << ModelAlias{"big", "openai/gpt-4o"} << QString();
    QTest::newRow("with a slash") << ModelAlias{"vendor/big", "openai/gpt-4o"} << QString();
    QTest::newRow("replaces itself") << ModelAlias{"fast", "openai/gpt-4o"} << QString();
    QTest::newRow("no name") << ModelAlias{"", "openai/gpt-4o"} << QStringLiteral("name");
    QTest::newRow("a blank") << ModelAlias{"my alias", "openai/gpt-4o"} << QStringLiteral("name");
    QTest::newRow("101 characters") << ModelAlias{std::string(101, 'x'), "openai/gpt-4o"} << QStringLiteral("name");
    QTest::newRow("the name of a combo") << ModelAlias{"coding", "openai/gpt-4o"} << QStringLiteral("name");
    QTest::newRow("no model") << ModelAlias{"big", " "} << QStringLiteral("model");
    QTest::newRow("itself") << ModelAlias{"big", "big"} << QStringLiteral("model");
    QTest::newRow("a circle of three") << ModelAlias{"one", "two"} << QStringLiteral("model");
    QTest::newRow("eight in a row") << ModelAlias{"a0", "a1"} << QString();
    QTest::newRow("nine in a row") << ModelAlias{"start", "a0"} << QStringLiteral("model");
}

void ValidationTest::aliases()
{
    QFETCH(ModelAlias, alias);
    QFETCH(QString, fields);
    Configuration configuration = sample();
    configuration.aliases.push_back({"two", "three"});
    configuration.aliases.push_back({"three", "one"});
    for (int i = 0; i < 8; ++i)  // a0 leads to a8 over eight aliases
        configuration.aliases.push_back({"a" + std::to_string(i), "a" + std::to_string(i + 1)});
    QCOMPARE(fieldsOf(validateAlias(alias, configuration)), fields);
}

void ValidationTest::nodes_data()
{
    QTest::addColumn<NodeChange>("change");
    QTest::addColumn<QString>("fields");
    const auto row = [](const char* name, const char* fields, NodeChange change) {
        QTest::newRow(name) << std::move(change) << QString::fromUtf8(fields);
    };
    row("fine", "", [](ProviderNode&) {});
    row("an Anthropic one", "", [](ProviderNode& n) { n.id = ProviderId("anthropic-compatible-9"); });
    row("a foreign id", "id", [](ProviderNode& n) { n.id = ProviderId("openai"); });
    row("no name", "name", [](ProviderNode& n) { n.name = ""; });
    row("a name in use", "name", [](ProviderNode& n) { n.name = "my GATEWAY"; });
    row("no prefix", "prefix", [](ProviderNode& n) { n.prefix = ""; });
    row("a slash in the prefix", "prefix", [](ProviderNode& n) { n.prefix = "a/b"; });
    row("51 characters of prefix", "prefix", [](ProviderNode& n) { n.prefix = std::string(51, 'p'); });
    row("a provider's alias as prefix", "prefix", [](ProviderNode& n) { n.prefix = "Ollama"; });
    row("another node's prefix", "prefix", [](ProviderNode& n) { n.prefix = "GATE"; });
    row("no base URL", "baseUrl", [](ProviderNode& n) { n.baseUrl = ""; });
    row("a broken base URL", "baseUrl", [](ProviderNode& n) { n.baseUrl = "https://"; });
    row("a chat path", "", [](ProviderNode& n) { n.chatPath = "/api/chat/completions"; });
    row("a chat path without slash", "chatPath", [](ProviderNode& n) { n.chatPath = "chat"; });
    row("a models path", "", [](ProviderNode& n) { n.modelsPath = "/api/models"; });
    row("a models URL", "", [](ProviderNode& n) { n.modelsPath = "https://gate.example.com/api/tags"; });
    row("a models path without slash", "modelsPath", [](ProviderNode& n) { n.modelsPath = "models"; });
    row("a header", "", [](ProviderNode& n) { n.headers = {{"X-Team", "blue"}}; });
    row("a broken header name", "headers", [](ProviderNode& n) { n.headers = {{"X Team", "blue"}}; });
    row("a header value on two lines", "headers", [](ProviderNode& n) { n.headers = {{"X-Team", "a\r\nHost: b"}}; });
    row("a header twice", "headers", [](ProviderNode& n) { n.headers = {{"X-Team", "a"}, {"x-team", "b"}}; });
    row("a credential header", "headers", [](ProviderNode& n) { n.headers = {{"authorization", "Bearer x"}}; });
    row("a header of one hop", "headers", [](ProviderNode& n) { n.headers = {{"Transfer-Encoding", "chunked"}}; });
    row("33 headers", "headers", [](ProviderNode& n) {
        for (int i = 0; i < 33; ++i)
            n.headers.emplace_back("X-H" + std::to_string(i), "v");
    });
}

void ValidationTest::nodes()
{
    QFETCH(NodeChange, change);
    QFETCH(QString, fields);
    ProviderNode node;
    node.id = ProviderId("openai-compatible-2");
    node.name = "Other";
    node.prefix = "other";
    node.baseUrl = "http://10.0.0.5:8000/v1";
    change(node);
    QCOMPARE(fieldsOf(validateNode(node, sample())), fields);
}

void ValidationTest::prices_data()
{
    QTest::addColumn<double>("input");
    QTest::addColumn<double>("output");
    QTest::addColumn<double>("cached");
    QTest::addColumn<QString>("fields");
    QTest::newRow("fine") << 1.25 << 10.0 << 0.125 << QString();
    QTest::newRow("free") << 0.0 << 0.0 << 0.0 << QString();
    QTest::newRow("the highest") << 100'000.0 << 100'000.0 << 100'000.0 << QString();
    QTest::newRow("negative") << -0.01 << 1.0 << 1.0 << QStringLiteral("input");
    QTest::newRow("too much") << 1.0 << 100'000.5 << 1.0 << QStringLiteral("output");
    QTest::newRow("no number") << 1.0 << 1.0 << std::numeric_limits<double>::quiet_NaN() << QStringLiteral("cached");
    QTest::newRow("endless") << std::numeric_limits<double>::infinity() << 1.0 << 1.0 << QStringLiteral("input");
}

void ValidationTest::prices()
{
    QFETCH(double, input);
    QFETCH(double, output);
    QFETCH(double, cached);
    QFETCH(QString, fields);
    QCOMPARE(fieldsOf(validatePrice({ProviderId("openai"), "gpt-5", input, output, cached})), fields);
    QCOMPARE(fieldsOf(validatePrice({ProviderId(), "", 1.0, 1.0, std::nullopt})), QStringLiteral("provider model"));
}

void ValidationTest::apiKeys_data()
{
    QTest::addColumn<KeyChange>("change");
    QTest::addColumn<QString>("fields");
    const auto row = [](const char* name, const char* fields, KeyChange change) {
        QTest::newRow(name) << std::move(change) << QString::fromUtf8(fields);
    };
    row("fine", "", [](ApiKey&) {});
    row("no name", "name", [](ApiKey& k) { k.name = " "; });
    row("a name in use", "name", [](ApiKey& k) { k.name = "LAPTOP"; });
    row("models by pattern", "", [](ApiKey& k) { k.allowedModels = {"openai/*", "gpt-4o"}; });
    row("an empty pattern", "allowedModels", [](ApiKey& k) { k.allowedModels = {""}; });
    row("a connection", "", [](ApiKey& k) { k.allowedConnections = {ConnectionId("b")}; });
    row("an unknown connection", "allowedConnections", [](ApiKey& k) { k.allowedConnections = {ConnectionId("zz")}; });
    row("a connection that went meanwhile stays", "", [](ApiKey& k) {
        k.id = ApiKeyId("k1");
        k.allowedConnections = {ConnectionId("gone")};
    });
    row("the scope manage", "", [](ApiKey& k) { k.scopes = {"manage"}; });
    row("another scope", "scopes", [](ApiKey& k) { k.scopes = {"root"}; });
    row("expires before it begins", "expiresAt", [](ApiKey& k) { k.expiresAt = k.createdAt - Millis(1); });
    row("expires later", "", [](ApiKey& k) { k.expiresAt = k.createdAt + Millis(1); });
}

void ValidationTest::apiKeys()
{
    QFETCH(KeyChange, change);
    QFETCH(QString, fields);
    ApiKey key;
    key.id = ApiKeyId("new");
    key.name = "New";
    key.createdAt = fromEpochMillis(1'790'000'000'000);
    change(key);
    QCOMPARE(fieldsOf(validateApiKey(key, sample())), fields);
}

OMNI_TEST(ValidationTest)
#include "validation_test.moc"
