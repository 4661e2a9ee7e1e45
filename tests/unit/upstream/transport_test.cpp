#include "upstream/transport_switch.h"

#include "program/test_program.h"

#include <QElapsedTimer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <curl/curl.h>

#include <functional>

using namespace omni;

namespace {

/// Keeps what a call told.
struct Recorder final : TransportHandler {
    void transportHead(int code, HeaderList list) override
    {
        status = code;
        headers = std::move(list);
    }
    void transportData(std::string_view piece) override
    {
        body.append(piece);
        if (onData)
            onData();
    }
    void transportDone(const TransportResult& end) override
    {
        result = end;
        done = true;
        if (onDone)
            onDone();
    }
    std::string_view header(std::string_view name) const
    {
        for (const auto& [key, value] : headers)
            if (key == name)
                return value;
        return {};
    }

    int status = 0;
    HeaderList headers;
    std::string body;
    TransportResult result;
    bool done = false;
    std::function<void()> onData, onDone;
};

/// Reads whole requests and lets a script answer the n-th of them on its socket.
class ScriptedServer : public QObject {
public:
    using Script = std::function<void(QTcpSocket&, int request)>;

    explicit ScriptedServer(Script script) : m_script(std::move(script))
    {
        m_server.listen(QHostAddress::LocalHost);
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket* socket = m_server.nextPendingConnection()) {
                ++connections;
                connect(socket, &QTcpSocket::disconnected, this, [this] { ++disconnects; });
                connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(*socket); });
            }
        });
    }

    std::string url() const { return "http://127.0.0.1:" + std::to_string(m_server.serverPort()) + "/v1/x"; }
    int port() const { return m_server.serverPort(); }

    int connections = 0;
    int disconnects = 0;
    std::vector<QByteArray> requests;

private:
    void read(QTcpSocket& socket)
    {
        QByteArray& buffer = m_buffers[&socket];
        buffer += socket.readAll();
        while (true) {
            const qsizetype head = buffer.indexOf("\r\n\r\n");
            if (head < 0)
                return;
            qsizetype length = 0;
            const qsizetype at = buffer.toLower().indexOf("content-length: ");
            if (at >= 0 && at < head)
                length = buffer.mid(at + 16, buffer.indexOf("\r\n", at) - at - 16).toLongLong();
            if (buffer.size() < head + 4 + length)
                return;
            requests.push_back(buffer.left(head + 4 + length));
            buffer.remove(0, head + 4 + length);
            m_script(socket, static_cast<int>(requests.size()));
        }
    }

    Script m_script;
    QTcpServer m_server;
    std::map<QTcpSocket*, QByteArray> m_buffers;
};

const QByteArray kOk = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

}  // namespace

class TransportTest : public QObject {
    Q_OBJECT

    SystemClock m_clock;
    std::unique_ptr<SocketPoller> m_poller;
    std::unique_ptr<QtScheduler> m_scheduler;
    std::unique_ptr<Transport> m_transport;

    static TransportRequest post(const std::string& url, std::string body = "{\"model\":\"m\"}")
    {
        TransportRequest request;
        request.url = url;
        request.headers = {{"content-type", "application/json"}, {"authorization", "Bearer k"}};
        request.body.original = std::make_shared<const std::string>(std::move(body));
        return request;
    }

private Q_SLOTS:
    void initTestCase_data()
    {
        QTest::addColumn<bool>("plain");
        QTest::newRow("libcurl") << false;
        QTest::newRow("plain HTTP") << true;
    }

    void initTestCase() { curl_global_init(CURL_GLOBAL_DEFAULT); }

    void init()
    {
        m_poller = std::make_unique<SocketPoller>();
        m_scheduler = std::make_unique<QtScheduler>(m_clock);
        QFETCH_GLOBAL(bool, plain);
        if (plain)
            m_transport = std::make_unique<TransportSwitch>(*m_poller, *m_scheduler);
        else
            m_transport = std::make_unique<CurlTransport>(*m_poller, *m_scheduler);
    }

    void cleanup()
    {
        m_transport.reset();
        m_scheduler.reset();
        m_poller.reset();
    }

