#include "base/result.h"  // before <compare>, which moc of Qt 6.4 cannot read as the first header
#include "model/provider.h"
#include "model/url.h"

#include "program/test_program.h"

#include <QTest>

using namespace omni;

class UrlTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void parts();
    void refused_data();
    void refused();
    void addresses_data();
    void addresses();
    void local_data();
    void local();
    void localHostnames();
    void localHostnamesFromTheEnvironment();
};

void UrlTest::parts()
{
    const Result<Url> url = parseUrl("HTTPS://User:pw@Api.Example.COM.:8443/v1/x%20y?api-version=1#top");
    QVERIFY(url.ok());
    QCOMPARE(url->scheme, std::string("https"));
    QCOMPARE(url->userInfo, std::string("User:pw"));
    QCOMPARE(url->host, std::string("api.example.com"));
    QVERIFY(url->port == 8443);
    QCOMPARE(url->path, std::string("/v1/x%20y"));
    QCOMPARE(url->query.value_or("none"), std::string("api-version=1"));
    QCOMPARE(url->fragment.value_or("none"), std::string("top"));
    QVERIFY(!url->address);
    QCOMPARE(url->origin(), std::string("https://api.example.com:8443"));

    const Result<Url> bare = parseUrl("http://[FE80::1%25eth0]:80");
    QVERIFY(bare.ok());
    QCOMPARE(bare->host, std::string("fe80::1"));
    QCOMPARE(bare->zone, std::string("eth0"));
    QVERIFY(bare->address && bare->address->isLinkLocal());
    QVERIFY(bare->path.empty() && !bare->query && !bare->fragment);
    QCOMPARE(bare->origin(), std::string("http://[fe80::1%25eth0]:80"));
}

void UrlTest::refused_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* tag, const char* text) { QTest::newRow(tag) << QByteArray(text); };
    row("empty", "");
    row("no scheme", "api.openai.com/v1");
    row("scheme only", "https://");
    row("no host", "https:///v1");
    row("empty scheme", "://host");
    row("scheme that begins with a digit", "1http://host");
    row("blank", "https://ho st/v1");
    row("leading blank", " https://host");
    row("line feed", "https://host/v1\n");
    row("backslash", "https://host\\@evil.example/");
    row("beyond ASCII", "https://b\xC3\xBC" "cher.example");
    row("quote", "https://host/\"x\"");
    row("port zero", "http://host:0");
    row("port too large", "http://host:65536");
    row("port empty", "http://host:");
    row("port with sign", "http://host:+80");
    row("port with letters", "http://host:80a");
    row("IPv6 without brackets", "http://::1/");
    row("bracket open", "http://[::1/");
    row("text in brackets", "http://[localhost]/");
    row("IPv4 in brackets", "http://[127.0.0.1]/");
    row("text after bracket", "http://[::1]x/");
    row("empty label", "http://a..b/");
    row("percent in host", "http://127%2e0.0.1/");
    row("empty user info", "http://@host/");
    row("short IPv4", "http://127.1/");
    row("hexadecimal IPv4", "http://0x7f000001/");
    row("hexadecimal last part", "http://127.0.0.0x1/");
    row("IPv4 as one number", "http://2130706433/");
    row("octal IPv4", "http://0177.0.0.1/");
    row("IPv4 out of range", "http://256.0.0.1/");
    row("five numbers", "http://1.2.3.4.5/");
    row("zone with odd letters", "http://[fe80::1%25et/h0]/");
}

void UrlTest::refused()
{
    QFETCH(QByteArray, text);
    const Result<Url> url = parseUrl(text.toStdString());
    QVERIFY(!url.ok());
    QVERIFY(url.error().kind == ErrorKind::InvalidArgument);
    QVERIFY(!url.error().message.empty());
}

