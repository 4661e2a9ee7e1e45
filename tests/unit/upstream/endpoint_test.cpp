#include "upstream/endpoint.h"

#include "base/text.h"
#include "program/test_program.h"

#include <QTest>

using namespace omni;

namespace {

const ProviderCatalogue& catalogue()
{
    static const auto loaded = ProviderCatalogue::load("http://127.0.0.1:5555/v1");
    return **loaded;
}

Provider providerOf(const char* name)
{
    return *catalogue().find(name);
}

Connection connectionOf(const QString& baseUrl, const char* proxyUrl = "")
{
    Connection connection;
    connection.name = "Mine";
    connection.baseUrl = baseUrl.toStdString();
    connection.proxyUrl = proxyUrl;
    return connection;
}

QString headerOf(const Endpoint& endpoint, std::string_view name)
{
    QStringList values;
    for (const auto& [key, value] : endpoint.headers) {
        if (equalsIgnoreCase(key, name))
            values << QString::fromStdString(value);
    }
    return values.isEmpty() ? QStringLiteral("absent") : values.join(QLatin1Char('|'));
}

}  // namespace

class EndpointTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void urls_data();
    void urls();
    void modelUrls_data();
    void modelUrls();
    void modelListsThatCannotBeRead();
    void authentication_data();
    void authentication();
    void fixedHeaders();
    void badKeysAreRefusedAndNotRepeated_data();
    void badKeysAreRefusedAndNotRepeated();
    void proxy();
    void operationsNotOffered();
    void baseUrls_data();
    void baseUrls();
    void refusedBaseUrlsMakeNoEndpoint();
    void proxyUrls_data();
    void proxyUrls();
};

void EndpointTest::urls_data()
{
    QTest::addColumn<QString>("provider");
    QTest::addColumn<QString>("baseUrl");
    QTest::addColumn<int>("operation");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* tag, const char* provider, const char* baseUrl, Operation operation, const char* expected) {
        QTest::newRow(tag) << QString::fromUtf8(provider) << QString::fromUtf8(baseUrl) << static_cast<int>(operation)
                           << QString::fromUtf8(expected);
    };
    constexpr Operation chat = Operation::ChatCompletions;
    row("usual", "openai", "", chat, "https://api.openai.com/v1/chat/completions");
    row("other operation", "openai", "", Operation::Responses, "https://api.openai.com/v1/responses");
    row("own host", "openai", "https://gate.example/openai/v1", chat, "https://gate.example/openai/v1/chat/completions");
    row("own port", "openai", "http://127.0.0.1:4000/v1", chat, "http://127.0.0.1:4000/v1/chat/completions");
    row("slash at the end", "openai", "https://gate.example/v1/", chat, "https://gate.example/v1/chat/completions");
    row("slashes at the end", "openai", "https://gate.example/v1//", chat, "https://gate.example/v1/chat/completions");
    row("no path", "openai", "https://gate.example", chat, "https://gate.example/chat/completions");
    row("capital host", "openai", "https://Gate.Example/V1", chat, "https://gate.example/V1/chat/completions");
    row("IPv6", "openai", "http://[::1]:8080/v1", chat, "http://[::1]:8080/v1/chat/completions");
    row("full address pasted", "openai", "https://gate.example/v1/chat/completions", chat, "https://gate.example/v1/chat/completions");
    row("full address with slash", "openai", "https://gate.example/v1/chat/completions/", chat, "https://gate.example/v1/chat/completions");
    row("full address, neighbour", "openai", "https://gate.example/v1/chat/completions", Operation::Embeddings,
        "https://gate.example/v1/embeddings");
    row("full address, shorter neighbour", "openai", "https://gate.example/v1/chat/completions", Operation::Completions,
        "https://gate.example/v1/completions");
    row("full address, messages", "anthropic", "https://gate.example/v1/messages", Operation::CountTokens,
        "https://gate.example/v1/messages/count_tokens");
    row("full address, count_tokens", "anthropic", "https://gate.example/v1/messages/count_tokens", Operation::Messages,
        "https://gate.example/v1/messages");
    row("provider's host without path", "anthropic", "https://api.anthropic.com", Operation::Messages,
        "https://api.anthropic.com/v1/messages");
    row("provider's host with slash", "openai", "https://api.openai.com/", chat, "https://api.openai.com/v1/chat/completions");
    row("local host without path", "ollama", "http://192.168.1.20:11434", chat, "http://192.168.1.20:11434/v1/chat/completions");
    row("local", "ollama", "", chat, "http://localhost:11434/v1/chat/completions");
    row("path of two formats", "deepseek", "", Operation::Messages, "https://api.deepseek.com/anthropic/v1/messages");
    row("version stands once", "deepseek", "https://gate.example/v1", chat, "https://gate.example/v1/chat/completions");
    row("version stands once, deeper", "glm", "https://api.z.ai/api/coding/paas/v4", chat,
        "https://api.z.ai/api/coding/paas/v4/chat/completions");
    row("parts, not letters, overlap", "deepseek", "https://gate.example/xv1", chat, "https://gate.example/xv1/v1/chat/completions");
    row("letters of an operation", "openai", "https://gate.example/mycompletions", Operation::Completions,
        "https://gate.example/mycompletions/completions");
    row("query stays behind", "openai", "https://gate.example/v1?api-version=2024-10-21", chat,
        "https://gate.example/v1/chat/completions?api-version=2024-10-21");
    row("encoded path", "openai", "https://gate.example/a%2Fb/v1", chat, "https://gate.example/a%2Fb/v1/chat/completions");
    row("sandbox", "sandbox", "", Operation::Messages, "http://127.0.0.1:5555/v1/messages");
}

