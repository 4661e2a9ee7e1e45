#include "control/upstream_answer.h"

#include "program/test_program.h"

#include <QTest>

using namespace omni;

class UpstreamAnswerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void modelLists_data();
    void modelLists();
    void longListsAreCut();
    void failureTexts_data();
    void failureTexts();
    void secretsNeverShow();
    void kindsOfFailure_data();
    void kindsOfFailure();
};

void UpstreamAnswerTest::modelLists_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("models");
    QTest::newRow("OpenAI") << R"({"object":"list","data":[{"id":"gpt-4o","object":"model"},{"id":"o3"}]})"
                            << "gpt-4o,o3";
    QTest::newRow("Anthropic") << R"({"data":[{"type":"model","id":"claude-x","display_name":"X"}],"has_more":false})"
                               << "claude-x";
    QTest::newRow("Ollama tags") << R"({"models":[{"name":"llama3:8b","model":"llama3:8b"}]})"
                                 << "llama3:8b";
    QTest::newRow("bare array") << R"([{"id":"a"},{"id":"b"}])"
                                << "a,b";
    QTest::newRow("texts") << R"({"models":["a","b"]})"
                           << "a,b";
    QTest::newRow("repetitions") << R"({"data":[{"id":"a"},{"id":"a"},{"id":"b"}]})"
                                 << "a,b";
    QTest::newRow("entries without id") << R"({"data":[{"object":"model"},{"id":""},{"id":5},7,{"id":"b"}]})"
                                        << "b";
    QTest::newRow("empty") << R"({"data":[]})"
                           << "";
    QTest::newRow("no list") << R"({"status":"ok"})"
                             << "(error)";
    QTest::newRow("a page") << "<html>hello</html>"
                            << "(error)";
    QTest::newRow("nothing") << ""
                             << "(error)";
    QTest::newRow("cut short") << R"({"data":[{"id":"a"})"
                               << "(error)";
}

void UpstreamAnswerTest::modelLists()
{
    QFETCH(QString, body);
    QFETCH(QString, models);
    const auto list = readModelList(body.toStdString());
    QStringList got;
    if (list)
        for (const std::string& one : *list)
            got << QString::fromStdString(one);
    else
        QVERIFY(list.error().kind == ErrorKind::Protocol);
    QCOMPARE(list ? got.join(QLatin1Char(',')) : QStringLiteral("(error)"), models);
}

void UpstreamAnswerTest::longListsAreCut()
{
    std::string body = "{\"data\":[";
    for (int i = 0; i < 6'000; ++i)
        body += (i ? "," : "") + std::string("{\"id\":\"m") + std::to_string(i) + "\"}";
    const auto list = readModelList(body + "]}");
    QVERIFY(list.ok());
    QCOMPARE(list->size(), std::size_t{5'000});
    const auto longId = readModelList("{\"data\":[{\"id\":\"" + std::string(301, 'x') + "\"}]}");
    QVERIFY(longId.ok() && longId->empty());
}

void UpstreamAnswerTest::failureTexts_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("text");
    QTest::newRow("OpenAI") << 401 << R"({"error":{"message":"No such key.","type":"x"}})"
                            << "HTTP 401: No such key.";
    QTest::newRow("error as text") << 400 << R"({"error":"model not found"})"
                                   << "HTTP 400: model not found";
    QTest::newRow("message") << 429 << R"({"message":"slow down"})"
                             << "HTTP 429: slow down";
    QTest::newRow("detail") << 422 << R"({"detail":"bad field"})"
                            << "HTTP 422: bad field";
    QTest::newRow("plain text") << 502 << "upstream\r\nfailed"
                                << "HTTP 502: upstream  failed";
    QTest::newRow("HTML") << 502 << "<html><body>Bad gateway</body></html>"
                          << "HTTP 502";
    QTest::newRow("empty") << 500 << ""
                           << "HTTP 500";
    QTest::newRow("long") << 500 << QString(5'000, QLatin1Char('x')) << QStringLiteral("HTTP 500: ") + QString(300, QLatin1Char('x'));
}

void UpstreamAnswerTest::failureTexts()
{
    QFETCH(int, status);
    QFETCH(QString, body);
    QFETCH(QString, text);
    BufferedCall::Answer answer;
    answer.status = status;
    answer.body = body.toStdString();
    QCOMPARE(QString::fromStdString(failureText(answer, "the-secret")), text);
}

void UpstreamAnswerTest::secretsNeverShow()
{
    BufferedCall::Answer answer;
    answer.status = 401;
    answer.body = R"({"error":{"message":"Incorrect key oddly.shaped~key! and sk-proj-abcdefghijklmnop1234 given"}})";
    const std::string text = failureText(answer, "oddly.shaped~key!");
    QVERIFY2(text.find("oddly") == std::string::npos, text.c_str());
    QVERIFY2(text.find("abcdefghijk") == std::string::npos, text.c_str());
}

void UpstreamAnswerTest::kindsOfFailure_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("failure");
    QTest::addColumn<int>("kind");
    const auto row = [](const char* name, int status, TransportFailure failure, ErrorKind kind) {
        QTest::newRow(name) << status << static_cast<int>(failure) << static_cast<int>(kind);
    };
    row("401", 401, TransportFailure::None, ErrorKind::Unauthorized);
    row("403", 403, TransportFailure::None, ErrorKind::Forbidden);
    row("404", 404, TransportFailure::None, ErrorKind::NotFound);
    row("429", 429, TransportFailure::None, ErrorKind::LimitExceeded);
    row("500", 500, TransportFailure::None, ErrorKind::Unavailable);
    row("418", 418, TransportFailure::None, ErrorKind::Protocol);
    row("refused", 0, TransportFailure::ConnectFailed, ErrorKind::Network);
    row("our deadline", 0, TransportFailure::DeadlineExceeded, ErrorKind::Timeout);
}

void UpstreamAnswerTest::kindsOfFailure()
{
    QFETCH(int, status);
    QFETCH(int, failure);
    QFETCH(int, kind);
    BufferedCall::Answer answer;
    answer.status = status;
    answer.failure = static_cast<TransportFailure>(failure);
    const Error error = failureError(answer, {});
    QCOMPARE(static_cast<int>(error.kind), kind);
    QVERIFY(!error.message.empty());
}

OMNI_TEST(UpstreamAnswerTest)
#include "upstream_answer_test.moc"
