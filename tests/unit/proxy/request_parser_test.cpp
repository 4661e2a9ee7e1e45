#include "base/random.h"
#include "proxy/access_control.h"
#include "proxy/request_parser.h"

#include "program/cpu_time.h"
#include "program/test_program.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTest>

using namespace omni;
using State = RequestParser::State;

namespace {

QByteArray bytes(std::string_view text) { return QByteArray(text.data(), static_cast<qsizetype>(text.size())); }
std::string text(const QByteArray& array) { return array.toStdString(); }

const QByteArray kHead = "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:20128\r\n";

/// Feeds `input` cut after each offset of `cuts` (ascending); returns how much was taken.
std::size_t feedInPieces(RequestParser& parser, std::string_view input, const std::vector<std::size_t>& cuts)
{
    std::size_t taken = 0;
    std::size_t from = 0;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
        const std::size_t to = i < cuts.size() ? cuts[i] : input.size();
        // A piece of its own memory, so that a parser that looks behind its end is caught by the sanitizer.
        const std::string piece(input.substr(from, to - from));
        const std::size_t used = parser.feed(piece);
        taken += used;
        if (used < piece.size())
            return taken;
        from = to;
    }
    return taken;
}

std::vector<std::size_t> everyByte(std::size_t size)
{
    std::vector<std::size_t> cuts;
    for (std::size_t i = 1; i < size; ++i)
        cuts.push_back(i);
    return cuts;
}

std::vector<std::size_t> randomCuts(std::size_t size, std::uint64_t seed)
{
    SimulatedRandom random(seed);
    std::vector<std::size_t> cuts;
    // From a few large pieces to many small ones.
    const std::uint64_t longest = 1 + random.below(1 + random.below(size));
    for (std::size_t at = 1 + random.below(longest); at < size; at += 1 + random.below(longest))
        cuts.push_back(at);
    return cuts;
}

}  // namespace

class RequestParserTest : public QObject {
    Q_OBJECT

private:
    struct Case {
        std::string request, expect, body, status;
    };

