#include "base/random.h"
#include "program/test_program.h"
#include "proxy/http_server.h"
#include "support/http_client.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTest>
#include <QTimer>

using namespace omni;
using namespace omni::test;
using nlohmann::json;

namespace {

/// Echoes what it was sent, or does as the path says.
class EchoRouter final : public RequestRouter {
public:
    struct Handler final : RequestHandler {
        explicit Handler(EchoRouter& router) : owner(router) { ++owner.living; }
        ~Handler() override { --owner.living; }
        void clientGone() override { ++owner.gone; }
        void writerDrained() override { ++owner.drained; }
        EchoRouter& owner;
    };

    std::unique_ptr<RequestHandler> route(HttpRequest request, ResponseWriter& writer) override
    {
        ++requests;
        lastBody = request.body ? *request.body : std::string();
        const std::string_view path = request.path();
        if (path == "/hang")
            return std::make_unique<Handler>(*this);
        if (path == "/flood") {
            writer.sendHead(200, {}, ResponseWriter::kChunked);
            held = &writer;
            return std::make_unique<Handler>(*this);
        }
        if (path == "/chunked") {
            writer.sendHead(200, {}, ResponseWriter::kChunked);
            writer.sendBody("one ");
            writer.sendBody("two");
            writer.finish();
            return nullptr;
        }
        if (path == "/break") {
            writer.sendHead(200, {}, ResponseWriter::kChunked);
            writer.sendBody("half");
            writer.abort();
            return nullptr;
        }
        writer.sendHead(200, {{"x-path", std::string(path)}}, static_cast<std::int64_t>(lastBody.size()));
        writer.sendBody(lastBody);
        writer.finish();
        return nullptr;
    }

    int requests = 0;
    int living = 0;
    int gone = 0;
    int drained = 0;
    std::string lastBody;
    ResponseWriter* held = nullptr;
};

std::vector<json> requestCases()
{
    QFile file(QStringLiteral(OMNIROUTE_TEST_DATA "/http-requests.json"));
    file.open(QIODevice::ReadOnly);
    return json::parse(file.readAll().toStdString())["cases"].get<std::vector<json>>();
}

}  // namespace

/// The listener on a real socket, without anything behind it.
class ListenerTest : public QObject {
    Q_OBJECT

    SystemClock m_clock;
    std::unique_ptr<SocketPoller> m_poller;
    std::unique_ptr<QtScheduler> m_scheduler;
    EchoRouter m_router;
    std::unique_ptr<HttpServer> m_server;
    ProxySettings m_settings;
    int m_port = 0;

    /// The cases name port 20128; ours is any free one.
    std::string adapted(std::string request) const
    {
        const std::string named = "127.0.0.1:20128";
        for (std::size_t at = request.find(named); at != std::string::npos; at = request.find(named, at))
            request.replace(at, named.size(), "127.0.0.1:" + std::to_string(m_port));
        return request;
    }

    void checkCase(const json& test, const std::vector<std::string>& pieces)
    {
        HttpClient client(m_port);
        QVERIFY(client.connectNow());
        const int before = m_router.requests;
        for (const std::string& piece : pieces) {
            client.send(piece);
            client.waitForWritten();
        }
        const std::string expect = test["expect"];
        const HttpReply reply = client.readReply();
        if (expect == "accept") {
            QCOMPARE(reply.status, 200);
            QCOMPARE(reply.body, test["body"].get<std::string>());
            return;
        }
        const int status = expect == "forbid" ? 403 : expect == "incomplete" ? 408 : expect == "limit" ? test["why"].get<int>() : 400;
        QCOMPARE(reply.status, status);
        QVERIFY(reply.json()["error"]["message"].is_string());
        QVERIFY(client.waitForClosed());
        QCOMPARE(m_router.requests, before);
    }

private Q_SLOTS:
    void init()
    {
        m_poller = std::make_unique<SocketPoller>();
        m_scheduler = std::make_unique<QtScheduler>(m_clock);
        m_router = EchoRouter();
        m_server = std::make_unique<HttpServer>(*m_poller, *m_scheduler, m_router, nullptr);
        m_settings = ProxySettings();
        m_settings.port = 0;
        m_settings.headerTimeout = m_settings.bodyTimeout = Millis(300);
        const auto port = m_server->listen(m_settings);
        QVERIFY(port.ok());
        m_port = *port;
    }

    void cleanup()
    {
        m_server.reset();
        m_scheduler.reset();
        m_poller.reset();
    }

    void cases_data()
    {
        QTest::addColumn<int>("index");
        int index = 0;
        for (const json& test : requestCases())
            QTest::newRow(test["name"].get<std::string>().c_str()) << index++;
    }

