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

bool continues(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

}  // namespace

/// Right answers in unusual form, and HTTP as the sandbox reads it.
class SandboxFormsTest : public QObject {
    Q_OBJECT

private:
    SystemClock m_clock;
    QtScheduler m_scheduler{m_clock};
    std::unique_ptr<Sandbox> m_sandbox;

    RawAnswer ask(std::string_view path, std::string_view model, std::string_view members = {})
    {
        RawClient client(m_sandbox->port());
        client.post(path, model, members);
        return client.waitAnswer();
    }

private Q_SLOTS:
    void init()
    {
        auto sandbox = Sandbox::start(m_scheduler, {});
        QVERIFY(sandbox.ok());
        m_sandbox = std::move(*sandbox);
    }
    void cleanup() { m_sandbox.reset(); }

    void crlf()
    {
        const RawAnswer answer = ask(kChat, "crlf", kStream);
        for (std::size_t i = 0; i < answer.body.size(); ++i)
            if (answer.body[i] == '\n')
                QVERIFY(i > 0 && answer.body[i - 1] == '\r');
        QCOMPARE(eventData(answer.body).back(), std::string("[DONE]"));
        QCOMPARE(saidIn(eventData(answer.body)), saidIn(eventData(ask(kChat, "ok", kStream).body)));
    }

    void mixedLineEnds()
    {
        const RawAnswer answer = ask("/v1/messages", "mixed-line-ends", kStream);
        QVERIFY(answer.body.find("}\n\nevent") != std::string::npos);
        QVERIFY(answer.body.find("}\r\n\r\nevent") != std::string::npos);
        QVERIFY(answer.body.find("}\n\r\nevent") != std::string::npos);
        QCOMPARE(saidIn(eventData(answer.body)), saidIn(eventData(ask("/v1/messages", "ok", kStream).body)));
    }

    void splitCharacters()
    {
        const RawAnswer answer = ask(kChat, "split-utf8", kStream);
        std::size_t cuts = 0;
        for (const std::string& chunk : answer.chunks)
            cuts += continues(chunk.front()) ? 1 : 0;
        std::size_t characters = 0;
        for (std::size_t i = 1; i < answer.body.size(); ++i)
            characters += continues(answer.body[i]) && !continues(answer.body[i - 1]) ? 1 : 0;
        QVERIFY(characters > 30);
        QCOMPARE(cuts, characters);
        QVERIFY(saidIn(eventData(answer.body)).find("日本語") != std::string::npos);
    }

    void splitCharactersInABody()
    {
        RawClient client(m_sandbox->port());
        client.post(kChat, "split-utf8");
        const RawAnswer answer = client.waitAnswer();
        QVERIFY(answer.complete && answer.json().is_object());
    }

    void byteByByte()
    {
        const RawAnswer answer = ask(kChat, "byte-by-byte?chunks=3", kStream);
        QVERIFY(answer.complete);
        for (const std::string& chunk : answer.chunks)
            QCOMPARE(chunk.size(), std::size_t(1));
        QVERIFY(saidIn(eventData(answer.body)).find("This answer comes") == 0);
    }

    void noSpace()
    {
        const RawAnswer answer = ask(kChat, "no-space", kStream);
        QVERIFY(answer.body.find("data: ") == std::string::npos && answer.body.find("data:{") == 0);
        QCOMPARE(saidIn(eventData(answer.body)), saidIn(eventData(ask(kChat, "ok", kStream).body)));
    }

    void severalDataLines()
    {
        const RawAnswer answer = ask("/v1/responses", "several-data-lines", kStream);
        QVERIFY(answer.body.find(",\ndata: ") != std::string::npos);
        QCOMPARE(saidIn(eventData(answer.body)), saidIn(eventData(ask("/v1/responses", "ok", kStream).body)));
    }

    void gluedJson()
    {
        const RawAnswer answer = ask(kChat, "glued-json?chunks=4", kStream);
        const auto events = eventData(answer.body);
        QCOMPARE(events.size(), std::size_t(1 + 2 + 2));
        QVERIFY(events[1].find("}{\"id\"") != std::string::npos);
        QVERIFY(!Json::accept(events[1]));
    }

