#include "program/test_program.h"
#include "ui/shell/command_ranking.h"

#include <QTest>

using namespace omni;

/// What the command palette finds, and in which order; needs no window.
class FuzzyMatchTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatFits_data();
    void whatFits();
    void theBetterFitCounts_data();
    void theBetterFitCounts();
    void marksStayWithTheirLetters_data();
    void marksStayWithTheirLetters();
    void wordsMayLieBesideTheTitle();
    void recentOnesComeFirst();
    void recentOnesAreKeptShort();
};

void FuzzyMatchTest::whatFits_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("fits");
    QTest::addColumn<QList<int>>("positions");
    const auto row = [](const char* name, const char* typed, const char* text, const QList<int>& positions) {
        QTest::newRow(name) << QString::fromUtf8(typed) << QString::fromUtf8(text) << !positions.contains(-1) << positions;
    };
    const QList<int> no{-1};
    row("nothing typed", "", "Settings", {});
    row("blanks", "  ", "Settings", {});
    row("whole", "help", "Help", {0, 1, 2, 3});
    row("beginnings of words", "cm", "Cooldown Manager", {0, 9});
    row("a word's beginning before its middle", "m", "Cooldown Manager", {9});
    row("letters in a row before letters apart", "own", "xoxwxn down", {8, 9, 10});
    row("gap", "ovw", "Overview", {0, 1, 7});
    row("order matters", "pleh", "Help", no);
    row("too much", "helpme", "Help", no);
    row("each letter once", "ee", "Help", no);
    row("two words, other way round", "key work", "Groq work key", {5, 6, 7, 8, 10, 11, 12});
    row("one of two words is missing", "work lock", "Groq work key", no);
    row("capital inside a word", "br", "OpenRouter BaseRate", {11, 15});
    row("digits", "4o", "gpt-4o", {4, 5});
    row("Bengali", "\u09b8\u09c7\u099f", "\u09b8\u09c7\u099f\u09bf\u0982\u09b8", {0, 1, 2});
    row("letters beyond ASCII, other case", "\u00e4", "\u00c4NDERN", {0});
    row("empty text", "a", "", no);
}

void FuzzyMatchTest::whatFits()
{
    QFETCH(QString, typed);
    QFETCH(QString, text);
    QFETCH(bool, fits);
    QFETCH(QList<int>, positions);
    const auto match = fuzzyMatch(typed, text);
    QCOMPARE(match.has_value(), fits);
    if (match)
        QCOMPARE(match->positions, positions);
}

void FuzzyMatchTest::theBetterFitCounts_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("better");
    QTest::addColumn<QString>("worse");
    QTest::newRow("in a row before apart") << "reset" << "Reset the lockout" << "Request the next set";
    QTest::newRow("word's beginning before its middle") << "key" << "Client keys" << "Monkey";
    QTest::newRow("text's beginning before a later word") << "proxy" << "Proxy" << "Stop the proxy";
    QTest::newRow("beginnings of words before letters within") << "cm" << "Cooldown Manager" << "Welcome";
    QTest::newRow("small gap before a large one") << "ab" << "axb" << "axxxxb";
    QTest::newRow("the whole before a part") << "help" << "Help" << "Help with errors";
}

void FuzzyMatchTest::theBetterFitCounts()
{
    QFETCH(QString, typed);
    QFETCH(QString, better);
    QFETCH(QString, worse);
    const auto one = fuzzyMatch(typed, better);
    const auto other = fuzzyMatch(typed, worse);
    QVERIFY(one);
    QVERIFY2(!other || one->score > other->score, qPrintable(QStringLiteral("%1 : %2").arg(one->score).arg(other ? other->score : 0)));
}

