#include "resilience/marker_scanner.h"

#include "program/test_program.h"
#include "resilience/markers.h"

#include <QElapsedTimer>
#include <QTest>

using namespace omni;

class MarkerScannerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void language_data()
    {
        QTest::addColumn<QByteArray>("pattern");
        QTest::addColumn<bool>("eitherOrder");
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<bool>("found");
        const auto row = [](const char* name, const char* pattern, bool either, const char* said, bool found) {
            QTest::newRow(name) << QByteArray(pattern) << either << QByteArray(said) << found;
        };
        row("literal", "daily quota", false, "your daily quota is spent", true);
        row("any case", "daily quota", false, "DAILY Quota", true);
        row("capitals in the pattern", "DEGRADED", false, "degraded", true);
        row("not there", "daily quota", false, "daily  quota", false);
        row("alternative", "quota (exceeded|depleted)", false, "quota depleted", true);
        row("empty alternative", "key (is |)invalid", false, "key invalid", true);
        row("brackets in brackets, the inner", "a (do not|don('|’)t) b", false, "a don't b", true);
        row("brackets in brackets, the outer", "a (do not|don('|’)t) b", false, "a do not b", true);
        row("brackets in brackets, half", "a (do not|don('|’)t) b", false, "a don b", false);
        row("word ends", "<tpm>", false, "the TPM is", true);
        row("within a word", "<tpm>", false, "https://httpmirror", false);
        row("word at both ends of the text", "<tpm>", false, "tpm", true);
        row("left boundary only", "<max{line}token", false, "the maximum of tokens", true);
        row("left boundary missing", "<max{line}token", false, "climax of tokens", false);
        row("gap on one line", "daily{line}limit", false, "daily request limit", true);
        row("gap over lines", "daily{line}limit", false, "daily\nlimit", false);
        row("gap with a later first part", "daily{line}limit", false, "daily\nthe daily limit", true);
        row("bounded gap", "model{10}gone", false, "model 12345678 gone", true);
        row("gap one too long", "model{10}gone", false, "model 123456789 gone", false);
        row("bounded gap over lines", "model{10}gone", false, "model\n\ngone", true);
        row("both limits", "model{10 line}gone", false, "model\ngone", false);
        row("nearest first part counts", "model{5}gone", false, "model and model gone", true);
        row("either order", "model{10}gone", true, "gone is the model", true);
        row("given order only", "model{10}gone", false, "gone is the model", false);
        row("parts do not overlap", "abab{5}bab", false, "ababab", false);
        row("adjoining parts", "rate{1}limit", false, "ratelimit", true);
        row("one byte between", "rate{1}limit", false, "rate-limit", true);
        row("three parts", "<end{1}of{1}life>", false, "end-of-life", true);
        row("all of", "weekly & quota & exhaust", false, "exhausted: quota, weekly", true);
        row("not all of", "weekly & quota & exhaust", false, "weekly quota", false);
        row("bytes above 127", "并发数过高", false, "错误：并发数过高！", true);
        row("empty text", "daily", false, "", false);
    }

    void language()
    {
        QFETCH(QByteArray, pattern);
        QFETCH(bool, eitherOrder);
        QFETCH(QByteArray, said);
        QFETCH(bool, found);
        const std::string patternText = pattern.toStdString();
        const MarkerScanner scanner({{3, patternText, eitherOrder}, {4, "something else entirely", false}});
        MarkerHits hits;
        scanner.scan(said.toStdString(), hits);
        QCOMPARE(hits.has(3), found);
        QVERIFY(!hits.has(4));
        QCOMPARE(hits.wording(3), found ? std::string_view(patternText) : std::string_view());
    }

    void literalText()
    {
        // Every sign of the language stands for itself.
        const std::string text = "A (b|c) & <d> {line}";
        const MarkerScanner scanner({{5, text, false, true}});
        MarkerHits hits;
        scanner.scan("x a (B|c) & <d> {LINE} y", hits);
        QVERIFY(hits.has(5));
        QCOMPARE(hits.wording(5), std::string_view(text));
        MarkerHits none;
        scanner.scan("a b & d", none);
        QVERIFY(!none.any());
    }

    void manyLongLiterals()
    {
        // More states than 16 bits count.
        std::vector<std::string> texts;
        for (int i = 0; i < 200; ++i)
            texts.push_back(std::to_string(i) + std::string(400, char('a' + i % 26)));
        std::vector<MarkerPattern> patterns;
        for (const std::string& text : texts)
            patterns.push_back({0, text, false, true});
        const MarkerScanner scanner(patterns);
        for (const std::string& text : texts) {
            MarkerHits hits;
            scanner.scan("_" + text + "_", hits);
            QVERIFY(hits.has(0));
            MarkerHits cut;
            scanner.scan(text.substr(1), cut);
            QVERIFY(text.size() == 403 || !cut.has(0));
        }
    }

    void sameAsNaiveSearch()
    {
        // Literals that begin and end inside each other, against plain searching.
        const std::vector<std::string> literals = {"a", "ab", "bab", "abab", "ba", "aab", "bb"};
        std::vector<MarkerPattern> patterns;
        for (std::size_t i = 0; i < literals.size(); ++i)
            patterns.push_back({static_cast<int>(i), literals[i], false});
        const MarkerScanner scanner(patterns);
        for (unsigned bits = 0; bits < 1024; ++bits) {
            std::string said;
            for (unsigned i = 0; i < 10; ++i)
                said += (bits >> i) & 1U ? 'a' : 'b';
            MarkerHits hits;
            scanner.scan(said, hits);
            for (std::size_t i = 0; i < literals.size(); ++i)
                QCOMPARE(hits.has(static_cast<int>(i)), said.find(literals[i]) != std::string::npos);
        }
    }

    void plainWording()
    {
        const MarkerTable table;
        QCOMPARE(table.scan("You exceed the quota").wording(Marker::Quota), std::string("exceed … quota"));
        QCOMPARE(table.scan("nothing").wording(Marker::Quota), std::string());
    }

    void hostileTextIsLinear()
    {
        const MarkerTable table;
        const auto measure = [&table](std::size_t size) {
            std::string said;
            while (said.size() < size)
                said += "quota exceed model not access permission insufficient daily ";
            qint64 best = std::numeric_limits<qint64>::max();
            for (int i = 0; i < 5; ++i) {
                QElapsedTimer timer;
                timer.start();
                table.scan(said);
                best = std::min(best, timer.nsecsElapsed());
            }
            return best;
        };
        const qint64 small = measure(64 * 1024);
        const qint64 large = measure(1024 * 1024);
        qInfo("hostile text: 64 KiB %.2f ms, 1 MiB %.2f ms", double(small) / 1e6, double(large) / 1e6);
        QVERIFY2(large < small * 16 * 6, "more than linear");
    }
};

OMNI_TEST(MarkerScannerTest)
#include "marker_scanner_test.moc"
