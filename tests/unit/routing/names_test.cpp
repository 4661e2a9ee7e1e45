#include "routing/name_pattern.h"
#include "routing/near_names.h"

#include "program/cpu_time.h"
#include "program/test_program.h"

#include <QTest>

using namespace omni;

class NamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void patterns_data()
    {
        QTest::addColumn<QByteArray>("pattern");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("fits");
        const auto row = [](const char* pattern, const char* name, bool fits) {
            QTest::addRow("%s on %s", pattern, name) << QByteArray(pattern) << QByteArray(name) << fits;
        };
        row("gpt-4o", "gpt-4o", true);
        row("gpt-4o", "gpt-4o-mini", false);
        row("gpt-4o", "openai/gpt-4o", false);
        row("gpt-*", "gpt-4o", true);
        row("gpt-*", "xgpt-4o", false);
        row("*", "", true);
        row("*", "a/b/c", true);
        row("", "", true);
        row("", "a", false);
        row("openai/*", "openai/gpt-4o", true);
        row("openai/*", "openai/", true);
        row("openai/*", "openai", false);
        row("*/llama*", "or/meta/llama-3", true);
        row("*-mini", "gpt-4o-mini", true);
        row("*-mini", "gpt-4o-mini-2", false);
        row("a*b*c", "aXbYbZc", true);
        row("a*b*c", "aXbYbZ", false);
        row("a**b", "ab", true);
        row("GPT-*", "gpt-4o", false);
    }

    void patterns()
    {
        QFETCH(QByteArray, pattern);
        QFETCH(QByteArray, name);
        QFETCH(bool, fits);
        QCOMPARE(matchesPattern(pattern.toStdString(), name.toStdString()), fits);
    }

    void hostilePatternIsQuick()
    {
        std::string pattern;
        for (int i = 0; i < 100; ++i)
            pattern += "*a";
        const CpuTime spent;
        QVERIFY(!matchesPattern(pattern + "b", std::string(2'000, 'a')));
        QVERIFY(spent.millis() < 500);
    }

    void distances_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        QTest::addColumn<int>("distance");
        QTest::newRow("same") << QByteArray("abc") << QByteArray("abc") << 0;
        QTest::newRow("put in") << QByteArray("abc") << QByteArray("abxc") << 1;
        QTest::newRow("left out") << QByteArray("abc") << QByteArray("ac") << 1;
        QTest::newRow("replaced") << QByteArray("abc") << QByteArray("axc") << 1;
        QTest::newRow("swapped") << QByteArray("abc") << QByteArray("acb") << 2;
        QTest::newRow("kitten") << QByteArray("kitten") << QByteArray("sitting") << 3;
        QTest::newRow("beyond the limit") << QByteArray("aaaaaaaa") << QByteArray("bbbbbbbb") << 4;
        QTest::newRow("too long") << QByteArray("a") << QByteArray("abcdefgh") << 4;
        QTest::newRow("empty") << QByteArray() << QByteArray("ab") << 2;
    }

    void distances()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        QFETCH(int, distance);
        QCOMPARE(int(editDistance(a.toStdString(), b.toStdString(), 3)), distance);
        QCOMPARE(int(editDistance(b.toStdString(), a.toStdString(), 3)), distance);
    }

    void nearest()
    {
        NearNames near("gpt-4o");
        for (const char* name : {"llama", "gpt-4o-2024-08-06", "gpt-40", "gpt-4p", "gtp-4o", "gpt-40", "gpt-4"})
            near.offer(name);
        QCOMPARE(near.text(), std::string(" Near: \"gpt-40\", \"gpt-4p\", \"gpt-4\"."));
        NearNames variants("gpt-4o");
        for (const char* name : {"o3", "gpt-4o-2024-08-06", "gpt-40"})
            variants.offer(name);
        QCOMPARE(variants.text(), std::string(" Near: \"gpt-40\", \"gpt-4o-2024-08-06\"."));
        QCOMPARE(NearNames("nothing").text(), std::string());
    }
};

OMNI_TEST(NamesTest)
#include "names_test.moc"