void FuzzyMatchTest::marksStayWithTheirLetters_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("positions");
    QTest::addColumn<QList<int>>("runs");  // from and length, one after the other
    QTest::newRow("none") << QStringLiteral("abc") << QList<int>{} << QList<int>{};
    QTest::newRow("apart") << QStringLiteral("abc") << QList<int>{0, 2} << QList<int>{0, 1, 2, 1};
    QTest::newRow("neighbours are one run") << QStringLiteral("abc") << QList<int>{0, 1, 2} << QList<int>{0, 3};
    QTest::newRow("accent apart from its letter") << QString::fromUtf8("e\u0301a") << QList<int>{0} << QList<int>{0, 2};
    QTest::newRow("Bengali vowel sign") << QString::fromUtf8("\u09b8\u09c7\u099f") << QList<int>{0} << QList<int>{0, 2};
    QTest::newRow("the sign itself") << QString::fromUtf8("\u09b8\u09c7\u099f") << QList<int>{1} << QList<int>{0, 2};
    QTest::newRow("beyond the first plane") << QString::fromUtf8("a\U0001F600b") << QList<int>{1, 3} << QList<int>{1, 3};
}

void FuzzyMatchTest::marksStayWithTheirLetters()
{
    QFETCH(QString, text);
    QFETCH(QList<int>, positions);
    QFETCH(QList<int>, runs);
    QList<int> found;
    for (const MatchedRun& run : matchedRuns(text, positions))
        found << run.from << run.length;
    QCOMPARE(found, runs);
}

namespace {

Command named(const char* id, const char* title, const char* detail = "", const char* keywords = "")
{
    return {QLatin1String(id), QLatin1String(title), QLatin1String(detail), {}, QLatin1String(keywords), {}};
}

QStringList idsOf(const std::vector<Command>& commands, const QString& typed, const QStringList& recent = {})
{
    QStringList ids;
    for (const RankedCommand& one : ranked(commands, typed, recent))
        ids << commands[one.index].id;
    return ids;
}

}  // namespace

void FuzzyMatchTest::wordsMayLieBesideTheTitle()
{
    const std::vector<Command> commands{named("a", "Work key", "Groq"), named("b", "Groq", "Provider"), named("c", "Dark", "", "theme"),
                                        named("d", "Nothing like it")};
    QCOMPARE(idsOf(commands, QStringLiteral("groq")), (QStringList{QStringLiteral("b"), QStringLiteral("a")}));
    QCOMPARE(idsOf(commands, QStringLiteral("groq work")), QStringList{QStringLiteral("a")});
    QCOMPARE(idsOf(commands, QStringLiteral("theme")), QStringList{QStringLiteral("c")});
    const std::vector<RankedCommand> both = ranked(commands, QStringLiteral("groq work"), {});
    QCOMPARE(both.front().inTitle, (QList<int>{0, 1, 2, 3}));
    QCOMPARE(both.front().inDetail, (QList<int>{0, 1, 2, 3}));
    // Letters that happen to follow each other somewhere in a long text are no word of it.
    QVERIFY(idsOf({named("x", "xxsxxxxxxxxoxxxxxxxxrxxxxxxxxt")}, QStringLiteral("sort")).isEmpty());
}

void FuzzyMatchTest::recentOnesComeFirst()
{
    const std::vector<Command> commands{named("a", "Alpha one"), named("b", "Beta one"), named("c", "Gamma one")};
    const QStringList recent{QStringLiteral("c"), QStringLiteral("gone"), QStringLiteral("b")};
    QCOMPARE(idsOf(commands, {}, recent), (QStringList{QStringLiteral("c"), QStringLiteral("b"), QStringLiteral("a")}));
    QCOMPARE(idsOf(commands, {}), (QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")}));
    QCOMPARE(idsOf(commands, QStringLiteral("one"), recent).first(), QStringLiteral("c"));
    // A clearly better fit stands before what was used lately.
    QCOMPARE(idsOf({named("a", "Settings"), named("b", "Best things")}, QStringLiteral("setti"), {QStringLiteral("b")}),
             QStringList{QStringLiteral("a")});
}

void FuzzyMatchTest::recentOnesAreKeptShort()
{
    QStringList recent;
    for (int i = 0; i < 40; ++i)
        recent = withRecent(recent, QString::number(i % 20));
    QCOMPARE(recent.size(), 12);
    QCOMPARE(recent.first(), QStringLiteral("19"));
    QCOMPARE(recent.count(QStringLiteral("19")), 1);
    QCOMPARE(withRecent(recent, QStringLiteral("15")).first(), QStringLiteral("15"));
    QCOMPARE(withRecent(recent, QStringLiteral("15")).size(), 12);
}

OMNI_TEST(FuzzyMatchTest)
#include "fuzzy_match_test.moc"
