#include "base/csv.h"

#include "program/test_program.h"

#include <QTest>

using namespace omni;

/// RFC 4180, and no formulas.
class CsvTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void texts_data();
    void texts();
    void linesAreSeparatedAndEnded();
};

void CsvTest::texts_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("field");
    const auto row = [](const char* name, const char* value, const char* field) {
        QTest::newRow(name) << QString::fromUtf8(value) << QString::fromUtf8(field);
    };
    row("plain", "gpt-5", "gpt-5");
    row("blanks stay", " a b ", " a b ");
    row("nothing", "", "");
    row("comma", "Key 1, old", "\"Key 1, old\"");
    row("quote", "the \"old\" one", "\"the \"\"old\"\" one\"");
    row("line break", "a\nb", "\"a\nb\"");
    row("carriage return", "a\rb", "\"a\rb\"");
    row("Bengali", "কী", "কী");
    row("formula", "=1+1", "'=1+1");
    row("formula with a comma", "=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
    row("plus", "+1", "'+1");
    row("minus", "-2+3", "'-2+3");
    row("at", "@SUM(A1)", "'@SUM(A1)");
    row("tab", "\t=1", "'\t=1");
    row("line break first", "\n=1", "\"'\n=1\"");
    row("full-width equals", "＝1+1", "'＝1+1");
    row("equals later on", "a=1", "a=1");
}

void CsvTest::texts()
{
    QFETCH(const QString, value);
    QFETCH(const QString, field);
    CsvLine line;
    QCOMPARE(QString::fromStdString(line.text(value.toStdString()).take()), field + QStringLiteral("\r\n"));
}

void CsvTest::linesAreSeparatedAndEnded()
{
    CsvLine line;
    QCOMPARE(line.text("").empty().number("-1.5").text("x").take(), std::string(",,-1.5,x\r\n"));
    QCOMPARE(line.text("a").take(), std::string("a\r\n"));
}

OMNI_TEST(CsvTest)
#include "csv_test.moc"
