#include "raw_client.h"

#include "program/test_program.h"

#include <QTest>

using namespace omni;
using namespace omni::test;
using Json = nlohmann::json;

Q_DECLARE_METATYPE(std::string)

namespace {

constexpr std::string_view kChat = "/v1/chat/completions";
constexpr std::string_view kStream = ",\"stream\":true";

std::size_t piecesIn(const RawAnswer& answer)
{
    std::size_t pieces = 0;
    for (std::size_t at = answer.body.find("\"content\":\""); at != std::string::npos; at = answer.body.find("\"content\":\"", at + 1))
        ++pieces;
    return pieces;
}

}  // namespace

/// What goes wrong on the wire, byte for byte. Time is simulated: what waits for ever is seen to.
class SandboxFaultsTest : public QObject {
    Q_OBJECT

private:
    SimulatedClock m_clock;
    SimulatedScheduler m_scheduler{m_clock};
    std::unique_ptr<Sandbox> m_sandbox;

    std::unique_ptr<RawClient> open(std::string_view path, std::string_view model, std::string_view members = {})
    {
        auto client = std::make_unique<RawClient>(m_sandbox->port());
        client->post(path, model, members);
        return client;
    }
    /// Until the request has arrived and everything that can be sent without time passing has been.
    void settle(RawClient& client, std::uint64_t requests = 1)
    {
        client.waitFor([&] { return m_sandbox->counters().requests >= requests; });
        client.silentFor(10);
    }

private Q_SLOTS:
    void init()
    {
        auto sandbox = Sandbox::start(m_scheduler, {});
        QVERIFY(sandbox.ok());
        m_sandbox = std::move(*sandbox);
    }
    void cleanup() { m_sandbox.reset(); }

    void slowFirstToken()
    {
        const auto client = open(kChat, "slow-first-token?ms=2500&chunks=8", kStream);
        client->waitFor([&] { return !client->received().empty(); });
        settle(*client);
        QCOMPARE(client->answer().status, 200);
        QCOMPARE(eventData(client->answer().body).size(), std::size_t(1));
        m_scheduler.advance(Millis(2499));
        QVERIFY(client->silentFor(20));
        m_scheduler.advance(Millis(1));
        QCOMPARE(eventData(client->waitAnswer().body).size(), std::size_t(8 + 3));
    }

    void slowHeaders()
    {
        const auto client = open(kChat, "slow-first-token?ms=2500&headers=0", kStream);
        settle(*client);
        QVERIFY(client->received().empty());
        m_scheduler.advance(Millis(2500));
        QVERIFY(client->waitAnswer().complete);
    }

    void slowBody()
    {
        const auto client = open(kChat, "slow-first-token");
        settle(*client);
        QVERIFY(client->received().empty());
        m_scheduler.advance(Millis(2000));
        QVERIFY(client->waitAnswer().complete);
    }

    void slowStream()
    {
        const auto client = open(kChat, "slow-stream?ms=100&chunks=3", kStream);
        settle(*client);
        for (std::size_t said = 0; said < 3; ++said) {
            QCOMPARE(piecesIn(client->answer()), said + 1);  // the role's chunk has content too
            m_scheduler.advance(Millis(100));
            client->waitFor([&] { return piecesIn(client->answer()) == said + 2; });
        }
        QVERIFY(client->waitAnswer().complete);
    }

    void stall_data()
    {
        QTest::addColumn<bool>("stream");
        QTest::newRow("stream") << true;
        QTest::newRow("body") << false;
    }
    void stall()
    {
        QFETCH(bool, stream);
        const auto client = open(kChat, "stall?after=2", stream ? kStream : std::string_view());
        client->waitFor([&] { return !client->received().empty(); });
        m_scheduler.advance(std::chrono::hours(24));
        QVERIFY(client->silentFor(20));
        QCOMPARE(client->answer().status, 200);
        QVERIFY(!client->answer().complete);
        QVERIFY(client->end() == RawClient::End::None);
        if (stream)
            QCOMPARE(piecesIn(client->answer()), std::size_t(2 + 1));
        else
            QVERIFY(!client->answer().body.empty());
    }

