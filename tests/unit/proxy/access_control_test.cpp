#include "proxy/access_control.h"

#include "program/test_program.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace omni;

Q_DECLARE_METATYPE(omni::RouteClass)

namespace {

HttpRequest requestWith(HeaderList headers)
{
    HttpRequest request;
    request.method = "POST";
    request.target = "/v1/chat/completions";
    request.headers = std::move(headers);
    return request;
}

constexpr auto kOwnerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ReadUser | QFileDevice::WriteUser;

}  // namespace

class AccessControlTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void routeClasses_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<RouteClass>("expected");
        const auto row = [](const char* method, const char* path, RouteClass expected) {
            QTest::addRow("%s %s", method, path) << QByteArray(method) << QByteArray(path) << expected;
        };
        row("GET", "/health", RouteClass::Public);
        row("HEAD", "/health", RouteClass::Public);
        row("POST", "/health", RouteClass::Management);
        row("GET", "/api/monitoring/health", RouteClass::Public);
        row("DELETE", "/api/monitoring/health", RouteClass::Management);
        row("GET", "/api/monitoring/health/", RouteClass::Management);
        row("POST", "/v1/chat/completions", RouteClass::ClientApi);
        row("POST", "/api/v1/chat/completions", RouteClass::ClientApi);
        row("GET", "/v1/models", RouteClass::ClientApi);
        row("GET", "/v1", RouteClass::ClientApi);
        row("POST", "/v1beta/models/x:generateContent", RouteClass::ClientApi);
        row("GET", "/models", RouteClass::ClientApi);
        row("POST", "/responses", RouteClass::ClientApi);
        row("OPTIONS", "/v1/models", RouteClass::ClientApi);
        row("GET", "/v1x/models", RouteClass::Management);
        row("GET", "/api/v1x", RouteClass::Management);
        row("GET", "/modelsx", RouteClass::Management);
        row("GET", "/models/openai/gpt-4o", RouteClass::ClientApi);
        row("POST", "/messages/count_tokens", RouteClass::ClientApi);
        row("POST", "/messages/batches", RouteClass::Management);
        row("GET", "/V1/models", RouteClass::Management);
        row("GET", "/api/providers", RouteClass::Management);
        row("POST", "/api/shutdown", RouteClass::Management);
        row("GET", "/metrics", RouteClass::Management);
        row("GET", "//v1/models", RouteClass::Management);
        row("GET", "/healthz", RouteClass::Management);
        row("GET", "/", RouteClass::Management);
        row("OPTIONS", "*", RouteClass::Management);
    }

    void routeClasses()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        QFETCH(RouteClass, expected);
        QCOMPARE(routeClassOf(method.toStdString(), path.toStdString()), expected);
    }

    void hosts_data()
    {
        QTest::addColumn<QByteArray>("host");
        QTest::addColumn<bool>("exposed");
        QTest::addColumn<QByteArray>("local");
        QTest::addColumn<bool>("allowed");
        const auto row = [](const char* host, bool allowed, bool exposed = false, const char* local = "127.0.0.1") {
            QTest::addRow("%s%s%s", host, exposed ? " exposed at " : "", exposed ? local : "")
                << QByteArray(host) << exposed << QByteArray(local) << allowed;
        };
        row("127.0.0.1", true);
        row("127.0.0.1:20128", true);
        row("localhost", true);
        row("LocalHost:20128", true);
        row("[::1]", true);
        row("[::1]:20128", true);
        row("127.0.0.1:20129", false);
        row("127.0.0.1:", false);
        row("127.0.0.1:+20128", false);
        row("127.0.0.1:020128", true);
        row("127.0.0.1:20128x", false);
        row("localhost.", false);
        row("localhost.evil.example", false);
        row("127.0.0.1.evil.example", false);
        row("evil.example", false);
        row("127.0.0.2", false);
        row("::1", false);
        row("[::1", false);
        row("[::1]x", false);
        row("[::1]:", false);
        row("", false);
        row("localhost@evil.example", false);
        row("0.0.0.0", false);
        row("192.168.1.5:20128", false, false, "192.168.1.5");
        row("192.168.1.5:20128", true, true, "192.168.1.5");
        row("192.168.1.5:20128", true, true, "::ffff:192.168.1.5");
        row("192.168.1.6:20128", false, true, "192.168.1.5");
        row("[fe80::1]:20128", true, true, "fe80::1%eth0");
        row("[FE80::1]", true, true, "fe80::1%eth0");
        row("localhost:20128", true, true, "192.168.1.5");
    }

    void hosts()
    {
        QFETCH(QByteArray, host);
        QFETCH(bool, exposed);
        QFETCH(QByteArray, local);
        QFETCH(bool, allowed);
        AccessPolicy policy;
        policy.port = 20128;
        policy.exposed = exposed;
        const Status status = policy.checkHostAndOrigin(requestWith({{"host", host.toStdString()}}), local.toStdString());
        QCOMPARE(status.ok(), allowed);
        if (!allowed) {
            QVERIFY(status.error().kind == ErrorKind::Forbidden);
            QVERIFY(status.error().message.find("Host") != std::string::npos);
            QVERIFY(status.error().message.find("localhost") != std::string::npos);
        }
    }

    void origins_data()
    {
        QTest::addColumn<QByteArray>("origin");
        QTest::addColumn<bool>("allowed");
        const auto row = [](const char* origin, bool allowed) { QTest::newRow(origin) << QByteArray(origin) << allowed; };
        row("http://127.0.0.1:20128", true);
        row("http://localhost:20128", true);
        row("http://[::1]:20128", true);
        row("HTTP://LOCALHOST:20128", true);
        row("http://localhost", false);
        row("http://localhost:3000", false);
        row("https://localhost:20128", false);
        row("http://localhost.evil.example", false);
        row("http://localhost:20128.evil.example", false);
        row("https://evil.example", false);
        row("https://app.example", true);
        row("https://APP.example/", true);
        row("https://app.example:8443", false);
        row("http://app.example", false);
        row("https://app.example.evil", false);
        row("null", false);
        row("", false);
    }

    void origins()
    {
        QFETCH(QByteArray, origin);
        QFETCH(bool, allowed);
        AccessPolicy policy;
        policy.port = 20128;
        policy.allowedOrigins = {"https://app.example", "null"};
        const Status status =
            policy.checkHostAndOrigin(requestWith({{"host", "localhost:20128"}, {"origin", origin.toStdString()}}), "127.0.0.1");
        QCOMPARE(status.ok(), allowed);
        if (!allowed)
            QVERIFY(status.error().message.find("Origin") != std::string::npos);
    }

    void everyOriginHeaderIsChecked()
    {
        AccessPolicy policy;
        policy.port = 20128;
        QVERIFY(!policy.checkHostAndOrigin(requestWith({{"host", "localhost"},
                                                        {"origin", "http://localhost:20128"},
                                                        {"origin", "https://evil.example"}}),
                                           "127.0.0.1"));
        QVERIFY(policy.checkHostAndOrigin(requestWith({{"host", "localhost"}}), "127.0.0.1").ok());
    }

    void aMissingHostIsRefused()
    {
        AccessPolicy policy;
        policy.port = 20128;
        QVERIFY(!policy.checkHostAndOrigin(requestWith({}), "127.0.0.1"));
    }

    void refusedHeadersCannotBreakTheMessage()
    {
        AccessPolicy policy;
        policy.port = 20128;
        const Status status = policy.checkHostAndOrigin(requestWith({{"host", std::string(5'000, 'a') + "\"\t"}}), "127.0.0.1");
        QVERIFY(status.error().message.size() < 400);
    }

    void keysInHeaders_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("bearer") << QByteArray("authorization") << QByteArray("Bearer abc") << QByteArray("abc");
        QTest::newRow("any case, blanks") << QByteArray("authorization") << QByteArray("bEARER   abc ") << QByteArray("abc");
        QTest::newRow("basic") << QByteArray("authorization") << QByteArray("Basic abc") << QByteArray();
        QTest::newRow("no key") << QByteArray("authorization") << QByteArray("Bearer ") << QByteArray();
        QTest::newRow("bearer glued") << QByteArray("authorization") << QByteArray("Bearerabc") << QByteArray();
        QTest::newRow("x-api-key") << QByteArray("x-api-key") << QByteArray(" abc") << QByteArray("abc");
        QTest::newRow("x-goog-api-key") << QByteArray("x-goog-api-key") << QByteArray("abc") << QByteArray("abc");
        QTest::newRow("none") << QByteArray("x-other") << QByteArray("abc") << QByteArray();
    }

    void keysInHeaders()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, expected);
        const HttpRequest request = requestWith({{name.toStdString(), value.toStdString()}});
        QCOMPARE(std::string(presentedKey(request)), expected.toStdString());
    }

    void theFirstHeaderWins()
    {
        const HttpRequest request = requestWith({{"x-api-key", "second"}, {"authorization", "Bearer first"}});
        QVERIFY(presentedKey(request) == "first");
    }

    void tokenIsMadeOnceAndKept()
    {
        QTemporaryDir dir;
        const Result<ManagementToken> made = ManagementToken::loadOrCreate(dir.path().toStdString());
        QVERIFY(made.ok());
        QCOMPARE(made->value().size(), std::size_t(64));
        QCOMPARE(made->filePath(), dir.path().toStdString() + "/management.token");
        QCOMPARE(QFileInfo(QString::fromStdString(made->filePath())).permissions(), kOwnerOnly);

        const Result<ManagementToken> again = ManagementToken::loadOrCreate(dir.path().toStdString());
        QVERIFY(again.ok());
        QCOMPARE(again->value(), made->value());
        QVERIFY(again->matches(made->value()));
        QVERIFY(!again->matches(""));
        QVERIFY(!again->matches(made->value() + "0"));
        QVERIFY(!again->matches(made->value().substr(1) + "0"));
    }

    void aLooseModeIsTightened()
    {
        QTemporaryDir dir;
        QFile file(dir.filePath(QStringLiteral("management.token")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("0123456789abcdef0123456789abcdef-mine\n");
        file.close();
        QVERIFY(file.setPermissions(kOwnerOnly | QFileDevice::ReadOther | QFileDevice::ReadGroup));
        const Result<ManagementToken> token = ManagementToken::loadOrCreate(dir.path().toStdString());
        QVERIFY(token.ok());
        QCOMPARE(token->value(), std::string("0123456789abcdef0123456789abcdef-mine"));
        QCOMPARE(QFileInfo(file.fileName()).permissions(), kOwnerOnly);
    }

    void anEmptyOrShortTokenIsReplaced()
    {
        QTemporaryDir dir;
        QFile file(dir.filePath(QStringLiteral("management.token")));
        for (const QByteArray& content : {QByteArray(), QByteArray("short\n"), QByteArray(40, ' '), QByteArray(2'000, 'a')}) {
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write(content);
            file.close();
            const Result<ManagementToken> token = ManagementToken::loadOrCreate(dir.path().toStdString());
            QVERIFY(token.ok());
            QCOMPARE(token->value().size(), std::size_t(64));
            QCOMPARE(QFileInfo(file.fileName()).permissions(), kOwnerOnly);
        }
    }

    void aFolderThatCannotBeWrittenIsAnError()
    {
        const Result<ManagementToken> token = ManagementToken::loadOrCreate("/nonexistent/folder");
        QVERIFY(!token.ok());
        QVERIFY(token.error().kind == ErrorKind::Storage);
    }
};

OMNI_TEST(AccessControlTest)
#include "access_control_test.moc"
