#include "base/random.h"
#include "stream/sse_splitter.h"

#include "program/test_program.h"

#include <QTest>

using namespace omni;

namespace {

std::vector<std::string> split(const std::vector<std::string>& pieces, std::string* rest = nullptr)
{
    SseSplitter splitter;
    std::vector<std::string> frames;
    for (const std::string& piece : pieces)
        splitter.feed(piece, [&frames](std::string_view frame) {
            frames.emplace_back(frame);
            return true;
        });
    if (rest)
        *rest = splitter.partial();
    return frames;
}

std::vector<std::string> dataOf(const std::vector<std::string>& frames)
{
    std::vector<std::string> data;
    std::string scratch;
    for (const std::string& frame : frames)
        if (const SseEvent event = parseSseFrame(frame, scratch); event.hasData)
            data.emplace_back(event.data);
    return data;
}

std::string joined(const std::vector<std::string>& parts)
{
    std::string all;
    for (const std::string& part : parts)
        all += part;
    return all;
}

}  // namespace

class SseSplitterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCut_data()
    {
        QTest::addColumn<QByteArray>("stream");
        QTest::addColumn<QList<QByteArray>>("data");
        QTest::newRow("A10 plain LF") << QByteArray("data: a\n\ndata: b\n\n") << QList<QByteArray>{"a", "b"};
        QTest::newRow("A04 CRLF") << QByteArray("data: a\r\n\r\ndata: b\r\n\r\ndata: c\r\n\r\n") << QList<QByteArray>{"a", "b", "c"};
        QTest::newRow("A05 mixed") << QByteArray("data: a\n\ndata: b\r\n\r\ndata: c\n\r\ndata: d\r\n\n") << QList<QByteArray>{"a", "b", "c", "d"};
        QTest::newRow("CR only") << QByteArray("data: a\r\rdata: b\r\r") << QList<QByteArray>{"a", "b"};
        QTest::newRow("A07 no blank after the colon") << QByteArray("data:{\"x\":1}\n\n") << QList<QByteArray>{"{\"x\":1}"};
        QTest::newRow("A08 several data lines") << QByteArray("data: {\"x\":\ndata: 1}\n\n") << QList<QByteArray>{"{\"x\":\n1}"};
        QTest::newRow("A01 three-byte character") << QByteArray("data: \xE0\xA6\x95\xE0\xA6\x96\n\n") << QList<QByteArray>{"\xE0\xA6\x95\xE0\xA6\x96"};
        QTest::newRow("comments and names") << QByteArray(": hi\n\nevent: ping\ndata: {}\n\n") << QList<QByteArray>{"{}"};
        QTest::newRow("leading blank lines") << QByteArray("\n\n\r\ndata: a\n\n") << QList<QByteArray>{"a"};
    }

    void everyCut()
    {
        QFETCH(QByteArray, stream);
        QFETCH(QList<QByteArray>, data);
        std::vector<std::string> expected;
        for (const QByteArray& item : data)
            expected.push_back(item.toStdString());
        const std::string whole = stream.toStdString();
        for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
            std::string rest;
            const auto frames = split({whole.substr(0, cut), whole.substr(cut)}, &rest);
            QCOMPARE(dataOf(frames), expected);
            QCOMPARE(joined(frames) + rest, whole);
        }
        std::vector<std::string> bytes;
        for (const char c : whole)
            bytes.emplace_back(1, c);
        std::string rest;
        const auto frames = split(bytes, &rest);
        QCOMPARE(dataOf(frames), expected);
        QCOMPARE(joined(frames) + rest, whole);
    }

    void randomStreamsLoseNoByte()
    {
        SimulatedRandom random(7);
        const std::vector<std::string> ends = {"\n", "\r\n", "\r"};
        for (int round = 0; round < 2000; ++round) {
            std::string whole;
            for (std::uint64_t i = 0, events = random.below(6); i < events; ++i) {
                whole += "data: " + std::string(random.below(20), 'x') + ends[random.below(3)];
                whole += ends[random.below(3)];
            }
            whole += std::string(random.below(5), 'y');
            std::vector<std::string> pieces;
            for (std::size_t at = 0; at < whole.size();) {
                const std::size_t length = 1 + random.below(7);
                pieces.push_back(whole.substr(at, length));
                at += length;
            }
            std::string rest;
            const auto frames = split(pieces, &rest);
            QCOMPARE(joined(frames) + rest, whole);
            QCOMPARE(dataOf(frames), dataOf(split({whole})));
        }
    }

    void aFrameInOnePieceIsNotCopied()
    {
        const std::string piece = "data: a\n\ndata: b\n\n";
        SseSplitter splitter;
        splitter.feed(piece, [&piece](std::string_view frame) {
            return frame.data() >= piece.data() && frame.data() < piece.data() + piece.size();
        });
        QVERIFY(splitter.partial().empty());
    }

    void stoppingKeepsTheRest()
    {
        SseSplitter splitter;
        int frames = 0;
        splitter.feed("data: a\n\ndata: b\n\ndata: c", [&frames](std::string_view) { return ++frames < 1; });
        QCOMPARE(frames, 1);
        QCOMPARE(std::string(splitter.partial()), std::string("data: b\n\ndata: c"));
    }

    void aReleasedFrameGoesOn()
    {
        SseSplitter splitter;
        std::vector<std::string> frames;
        const auto collect = [&frames](std::string_view frame) {
            frames.emplace_back(frame);
            return true;
        };
        splitter.feed("data: long", collect);
        QCOMPARE(splitter.releasePartial(), std::string("data: long"));
        splitter.feed("er\n\ndata: next\n\n", collect);
        QCOMPARE(frames, (std::vector<std::string>{"er\n\n", "data: next\n\n"}));
    }
};

OMNI_TEST(SseSplitterTest)
#include "sse_splitter_test.moc"