    void usageChunks()
    {
        const auto own = eventData(ask(kChat, "usage-only-chunks", kStream).body);
        QVERIFY(Json::parse(own.front())["choices"].empty());
        QVERIFY(Json::parse(own[own.size() - 2])["choices"].empty());
        QVERIFY(Json::parse(own[own.size() - 2])["usage"]["completion_tokens"].get<int>() > 0);
        const auto every = eventData(ask(kChat, "usage-every-chunk?chunks=6", kStream).body);
        for (std::size_t i = 0; i + 1 < every.size(); ++i)
            QVERIFY(Json::parse(every[i])["usage"].is_object());
        QCOMPARE(Json::parse(every[0])["usage"]["completion_tokens"], 0);
        QCOMPARE(Json::parse(every[1])["usage"]["completion_tokens"], 0);
        QCOMPARE(Json::parse(every[every.size() - 2])["usage"]["completion_tokens"], 6);
    }

    void emptyAnswer()
    {
        const RawAnswer stream = ask(kChat, "empty-answer", kStream);
        QVERIFY(stream.body.find("\"finish_reason\":\"stop\"") != std::string::npos);
        QVERIFY(saidIn(eventData(stream.body)).empty());
        QCOMPARE(ask(kChat, "empty-answer").json()["choices"][0]["message"]["content"], "");
        QVERIFY(ask("/v1/messages", "empty-answer", kStream).body.find("message_stop") != std::string::npos);
    }

    void closeDelimited()
    {
        for (const auto& stream : {kStream, std::string_view()}) {
            RawClient client(m_sandbox->port());
            client.post(kChat, "close-delimited", stream);
            QVERIFY(client.waitEnd());
            QVERIFY(client.end() == RawClient::End::Fin);
            const RawAnswer answer = client.answer();
            QVERIFY(!answer.chunked && answer.headers.count("content-length") == 0);
            QVERIFY(stream.empty() ? answer.json().is_object() : eventData(answer.body).back() == "[DONE]");
        }
    }

    void earlyHints()
    {
        RawClient client(m_sandbox->port());
        client.post(kChat, "early-hints");
        const RawAnswer answer = client.waitAnswer();
        QVERIFY(client.received().find("HTTP/1.1 103 Early Hints\r\n") == 0);
        QCOMPARE(answer.status, 200);
    }