    void cases()
    {
        QFETCH(int, index);
        const json test = requestCases()[static_cast<std::size_t>(index)];
        const std::string request = adapted(test["request"]);
        checkCase(test, {request});
        // Byte by byte, unless that only repeats 80,000 times what a cut shows.
        if (request.size() < 4096) {
            std::vector<std::string> bytes;
            for (const char c : request)
                bytes.emplace_back(1, c);
            checkCase(test, bytes);
        }
        SimulatedRandom random(static_cast<std::uint64_t>(index) + 1);
        for (int round = 0; round < 5; ++round) {
            std::vector<std::string> pieces;
            for (std::size_t at = 0; at < request.size();) {
                const std::size_t length = 1 + random.below(request.size());
                pieces.push_back(request.substr(at, length));
                at += length;
            }
            checkCase(test, pieces);
        }
    }

    void keepsTheConnectionAndTheOrder()
    {
        HttpClient client(m_port);
        QVERIFY(client.connectNow());
        client.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\nGET /chunked HTTP/1.1\r\nHost: localhost\r\n\r\nGET /c HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        QCOMPARE(client.readReply().header("x-path"), std::string("/a"));
        QCOMPARE(client.readReply().body, std::string("one two"));
        const HttpReply last = client.readReply();
        QCOMPARE(last.header("x-path"), std::string("/c"));
        QCOMPARE(last.header("connection"), std::string("close"));
        QVERIFY(client.waitForClosed());
    }

    void http10ClosesUnlessAskedToKeep()
    {
        HttpClient client(m_port);
        QVERIFY(client.connectNow());
        client.send("GET /chunked HTTP/1.0\r\nHost: localhost\r\n\r\n");
        const HttpReply reply = client.readReply();
        QVERIFY(!reply.hasHeader("transfer-encoding"));
        QCOMPARE(reply.body, std::string("one two"));
        QVERIFY(client.waitForClosed());
    }

    void headHasNoBody()
    {
        HttpClient client(m_port);
        const HttpReply head = client.request("HEAD", "/chunked");
        QCOMPARE(head.status, 200);
        QVERIFY(head.body.empty());
        QCOMPARE(client.get("/a").header("x-path"), std::string("/a"));
    }