    void sendsExactlyWhatIsAsked()
    {
        ScriptedServer server([](QTcpSocket& socket, int) { socket.write(kOk); });
        Recorder recorder;
        const auto call = m_transport->start(post(server.url()), recorder);
        QVERIFY(!recorder.done);
        QTRY_VERIFY(recorder.done);
        QCOMPARE(recorder.status, 200);
        QCOMPARE(recorder.body, std::string("{}"));
        QCOMPARE(int(recorder.result.failure), int(TransportFailure::None));
        QVERIFY(recorder.result.connectUs >= 0);
        const QByteArray seen = server.requests.at(0);
        QVERIFY(seen.startsWith("POST /v1/x HTTP/1.1\r\n"));
        QVERIFY(seen.contains("authorization: Bearer k\r\n"));
        QVERIFY(seen.endsWith("\r\n\r\n{\"model\":\"m\"}"));
        QVERIFY(!seen.contains("Expect"));
        QVERIFY(!seen.contains("User-Agent"));
    }

    void splicesWithoutTouchingTheRest_data()
    {
        QTest::addColumn<int>("padding");
        QTest::newRow("small, in one piece") << 10;
        QTest::newRow("larger than the copy limit") << 300'000;
        QTest::newRow("ten megabytes") << 10'000'000;
    }

