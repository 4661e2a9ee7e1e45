#include "stream/stream_inspector.h"

#include "program/test_program.h"

#include <QTest>

using namespace omni;

Q_DECLARE_METATYPE(omni::FrameMeaning)
Q_DECLARE_METATYPE(omni::Operation)

class StreamInspectorTest : public QObject {
    Q_OBJECT

    JsonPeek m_peek;

private Q_SLOTS:
    void meaning_data()
    {
        QTest::addColumn<Operation>("operation");
        QTest::addColumn<QByteArray>("frame");
        QTest::addColumn<FrameMeaning>("meaning");
        const auto chat = Operation::ChatCompletions;
        const auto messages = Operation::Messages;
        const auto responses = Operation::Responses;
        QTest::newRow("comment") << chat << QByteArray(": OPENROUTER PROCESSING\n\n") << FrameMeaning::Noise;
        QTest::newRow("chat role only") << chat << QByteArray("data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}]}\n\n") << FrameMeaning::Preamble;
        QTest::newRow("chat content") << chat << QByteArray("data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n") << FrameMeaning::Content;
        QTest::newRow("chat reasoning") << chat << QByteArray("data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"x\"}}]}\n\n") << FrameMeaning::Content;
        QTest::newRow("chat tool call") << chat << QByteArray("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\"}]}}]}\n\n") << FrameMeaning::Content;
        QTest::newRow("E01 empty choices") << chat << QByteArray("data: {\"choices\":[],\"prompt_filter_results\":[]}\n\n") << FrameMeaning::Preamble;
        QTest::newRow("chat finish") << chat << QByteArray("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n") << FrameMeaning::Finish;
        QTest::newRow("done") << chat << QByteArray("data: [DONE]\n\n") << FrameMeaning::Terminal;
        QTest::newRow("done without blank, CRLF") << chat << QByteArray("data:[DONE]\r\n\r\n") << FrameMeaning::Terminal;
        QTest::newRow("C01 chat error") << chat << QByteArray("data: {\"error\":{\"message\":\"no\",\"code\":429}}\n\n") << FrameMeaning::Error;
        QTest::newRow("error beside null choices") << chat << QByteArray("data: {\"choices\":null,\"error\":{\"message\":\"no\"}}\n\n") << FrameMeaning::Error;
        QTest::newRow("null error is none") << chat << QByteArray("data: {\"error\":null,\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n") << FrameMeaning::Content;
        QTest::newRow("malformed") << chat << QByteArray("data: {\"choices\":[{\"del\n\n") << FrameMeaning::Malformed;
        QTest::newRow("A11 glued objects") << chat << QByteArray("data: {\"a\":1}{\"b\":2}\n\n") << FrameMeaning::Content;
        QTest::newRow("legacy completion") << Operation::Completions << QByteArray("data: {\"choices\":[{\"text\":\"x\"}]}\n\n") << FrameMeaning::Content;
        QTest::newRow("anthropic start") << messages << QByteArray("event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3}}}\n\n") << FrameMeaning::Preamble;
        QTest::newRow("anthropic ping") << messages << QByteArray("event: ping\ndata: {\"type\":\"ping\"}\n\n") << FrameMeaning::Noise;
        QTest::newRow("anthropic empty text block") << messages << QByteArray("data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n") << FrameMeaning::Preamble;
        QTest::newRow("anthropic tool block") << messages << QByteArray("data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{}}}\n\n") << FrameMeaning::Content;
        QTest::newRow("anthropic delta") << messages << QByteArray("data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}\n\n") << FrameMeaning::Content;
        QTest::newRow("anthropic stop reason") << messages << QByteArray("data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":5}}\n\n") << FrameMeaning::Finish;
        QTest::newRow("anthropic stop") << messages << QByteArray("data: {\"type\":\"message_stop\"}\n\n") << FrameMeaning::Terminal;
        QTest::newRow("C04 anthropic overloaded") << messages << QByteArray("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n") << FrameMeaning::Error;
        QTest::newRow("C02 responses created") << responses << QByteArray("data: {\"type\":\"response.created\",\"response\":{\"error\":null}}\n\n") << FrameMeaning::Preamble;
        QTest::newRow("responses delta") << responses << QByteArray("data: {\"type\":\"response.output_text.delta\",\"delta\":\"x\"}\n\n") << FrameMeaning::Content;
        QTest::newRow("responses completed") << responses << QByteArray("data: {\"type\":\"response.completed\",\"response\":{\"error\":null,\"output\":[],\"usage\":{\"input_tokens\":1,\"output_tokens\":2}}}\n\n") << FrameMeaning::Terminal;
        QTest::newRow("responses failed") << responses << QByteArray("data: {\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"rate_limit_exceeded\",\"message\":\"slow\"}}}\n\n") << FrameMeaning::Error;
        QTest::newRow("responses error event") << responses << QByteArray("data: {\"type\":\"error\",\"code\":\"server_error\",\"message\":\"oops\"}\n\n") << FrameMeaning::Error;
    }

    void meaning()
    {
        QFETCH(Operation, operation);
        QFETCH(QByteArray, frame);
        QFETCH(FrameMeaning, meaning);
        StreamInspector inspector(operation, m_peek);
        QCOMPARE(int(inspector.inspect(frame.toStdString())), int(meaning));
    }

    void errorStatus_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<int>("status");
        QTest::newRow("numeric code") << QByteArray("{\"error\":{\"code\":503,\"message\":\"x\"}}") << 503;
        QTest::newRow("overloaded") << QByteArray("{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"x\"}}") << 529;
        QTest::newRow("C02 insufficient quota") << QByteArray("{\"error\":{\"code\":\"insufficient_quota\",\"message\":\"x\"}}") << 429;
        QTest::newRow("authentication") << QByteArray("{\"error\":{\"type\":\"authentication_error\",\"message\":\"x\"}}") << 401;
        QTest::newRow("context") << QByteArray("{\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"x\"}}") << 400;
        QTest::newRow("text only") << QByteArray("{\"error\":\"Rate limit reached, slow down\"}") << 429;
        QTest::newRow("nothing known") << QByteArray("{\"error\":{\"message\":\"boom\"}}") << 502;
    }

    void errorStatus()
    {
        QFETCH(QByteArray, json);
        QFETCH(int, status);
        StreamInspector inspector(Operation::ChatCompletions, m_peek);
        QCOMPARE(int(inspector.inspect("data: " + json.toStdString() + "\n\n")), int(FrameMeaning::Error));
        QCOMPARE(inspector.error().status, status);
    }

    void usageIsTheLastTold()
    {
        StreamInspector inspector(Operation::ChatCompletions, m_peek);
        inspector.inspect("data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}],\"usage\":{\"prompt_tokens\":0,\"completion_tokens\":0}}\n\n");
        inspector.inspect("data: {\"choices\":[{\"delta\":{\"content\":\"y\"}}],\"usage\":null}\n\n");
        inspector.inspect("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":120,\"prompt_tokens_details\":{\"cached_tokens\":4}}}\n\n");
        QCOMPARE(inspector.usage().input, 12);
        QCOMPARE(inspector.usage().output, 120);
        QCOMPARE(inspector.usage().cached, 4);
    }

    void anthropicUsageAddsTheCache()
    {
        StreamInspector inspector(Operation::Messages, m_peek);
        inspector.inspect("data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":10,\"cache_read_input_tokens\":90,\"cache_creation_input_tokens\":5,\"output_tokens\":1}}}\n\n");
        inspector.inspect("data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}\n\n");
        inspector.inspect("data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":42}}\n\n");
        QCOMPARE(inspector.usage().input, 105);
        QCOMPARE(inspector.usage().output, 42);
        QCOMPARE(inspector.usage().cached, 90);
    }

    void whatIsMissingAtTheEnd()
    {
        StreamInspector chat(Operation::ChatCompletions, m_peek);
        chat.inspect("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\"}}]}}]}\n\n");
        QVERIFY(!chat.complete());
        QVERIFY(chat.missingFinish().find("\"finish_reason\":\"tool_calls\"") != std::string::npos);
        QCOMPARE(chat.missingEnd(), std::string("data: [DONE]\n\n"));

        StreamInspector anthropic(Operation::Messages, m_peek);
        anthropic.inspect("data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n");
        QVERIFY(anthropic.complete());
        QVERIFY(anthropic.missingEnd().find("message_stop") != std::string::npos);
        anthropic.inspect("data: {\"type\":\"message_stop\"}\n\n");
        QVERIFY(anthropic.missingEnd().empty());
    }

    void laterErrorsAreSeenThroughTheQuickLook()
    {
        StreamInspector inspector(Operation::ChatCompletions, m_peek);
        QCOMPARE(int(inspector.inspect("data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n")), int(FrameMeaning::Content));
        QCOMPARE(int(inspector.inspect("data: {\"choices\":[{\"delta\":{\"content\":\"the word \\\"error\\\" in a text\"}}]}\n\n")), int(FrameMeaning::Content));
        QCOMPARE(int(inspector.inspect("data: { \"error\" : {\"message\":\"x\"}}\n\n")), int(FrameMeaning::Error));
    }
};

OMNI_TEST(StreamInspectorTest)
#include "stream_inspector_test.moc"