void EndpointTest::urls()
{
    QFETCH(QString, provider);
    QFETCH(QString, baseUrl);
    QFETCH(int, operation);
    QFETCH(QString, expected);
    const Result<Endpoint> endpoint =
        makeEndpoint(providerOf(provider.toUtf8().constData()), connectionOf(baseUrl), static_cast<Operation>(operation), "k");
    QVERIFY2(endpoint.ok(), endpoint.ok() ? "" : endpoint.error().message.c_str());
    QCOMPARE(QString::fromStdString(endpoint->url), expected);
}

void EndpointTest::modelUrls_data()
{
    QTest::addColumn<QString>("provider");
    QTest::addColumn<QString>("baseUrl");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* tag, const char* provider, const char* baseUrl, const char* expected) {
        QTest::newRow(tag) << QString::fromUtf8(provider) << QString::fromUtf8(baseUrl) << QString::fromUtf8(expected);
    };
    row("usual", "openai", "", "https://api.openai.com/v1/models");
    row("full address pasted", "openai", "https://gate.example/v1/chat/completions", "https://gate.example/v1/models");
    row("list's address pasted", "openai", "https://gate.example/v1/models", "https://gate.example/v1/models");
    row("deeper path", "glm", "", "https://api.z.ai/api/coding/paas/v4/models");
    row("address of its own", "ollama-cloud", "", "https://ollama.com/api/tags");
    row("address of its own, same host told", "ollama-cloud", "https://ollama.com/v1", "https://ollama.com/api/tags");
    row("local", "lmstudio", "http://10.0.0.3:1234", "http://10.0.0.3:1234/v1/models");
}

void EndpointTest::modelUrls()
{
    QFETCH(QString, provider);
    QFETCH(QString, baseUrl);
    QFETCH(QString, expected);
    const Result<Endpoint> endpoint = makeModelsEndpoint(providerOf(provider.toUtf8().constData()), connectionOf(baseUrl), "k");
    QVERIFY2(endpoint.ok(), endpoint.ok() ? "" : endpoint.error().message.c_str());
    QCOMPARE(QString::fromStdString(endpoint->url), expected);
}

void EndpointTest::modelListsThatCannotBeRead()
{
    const Result<Endpoint> none = makeModelsEndpoint(providerOf("perplexity"), connectionOf({}), "k");
    QVERIFY(!none.ok());
    QVERIFY(none.error().kind == ErrorKind::NotFound);
    // The key belongs to the other host: it must not be sent to the provider's own.
    const Connection elsewhere = connectionOf(QStringLiteral("https://gate.example/v1"));
    const Result<Endpoint> moved = makeModelsEndpoint(providerOf("ollama-cloud"), elsewhere, "k");
    QVERIFY(!moved.ok());
    QVERIFY(moved.error().kind == ErrorKind::NotFound);
    const Result<Endpoint> bad = makeModelsEndpoint(providerOf("openai"), connectionOf(QStringLiteral("ftp://gate.example")), "k");
    QVERIFY(!bad.ok());
    QVERIFY(bad.error().kind == ErrorKind::InvalidArgument);
}