    void saysContinueOnlyToThoseWhoWait()
    {
        HttpClient client(m_port);
        QVERIFY(client.connectNow());
        client.send("POST /x HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
        QCOMPARE(client.readHead()->status, 100);
        client.send("abc");
        QCOMPARE(client.readReply().body, std::string("abc"));
    }

    void tooLargeABodyIsRefusedBeforeItComes()
    {
        m_settings.maxBodyBytes = 1'048'576;
        m_server->applyLimits(m_settings);
        HttpClient client(m_port);
        QVERIFY(client.connectNow());
        client.send("POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048577\r\n\r\n");
        QCOMPARE(client.readReply().status, 413);
        QVERIFY(client.waitForClosed());
        HttpClient chunked(m_port);
        QVERIFY(chunked.connectNow());
        chunked.send("POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
        const std::string chunk(65'536, 'x');
        for (int i = 0; i < 17; ++i)
            chunked.send("10000\r\n" + chunk + "\r\n");
        QCOMPARE(chunked.readReply().status, 413);
        QCOMPARE(m_router.requests, 0);
    }

    void slowHeadsAreToldAndClosed()
    {
        HttpClient client(m_port);
        QVERIFY(client.connectNow());
        client.send("POST /x HTTP/1.1\r\nHost: loc");
        QCOMPARE(client.readReply().status, 408);
        QVERIFY(client.waitForClosed());
    }

    void aHeadThatTricklesDoesNotOutliveItsLimit()
    {
        HttpClient client(m_port);
        QVERIFY(client.connectNow());
        client.send("POST /x HTTP/1.1\r\n");
        QTimer trickle;
        connect(&trickle, &QTimer::timeout, &trickle, [&client] { client.send("x-a: 1\r\n"); });
        trickle.start(20);
        // Each new line would otherwise put the limit of 300 ms off.
        QCOMPARE(client.readReply(HttpClient::Millis(2000)).status, 408);
    }

    void idleConnectionsAreClosedSilently()
    {
        m_settings.idleTimeout = Millis(150);
        m_server->applyLimits(m_settings);
        HttpClient client(m_port);
        QCOMPARE(client.get("/a").status, 200);
        QVERIFY(client.waitForClosed(HttpClient::Millis(2000)));
        QCOMPARE(client.buffered(), std::size_t{0});
    }

    void connectionsBeyondTheLimitAreTold()
    {
        m_settings.maxConnections = 16;
        m_server->applyLimits(m_settings);
        std::vector<std::unique_ptr<HttpClient>> clients;
        for (int i = 0; i < 16; ++i) {
            clients.push_back(std::make_unique<HttpClient>(m_port));
            QCOMPARE(clients.back()->get("/a").status, 200);
        }
        HttpClient extra(m_port);
        QVERIFY(extra.connectNow());
        extra.expectReplyTo("GET");
        const HttpReply reply = extra.readReply();
        QCOMPARE(reply.status, 503);
        QCOMPARE(reply.json()["error"]["code"].get<std::string>(), std::string("connection_limit_reached"));
        clients.pop_back();
        HttpClient later(m_port);
        QTRY_COMPARE(later.get("/a").status, 200);
    }

    void aBrokenAnswerLooksBroken()
    {
        HttpClient client(m_port);
        const HttpReply reply = client.get("/break");
        QCOMPARE(reply.status, 200);
        QCOMPARE(reply.body, std::string("half"));
        QVERIFY(!reply.complete);
    }

    void aClientThatLeavesIsNoticedAtOnce()
    {
        {
            HttpClient client(m_port);
            QVERIFY(client.connectNow());
            client.sendRequest("GET", "/hang");
            QTRY_COMPARE(m_router.living, 1);
        }
        QTRY_COMPARE_WITH_TIMEOUT(m_router.gone, 1, 250);
        QTRY_COMPARE(m_router.living, 0);
    }

    void backPressureIsToldWhenItEnds()
    {
        HttpClient client(m_port);
        QVERIFY(client.connectNow());
        client.limitReading(1024);
        client.sendRequest("GET", "/flood");
        QTRY_VERIFY(m_router.held);
        QVERIFY(client.readHead().has_value());
        // More than the kernel's buffers on both sides will ever take.
        m_router.held->sendBody(std::string(32 * 1024 * 1024, 'x'));
        QTRY_VERIFY(m_router.held->bufferedBytes() < 32 * 1024 * 1024);
        QVERIFY(m_router.held->bufferedBytes() > HttpConnection::kHighWater);
        QCOMPARE(m_router.drained, 0);
        client.limitReading(0);
        std::size_t received = 0;
        while (m_router.drained == 0) {
            const std::string piece = client.readPiece();
            QVERIFY2(!piece.empty(), "the rest of the answer stopped coming");
            received += piece.size();
        }
        QVERIFY(received > 16 * 1024 * 1024);
        QVERIFY(m_router.held->bufferedBytes() <= HttpConnection::kLowWater);
    }

    void aTakenPortIsAConflictAndTheOldOneServesOn()
    {
        HttpServer other(*m_poller, *m_scheduler, m_router, nullptr);
        ProxySettings settings = m_settings;
        settings.port = m_port;
        const auto refused = other.listen(settings);
        QVERIFY(!refused.ok());
        QCOMPARE(int(refused.error().kind), int(ErrorKind::Conflict));

        settings.port = 0;
        const auto second = other.listen(settings);
        QVERIFY(second.ok());
        settings.port = m_port;
        QVERIFY(!other.listen(settings).ok());
        HttpClient client(*second);
        QCOMPARE(client.get("/a").status, 200);
    }

    void bothLoopbacksAnswer()
    {
        HttpClient six(m_port, "::1");
        if (!six.connectNow(HttpClient::Millis(500)))
            QSKIP("This machine has no IPv6 loopback.");
        six.send("GET /a HTTP/1.1\r\nHost: [::1]:" + std::to_string(m_port) + "\r\n\r\n");
        QCOMPARE(six.readReply().status, 200);
    }

    void drainingEndsIdleConnectionsAndWaitsForTheOthers()
    {
        HttpClient idle(m_port);
        QCOMPARE(idle.get("/a").status, 200);
        HttpClient busy(m_port);
        QVERIFY(busy.connectNow());
        busy.sendRequest("GET", "/flood");
        QTRY_VERIFY(m_router.held);
        bool done = false;
        m_server->drain(Millis(10'000), [&done] { done = true; });
        QVERIFY(idle.waitForClosed());
        QVERIFY(!done);
        HttpClient late(m_port);
        QVERIFY(!late.connectNow(HttpClient::Millis(300)));
        m_router.held->sendBody("bye");
        m_router.held->finish();
        QCOMPARE(busy.readReply().body, std::string("bye"));
        QTRY_VERIFY(done);
    }

    void drainingCutsWhatTakesTooLong()
    {
        HttpClient busy(m_port);
        QVERIFY(busy.connectNow());
        busy.sendRequest("GET", "/hang");
        QTRY_COMPARE(m_router.living, 1);
        bool done = false;
        m_server->drain(Millis(50), [&done] { done = true; });
        QTRY_VERIFY(done);
        QCOMPARE(m_router.gone, 1);
    }
};

OMNI_TEST(ListenerTest)
#include "listener_test.moc"
