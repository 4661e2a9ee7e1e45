#include "base/random.h"
#include "stream/large_request_scan.h"
#include "stream/request_scan.h"

#include "program/test_program.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace omni;
using nlohmann::json;

namespace {

Result<RequestScan> scan(std::string body)
{
    body.reserve(body.size() + 64);
    return scanRequest(body, body.capacity());
}

Result<RequestScan> scanInSlices(const std::string& body, std::size_t slice)
{
    LargeRequestScan scanner(body);
    while (true) {
        if (std::optional<Result<RequestScan>> result = scanner.advance(slice))
            return *std::move(result);
    }
}

json randomValue(Random& random, int depth)
{
    switch (random.below(depth > 0 ? 7 : 5)) {
    case 0: return static_cast<std::int64_t>(random.next() >> 20);
    case 1: return random.unit();
    case 2: return random.below(2) == 1;
    case 3: return nullptr;
    case 4: {
        static const std::vector<std::string> texts = {"plain", "with \"quotes\" and \\ back", "line\nbreak", "\"model\":\"trap\"", "ক খ", "{[,:]}", ""};
        return texts[random.below(texts.size())];
    }
    case 5: {
        json list = json::array();
        for (std::uint64_t i = random.below(4); i > 0; --i)
            list.push_back(randomValue(random, depth - 1));
        return list;
    }
    default: {
        json object = json::object();
        for (std::uint64_t i = random.below(4); i > 0; --i)
            object[random.below(3) == 0 ? "model" : "k" + std::to_string(i)] = randomValue(random, depth - 1);
        return object;
    }
    }
}

}  // namespace

class RequestScanTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refused_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("empty") << QByteArray("");
        QTest::newRow("array") << QByteArray("[1]");
        QTest::newRow("text") << QByteArray("\"x\"");
        QTest::newRow("not JSON") << QByteArray("hello");
        QTest::newRow("cut off") << QByteArray("{\"model\":\"a\"");
        QTest::newRow("cut off inside") << QByteArray("{\"model\":\"a\",\"messages\":[{\"x\":1}");
        QTest::newRow("something follows") << QByteArray("{\"model\":\"a\"} x");
        QTest::newRow("model is a number") << QByteArray("{\"model\":3}");
        QTest::newRow("model is null") << QByteArray("{\"model\":null}");
        QTest::newRow("model twice") << QByteArray("{\"model\":\"a\",\"model\":\"b\"}");
        QTest::newRow("stream twice") << QByteArray("{\"stream\":true,\"stream\":false}");
        QTest::newRow("no comma") << QByteArray("{\"model\":\"a\" \"x\":1}");
        QTest::newRow("comma at the end") << QByteArray("{\"model\":\"a\",}");
        QTest::newRow("no colon") << QByteArray("{\"model\" \"a\"}");
        QTest::newRow("no value") << QByteArray("{\"x\":,\"model\":\"a\"}");
        QTest::newRow("ends in an escape") << QByteArray("{\"model\":\"a\\\"}");
        QTest::newRow("stream is text") << QByteArray("{\"model\":\"a\",\"stream\":\"yes\"}");
    }

    void refused()
    {
        QFETCH(QByteArray, body);
        for (const std::size_t slice : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
            const auto result = slice == 0 ? scan(body.toStdString()) : scanInSlices(body.toStdString(), slice);
            QVERIFY(!result.ok());
            QCOMPARE(int(result.error().kind), int(ErrorKind::InvalidArgument));
            QVERIFY(!result.error().message.empty());
        }
    }

    void nestedMembersDoNotCount()
    {
        const auto result = scan(R"({"messages":[{"model":"inner","stream":true}],"model":"outer"})");
        QVERIFY(result.ok());
        QCOMPARE(result->model, std::string("outer"));
        QVERIFY(!result->stream);
    }

    void bracketsOfALargeBodyMustMatch()
    {
        QVERIFY(!scanInSlices("{\"model\":\"a\",\"x\":[{]}}", 5).ok());
        QVERIFY(scanInSlices("{\"model\":\"a\",\"x\":[{}]}", 5).ok());
        QVERIFY(!scanInSlices("{\"model\":\"a\",\"x\":" + std::string(2000, '[') + std::string(2000, ']') + "}", 500).ok());
    }

    void aLargeBodyIsReadInSlices()
    {
        const std::string name = "\"a\\u0062c\"";
        std::string body = "{\"messages\":[{\"role\":\"user\",\"content\":\"";
        while (body.size() < 3u << 20)
            body += "say \\\"model\\\": \\\"x\\\" \\\\";
        body += "\"}],\"model\":" + name + ",\"stream\":true}";
        LargeRequestScan scanner(body);
        int slices = 1;
        std::optional<Result<RequestScan>> result;
        while (!(result = scanner.advance(64 * 1024)))
            ++slices;
        QVERIFY(slices >= 48);
        QVERIFY(result->ok());
        QCOMPARE((*result)->model, std::string("abc"));
        QVERIFY((*result)->stream);
        QCOMPARE(body.substr((*result)->modelAt, (*result)->modelLength), name);
    }

    void agreesWithAFullParserOnRandomBodies()
    {
        SimulatedRandom random(42);
        for (int round = 0; round < 3000; ++round) {
            json body = json::object();
            for (std::uint64_t i = random.below(5); i > 0; --i)
                body["a" + std::to_string(random.below(40))] = randomValue(random, 3);
            body["model"] = std::vector<std::string>{"gpt-4", "a/b", "q\"uote", "uni ক"}[random.below(4)];
            for (std::uint64_t i = random.below(3); i > 0; --i)
                body["z" + std::to_string(i)] = randomValue(random, 3);
            const bool stream = random.below(2) == 1;
            if (random.below(3) > 0)
                body["stream"] = stream;
            std::string text = body.dump(random.below(2) == 0 ? -1 : 2);
            const auto result = scan(text);
            QVERIFY2(result.ok(), text.c_str());
            QCOMPARE(result->model, body["model"].get<std::string>());
            QCOMPARE(result->stream, body.value("stream", false));
            const auto sliced = scanInSlices(text, 1 + random.below(40));
            QVERIFY2(sliced.ok(), text.c_str());
            QCOMPARE(sliced->model, result->model);
            QCOMPARE(sliced->stream, result->stream);
            QCOMPARE(sliced->modelAt, result->modelAt);
            QCOMPARE(sliced->modelLength, result->modelLength);
            // Splicing another name in leaves everything else as it was.
            text.replace(result->modelAt, result->modelLength, jsonQuoted("new \"model\"\n"));
            json expected = body;
            expected["model"] = "new \"model\"\n";
            QCOMPARE(json::parse(text), expected);
        }
    }
};

OMNI_TEST(RequestScanTest)
#include "request_scan_test.moc"