    void silent()
    {
        const auto client = open(kChat, "silent");
        settle(*client);
        m_scheduler.advance(std::chrono::hours(24));
        QVERIFY(client->silentFor(20));
        QVERIFY(client->received().empty());
    }

    void silentAfterHeaders()
    {
        for (const auto& stream : {kStream, std::string_view()}) {
            const auto client = open(kChat, "silent-after-headers", stream);
            client->waitFor([&] { return client->answer().status == 200; });
            m_scheduler.advance(std::chrono::hours(24));
            QVERIFY(client->silentFor(20));
            QVERIFY(client->answer().body.empty() && !client->answer().complete);
        }
    }

    void endsBeforeHeaders()
    {
        const auto reset = open(kChat, "reset-before-headers");
        QVERIFY(reset->waitEnd());
        QVERIFY(reset->end() == RawClient::End::Rst);
        const auto closed = open(kChat, "close-before-headers");
        QVERIFY(closed->waitEnd());
        QVERIFY(closed->end() == RawClient::End::Fin);
        QVERIFY(reset->received().empty() && closed->received().empty());
    }

    void resetMidStream()
    {
        for (const auto& stream : {kStream, std::string_view()}) {
            const auto client = open(kChat, "reset-mid-stream?after=5", stream);
            client->waitFor([&] { return client->answer().status == 200; });
            client->silentFor(10);
            m_scheduler.advance(Millis(5));
            QVERIFY(client->waitEnd());
            QVERIFY(client->end() == RawClient::End::Rst);
            QVERIFY(!client->answer().complete);
            if (!stream.empty())
                QCOMPARE(piecesIn(client->answer()), std::size_t(5 + 1));
        }
    }

    void closeMidStream()
    {
        for (const auto& stream : {kStream, std::string_view()}) {
            const auto client = open(kChat, "close-mid-stream", stream);
            QVERIFY(client->waitEnd());
            QVERIFY(client->end() == RawClient::End::Fin);
            QVERIFY(client->answer().chunked && !client->answer().complete && !client->answer().malformed);
            QCOMPARE(client->answer().chunks.size(), std::size_t(stream.empty() ? 3 : 1 + 3));
        }
    }

    void truncated()
    {
        for (const auto& stream : {kStream, std::string_view()}) {
            const auto client = open(kChat, "truncated", stream);
            QVERIFY(client->waitEnd());
            QVERIFY(client->end() == RawClient::End::Fin);
            const RawAnswer answer = client->answer();
            QVERIFY(!answer.chunked && !answer.complete && !answer.body.empty());
            QVERIFY(std::stoul(answer.headers.at("content-length")) > answer.body.size());
        }
    }

    void malformedChunk()
    {
        for (const auto& stream : {kStream, std::string_view()}) {
            const auto client = open(kChat, "malformed-chunk", stream);
            QVERIFY(client->waitEnd());
            QVERIFY(client->answer().malformed);
            QVERIFY(client->received().find("\r\nxyz\r\n") != std::string::npos);
        }
    }

    void malformedChunkAtOnce()
    {
        const auto client = open(kChat, "malformed-chunk?after=0", kStream);
        QVERIFY(client->waitEnd());
        QCOMPARE(piecesIn(client->answer()), std::size_t(1));
    }

    void malformedJson()
    {
        const RawAnswer stream = open(kChat, "malformed-json?after=1", kStream)->waitAnswer();
        QVERIFY(stream.complete);
        const auto events = eventData(stream.body);
        for (std::size_t i = 0; i + 1 < events.size(); ++i)
            QCOMPARE(Json::accept(events[i]), i != 2);  // role, piece, broken piece
        QCOMPARE(events.back(), std::string("[DONE]"));
        const RawAnswer body = open(kChat, "malformed-json")->waitAnswer();
        QVERIFY(body.complete && body.status == 200 && body.json().is_discarded());
    }

