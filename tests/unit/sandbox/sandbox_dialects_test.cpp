#include "raw_client.h"

#include "program/test_program.h"

#include <QTest>

using namespace omni;
using namespace omni::test;
using Json = nlohmann::json;

Q_DECLARE_METATYPE(std::string)

/// Every dialect, streamed and not: shapes of bodies, order of events, usage.
class SandboxDialectsTest : public QObject {
    Q_OBJECT

private:
    SystemClock m_clock;
    QtScheduler m_scheduler{m_clock};
    std::unique_ptr<Sandbox> m_sandbox;

    RawAnswer ask(std::string_view path, std::string_view model, std::string_view members = {}, std::string_view headers = {})
    {
        RawClient client(m_sandbox->port());
        client.post(path, model, members, headers);
        return client.waitAnswer();
    }
    std::vector<std::string> types(std::string_view stream)
    {
        std::vector<std::string> names;
        for (const std::string& data : eventData(stream))
            names.push_back(Json::parse(data).value("type", ""));
        return names;
    }

private Q_SLOTS:
    void init()
    {
        auto sandbox = Sandbox::start(m_scheduler, {});
        QVERIFY(sandbox.ok());
        m_sandbox = std::move(*sandbox);
    }
    void cleanup() { m_sandbox.reset(); }

    void baseUrlNamesThePort() { QCOMPARE(m_sandbox->baseUrl(), "http://127.0.0.1:" + std::to_string(m_sandbox->port()) + "/v1"); }

    void portTaken()
    {
        const auto second = Sandbox::start(m_scheduler, {.port = m_sandbox->port(), .requiredKey = {}});
        QVERIFY(!second.ok());
        QVERIFY(second.error().kind == ErrorKind::Unavailable);
    }

    void chatBody()
    {
        const RawAnswer answer = ask("/v1/chat/completions", "ok");
        QCOMPARE(answer.status, 200);
        QVERIFY(answer.complete);
        QCOMPARE(answer.headers.at("content-type"), std::string("application/json"));
        const Json body = answer.json();
        QCOMPARE(body["object"], "chat.completion");
        QCOMPARE(body["model"], "ok");
        QCOMPARE(body["choices"][0]["finish_reason"], "stop");
        QVERIFY(body["choices"][0]["message"]["content"].get<std::string>().find("sandbox") != std::string::npos);
        QCOMPARE(body["usage"]["total_tokens"].get<int>(),
                 body["usage"]["prompt_tokens"].get<int>() + body["usage"]["completion_tokens"].get<int>());
    }