    void checkCase(const Case& row, const std::vector<std::size_t>& cuts)
    {
        RequestParser parser(ParserLimits{});
        const std::size_t taken = feedInPieces(parser, row.request, cuts);
        if (row.expect == "reject" || row.expect == "limit") {
            QCOMPARE(parser.state(), State::Failed);
            QCOMPARE(parser.errorStatus(), row.expect == "limit" ? std::stoi(row.status) : 400);
            QVERIFY(!parser.errorMessage().empty());
            QCOMPARE(parser.feed("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), std::size_t(0));
            return;
        }
        if (row.expect == "incomplete") {
            QCOMPARE(parser.state(), State::Body);
            QVERIFY(parser.started());
            QCOMPARE(taken, row.request.size());
            return;
        }
        QCOMPARE(parser.state(), State::Complete);
        const HttpRequest request = parser.take();
        AccessPolicy policy;
        policy.port = 20128;
        QCOMPARE(policy.checkHostAndOrigin(request, "127.0.0.1").ok(), row.expect == "accept");
        if (row.expect == "forbid")
            return;
        QCOMPARE(QByteArray::fromStdString(*request.body), QByteArray::fromStdString(row.body));
        QVERIFY(request.body->capacity() >= request.body->size() + 64);
        QCOMPARE(parser.state(), State::Head);
        if (taken < row.request.size()) {
            parser.feed(std::string_view(row.request).substr(taken));
            QCOMPARE(parser.state(), State::Complete);
            QCOMPARE(parser.take().target, std::string("/v1/models"));
        }
    }

    Case fetchCase()
    {
        QFETCH(QByteArray, request);
        QFETCH(QByteArray, expect);
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, status);
        return {text(request), text(expect), text(body), text(status)};
    }

    void addCases()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<QByteArray>("expect");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("status");
        QFile file(QStringLiteral(OMNIROUTE_TEST_DATA "/http-requests.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const nlohmann::json document = nlohmann::json::parse(file.readAll().toStdString(), nullptr, false);
        QVERIFY(document.is_object());
        QVERIFY(document["cases"].size() > 50);
        for (const nlohmann::json& row : document["cases"]) {
            QTest::newRow(row["name"].get<std::string>().c_str())
                << bytes(row["request"].get<std::string>()) << bytes(row["expect"].get<std::string>())
                << bytes(row.value("body", "")) << bytes(row.contains("why") && row["why"].is_number() ? row["why"].dump() : "");
        }
    }

private Q_SLOTS:
    void wholeCases_data() { addCases(); }
    void wholeCases() { checkCase(fetchCase(), {}); }

    void byteByByte_data() { addCases(); }
    void byteByByte()
    {
        const Case row = fetchCase();
        checkCase(row, everyByte(row.request.size()));
    }

    void cutAtRandom_data() { addCases(); }
    void cutAtRandom()
    {
        const Case row = fetchCase();
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            checkCase(row, randomCuts(row.request.size(), seed));
            if (QTest::currentTestFailed()) {
                qInfo("seed %llu", static_cast<unsigned long long>(seed));
                return;
            }
        }
    }

    void refusals_data()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<int>("status");
        const QByteArray end = "\r\n\r\n";
        QTest::newRow("absolute form") << QByteArray("GET http://127.0.0.1/v1/models HTTP/1.1\r\nHost: 127.0.0.1" + end) << 400;
        QTest::newRow("authority form") << QByteArray("CONNECT example.org:443 HTTP/1.1\r\nHost: example.org" + end) << 400;
        QTest::newRow("star with another method") << QByteArray("GET * HTTP/1.1\r\nHost: localhost" + end) << 400;
        QTest::newRow("control character in the target") << QByteArray("GET /a\x01 HTTP/1.1\r\nHost: localhost" + end) << 400;
        QTest::newRow("DEL in the target") << QByteArray("GET /a\x7f HTTP/1.1\r\nHost: localhost" + end) << 400;
        QTest::newRow("raw UTF-8 in the target") << QByteArray("GET /\xc3\xa4 HTTP/1.1\r\nHost: localhost" + end) << 400;
        QTest::newRow("two Hosts on 1.0") << QByteArray("GET / HTTP/1.0\r\nHost: a\r\nHost: a" + end) << 400;
        QTest::newRow("HTTP/0.9") << QByteArray("GET /" + end) << 400;
        QTest::newRow("version cut short") << QByteArray("GET / HTTP/1" + end) << 400;
        QTest::newRow("method alone") << QByteArray("GET" + end) << 400;
        QTest::newRow("other expectation") << QByteArray(kHead + "Expect: magic\r\nContent-Length: 3" + end) << 417;
        QTest::newRow("two expectations") << QByteArray(kHead + "Expect: 100-continue\r\nExpect: x\r\nContent-Length: 3" + end) << 417;
        QTest::newRow("length above the limit") << QByteArray(kHead + "Content-Length: 67108865" + end) << 413;
        QTest::newRow("length of 2^64-1") << QByteArray(kHead + "Content-Length: 18446744073709551615" + end) << 413;
        QTest::newRow("chunk above the limit") << QByteArray(kHead + "Transfer-Encoding: chunked" + end + "4000001\r\n") << 413;
        QTest::newRow("TLS hello") << QByteArray::fromHex("160301020001000100") << 400;
        QTest::newRow("binary noise") << QByteArray("\xff\xfe\x01") << 400;
        QTest::newRow("NUL first") << QByteArray(1, '\0') << 400;
        QTest::newRow("control character in a value") << QByteArray("GET / HTTP/1.1\r\nHost: localhost\r\nX: \x02" + end) << 400;
        QTest::newRow("513 fields") << QByteArray(kHead + QByteArray("a:b\r\n").repeated(512) + "\r\n") << 431;
        QTest::newRow("endless chunk extension")
            << QByteArray(kHead + "Transfer-Encoding: chunked" + end + "3;" + QByteArray(20'000, 'a')) << 431;
        QTest::newRow("endless trailers")
            << QByteArray(kHead + "Transfer-Encoding: chunked" + end + "0\r\n" + QByteArray("a: b\r\n").repeated(4'000)) << 431;
        QTest::newRow("long chunk extension in one piece")
            << QByteArray(kHead + "Transfer-Encoding: chunked" + end + "3;a=" + QByteArray(20'000, 'a') + "\r\nabc\r\n0" + end) << 431;
        QTest::newRow("long trailers in one piece")
            << QByteArray(kHead + "Transfer-Encoding: chunked" + end + "0\r\n" + QByteArray("a: b\r\n").repeated(20'000) + "\r\n") << 431;
        QTest::newRow("trailer that changes the framing")
            << QByteArray(kHead + "Transfer-Encoding: chunked" + end + "0\r\nContent-Length: 3" + end) << 400;
        QTest::newRow("folded first header") << QByteArray("GET / HTTP/1.1\r\n Host: localhost" + end) << 400;
        QTest::newRow("HTTP/2 preface") << QByteArray("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") << 400;
    }

    void refusals()
    {
        QFETCH(QByteArray, request);
        QFETCH(int, status);
        const std::string input = text(request);
        for (const auto& cuts : {std::vector<std::size_t>{}, everyByte(input.size())}) {
            RequestParser parser(ParserLimits{});
            feedInPieces(parser, input, cuts);
            QCOMPARE(parser.state(), State::Failed);
            QCOMPARE(parser.errorStatus(), status);
            QVERIFY(parser.errorMessage().size() > 10);
        }
    }

    void bareLfIsRefusedBeforeTheHeadEnds()
    {
        RequestParser parser(ParserLimits{});
        parser.feed("GET / HTTP/1.1\n");
        QCOMPARE(parser.state(), State::Failed);
    }

    void keepAlive_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<bool>("kept");
        QTest::newRow("1.1") << QByteArray("GET / HTTP/1.1\r\nHost: localhost\r\n") << true;
        QTest::newRow("1.1 close") << QByteArray("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Close\r\n") << false;
        QTest::newRow("1.1 close in a list") << QByteArray("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: te, close\r\n") << false;
        QTest::newRow("1.0") << QByteArray("GET / HTTP/1.0\r\nHost: localhost\r\n") << false;
        QTest::newRow("1.0 keep-alive") << QByteArray("GET / HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n") << true;
    }

    void keepAlive()
    {
        QFETCH(QByteArray, head);
        QFETCH(bool, kept);
        RequestParser parser(ParserLimits{});
        parser.feed(text(head + "\r\n"));
        QCOMPARE(parser.state(), State::Complete);
        QCOMPARE(parser.take().keepAlive, kept);
    }

    void headIsReadable()
    {
        RequestParser parser(ParserLimits{});
        QVERIFY(!parser.started());
        parser.feed("POST /v1/messages?beta=true HTTP/1.1\r\nhost: LOCALHOST\r\nX-Api-Key:  a b \t\r\nx-two: 1\r\nX-Two: 2\r\n"
                    "Content-Length: 4\r\n\r\n");
        QVERIFY(parser.started());
        QCOMPARE(parser.state(), State::Body);
        const HttpRequest& head = parser.head();
        QCOMPARE(head.method, std::string("POST"));
        QVERIFY(head.path() == "/v1/messages");
        QVERIFY(head.query() == "beta=true");
        QVERIFY(head.header("x-api-key") == "a b");
        QVERIFY(head.header("x-two") == "1");
        QVERIFY(head.header("missing").empty());
        QCOMPARE(head.headers.size(), std::size_t(5));
        QVERIFY(head.body->empty());
        QCOMPARE(head.version, 11);
        parser.feed("abcd");
        QCOMPARE(parser.state(), State::Complete);
        QCOMPARE(*parser.take().body, std::string("abcd"));
        QVERIFY(!parser.started());
    }

    void optionsStarIsAccepted()
    {
        RequestParser parser(ParserLimits{});
        parser.feed("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n");
        QCOMPARE(parser.state(), State::Complete);
        QCOMPARE(parser.take().target, std::string("*"));
    }

    void waitsForContinue()
    {
        RequestParser parser(ParserLimits{});
        parser.feed(text(kHead + "Expect: 100-Continue\r\nContent-Length: 3\r\n\r\n"));
        QVERIFY(parser.awaitsContinue());
        QVERIFY(parser.head().expectContinue);
        parser.feed("a");
        QVERIFY(!parser.awaitsContinue());
        parser.feed("bc");
        QCOMPARE(parser.state(), State::Complete);
    }

    void doesNotWaitForContinueWithoutABodyOrOn10()
    {
        RequestParser parser(ParserLimits{});
        parser.feed(text(kHead + "Expect: 100-continue\r\n\r\n"));
        QCOMPARE(parser.state(), State::Complete);
        QVERIFY(!parser.awaitsContinue());
        parser.take();
        parser.feed("POST / HTTP/1.0\r\nHost: localhost\r\nExpect: whatever\r\nContent-Length: 1\r\n\r\n");
        QCOMPARE(parser.state(), State::Body);
        QVERIFY(!parser.awaitsContinue());
    }

    void trailersAreDropped()
    {
        RequestParser parser(ParserLimits{});
        parser.feed(text(kHead + "Transfer-Encoding: chunked\r\n\r\n0\r\nAuthorization: Bearer stolen\r\n\r\n"));
        QCOMPARE(parser.state(), State::Complete);
        QVERIFY(parser.take().header("authorization").empty());
    }

    void headerLimitIsExact()
    {
        const std::string start = "GET / HTTP/1.1\r\nHost: localhost\r\nX: ";
        for (const bool cut : {false, true}) {
            for (const std::size_t size : {std::size_t(8'192), std::size_t(8'193)}) {
                const std::string request = start + std::string(size - start.size() - 4, 'a') + "\r\n\r\n";
                RequestParser parser(ParserLimits{8'192, 1'000});
                feedInPieces(parser, request, cut ? everyByte(request.size()) : std::vector<std::size_t>{});
                QCOMPARE(parser.state(), size == 8'192 ? State::Complete : State::Failed);
            }
        }
    }

    void bodyLimitIsExact()
    {
        for (const std::string& size : {std::string("1000"), std::string("1001")}) {
            RequestParser parser(ParserLimits{8'192, 1'000});
            parser.feed(text(kHead) + "Content-Length: " + size + "\r\n\r\n");
            QCOMPARE(parser.state(), size == "1000" ? State::Body : State::Failed);
        }
        RequestParser parser(ParserLimits{8'192, 1'000});
        parser.feed(text(kHead) + "Transfer-Encoding: chunked\r\n\r\n3e7\r\n" + std::string(999, 'a') + "\r\n1\r\n");
        QCOMPARE(parser.state(), State::Body);
        parser.feed("b\r\n1\r\nc");
        QCOMPARE(parser.state(), State::Failed);
        QCOMPARE(parser.errorStatus(), 413);
    }

    void aPromisedLengthIsNotAllocated()
    {
        RequestParser parser(ParserLimits{65'536, std::size_t(6) << 30});
        parser.feed(text(kHead) + "Content-Length: 5368709120\r\n\r\n");  // 5 GiB
        QCOMPARE(parser.state(), State::Body);
        QVERIFY(parser.head().body->capacity() <= 2 * 1024 * 1024);
        const std::string piece(1024 * 1024, 'x');
        for (int i = 0; i < 8; ++i)
            QCOMPARE(parser.feed(piece), piece.size());
        QVERIFY(parser.head().body->capacity() <= 20 * 1024 * 1024);
        QCOMPARE(parser.state(), State::Body);
    }

    void aTenMegabyteBodyIsReservedOnce()
    {
        RequestParser parser(ParserLimits{});
        parser.feed(text(kHead) + "Content-Length: 10485760\r\n\r\n");
        const void* before = parser.head().body->data();
        const std::string piece(65'536, 'x');
        for (int i = 0; i < 160; ++i)
            QCOMPARE(parser.feed(piece), piece.size());
        QCOMPARE(parser.state(), State::Complete);
        const HttpRequest request = parser.take();
        QCOMPARE(request.body->size(), std::size_t(10'485'760));
        QVERIFY(request.body->data() == before);
    }

    void manySmallChunksGrowTheBody()
    {
        std::string request = text(kHead) + "Transfer-Encoding: chunked\r\n\r\n";
        std::string expected;
        for (int i = 0; i < 20'000; ++i) {
            const std::string piece(static_cast<std::size_t>(1 + i % 37), static_cast<char>('a' + i % 26));
            char size[16];
            std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
            request += size + piece + "\r\n";
            expected += piece;
        }
        request += "0\r\n\r\n";
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            RequestParser parser(ParserLimits{});
            QCOMPARE(feedInPieces(parser, request, randomCuts(request.size(), seed)), request.size());
            QCOMPARE(parser.state(), State::Complete);
            const HttpRequest taken = parser.take();
            QVERIFY(*taken.body == expected);
            QVERIFY(taken.body->capacity() >= taken.body->size() + 64);
        }
    }

    void pipelinedRequestsComeInOrder()
    {
        std::string input;
        for (int i = 0; i < 50; ++i) {
            const std::string body = "body " + std::to_string(i);
            input += "POST /" + std::to_string(i) + " HTTP/1.1\r\nHost: localhost\r\n";
            input += i % 2 ? "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body
                           : "Transfer-Encoding: chunked\r\n\r\n" + std::to_string(body.size()) + "\r\n" + body + "\r\n0\r\n\r\n";
        }
        RequestParser parser(ParserLimits{});
        std::string_view rest = input;
        for (int i = 0; i < 50; ++i) {
            while (parser.state() != State::Complete) {
                QVERIFY(parser.state() != State::Failed);
                const std::size_t used = parser.feed(rest.substr(0, 7));
                QVERIFY(used > 0);
                rest.remove_prefix(used);
            }
            const HttpRequest request = parser.take();
            QCOMPARE(request.target, "/" + std::to_string(i));
            QCOMPARE(*request.body, "body " + std::to_string(i));
        }
        QVERIFY(rest.empty());
        QVERIFY(!parser.started());
    }

    /// Where the cuts lie must never decide: a request that is read in one way whole and in another way in pieces can be smuggled.
    void mutatedRequestsEndTheSameHoweverTheyAreCut()
    {
        const std::vector<std::string> seeds = {
            text(kHead) + "Content-Length: 12\r\nX-Custom: some value\r\n\r\nabcdefghijkl",
            text(kHead) + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n5;x=y\r\ndefgh\r\n0\r\nX-Trailer: 1\r\n\r\n",
            "GET /v1/models?a=b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            text(kHead) + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
        };
        constexpr std::string_view bytesOfInterest = "\r\n \t:;,/0123aF\x01\x7f\xff";
        SimulatedRandom random(4711);
        int completed = 0;
        for (int round = 0; round < 20'000; ++round) {
            std::string input = seeds[random.below(seeds.size())];
            for (std::uint64_t i = 1 + random.below(3); i > 0; --i) {
                const std::size_t at = random.below(input.size());
                const char byte = bytesOfInterest[random.below(bytesOfInterest.size())];
                switch (random.below(4)) {
                case 0: input[at] = byte; break;
                case 1: input.insert(at, 1, byte); break;
                case 2: input.erase(at, 1 + random.below(3)); break;
                default: input.insert(at, input.substr(random.below(input.size()), random.below(30)));
                }
            }
            RequestParser whole(ParserLimits{});
            RequestParser cut(ParserLimits{});
            const std::size_t takenWhole = feedInPieces(whole, input, {});
            const std::size_t takenCut = feedInPieces(cut, input, randomCuts(input.size(), random.next()));
            QVERIFY2(whole.state() == cut.state(), bytes(input).toPercentEncoding().constData());
            if (whole.state() == State::Failed)
                QCOMPARE(cut.errorStatus(), whole.errorStatus());
            if (whole.state() != State::Complete)
                continue;
            ++completed;
            QVERIFY2(takenWhole == takenCut, bytes(input).toPercentEncoding().constData());
            const HttpRequest a = whole.take();
            const HttpRequest b = cut.take();
            QVERIFY(a.method == b.method && a.target == b.target && a.headers == b.headers && *a.body == *b.body);
            QVERIFY(a.keepAlive == b.keepAlive);
        }
        QVERIFY2(completed > 1'000, QByteArray::number(completed).constData());
    }

    void feedingByteByByteIsLinear()
    {
        // 64 KiB in one header, byte by byte, a hundred times: quadratic work would take minutes.
        const std::string request = "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(65'000, 'a') + "\r\n\r\n";
        const CpuTime spent;
        for (int round = 0; round < 100; ++round) {
            RequestParser parser(ParserLimits{});
            for (const char& c : request)
                parser.feed({&c, 1});
            QCOMPARE(parser.state(), State::Complete);
        }
        QVERIFY2(spent.seconds() < 20, "quadratic");
    }

    void typicalChatRequest()
    {
        const std::string body = R"({"model":"openai/gpt-4o-mini","messages":[{"role":"system","content":"You are a helpful assistant."},)"
                                 R"({"role":"user","content":"Say hello in three languages, please."}],"stream":true,"temperature":0.7})";
        const std::string request = "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:20128\r\nAccept: application/json\r\n"
                                    "Content-Type: application/json\r\nUser-Agent: OpenAI/JS 4.77.0\r\nX-Stainless-Lang: js\r\n"
                                    "X-Stainless-Package-Version: 4.77.0\r\nX-Stainless-OS: Linux\r\nX-Stainless-Arch: x64\r\n"
                                    "Authorization: Bearer sk-0123456789abcdef0123456789abcdef\r\nAccept-Encoding: gzip, deflate\r\n"
                                    "Connection: keep-alive\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
        RequestParser parser(ParserLimits{});
        QBENCHMARK {
            parser.feed(request);
            const HttpRequest taken = parser.take();
            QVERIFY(taken.body->size() == body.size());
        }
    }
};

OMNI_TEST(RequestParserTest)
#include "request_parser_test.moc"