    void errorIn200_data()
    {
        QTest::addColumn<std::string>("path");
        QTest::addColumn<std::string>("model");
        QTest::addColumn<std::string>("before");
        QTest::addColumn<std::string>("error");
        QTest::newRow("chat") << std::string(kChat) << std::string("error-in-200") << std::string("\"role\":\"assistant\"")
                              << std::string("\"type\":\"overloaded_error\"");
        QTest::newRow("chat quota") << std::string(kChat) << std::string("error-in-200?kind=quota") << std::string(": the sandbox")
                                    << std::string("\"code\":\"insufficient_quota\"");
        QTest::newRow("responses") << std::string("/v1/responses") << std::string("error-in-200?kind=quota")
                                   << std::string("event: response.in_progress") << std::string("event: error\ndata: {\"type\":\"error\"");
        QTest::newRow("messages") << std::string("/v1/messages") << std::string("error-in-200") << std::string("event: ping")
                                  << std::string("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"");
        QTest::newRow("completions") << std::string("/v1/completions") << std::string("error-in-200?kind=rate-limit")
                                     << std::string(": the sandbox") << std::string("\"rate_limit_exceeded\"");
    }
    void errorIn200()
    {
        QFETCH(std::string, path);
        QFETCH(std::string, model);
        QFETCH(std::string, before);
        QFETCH(std::string, error);
        const RawAnswer answer = open(path, model, kStream)->waitAnswer();
        QCOMPARE(answer.status, 200);
        QVERIFY(answer.complete);
        QVERIFY2(answer.body.find(before) < answer.body.find(error), answer.body.c_str());
        QVERIFY2(answer.body.find(error) != std::string::npos, answer.body.c_str());
        QVERIFY(saidIn(eventData(answer.body)).empty());
        QVERIFY(answer.body.find("content_block_start") == std::string::npos);
        QVERIFY(answer.body.find("output_item.added") == std::string::npos);
        const RawAnswer body = open(path, model)->waitAnswer();
        QCOMPARE(body.status, 200);
        QVERIFY(body.json().contains("error"));
    }

    void errorMidStream()
    {
        const RawAnswer chat = open(kChat, "error-mid-stream?after=2", kStream)->waitAnswer();
        QVERIFY(chat.complete);
        QCOMPARE(piecesIn(chat), std::size_t(2 + 1));
        QVERIFY(Json::parse(eventData(chat.body).back()).contains("error"));
        const RawAnswer responses = open("/v1/responses", "error-mid-stream", kStream)->waitAnswer();
        QCOMPARE(Json::parse(eventData(responses.body).back())["response"]["status"], "failed");
        const RawAnswer messages = open("/v1/messages", "error-mid-stream", kStream)->waitAnswer();
        QCOMPARE(Json::parse(eventData(messages.body).back())["error"]["type"], "overloaded_error");
        QVERIFY(messages.body.find("message_stop") == std::string::npos);
    }

    void oddTwoHundreds()
    {
        const RawAnswer error = open(kChat, "error-json-200?kind=server", kStream)->waitAnswer();
        QCOMPARE(error.status, 200);
        QCOMPARE(error.json()["error"]["type"], "server_error");
        const RawAnswer empty = open(kChat, "empty-200", kStream)->waitAnswer();
        QVERIFY(empty.status == 200 && empty.complete && empty.body.empty());
        const RawAnswer page = open(kChat, "html-200")->waitAnswer();
        QVERIFY(page.headers.at("content-type").find("text/html") == 0);
        QVERIFY(page.body.find("<!doctype html>") == 0);
    }

    void endsLeftOut()
    {
        const RawAnswer noDone = open(kChat, "no-done", kStream)->waitAnswer();
        QVERIFY(noDone.complete && noDone.body.find("[DONE]") == std::string::npos);
        QVERIFY(noDone.body.find("\"finish_reason\":\"stop\"") != std::string::npos);
        const RawAnswer noReason = open(kChat, "no-finish-reason", kStream)->waitAnswer();
        QVERIFY(noReason.body.find("\"finish_reason\":\"stop\"") == std::string::npos);
        QVERIFY(noReason.body.find("[DONE]") != std::string::npos);
        QVERIFY(open(kChat, "no-finish-reason")->waitAnswer().json()["choices"][0]["finish_reason"].is_null());
        const RawAnswer noStop = open("/v1/messages", "no-done", kStream)->waitAnswer();
        QVERIFY(noStop.body.find("message_delta") != std::string::npos && noStop.body.find("message_stop") == std::string::npos);
        const RawAnswer unfinished = open("/v1/responses", "no-done", kStream)->waitAnswer();
        QVERIFY(unfinished.complete && unfinished.body.find("response.completed") == std::string::npos);
    }

    void trailers()
    {
        const RawAnswer whole = open(kChat, "trailers", kStream)->waitAnswer();
        QVERIFY(whole.complete);
        QVERIFY(whole.trailers.find("X-Sandbox-Trailer: done\r\n") == 0);
        const auto half = open(kChat, "half-trailer", kStream);
        QVERIFY(half->waitEnd());
        QVERIFY(!half->answer().complete && !half->answer().malformed);
        QVERIFY(half->received().rfind("0\r\nX-Sandbox-Tra") == half->received().size() - 16);
    }

    void staleKeepAlive()
    {
        const auto client = open(kChat, "stale-keep-alive");
        QCOMPARE(client->waitAnswer().status, 200);
        QVERIFY(client->silentFor(20));
        client->forget();
        client->post(kChat, "ok");
        QVERIFY(client->waitEnd());
        QVERIFY(client->end() == RawClient::End::Rst);
        QVERIFY(client->received().empty());
        QCOMPARE(m_sandbox->counters().requests, std::uint64_t(1));
    }

    void closeAfterAnswer()
    {
        const auto client = open(kChat, "close-after-answer");
        QVERIFY(client->waitEnd());
        QVERIFY(client->end() == RawClient::End::Fin);
        QVERIFY(client->answer().complete && client->answer().headers.count("connection") == 0);
    }

    void clientLeaves_data()
    {
        QTest::addColumn<std::string>("model");
        for (const char* model : {"silent", "stall", "slow-stream", "silent-after-headers", "slow-first-token", "huge?bytes=50000000"})
            QTest::newRow(model) << std::string(model);
    }
    void clientLeaves()
    {
        QFETCH(std::string, model);
        const auto client = open(kChat, model, kStream);
        client->waitFor([&] { return m_sandbox->counters().requests == 1; });
        QCOMPARE(m_sandbox->counters().abortedByClient, std::uint64_t(0));
        client->hangUp();
        QTRY_COMPARE(m_sandbox->counters().abortedByClient, std::uint64_t(1));
        m_scheduler.advance(std::chrono::hours(1));  // nothing is left to run
    }

    void clientThatGotEverythingHasNotLeft()
    {
        const auto client = open(kChat, "ok", kStream);
        QVERIFY(client->waitAnswer().complete);
        client->hangUp();
        RawClient other(m_sandbox->port());
        other.post(kChat, "ok");
        QVERIFY(other.waitAnswer().complete);
        QCOMPARE(m_sandbox->counters().abortedByClient, std::uint64_t(0));
    }

    void destroyedInTheMiddle()
    {
        std::vector<std::unique_ptr<RawClient>> clients;
        for (const char* model : {"silent", "stall", "slow-stream", "reset-mid-stream", "byte-by-byte", "huge?bytes=50000000"})
            clients.push_back(open(kChat, model, kStream));
        clients.back()->waitFor([&] { return m_sandbox->counters().requests == 6; });
        m_sandbox.reset();
        m_scheduler.advance(std::chrono::hours(1));
        for (const auto& client : clients)
            QVERIFY(client->waitEnd());
    }
};

OMNI_TEST(SandboxFaultsTest)
#include "sandbox_faults_test.moc"