void EndpointTest::authentication_data()
{
    QTest::addColumn<int>("auth");
    QTest::addColumn<QByteArray>("secret");
    QTest::addColumn<QString>("authorization");
    QTest::addColumn<QString>("xApiKey");
    QTest::addColumn<QString>("xGoogApiKey");
    const QString absent = QStringLiteral("absent");
    const auto row = [](const char* tag, AuthHeader auth, const char* secret, const QString& a, const QString& x, const QString& g) {
        QTest::newRow(tag) << static_cast<int>(auth) << QByteArray(secret) << a << x << g;
    };
    row("bearer", AuthHeader::Bearer, "sk-1", QStringLiteral("Bearer sk-1"), absent, absent);
    row("x-api-key", AuthHeader::XApiKey, "sk-1", absent, QStringLiteral("sk-1"), absent);
    row("x-goog-api-key", AuthHeader::XGoogApiKey, "sk-1", absent, absent, QStringLiteral("sk-1"));
    row("none", AuthHeader::None, "sk-1", absent, absent, absent);
    row("bearer without key", AuthHeader::Bearer, "", absent, absent, absent);
    row("x-api-key without key", AuthHeader::XApiKey, "", absent, absent, absent);
}

void EndpointTest::authentication()
{
    QFETCH(int, auth);
    QFETCH(QByteArray, secret);
    QFETCH(QString, authorization);
    QFETCH(QString, xApiKey);
    QFETCH(QString, xGoogApiKey);
    Provider provider = providerOf("openai");
    provider.auth = static_cast<AuthHeader>(auth);
    const Result<Endpoint> call = makeEndpoint(provider, connectionOf({}), Operation::ChatCompletions, secret.toStdString());
    const Result<Endpoint> list = makeModelsEndpoint(provider, connectionOf({}), secret.toStdString());
    for (const Result<Endpoint>* endpoint : {&call, &list}) {
        QVERIFY(endpoint->ok());
        QCOMPARE(headerOf(**endpoint, "authorization"), authorization);
        QCOMPARE(headerOf(**endpoint, "x-api-key"), xApiKey);
        QCOMPARE(headerOf(**endpoint, "x-goog-api-key"), xGoogApiKey);
        QVERIFY((*endpoint)->url.find("sk-1") == std::string::npos);
    }
}

void EndpointTest::fixedHeaders()
{
    const Result<Endpoint> anthropic = makeEndpoint(providerOf("anthropic"), connectionOf({}), Operation::Messages, "k");
    QCOMPARE(headerOf(*anthropic, "anthropic-version"), QStringLiteral("2023-06-01"));
    QCOMPARE(headerOf(*makeModelsEndpoint(providerOf("anthropic"), connectionOf({}), "k"), "anthropic-version"),
             QStringLiteral("2023-06-01"));
    QCOMPARE(headerOf(*makeEndpoint(providerOf("deepseek"), connectionOf({}), Operation::Messages, "k"), "anthropic-version"),
             QStringLiteral("2023-06-01"));
    QCOMPARE(headerOf(*makeEndpoint(providerOf("deepseek"), connectionOf({}), Operation::ChatCompletions, "k"), "anthropic-version"),
             QStringLiteral("absent"));

    Provider provider = providerOf("openai");
    provider.headers = {{"X-Team", "7"}, {"Authorization", "Bearer fixed"}, {"Anthropic-Version", "2030-01-01"}};
    provider.paths[Operation::Messages] = "/messages";
    const Result<Endpoint> fixed = makeEndpoint(provider, connectionOf({}), Operation::Messages, "k");
    QCOMPARE(headerOf(*fixed, "x-team"), QStringLiteral("7"));
    QCOMPARE(headerOf(*fixed, "authorization"), QStringLiteral("Bearer k"));
    QCOMPARE(headerOf(*fixed, "anthropic-version"), QStringLiteral("2030-01-01"));
    QCOMPARE(headerOf(*makeEndpoint(provider, connectionOf({}), Operation::Messages, ""), "authorization"),
             QStringLiteral("Bearer fixed"));
}