    void prefixedNameAndOtherBasePath()
    {
        const RawAnswer answer = ask("/some/where/chat/completions", "sandbox/ok?chunks=3");
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.json()["model"], "sandbox/ok?chunks=3");
        QCOMPARE(answer.json()["usage"]["completion_tokens"], 3);
    }

    void chatStream()
    {
        const RawAnswer answer = ask("/v1/chat/completions", "ok?chunks=5", ",\"stream\":true");
        QVERIFY(answer.complete);
        QVERIFY(answer.headers.at("content-type").find("text/event-stream") == 0);
        const auto events = eventData(answer.body);
        QCOMPARE(events.size(), std::size_t(5 + 3));  // role, five pieces, finish, [DONE]
        QCOMPARE(Json::parse(events.front())["choices"][0]["delta"]["role"], "assistant");
        QCOMPARE(Json::parse(events[6])["choices"][0]["finish_reason"], "stop");
        QCOMPARE(events.back(), std::string("[DONE]"));
        QVERIFY(answer.body.find("\"usage\"") == std::string::npos);
    }

    void streamAndBodySayTheSame_data()
    {
        QTest::addColumn<std::string>("path");
        QTest::newRow("chat") << std::string("/v1/chat/completions");
        QTest::newRow("completions") << std::string("/v1/completions");
        QTest::newRow("responses") << std::string("/v1/responses");
        QTest::newRow("messages") << std::string("/v1/messages");
    }
    void streamAndBodySayTheSame()
    {
        QFETCH(std::string, path);
        for (const char* model : {"ok", "split-utf8", "many-chunks?chunks=300", "huge?bytes=100000&frame=1000"}) {
            const RawAnswer body = ask(path, model);
            const RawAnswer stream = ask(path, model, ",\"stream\":true");
            QVERIFY(body.complete && stream.complete);
            const std::string said = saidIn(eventData(stream.body));
            const Json json = body.json();
            std::string text;
            if (path == "/v1/responses")
                text = json["output"][0]["content"][0]["text"];
            else if (path == "/v1/messages")
                text = json["content"][0]["text"];
            else
                text = path == "/v1/completions" ? json["choices"][0]["text"] : json["choices"][0]["message"]["content"];
            QVERIFY(!text.empty());
            QCOMPARE(QString::fromStdString(said), QString::fromStdString(text));
        }
    }

    void includeUsage()
    {
        const RawAnswer answer = ask("/v1/chat/completions", "ok?chunks=4", ",\"stream\":true,\"stream_options\":{\"include_usage\":true}");
        const auto events = eventData(answer.body);
        const Json usage = Json::parse(events[events.size() - 2]);
        QVERIFY(usage["choices"].empty());
        QCOMPARE(usage["usage"]["completion_tokens"], 4);
        QVERIFY(Json::parse(events.front())["usage"].is_null());
    }

    void messagesStream()
    {
        const RawAnswer answer = ask("/v1/messages", "ok?chunks=2", ",\"stream\":true");
        QCOMPARE(types(answer.body),
                 (std::vector<std::string>{"message_start", "ping", "content_block_start", "content_block_delta", "content_block_delta",
                                           "content_block_stop", "message_delta", "message_stop"}));
        QVERIFY(answer.body.find("event: message_start\ndata: ") == 0);
        QVERIFY(answer.headers.count("request-id"));
    }

    void responsesStream()
    {
        const RawAnswer answer = ask("/v1/responses", "ok?chunks=2", ",\"stream\":true");
        QCOMPARE(types(answer.body),
                 (std::vector<std::string>{"response.created", "response.in_progress", "response.output_item.added",
                                           "response.content_part.added", "response.output_text.delta", "response.output_text.delta",
                                           "response.output_text.done", "response.content_part.done", "response.output_item.done",
                                           "response.completed"}));
        int sequence = 0;
        for (const std::string& data : eventData(answer.body))
            QCOMPARE(Json::parse(data)["sequence_number"].get<int>(), ++sequence);
        QCOMPARE(Json::parse(eventData(answer.body).back())["response"]["usage"]["output_tokens"], 2);
    }

    void toolCall()
    {
        const std::string tool =
            ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"add\",\"parameters\":{\"type\":\"object\",\"properties\":"
            "{\"a\":{\"type\":\"number\"},\"where\":{\"enum\":[\"ঢাকা\"]}},\"required\":[\"a\",\"where\"]}}}]";
        const Json body = ask("/v1/chat/completions", "tool-call", tool).json();
        QCOMPARE(body["choices"][0]["finish_reason"], "tool_calls");
        const Json call = body["choices"][0]["message"]["tool_calls"][0];
        QCOMPARE(call["function"]["name"], "add");
        QCOMPARE(Json::parse(call["function"]["arguments"].get<std::string>()), (Json{{"a", 1}, {"where", "ঢাকা"}}));

        std::string arguments;
        for (const std::string& data : eventData(ask("/v1/chat/completions", "tool-call", tool + ",\"stream\":true").body)) {
            const Json event = Json::parse(data, nullptr, false);
            if (event.is_object() && event["choices"][0]["delta"].contains("tool_calls"))
                arguments += event["choices"][0]["delta"]["tool_calls"][0]["function"]["arguments"];
        }
        QCOMPARE(Json::parse(arguments)["a"], 1);
    }

    void toolCallEndsWithAResult()
    {
        const Json body =
            ask("/v1/chat/completions", "tool-call", ",\"x\":[{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"4\"}]").json();
        QCOMPARE(body["choices"][0]["finish_reason"], "stop");
    }

    void toolCallInOtherDialects()
    {
        const std::string flat = ",\"tools\":[{\"type\":\"function\",\"name\":\"add\",\"parameters\":{\"type\":\"object\"},\"input_"
                                 "schema\":{\"type\":\"object\"}}]";
        const Json message = ask("/v1/messages", "tool-call", flat).json();
        QCOMPARE(message["stop_reason"], "tool_use");
        QCOMPARE(message["content"][0]["name"], "add");
        QVERIFY(message["content"][0]["input"].is_object());
        const Json response = ask("/v1/responses", "tool-call", flat).json();
        QCOMPARE(response["output"][0]["type"], "function_call");
        QCOMPARE(response["output"][0]["name"], "add");
        const auto stream = eventData(ask("/v1/responses", "tool-call", flat + ",\"stream\":true").body);
        QCOMPARE(Json::parse(stream.back())["response"]["output"][0]["arguments"], "{}");
    }

    void reasoning()
    {
        const Json chat = ask("/v1/chat/completions", "reasoning").json();
        QVERIFY(!chat["choices"][0]["message"]["reasoning_content"].get<std::string>().empty());
        QVERIFY(chat["usage"]["completion_tokens_details"]["reasoning_tokens"].get<int>() > 0);
        QCOMPARE(ask("/v1/messages", "reasoning").json()["content"][0]["type"], "thinking");
        QCOMPARE(ask("/v1/responses", "reasoning").json()["output"][0]["type"], "reasoning");
        const RawAnswer stream = ask("/v1/messages", "reasoning", ",\"stream\":true");
        const auto names = types(stream.body);
        QVERIFY(stream.body.find("thinking_delta") < stream.body.find("text_delta"));
        QVERIFY(stream.body.find("signature_delta") != std::string::npos);
        QCOMPARE(std::count(names.begin(), names.end(), "content_block_start"), 2);
    }

    void echo_data()
    {
        QTest::addColumn<std::string>("path");
        QTest::addColumn<std::string>("body");
        const std::string said = "চা, café \\\"☕\\\"\\n2";
        QTest::newRow("chat") << std::string("/v1/chat/completions")
                              << "\"messages\":[{\"role\":\"user\",\"content\":\"no\"},{\"role\":\"assistant\",\"content\":\"x\"},{"
                                 "\"role\":\"user\",\"content\":\"" +
                                     said + "\"}]";
        QTest::newRow("chat parts") << std::string("/v1/chat/completions")
                                    << "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"" + said +
                                           "\"},{\"type\":\"image_url\"}]}]";
        QTest::newRow("messages") << std::string("/v1/messages") << "\"messages\":[{\"role\":\"user\",\"content\":\"" + said + "\"}]";
        QTest::newRow("responses string") << std::string("/v1/responses") << "\"input\":\"" + said + "\"";
        QTest::newRow("responses items") << std::string("/v1/responses")
                                         << "\"input\":[{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"" + said +
                                                "\"}]}]";
        QTest::newRow("completions") << std::string("/v1/completions") << "\"prompt\":\"" + said + "\"";
    }
    void echo()
    {
        QFETCH(std::string, path);
        QFETCH(std::string, body);
        RawClient client(m_sandbox->port());
        const std::string json = "{\"model\":\"echo\",\"stream\":true," + body + "}";
        client.send("POST " + path + " HTTP/1.1\r\nContent-Length: " + std::to_string(json.size()) + "\r\n\r\n" + json);
        QCOMPARE(QString::fromStdString(saidIn(eventData(client.waitAnswer().body))), QStringLiteral("চা, café \"☕\"\n2"));
    }

    void embeddings()
    {
        const Json body = ask("/v1/embeddings", "ok", ",\"input\":[\"a\",\"b\"],\"dimensions\":3").json();
        QCOMPARE(body["data"].size(), std::size_t(2));
        QCOMPARE(body["data"][1]["embedding"].size(), std::size_t(3));
        const Json packed = ask("/v1/embeddings", "ok", ",\"encoding_format\":\"base64\",\"dimensions\":3").json();
        const QByteArray bytes = QByteArray::fromBase64(QByteArray::fromStdString(packed["data"][0]["embedding"].get<std::string>()));
        QCOMPARE(bytes.size(), 12);
        float first = 0;
        std::memcpy(&first, bytes.constData(), sizeof first);
        QCOMPARE(first, body["data"][0]["embedding"][0].get<float>());
    }

    void countTokens()
    {
        const RawAnswer answer = ask("/v1/messages/count_tokens", "ok");
        QCOMPARE(answer.status, 200);
        QVERIFY(answer.json()["input_tokens"].get<int>() > 10);
    }

    void modelLists()
    {
        RawClient client(m_sandbox->port());
        client.send("GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n");
        const Json list = client.waitAnswer().json();
        QCOMPARE(list["data"].size(), Sandbox::models().size());
        QCOMPARE(list["data"][0]["id"], "ok");
        client.forget();
        client.send("GET /v1/models HTTP/1.1\r\nHost: x\r\nanthropic-version: 2023-06-01\r\n\r\n");
        QCOMPARE(client.waitAnswer().json()["data"][0]["type"], "model");
    }

    void everyModelIsDescribedOnce()
    {
        std::map<std::string, int> names;
        for (const SandboxModel& model : Sandbox::models()) {
            QVERIFY2(!model.description.empty() && model.description.back() == '.', model.id.c_str());
            QCOMPARE(++names[model.id], 1);
        }
        QVERIFY(names.size() > 60);
    }

    void refusals_data()
    {
        QTest::addColumn<std::string>("path");
        QTest::addColumn<std::string>("model");
        QTest::addColumn<int>("status");
        QTest::newRow("unknown model") << std::string("/v1/chat/completions") << std::string("gpt-9") << 404;
        QTest::newRow("unknown parameter") << std::string("/v1/chat/completions") << std::string("ok?speed=3") << 400;
        QTest::newRow("parameter without number") << std::string("/v1/chat/completions") << std::string("ok?ms=fast") << 400;
        QTest::newRow("no model") << std::string("/v1/chat/completions") << std::string() << 400;
        QTest::newRow("unknown path") << std::string("/v1/images") << std::string("ok") << 404;
        QTest::newRow("invalid JSON") << std::string("/v1/messages") << std::string("ok\"x\":") << 400;
    }
    void refusals()
    {
        QFETCH(std::string, path);
        QFETCH(std::string, model);
        QFETCH(int, status);
        const RawAnswer answer = ask(path, model);
        QCOMPARE(answer.status, status);
        QVERIFY(!answer.json()["error"]["message"].get<std::string>().empty());
    }

    void requiredKey()
    {
        m_sandbox.reset();
        auto sandbox = Sandbox::start(m_scheduler, {.port = 0, .requiredKey = "sandbox-key"});
        QVERIFY(sandbox.ok());
        m_sandbox = std::move(*sandbox);
        QCOMPARE(ask("/v1/chat/completions", "ok").status, 401);
        QCOMPARE(ask("/v1/chat/completions", "ok", {}, "Authorization: Bearer other-key00\r\n").json()["error"]["code"], "invalid_api_key");
        QCOMPARE(ask("/v1/messages", "ok", {}, "x-api-key: wrong\r\n").json()["error"]["type"], "authentication_error");
        QCOMPARE(ask("/v1/chat/completions", "ok", {}, "Authorization: Bearer sandbox-key\r\n").status, 200);
        QCOMPARE(ask("/v1/messages", "ok", {}, "x-api-key: sandbox-key\r\n").status, 200);
    }

    void recordsWhatArrived()
    {
        m_sandbox->recordRequests(true);
        ask("/v1/chat/completions", "ok", {}, "X-Probe:  seen \r\n");
        m_sandbox->recordRequests(false);
        ask("/v1/chat/completions", "ok");
        QCOMPARE(m_sandbox->seen().size(), std::size_t(1));
        const Sandbox::Seen& seen = m_sandbox->seen().front();
        QCOMPARE(seen.method, std::string("POST"));
        QCOMPARE(seen.path, std::string("/v1/chat/completions"));
        QCOMPARE(Json::parse(seen.body)["model"], "ok");
        const auto probe = std::find(seen.headers.begin(), seen.headers.end(), std::pair<std::string, std::string>("X-Probe", "seen"));
        QVERIFY(probe != seen.headers.end());
        QCOMPARE(m_sandbox->counters().requests, std::uint64_t(2));
    }

    void statsTellTheCounters()
    {
        ask("/v1/chat/completions", "ok", ",\"stream\":true");
        const Json body = ask("/v1/chat/completions", "stats").json();
        const Json stats = Json::parse(body["choices"][0]["message"]["content"].get<std::string>());
        QCOMPARE(stats["requests"], 2);
        QCOMPARE(stats["streams"], 1);
        QCOMPARE(stats["abortedByClient"], 0);
        QCOMPARE(stats["connections"], 2);
    }
};

OMNI_TEST(SandboxDialectsTest)
#include "sandbox_dialects_test.moc"
