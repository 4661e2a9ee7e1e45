#include "model/configuration.h"

#include "program/test_program.h"

#include <QTest>

using namespace omni;

namespace {

Connection connectionOf(const char* id, const char* provider, const char* baseUrl = "")
{
    Connection connection;
    connection.id = ConnectionId(id);
    connection.provider = ProviderId(provider);
    connection.baseUrl = baseUrl;
    return connection;
}

ProviderNode nodeOf(const char* id, const char* baseUrl, const char* chatPath = "", const char* modelsPath = "")
{
    ProviderNode node;
    node.id = ProviderId(id);
    node.name = "Node";
    node.prefix = "my";
    node.baseUrl = baseUrl;
    node.chatPath = chatPath;
    node.modelsPath = modelsPath;
    node.headers = {{"x-team", "7"}};
    return node;
}

Configuration sample()
{
    Configuration configuration;
    if (const auto catalogue = ProviderCatalogue::load("http://127.0.0.1:1/v1"); catalogue)
        configuration.catalogue = *catalogue;
    return configuration;
}

}  // namespace

class ConfigurationLookupTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void connectionsById();
    void lookupsStayRightWithoutRefresh();
    void copiesKeepTheirIndexes();
    void providers();
    void nodes_data();
    void nodes();
    void classes_data();
    void classes();
};

void ConfigurationLookupTest::connectionsById()
{
    Configuration configuration = sample();
    for (int i = 0; i < 1000; ++i)
        configuration.connections.push_back(connectionOf(std::to_string(i).c_str(), "openai"));
    configuration.refreshIndexes();
    for (int i = 0; i < 1000; ++i) {
        const Connection* found = configuration.connection(ConnectionId(std::to_string(i)));
        QCOMPARE(found, &configuration.connections[static_cast<std::size_t>(i)]);
    }
    QVERIFY(!configuration.connection(ConnectionId("1000")));
    QVERIFY(!configuration.connection(ConnectionId()));
}

void ConfigurationLookupTest::lookupsStayRightWithoutRefresh()
{
    Configuration configuration = sample();
    configuration.connections = {connectionOf("a", "openai"), connectionOf("b", "openai")};
    QVERIFY(configuration.connection(ConnectionId("b")));
    configuration.refreshIndexes();
    configuration.connections.erase(configuration.connections.begin());
    QCOMPARE(configuration.connection(ConnectionId("b")), &configuration.connections.front());
    QVERIFY(!configuration.connection(ConnectionId("a")));
    configuration.connections.push_back(connectionOf("c", "openai"));
    QCOMPARE(configuration.connection(ConnectionId("c")), &configuration.connections.back());
}

void ConfigurationLookupTest::copiesKeepTheirIndexes()
{
    Configuration first = sample();
    first.connections = {connectionOf("a", "openai")};
    first.nodes = {nodeOf("openai-compatible-x", "https://x.example/v1")};
    first.refreshNodeProviders();
    const Configuration second = first;
    QCOMPARE(second.connection(ConnectionId("a")), &second.connections.front());
    QVERIFY(second.provider(ProviderId("openai-compatible-x")) != first.provider(ProviderId("openai-compatible-x")));
}

void ConfigurationLookupTest::providers()
{
    Configuration configuration = sample();
    QVERIFY(configuration.provider(ProviderId("openai")));
    QVERIFY2(!configuration.provider(ProviderId("ds")), "an alias is no id");
    QVERIFY(!configuration.provider(ProviderId("openai-compatible-x")));
    configuration.nodes = {nodeOf("openai-compatible-x", "https://x.example/v1")};
    configuration.refreshNodeProviders();
    QVERIFY(configuration.provider(ProviderId("openai-compatible-x")));
    configuration.nodes.clear();
    configuration.refreshNodeProviders();
    QVERIFY(!configuration.provider(ProviderId("openai-compatible-x")));
    QVERIFY(!Configuration().provider(ProviderId("openai")));
}