    void manyChunks()
    {
        const RawAnswer answer = ask(kChat, "many-chunks", kStream);
        QVERIFY(answer.complete);
        QCOMPARE(eventData(answer.body).size(), std::size_t(10'000 + 3));
    }

    void huge()
    {
        for (const auto& stream : {kStream, std::string_view()}) {
            const RawAnswer answer = ask(kChat, "huge?bytes=3000000", stream);
            QVERIFY(answer.complete);
            QVERIFY(answer.body.size() >= 3'000'000 && answer.body.size() < 3'200'000);
        }
    }

    void slowReaderHoldsTheSandboxBack()
    {
        RawClient slow(m_sandbox->port());
        slow.post(kChat, "huge?bytes=30000000", kStream);
        slow.waitFor([&] { return !slow.received().empty(); });
        RawClient other(m_sandbox->port());
        other.post(kChat, "ok");
        QVERIFY(other.waitAnswer().complete);
        QVERIFY(slow.waitAnswer().complete);
    }

    void keepAlive()
    {
        RawClient client(m_sandbox->port());
        for (int i = 0; i < 50; ++i) {
            client.forget();
            client.post(kChat, i % 2 ? "ok" : "503", i % 3 ? std::string_view() : kStream);
            QCOMPARE(client.waitAnswer().status, i % 2 ? 200 : 503);
        }
        QCOMPARE(m_sandbox->counters().connections, std::uint64_t(1));
    }

    void pipelined()
    {
        RawClient client(m_sandbox->port());
        client.post(kChat, "slow-stream?ms=1&chunks=2", kStream);
        client.post(kChat, "echo");
        client.post(kChat, "401");
        const RawAnswer first = client.waitAnswer();
        client.waitFor([&] { return client.received().find("401 Unauthorized") != std::string::npos; });
        const RawAnswer second = parseAnswer(std::string_view(client.received()).substr(first.bytes));
        QCOMPARE(second.json()["choices"][0]["message"]["content"], "Hello");
        QCOMPARE(parseAnswer(std::string_view(client.received()).substr(first.bytes + second.bytes)).status, 401);
    }

    void requestForms_data()
    {
        QTest::addColumn<std::string>("wire");
        QTest::addColumn<int>("status");
        const std::string body = "{\"model\":\"ok\"}";
        const std::string length = "Content-Length: " + std::to_string(body.size()) + "\r\n";
        QTest::newRow("chunked") << std::string("POST /v1/chat/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\n") +
                                        body.substr(0, 5) + "\r\n9\r\n" + body.substr(5) + "\r\n0\r\nX-T: 1\r\n\r\n"
                                 << 200;
        QTest::newRow("empty lines before") << "\r\n\r\nPOST /v1/chat/completions HTTP/1.1\r\n" + length + "\r\n" + body << 200;
        QTest::newRow("no version") << std::string("POST /v1/chat/completions\r\n\r\n") << 400;
        QTest::newRow("bad length") << std::string("POST /v1/chat/completions HTTP/1.1\r\nContent-Length: -1\r\n\r\n") << 400;
        QTest::newRow("other coding") << std::string("POST /v1/chat/completions HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n") << 400;
        QTest::newRow("bad chunk") << std::string("POST /v1/chat/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nq\r\n") << 400;
        QTest::newRow("too large") << std::string("POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n") << 413;
        QTest::newRow("endless head") << "POST / HTTP/1.1\r\nX: " + std::string(70'000, 'x') << 413;
        QTest::newRow("wrong method") << "PUT /v1/chat/completions HTTP/1.1\r\n" + length + "\r\n" + body << 405;
    }
    void requestForms()
    {
        QFETCH(std::string, wire);
        QFETCH(int, status);
        RawClient whole(m_sandbox->port());
        whole.send(wire);
        QCOMPARE(whole.waitAnswer().status, status);
        if (wire.size() > 1000)
            return;
        RawClient bytes(m_sandbox->port());
        for (const char c : wire) {
            bytes.send({&c, 1});
            QCoreApplication::processEvents();
        }
        QCOMPARE(bytes.waitAnswer().status, status);
    }

    void continues100()
    {
        RawClient client(m_sandbox->port());
        client.send("POST /v1/chat/completions HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 14\r\n\r\n");
        QVERIFY(client.waitFor([&] { return client.received() == "HTTP/1.1 100 Continue\r\n\r\n"; }));
        client.forget();
        client.send("{\"model\":\"ok\"}");
        QCOMPARE(client.waitAnswer().status, 200);
    }

    void http10()
    {
        RawClient client(m_sandbox->port());
        client.send("POST /v1/chat/completions HTTP/1.0\r\nContent-Length: 28\r\n\r\n{\"model\":\"ok\",\"stream\":true}");
        QVERIFY(client.waitEnd());
        QVERIFY(!client.answer().chunked);
        QCOMPARE(eventData(client.answer().body).back(), std::string("[DONE]"));
    }

    void connectionClose()
    {
        RawClient client(m_sandbox->port());
        client.send("GET /v1/models HTTP/1.1\r\nConnection: close\r\n\r\n");
        QVERIFY(client.waitEnd());
        QCOMPARE(client.answer().headers.at("connection"), std::string("close"));
    }

    void largePrompt()
    {
        RawClient client(m_sandbox->port());
        client.post(kChat, "echo", ",\"padding\":\"" + std::string(10'000'000, 'p') + "\"");
        QCOMPARE(client.waitAnswer().json()["choices"][0]["message"]["content"], "Hello");
    }
};

OMNI_TEST(SandboxFormsTest)
#include "sandbox_forms_test.moc"
