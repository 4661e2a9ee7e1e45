#include "base/random.h"
#include "sandbox/behaviours.h"
#include "sandbox/event_shape.h"
#include "sandbox/gzip_writer.h"
#include "sandbox/json_scan.h"
#include "sandbox/prompt.h"

#include "program/test_program.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <zlib.h>

using namespace omni;
using namespace omni::sandbox;

Q_DECLARE_METATYPE(std::string)

/// The small parts under the sandbox, each against an independent judge: zlib, nlohmann.
class SandboxPartsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFlushCanBeReadAtOnce()
    {
        SimulatedRandom random(7);
        GzipWriter writer;
        z_stream reader{};
        QCOMPARE(inflateInit2(&reader, 15 + 16), Z_OK);
        std::string plain, read;
        for (int i = 0; i < 200; ++i) {
            std::string piece(random.below(300), '\0');
            for (char& c : piece)
                c = static_cast<char>(random.next());
            plain += piece;
            std::string packed;
            writer.add(piece, packed);
            if (i == 199)
                writer.finish(packed);
            std::string out(70'000, '\0');
            reader.next_in = reinterpret_cast<Bytef*>(packed.data());
            reader.avail_in = static_cast<uInt>(packed.size());
            reader.next_out = reinterpret_cast<Bytef*>(out.data());
            reader.avail_out = static_cast<uInt>(out.size());
            const int result = inflate(&reader, Z_SYNC_FLUSH);
            QVERIFY(result == (i == 199 ? Z_STREAM_END : Z_OK) || (packed.empty() && result == Z_BUF_ERROR));
            read.append(out, 0, out.size() - reader.avail_out);
            QCOMPARE(read, plain);
        }
        inflateEnd(&reader);
    }

    void emptyGzip()
    {
        std::string packed = gzipped({});
        z_stream reader{};
        QCOMPARE(inflateInit2(&reader, 15 + 16), Z_OK);
        char byte = 0;
        reader.next_in = reinterpret_cast<Bytef*>(packed.data());
        reader.avail_in = static_cast<uInt>(packed.size());
        reader.next_out = reinterpret_cast<Bytef*>(&byte);
        reader.avail_out = 1;
        QCOMPARE(inflate(&reader, Z_FINISH), Z_STREAM_END);
        QCOMPARE(reader.total_out, 0UL);
        inflateEnd(&reader);
    }

    void scanAgreesWithAParser_data()
    {
        QTest::addColumn<std::string>("text");
        const char* texts[] = {"{}", "{\"a\":1}", " { \"a\" : [1,{\"b\":\"}]\"},[[]]] , \"c\\\"d\":\"e\\\\\" ,\"f\":null } ",
                               "{\"a\":\"\\\\\\\\\\\"\",\"b\":{\"c\":{\"d\":[{}]}}}", "{\"a\":\"বাংলা\",\"b\":-1.5e3,\"c\":true}"};
        for (const char* text : texts)
            QTest::newRow(text) << std::string(text);
    }
    void scanAgreesWithAParser()
    {
        QFETCH(std::string, text);
        const auto judged = nlohmann::ordered_json::parse(text);
        auto built = nlohmann::ordered_json::object();
        JsonScan scan(text);
        for (std::string_view key, value; scan.nextMember(key, value);)
            built[nlohmann::json::parse("\"" + std::string(key) + "\"").get<std::string>()] = nlohmann::ordered_json::parse(value);
        QVERIFY(scan.complete());
        QVERIFY(built == judged);
    }

    void scanRefuses_data()
    {
        QTest::addColumn<std::string>("text");
        for (const char* text : {"", "[]", "1", "{", "{\"a\"", "{\"a\":}", "{\"a\":1", "{\"a\":1,", "{\"a\":1}x", "{\"a\":[1}",
                                 "{\"a\":\"b", "{\"a\":1 \"b\":2}", "{a:1}"})
            QTest::newRow(text) << std::string(text);
    }
    void scanRefuses()
    {
        QFETCH(std::string, text);
        JsonScan scan(text);
        for (std::string_view key, value; scan.nextMember(key, value);) {
        }
        QVERIFY(!scan.complete() || !scan.isObject());
    }

    void modelNames()
    {
        const auto name = ModelName::parse("sandbox/error-in-200?kind=quota&after=2&ms=1");
        QVERIFY(name.ok());
        QCOMPARE(name->behaviour(), std::string("error-in-200"));
        QCOMPARE(std::string(name->kind()), std::string("quota"));
        QCOMPARE(name->number("after").value(), std::uint64_t(2));
        QVERIFY(!name->number("chunks"));
        QCOMPARE(name->number("chunks", 5), std::uint64_t(5));
        QCOMPARE(ModelName::parse("ok")->behaviour(), std::string("ok"));
        QVERIFY(ModelName::parse("ok?").ok());
        QVERIFY(!ModelName::parse("ok?ms").ok());
        QVERIFY(!ModelName::parse("ok?ms=-1").ok());
        QVERIFY(!ModelName::parse("ok?pace=1").ok());
    }

    void toolSchemas()
    {
        const auto tool = offeredTool("{\"tools\":[{\"type\":\"web_search\"},{\"name\":\"f\",\"input_schema\":{\"type\":\"object\","
                                      "\"properties\":{\"s\":{\"type\":\"string\"},"
                                      "\"n\":{\"type\":\"integer\"},\"b\":{\"type\":\"boolean\"},\"l\":{\"type\":\"array\"},\"o\":{"
                                      "\"type\":\"object\",\"properties\":{\"x\":{\"enum\":[\"y\"]}},\"required\":[\"x\"]},"
                                      "\"unasked\":{\"type\":\"string\"}},\"required\":[\"s\",\"n\",\"b\",\"l\",\"o\",\"undeclared\"]}}]}");
        QVERIFY(tool);
        QCOMPARE(tool->name, std::string("f"));
        QVERIFY(nlohmann::json::parse(tool->arguments) ==
                nlohmann::json::parse("{\"s\":\"sandbox\",\"n\":1,\"b\":true,\"l\":[],\"o\":{\"x\":\"y\"},\"undeclared\":\"sandbox\"}"));
        QVERIFY(!offeredTool("{\"tools\":[]}"));
        QVERIFY(!offeredTool("{\"tools\":[7,{\"name\":7}]}"));
        QVERIFY(offeredTool("{\"tools\":[{\"name\":\"f\",\"parameters\":{\"properties\":3,\"required\":\"s\"}}]}"));
    }

    void eventShapes()
    {
        const std::string event = "event: a\ndata: {\"t\":1,\"u\":2}\n\n";
        QCOMPARE(shapedEvent(event, EventShape::Usual, LineEnds::Lf, 0), event);
        QCOMPARE(shapedEvent(event, EventShape::NoSpace, LineEnds::Lf, 0), std::string("event:a\ndata:{\"t\":1,\"u\":2}\n\n"));
        QCOMPARE(shapedEvent(event, EventShape::SeveralDataLines, LineEnds::Lf, 0),
                 std::string("event: a\ndata: {\"t\":1,\ndata: \"u\":2}\n\n"));
        QCOMPARE(shapedEvent(event, EventShape::Usual, LineEnds::CrLf, 0), std::string("event: a\r\ndata: {\"t\":1,\"u\":2}\r\n\r\n"));
        QCOMPARE(shapedEvent(event, EventShape::Usual, LineEnds::Mixed, 2), std::string("event: a\ndata: {\"t\":1,\"u\":2}\n\r\n"));
        QCOMPARE(shapedEvent(": comment\n\n", EventShape::NoSpace, LineEnds::Lf, 0), std::string(": comment\n\n"));
        QCOMPARE(gluedEvents("data: {\"a\":1}\n\n", "data: {\"b\":2}\n\n"), std::string("data: {\"a\":1}{\"b\":2}\n\n"));
        QCOMPARE(brokenEvent("data: {\"a\":1}\n\n"), std::string("data: {\"a\n\n"));
    }

    void httpDates()
    {
        QCOMPARE(httpDate(fromEpochMillis(1445412480'000)), std::string("Wed, 21 Oct 2015 07:28:00 GMT"));
        QCOMPARE(httpDate(fromEpochMillis(0)), std::string("Thu, 01 Jan 1970 00:00:00 GMT"));
        QCOMPARE(httpDate(fromEpochMillis(1709210096'789)), std::string("Thu, 29 Feb 2024 12:34:56 GMT"));
    }
};

OMNI_TEST(SandboxPartsTest)
#include "sandbox_parts_test.moc"