void ConfigurationLookupTest::nodes_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("chatPath");
    QTest::addColumn<QString>("paths");
    const auto row = [](const char* tag, const char* id, const char* chatPath, const char* paths) {
        QTest::newRow(tag) << QString::fromUtf8(id) << QString::fromUtf8(chatPath) << QString::fromUtf8(paths);
    };
    row("openai, usual path", "openai-compatible-1", "",
        "chat=/chat/completions completions=/completions embeddings=/embeddings responses=/responses");
    row("openai, path below another", "openai-compatible-1", "/api/v2/chat/completions",
        "chat=/api/v2/chat/completions completions=/api/v2/completions embeddings=/api/v2/embeddings responses=/api/v2/responses");
    row("openai, path of another shape", "openai-compatible-1", "/v2/chat", "chat=/v2/chat");
    row("openai, path without slash", "openai-compatible-1", "ask", "chat=/ask");
    row("anthropic, usual path", "anthropic-compatible-1", "", "messages=/messages count_tokens=/messages/count_tokens");
    row("anthropic, path below another", "anthropic-compatible-1", "/v1/messages",
        "messages=/v1/messages count_tokens=/v1/messages/count_tokens");
}

void ConfigurationLookupTest::nodes()
{
    QFETCH(QString, id);
    QFETCH(QString, chatPath);
    QFETCH(QString, paths);
    Configuration configuration = sample();
    configuration.nodes = {nodeOf(id.toUtf8().constData(), "https://x.example/v1/", chatPath.toUtf8().constData())};
    configuration.refreshNodeProviders();
    const Provider* provider = configuration.provider(ProviderId(id.toStdString()));
    QVERIFY(provider);
    std::string told;
    for (const auto& [operation, path] : provider->paths)
        told += (told.empty() ? "" : " ") + std::string(toString(operation)) + "=" + path;
    QCOMPARE(QString::fromStdString(told), paths);
    QVERIFY(provider->category == ProviderCategory::Compatible);
    QCOMPARE(provider->alias, std::string("my"));
    QCOMPARE(provider->name, std::string("Node"));
    QCOMPARE(provider->baseUrl, std::string("https://x.example/v1"));
    QCOMPARE(provider->modelsPath, std::string("/models"));
    QVERIFY(provider->passthroughModels);
    const bool anthropic = id.startsWith(QLatin1String("anthropic"));
    QVERIFY(provider->auth == (anthropic ? AuthHeader::XApiKey : AuthHeader::Bearer));
    QVERIFY(provider->dialect() == (anthropic ? Dialect::Anthropic : Dialect::OpenAi));
    QCOMPARE(provider->headers.size(), std::size_t{1});
}

void ConfigurationLookupTest::classes_data()
{
    QTest::addColumn<QString>("provider");
    QTest::addColumn<QString>("baseUrl");
    QTest::addColumn<int>("expected");
    const auto row = [](const char* tag, const char* provider, const char* baseUrl, ProviderClass expected) {
        QTest::newRow(tag) << QString::fromUtf8(provider) << QString::fromUtf8(baseUrl) << static_cast<int>(expected);
    };
    row("hosted", "openai", "", ProviderClass::ApiKey);
    row("hosted, moved to this machine", "openai", "http://localhost:4000/v1", ProviderClass::Local);
    row("local", "ollama-local", "", ProviderClass::Local);
    row("local, moved away", "ollama-local", "https://ollama.example.com/v1", ProviderClass::ApiKey);
    row("local, in the house", "ollama-local", "http://192.168.1.4:11434/v1", ProviderClass::Local);
    row("node at a named host", "openai-compatible-1", "", ProviderClass::Local);
    row("sandbox plays a hosted one", "sandbox", "", ProviderClass::ApiKey);
    row("unknown", "gone", "", ProviderClass::ApiKey);
    row("unknown, on this machine", "gone", "http://127.0.0.1:9/v1", ProviderClass::Local);
}

void ConfigurationLookupTest::classes()
{
    QFETCH(QString, provider);
    QFETCH(QString, baseUrl);
    QFETCH(int, expected);
    Configuration configuration = sample();
    configuration.localHostnames = {"gpu-box"};
    configuration.nodes = {nodeOf("openai-compatible-1", "http://gpu-box:8000/v1")};
    configuration.refreshNodeProviders();
    const Connection connection = connectionOf("a", provider.toUtf8().constData(), baseUrl.toUtf8().constData());
    QCOMPARE(static_cast<int>(configuration.providerClass(connection)), expected);
}

OMNI_TEST(ConfigurationLookupTest)
#include "configuration_lookup_test.moc"
