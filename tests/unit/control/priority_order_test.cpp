#include "program/test_program.h"

#include "control/priority_order.h"

#include <QTest>

using namespace omni;

namespace {

/// "a1 b1 c2": id and priority.
std::vector<RankedConnection> ranked(const QString& text)
{
    std::vector<RankedConnection> all;
    for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        all.push_back({ConnectionId(word.left(1).toStdString()), word.mid(1).toInt()});
    return all;
}

QString told(const std::vector<RankedConnection>& all)
{
    QStringList words;
    for (const RankedConnection& one : all)
        words << QString::fromStdString(one.id.str()) + QString::number(one.priority);
    return words.join(QLatin1Char(' '));
}

}  // namespace

class PriorityOrderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void places_data()
    {
        QTest::addColumn<QString>("others");
        QTest::addColumn<QString>("moved");
        QTest::addColumn<int>("at");
        QTest::addColumn<QString>("changes");
        const auto row = [](const char* name, const char* others, const char* moved, int at, const char* changes) {
            QTest::newRow(name) << QString::fromLatin1(others) << QString::fromLatin1(moved) << at << QString::fromLatin1(changes);
        };
        row("to the top, which gives way", "a1 b2", "c3", 0, "c1 a2 b3");
        row("to the top, where there is room", "a5 b6", "c9", 0, "c1");
        row("to the end", "a1 b2", "c1", 2, "c3");
        row("into a gap", "a1 b5", "c9", 1, "c2");
        row("without a gap: the next gives way", "a1 b2 d7", "c9", 1, "c2 b3");
        row("only as far as needed", "a1 b2 d3 e9", "c9", 1, "c2 b3 d4");
        row("between two of one priority it joins them", "a1 b1", "c5", 1, "c1");
        row("those of one priority stay together", "a1 b2 d2 e3", "c9", 1, "c2 b3 d3 e4");
        row("two together", "a1 b2", "c5 d6", 1, "c2 d3 b4");
        row("where it already is", "a1 c3", "b2", 1, "");
        row("alone", "", "a7", 0, "a1");
        row("past the end", "a1", "b9", 5, "b2");
    }

    void places()
    {
        QFETCH(QString, others);
        QFETCH(QString, moved);
        QFETCH(int, at);
        QFETCH(QString, changes);
        QCOMPARE(told(placedInOrder(ranked(others), ranked(moved), static_cast<std::size_t>(at))), changes);
    }
};

OMNI_TEST(PriorityOrderTest)
#include "priority_order_test.moc"