    void splicesWithoutTouchingTheRest()
    {
        QFETCH(int, padding);
        ScriptedServer server([](QTcpSocket& socket, int) { socket.write(kOk); });
        const std::string pad(static_cast<std::size_t>(padding), 'x');
        TransportRequest request = post(server.url(), "{\"a\":\"" + pad + "\",\"model\":\"old\",\"b\":1}");
        request.body.cutAt = request.body.original->find("\"old\"");
        request.body.cutLength = 5;
        request.body.insert = "\"brand-new\"";
        Recorder recorder;
        const auto call = m_transport->start(request, recorder);
        QTRY_VERIFY_WITH_TIMEOUT(recorder.done, 20'000);
        QCOMPARE(int(recorder.result.failure), int(TransportFailure::None));
        const QByteArray seen = server.requests.at(0);
        const QByteArray body = seen.mid(seen.indexOf("\r\n\r\n") + 4);
        QVERIFY(body == QByteArray::fromStdString("{\"a\":\"" + pad + "\",\"model\":\"brand-new\",\"b\":1}"));
    }

    void connectionsAreReused()
    {
        ScriptedServer server([](QTcpSocket& socket, int) { socket.write(kOk); });
        for (int i = 0; i < 3; ++i) {
            Recorder recorder;
            const auto call = m_transport->start(post(server.url()), recorder);
            QTRY_VERIFY(recorder.done);
            QCOMPARE(recorder.result.reusedConnection, i > 0);
        }
        QCOMPARE(server.connections, 1);
        TransportRequest fresh = post(server.url());
        fresh.freshConnection = true;
        Recorder recorder;
        const auto call = m_transport->start(fresh, recorder);
        QTRY_VERIFY(recorder.done);
        QVERIFY(!recorder.result.reusedConnection);
        QCOMPARE(server.connections, 2);
    }

    void aDeadPooledConnectionIsNeverResentSilently_data()
    {
        QTest::addColumn<bool>("reset");
        QTest::newRow("closed") << false;
        QTest::newRow("reset") << true;
    }

    void aDeadPooledConnectionIsNeverResentSilently()
    {
        QFETCH(bool, reset);
        ScriptedServer server([reset](QTcpSocket& socket, int request) {
            if (request == 1)
                socket.write(kOk);
            else if (reset)
                socket.abort();
            else
                socket.close();
        });
        Recorder first;
        const auto one = m_transport->start(post(server.url()), first);
        QTRY_VERIFY(first.done);
        Recorder second;
        const auto two = m_transport->start(post(server.url()), second);
        QTRY_VERIFY(second.done);
        QVERIFY(second.result.failure == TransportFailure::Reset || second.result.failure == TransportFailure::ClosedEarly);
        QVERIFY(second.result.reusedConnection);
        QVERIFY(!second.result.anyByteReceived);
        QCOMPARE(server.requests.size(), std::size_t{2});
    }

    void aSlowReaderHoldsTheUpstreamBack()
    {
        constexpr qint64 kSize = 64 * 1024 * 1024;
        ScriptedServer server([](QTcpSocket& socket, int) {
            socket.write("HTTP/1.1 200 OK\r\nContent-Length: " + QByteArray::number(kSize) + "\r\n\r\n");
            socket.write(QByteArray(kSize, 'z'));
        });
        Recorder recorder;
        std::unique_ptr<TransportCall> call;
        bool paused = false;
        std::size_t atPause = 0;
        recorder.onData = [&] {
            if (!paused && recorder.body.size() > 1024 * 1024) {
                paused = true;
                atPause = recorder.body.size();
                call->pause();
            }
        };
        call = m_transport->start(post(server.url()), recorder);
        QTRY_VERIFY(paused);
        for (int turn = 0; turn < 200; ++turn)
            QCoreApplication::processEvents();
        QVERIFY(recorder.body.size() - atPause <= 64 * 1024);
        recorder.onData = nullptr;
        call->resume();
        QTRY_VERIFY_WITH_TIMEOUT(recorder.done, 30'000);
        QCOMPARE(qint64(recorder.body.size()), kSize);
    }

    void cancellingClosesTheUpstreamAtOnce()
    {
        ScriptedServer server([](QTcpSocket& socket, int) { socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n"); });
        Recorder recorder;
        auto call = m_transport->start(post(server.url()), recorder);
        QTRY_COMPARE(recorder.body, std::string("hi"));
        call.reset();
        QTRY_COMPARE_WITH_TIMEOUT(server.disconnects, 1, 250);
        QVERIFY(!recorder.done);
    }

    void cancellingFromInsideACallbackIsSafe()
    {
        ScriptedServer server([](QTcpSocket& socket, int) { socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n"); });
        Recorder recorder, next;
        std::unique_ptr<TransportCall> call, nextCall;
        recorder.onData = [&] {
            nextCall = m_transport->start(post(server.url()), next);
            call.reset();
        };
        call = m_transport->start(post(server.url()), recorder);
        QTRY_COMPARE(next.body, std::string("hi"));
        QTRY_COMPARE(server.disconnects, 1);
    }

    void givingUpOnANameNeverBlocks()
    {
        Recorder recorder;
        QElapsedTimer timer;
        timer.start();
        auto call = m_transport->start(post("http://a-name-that-is-nowhere.invalid:1/"), recorder);
        call.reset();
        QVERIFY(timer.elapsed() < 50);
        call = m_transport->start(post("http://another-name-that-is-nowhere.invalid:1/"), recorder);
        QTRY_VERIFY_WITH_TIMEOUT(recorder.done, 15'000);
        QVERIFY(recorder.result.failure == TransportFailure::ResolveFailed || recorder.result.failure == TransportFailure::ConnectTimeout);
    }

    void refusedConnection()
    {
        QTcpServer closed;
        closed.listen(QHostAddress::LocalHost);
        const int port = closed.serverPort();
        closed.close();
        Recorder recorder;
        const auto call = m_transport->start(post("http://127.0.0.1:" + std::to_string(port) + "/"), recorder);
        QTRY_VERIFY(recorder.done);
        QCOMPARE(int(recorder.result.failure), int(TransportFailure::ConnectFailed));
        QVERIFY(!recorder.result.message.empty());
    }

    void limits_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<int>("failure");
        QTest::newRow("no first byte") << QByteArray() << int(TransportFailure::FirstByteTimeout);
        QTest::newRow("L08 stops in the middle") << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n") << int(TransportFailure::IdleTimeout);
    }

    void limits()
    {
        QFETCH(QByteArray, answer);
        QFETCH(int, failure);
        ScriptedServer server([answer](QTcpSocket& socket, int) { socket.write(answer); });
        TransportRequest request = post(server.url());
        request.firstByteTimeout = Millis(60);
        request.idleTimeout = Millis(60);
        Recorder recorder;
        const auto call = m_transport->start(request, recorder);
        QTRY_VERIFY(recorder.done);
        QCOMPARE(int(recorder.result.failure), failure);
        QTRY_COMPARE(server.disconnects, 1);
    }

    void brokenAnswers_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("length cut short") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
        QTest::newRow("no last chunk") << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
        QTest::newRow("malformed chunk") << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\nabc\r\n0\r\n\r\n");
        QTest::newRow("K08 cut inside a trailer") << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-");
        QTest::newRow("no HTTP at all") << QByteArray("hello\r\n\r\n");
        QTest::newRow("nothing") << QByteArray();
    }

    void brokenAnswers()
    {
        QFETCH(QByteArray, answer);
        ScriptedServer server([answer](QTcpSocket& socket, int) {
            socket.write(answer);
            socket.disconnectFromHost();
        });
        Recorder recorder;
        const auto call = m_transport->start(post(server.url()), recorder);
        QTRY_VERIFY(recorder.done);
        QVERIFY(recorder.result.failure != TransportFailure::None);
    }

    void wholeAnswers_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("until the close") << QByteArray("HTTP/1.1 200 OK\r\n\r\nabc");
        QTest::newRow("K07 trailer") << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n");
        QTest::newRow("interim answer first") << QByteArray("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc");
        QTest::newRow("K04 gzip though identity was asked for")
            << QByteArray("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 23\r\n\r\n")
                   + QByteArray::fromHex("1f8b08000000000000034b4c4a0600c241243503000000");
    }

    void wholeAnswers()
    {
        QFETCH(QByteArray, answer);
        ScriptedServer server([answer](QTcpSocket& socket, int) {
            socket.write(answer);
            socket.disconnectFromHost();
        });
        Recorder recorder;
        const auto call = m_transport->start(post(server.url()), recorder);
        QTRY_VERIFY(recorder.done);
        QCOMPARE(int(recorder.result.failure), int(TransportFailure::None));
        QCOMPARE(recorder.status, 200);
        QCOMPARE(recorder.body, std::string("abc"));
        QVERIFY(recorder.header("content-encoding").empty());
        QVERIFY(recorder.header("link").empty());
    }

    void theEnvironmentsProxyIsNotInherited()
    {
        qputenv("http_proxy", "http://127.0.0.1:9");
        qputenv("ALL_PROXY", "http://127.0.0.1:9");
        ScriptedServer server([](QTcpSocket& socket, int) { socket.write(kOk); });
        Recorder recorder;
        const auto call = m_transport->start(post(server.url()), recorder);
        QTRY_VERIFY(recorder.done);
        QCOMPARE(int(recorder.result.failure), int(TransportFailure::None));
        qunsetenv("http_proxy");
        qunsetenv("ALL_PROXY");
    }

    void aConnectionsOwnProxyIsUsed()
    {
        ScriptedServer proxy([](QTcpSocket& socket, int) { socket.write(kOk); });
        TransportRequest request = post("http://upstream.invalid/v1/x");
        request.proxyUrl = "http://127.0.0.1:" + std::to_string(proxy.port());
        request.proxyUserPassword = "user:pass";
        Recorder recorder;
        const auto call = m_transport->start(request, recorder);
        QTRY_VERIFY(recorder.done);
        QCOMPARE(int(recorder.result.failure), int(TransportFailure::None));
        QVERIFY(proxy.requests.at(0).startsWith("POST http://upstream.invalid/v1/x HTTP/1.1\r\n"));
        QVERIFY(proxy.requests.at(0).contains("Proxy-Authorization: Basic "));
    }

    void redirectsAreNotFollowed()
    {
        ScriptedServer elsewhere([](QTcpSocket& socket, int) { socket.write(kOk); });
        ScriptedServer server([&](QTcpSocket& socket, int) {
            socket.write("HTTP/1.1 307 Temporary Redirect\r\nContent-Length: 0\r\nLocation: " + QByteArray::fromStdString(elsewhere.url()) + "\r\n\r\n");
        });
        Recorder recorder;
        const auto call = m_transport->start(post(server.url()), recorder);
        QTRY_VERIFY(recorder.done);
        QCOMPARE(recorder.status, 307);
        QVERIFY(elsewhere.requests.empty());
    }

    void droppingIdleConnectionsLeavesRunningOnesAlone()
    {
        ScriptedServer server([](QTcpSocket& socket, int request) {
            socket.write(request == 2 ? QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n") : kOk);
        });
        Recorder first;
        auto one = m_transport->start(post(server.url()), first);
        QTRY_VERIFY(first.done);
        Recorder running;
        auto two = m_transport->start(post(server.url()), running);
        QTRY_COMPARE(running.body, std::string("hi"));
        m_transport->dropIdleConnections();
        Recorder third;
        auto three = m_transport->start(post(server.url()), third);
        QTRY_VERIFY(third.done);
        QVERIFY(!third.result.reusedConnection);
        QCOMPARE(server.connections, 2);
        QVERIFY(!running.done);
        two.reset();
        QTRY_COMPARE(server.disconnects, 1);
    }

    void manyStreamsAtOnce()
    {
        ScriptedServer server([](QTcpSocket& socket, int) { socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"); });
        std::vector<std::unique_ptr<Recorder>> recorders;
        std::vector<std::unique_ptr<TransportCall>> calls;
        for (int i = 0; i < 300; ++i) {
            recorders.push_back(std::make_unique<Recorder>());
            calls.push_back(m_transport->start(post(server.url()), *recorders.back()));
        }
        for (const auto& recorder : recorders) {
            QTRY_VERIFY_WITH_TIMEOUT(recorder->done, 10'000);
            QCOMPARE(recorder->body, std::string("hi"));
        }
        QCOMPARE(server.requests.size(), std::size_t{300});
    }
};

OMNI_TEST(TransportTest)
#include "transport_test.moc"