void EndpointTest::badKeysAreRefusedAndNotRepeated_data()
{
    QTest::addColumn<QByteArray>("secret");
    QTest::newRow("line break") << QByteArray("sk-secret\r\nx: y");
    QTest::newRow("line feed at the end") << QByteArray("sk-secret\n");
    QTest::newRow("blank") << QByteArray("sk secret");
    QTest::newRow("null") << QByteArray("sk\0secret", 9);
    QTest::newRow("beyond ASCII") << QByteArray("sk-secret\xE2\x80\xA6");
}

void EndpointTest::badKeysAreRefusedAndNotRepeated()
{
    QFETCH(QByteArray, secret);
    const Result<Endpoint> endpoint =
        makeEndpoint(providerOf("openai"), connectionOf({}), Operation::ChatCompletions, secret.toStdString());
    QVERIFY(!endpoint.ok());
    QVERIFY(endpoint.error().kind == ErrorKind::InvalidArgument);
    QVERIFY(endpoint.error().message.find("secret") == std::string::npos);
    QVERIFY(endpoint.error().message.find("Mine") != std::string::npos);
}

void EndpointTest::proxy()
{
    Connection connection = connectionOf({}, "socks5h://127.0.0.1:1080");
    connection.http2 = true;
    const Result<Endpoint> through = makeEndpoint(providerOf("openai"), connection, Operation::ChatCompletions, "k", "user:pw");
    QVERIFY(through.ok());
    QCOMPARE(through->proxyUrl, std::string("socks5h://127.0.0.1:1080"));
    QCOMPARE(through->proxyUserPassword, std::string("user:pw"));
    QVERIFY(through->http2);

    const Result<Endpoint> direct = makeEndpoint(providerOf("openai"), connectionOf({}), Operation::ChatCompletions, "k", "user:pw");
    QVERIFY(direct->proxyUrl.empty() && direct->proxyUserPassword.empty() && !direct->http2);

    const Connection socks5 = connectionOf({}, "socks5://127.0.0.1:1080");
    const Result<Endpoint> bad = makeEndpoint(providerOf("openai"), socks5, Operation::ChatCompletions, "k");
    QVERIFY(!bad.ok());
    QVERIFY(bad.error().message.find("socks5h") != std::string::npos);
}

void EndpointTest::operationsNotOffered()
{
    const Result<Endpoint> endpoint = makeEndpoint(providerOf("anthropic"), connectionOf({}), Operation::ChatCompletions, "k");
    QVERIFY(!endpoint.ok());
    QVERIFY(endpoint.error().kind == ErrorKind::InvalidArgument);
    QCOMPARE(endpoint.error().message, std::string("Anthropic does not offer chat."));
}

void EndpointTest::baseUrls_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<int>("category");
    QTest::addColumn<QString>("word");  // of the message; empty = fine
    const auto row = [](const char* url, const char* word, ProviderCategory category = ProviderCategory::Compatible) {
        const std::string tag = std::string(toString(category)) + " " + url;
        QTest::newRow(tag.c_str()) << QString::fromUtf8(url) << static_cast<int>(category) << QString::fromUtf8(word);
    };
    row("https://api.example.com/v1", "");
    row("http://10.0.0.1:8000", "");
    row("http://localhost:1234/v1", "");
    row("https://x.example/v1?api-version=1&keyboard=us", "");
    row("", "empty");
    row("api.example.com", "scheme");
    row("ftp://api.example.com", "https://");
    row("file:///etc/passwd", "host");
    row("ws://api.example.com", "https://");
    row("https://user:pw@api.example.com", "key field");
    row("https://sk-abc@api.example.com", "key field");
    row("https://api.example.com?key=abc", "key field");
    row("https://api.example.com/v1?x=1&API_KEY=abc", "key field");
    row("https://api.example.com/v1#a", "#");
    row("https://api.example.com/v1/../admin", "..");
    row("https://api.example.com/%2e%2E/admin", "..");
    row("https://api.example.com/./v1", "..");
    row("https://api.example.com/v1...", "");
    row("http://169.254.169.254/latest/meta-data", "metadata");
    row("http://169.254.1.1", "metadata");
    row("http://[fe80::1]", "metadata");
    row("http://[fe80::1%25eth0]:8080", "metadata");
    row("http://[febf::1]", "metadata");
    row("http://[::ffff:169.254.169.254]", "metadata");
    row("http://[::ffff:a9fe:a9fe]", "metadata");
    row("http://metadata.google.internal/computeMetadata/v1", "metadata");
    row("http://METADATA.google.internal./", "metadata");
    row("http://metadata", "metadata");
    row("http://100.100.100.200", "metadata");
    row("http://[fd00:ec2::254]", "metadata");
    row("http://[fd00:0ec2:0:0:0:0:0:254]", "metadata");
    row("http://2852039166", "IP address");
    row("http://0xa9fea9fe", "IP address");
    row("http://169.254.43518", "IP address");
    row("http://169.254.1.1", "metadata", ProviderCategory::Hosted);
    row("http://169.254.1.1", "metadata", ProviderCategory::Sandbox);
    row("http://169.254.1.1:8080/v1", "", ProviderCategory::Local);
    row("http://[fe80::1%25eth0]:8080/v1", "", ProviderCategory::Local);
    row("http://metadata.example.com", "");
}