void UrlTest::addresses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("kind");
    const auto row = [](const char* text, const char* kind) { QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(kind); };
    row("127.0.0.1", "loopback");
    row("127.255.255.254", "loopback");
    row("128.0.0.1", "public");
    row("::1", "loopback");
    row("0:0:0:0:0:0:0:1", "loopback");
    row("::2", "public");
    row("::ffff:127.0.0.1", "loopback");
    row("::ffff:7f00:1", "loopback");
    row("::ffff:8.8.8.8", "public");
    row("10.0.0.1", "private");
    row("11.0.0.1", "public");
    row("172.15.255.255", "public");
    row("172.16.0.0", "private");
    row("172.31.255.255", "private");
    row("172.32.0.5", "public");
    row("192.168.1.1", "private");
    row("192.169.1.1", "public");
    row("169.254.169.254", "link-local");
    row("::ffff:169.254.1.1", "link-local");
    row("169.253.0.1", "public");
    row("fe80::1", "link-local");
    row("febf::1", "link-local");
    row("fec0::1", "public");
    row("2001:db8::192.0.2.1", "public");
    row("1:2:3:4:5:6:7:8", "public");
    row("1:2:3:4:5:6:7::", "public");
    row("::", "public");
    row("1::2::3", "none");
    row("1:2:3:4:5:6:7", "none");
    row("1:2:3:4:5:6:7:8:9", "none");
    row("1:2:3:4:5:6:7:8::", "none");
    row(":1:2:3:4:5:6:7", "none");
    row("12345::", "none");
    row("::1.2.3", "none");
    row("1.2.3.4::", "none");
    row("g::", "none");
    row("1.2.3.04", "none");
    row("1.2.3.4.", "none");
    row(" 1.2.3.4", "none");
    row("", "none");
}

void UrlTest::addresses()
{
    QFETCH(QString, text);
    QFETCH(QString, kind);
    const std::optional<IpAddress> address = parseIpAddress(text.toStdString());
    QCOMPARE(address.has_value(), kind != QLatin1String("none"));
    if (!address)
        return;
    QCOMPARE(address->isLoopback(), kind == QLatin1String("loopback"));
    QCOMPARE(address->isPrivate(), kind == QLatin1String("private"));
    QCOMPARE(address->isLinkLocal(), kind == QLatin1String("link-local"));
}

void UrlTest::local_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<bool>("local");
    const auto row = [](const char* url, bool local) { QTest::newRow(url) << QString::fromUtf8(url) << local; };
    row("http://localhost:11434", true);
    row("http://LOCALHOST:11434/v1", true);
    row("http://localhost./v1", true);
    row("https://localhost", true);
    row("http://api.localhost:3000", true);
    row("http://127.0.0.1:8080/v1", true);
    row("http://127.9.9.9", true);
    row("http://[::1]:1", true);
    row("http://[::ffff:127.0.0.1]:1", true);
    row("http://172.20.0.5", true);
    row("http://172.32.0.5", false);
    row("http://10.1.2.3:8000", true);
    row("http://192.168.0.7", true);
    row("http://box.local:1234", true);
    row("http://user:pw@localhost/", true);
    row("http://8.8.8.8", false);
    row("https://api.openai.com/v1", false);
    row("https://localhost.example.com", false);
    row("https://notlocalhost", false);
    row("https://local", false);
    row("https://.local", false);
    row("https://evillocal", false);
    row("https://box.local.example", false);
    row("https://127.0.0.1.example.com", false);
    row("https://10.example.com", false);
    row("https://192.168.0.7.nip.io", false);
    row("https://localhost@evil.example/v1", false);
    row("https://evil.example/localhost", false);
    row("https://evil.example?localhost", false);
    row("https://evil.example#localhost", false);
    row("https://[::2]", false);
    row("http://127.1", false);
    row("localhost:11434", false);
    row("", false);
}

void UrlTest::local()
{
    QFETCH(QString, url);
    QFETCH(bool, local);
    QCOMPARE(isLocalBaseUrl(url.toStdString()), local);
}

void UrlTest::localHostnames()
{
    const std::vector<std::string> names = {"GPU-Box", "ai.lan"};
    QVERIFY(isLocalBaseUrl("http://gpu-box:8000/v1", names));
    QVERIFY(isLocalBaseUrl("http://AI.lan", names));
    QVERIFY(!isLocalBaseUrl("http://gpu-box2:8000/v1", names));
    QVERIFY(!isLocalBaseUrl("http://x.ai.lan", names));
    QVERIFY(!isLocalBaseUrl("http://gpu-box:8000/v1"));
}

void UrlTest::localHostnamesFromTheEnvironment()
{
    qputenv("LOCAL_HOSTNAMES", " GPU-Box , ,ai.lan,");
    QCOMPARE(localHostnamesFromEnvironment(), (std::vector<std::string>{"gpu-box", "ai.lan"}));
    qunsetenv("LOCAL_HOSTNAMES");
    QVERIFY(localHostnamesFromEnvironment().empty());
}

OMNI_TEST(UrlTest)
#include "url_test.moc"