void EndpointTest::baseUrls()
{
    QFETCH(QString, url);
    QFETCH(int, category);
    QFETCH(QString, word);
    const Status status = validateBaseUrl(url.toStdString(), static_cast<ProviderCategory>(category));
    QCOMPARE(status.ok(), word.isEmpty());
    if (status.ok())
        return;
    QVERIFY(status.error().kind == ErrorKind::InvalidArgument);
    const QString message = QString::fromStdString(status.error().message);
    QVERIFY2(message.contains(word), qPrintable(message));
    for (const char* secret : {"pw", "sk-abc", "=abc"})
        QVERIFY2(!message.contains(QString::fromUtf8(secret)), qPrintable(message));
}

void EndpointTest::refusedBaseUrlsMakeNoEndpoint()
{
    for (const char* url : {"http://169.254.169.254", "https://u:p@h.example", "h.example/v1", "ftp://h.example"}) {
        const Connection connection = connectionOf(QString::fromUtf8(url));
        const Result<Endpoint> call = makeEndpoint(providerOf("openai"), connection, Operation::ChatCompletions, "k");
        QVERIFY2(!call.ok(), url);
        QVERIFY(call.error().kind == ErrorKind::InvalidArgument);
        QVERIFY2(!makeModelsEndpoint(providerOf("openai"), connection, "k").ok(), url);
    }
    const Connection linkLocal = connectionOf(QStringLiteral("http://169.254.7.7:11434/v1"));
    QVERIFY(makeEndpoint(providerOf("ollama"), linkLocal, Operation::ChatCompletions, "").ok());
}

void EndpointTest::proxyUrls_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("word");
    const auto row = [](const char* url, const char* word) { QTest::newRow(url) << QString::fromUtf8(url) << QString::fromUtf8(word); };
    row("", "");
    row("http://proxy.example:8080", "");
    row("https://proxy.example:8443/", "");
    row("socks5h://[::1]:1080", "");
    row("HTTP://PROXY:3128", "");
    row("socks5://127.0.0.1:1080", "socks5h://");
    row("socks4://127.0.0.1:1080", "socks5h://");
    row("socks4a://127.0.0.1:1080", "socks5h://");
    row("proxy.example:8080", "scheme");
    row("http://proxy.example", "port");
    row("http://user:pw@proxy.example:8080", "credentials field");
    row("http://proxy.example:8080/path", "only");
    row("http://proxy.example:8080?x", "only");
    row("http://pro xy:8080", "blank");
}

void EndpointTest::proxyUrls()
{
    QFETCH(QString, url);
    QFETCH(QString, word);
    const Status status = validateProxyUrl(url.toStdString());
    QCOMPARE(status.ok(), word.isEmpty());
    if (status.ok())
        return;
    const QString message = QString::fromStdString(status.error().message);
    QVERIFY2(message.contains(word), qPrintable(message));
    QVERIFY(!message.contains(QLatin1String("pw")));
}

OMNI_TEST(EndpointTest)
#include "endpoint_test.moc"
