#include "gui/window_fixture.h"
#include "program/test_program.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>

using namespace omni;
using omni::test::WindowFixture;

namespace {

struct RulesFixture : WindowFixture {
    bool open() { return start() && window->openPage(QStringLiteral("settings"), QStringLiteral("errorRules")); }

    std::vector<ProviderErrorRule> rules()
    {
        return core.read<Settings>([](Control& control) { return control.configuration()->settings; }).resilience.providerErrorRules;
    }
    QDialog* dialog() const
    {
        for (QDialog* one : window->findChildren<QDialog*>(QStringLiteral("ruleDialog"))) {
            if (one->isVisible())
                return one;
        }
        return nullptr;
    }
    template <typename T>
    T* in(QWidget* parent, const char* name) const
    {
        return parent->findChild<T*>(QLatin1String(name));
    }
    QString textOf(QWidget* parent, const char* name) const { return in<QLabel>(parent, name)->text(); }
    QTableView* table() const { return find<QTableView>(QStringLiteral("ruleTable")); }
    QString cell(int row, int column) const { return table()->model()->index(row, column).data().toString(); }
    void retype(QLineEdit* edit, const QString& text) const
    {
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
    }
    void choose(QWidget* parent, const char* box, const QVariant& data) const
    {
        auto* combo = in<QComboBox>(parent, box);
        combo->setCurrentIndex(combo->findData(data));
    }
};

constexpr const char* kThree =
    "{\"providerErrorRules\":{\"groq\":[{\"status\":429,\"match\":\"first\",\"scope\":\"connection\"},"
    "{\"status\":503,\"match\":\"second\",\"scope\":\"model\",\"cooldownMs\":90000}],"
    "\"openai\":[{\"status\":429,\"match\":\"third\",\"scope\":\"provider\",\"reason\":\"rate_limit_exceeded\"}]}}";

}  // namespace

/// Settings → Error rules (spec 2-around §10.2).
class ErrorRulesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void aRuleIsMadeTriedAndSaved();
    void badFieldsAreToldWhileTyping();
    void anotherRuleMayComeFirst();
    void aRuleIsChanged();
    void orderIsChanged();
    void deletedRulesComeBack();
    void rulesAreFound();
    void answersAreTriedOnThePage();
    void aWholeAnswerIsTakenApart();
};

void ErrorRulesTest::aRuleIsMadeTriedAndSaved()
{
    RulesFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* first = f.find<QPushButton>(QStringLiteral("addFirstRule"));
    QVERIFY(first->isVisible());
    QTest::mouseClick(first, Qt::LeftButton);
    QDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = f.dialog()));
    auto* save = f.in<QPushButton>(dialog, "ruleSave");
    QVERIFY(!save->isEnabled());
    f.choose(dialog, "ruleProvider", QStringLiteral("groq"));
    f.retype(f.in<QLineEdit>(dialog, "ruleStatus"), QStringLiteral("503"));
    QTest::keyClicks(f.in<QPlainTextEdit>(dialog, "ruleMatch"), QStringLiteral("Blue Moon"));
    f.choose(dialog, "ruleReason", static_cast<int>(FailureReason::ModelCapacity));
    f.choose(dialog, "ruleScope", static_cast<int>(RuleScope::Provider));
    f.retype(f.in<QLineEdit>(dialog, "ruleHold"), QStringLiteral("1.5"));
    f.in<QComboBox>(dialog, "ruleHoldUnit")->setCurrentIndex(1);
    QVERIFY(save->isEnabled());

    // Tried before it is saved: with another answer it is not the rule that decides.
    QCOMPARE(f.in<QLineEdit>(dialog, "tryStatus")->text(), QStringLiteral("503"));
    f.in<QPlainTextEdit>(dialog, "tryBody")->setPlainText(QStringLiteral("nothing special"));
    QTRY_VERIFY2(f.textOf(dialog, "tryHold").contains(QLatin1String("the connection for 3 s")), qPrintable(f.textOf(dialog, "tryHold")));
    QVERIFY(!f.textOf(dialog, "tryRule").contains(QLatin1String("this rule")));
    f.in<QPlainTextEdit>(dialog, "tryBody")->setPlainText(QStringLiteral("{\"error\":\"once in a BLUE MOON\"}"));
    QTRY_VERIFY2(f.textOf(dialog, "tryRule").contains(QLatin1String("this rule")), qPrintable(f.textOf(dialog, "tryRule")));
    QVERIFY2(f.textOf(dialog, "tryHold").contains(QLatin1String("the whole provider for 1 min 30 s")),
             qPrintable(f.textOf(dialog, "tryHold")));
    QCOMPARE(f.textOf(dialog, "tryVerdict"), reasonText(FailureReason::ModelCapacity));
    QVERIFY2(f.rules().empty(), "trying saves nothing");
    QVERIFY2(f.core.read<EngineSnapshot>([](Control& control) { return control.engineSnapshot(); }).providerCooldowns.empty(),
             "trying holds nothing");

    QTest::mouseClick(save, Qt::LeftButton);
    QTRY_COMPARE(f.rules().size(), std::size_t{1});
    const ProviderErrorRule wanted{"groq", 503, "Blue Moon", RuleScope::Provider, FailureReason::ModelCapacity, Millis(90'000)};
    QVERIFY(f.rules().front() == wanted);
    QTRY_VERIFY(!f.dialog());
    QTRY_COMPARE(f.table()->model()->rowCount(), 1);
    QVERIFY(f.table()->isVisible());
    QCOMPARE(f.cell(0, 3), QStringLiteral("Blue Moon"));
    QCOMPARE(f.cell(0, 6), QStringLiteral("1 min 30 s"));
}

void ErrorRulesTest::badFieldsAreToldWhileTyping()
{
    RulesFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QTest::mouseClick(f.find<QPushButton>(QStringLiteral("addFirstRule")), Qt::LeftButton);
    QDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = f.dialog()));
    QTest::keyClicks(f.in<QPlainTextEdit>(dialog, "ruleMatch"), QStringLiteral("x"));
    const auto error = [&](const char* key) { return f.in<QWidget>(dialog, key)->findChild<QLabel*>()->text(); };
    f.retype(f.in<QLineEdit>(dialog, "ruleStatus"), QStringLiteral("400"));
    QVERIFY(error("ruleError.status").contains(QLatin1String("Not 400")));
    QVERIFY(!f.in<QPushButton>(dialog, "ruleSave")->isEnabled());
    f.retype(f.in<QLineEdit>(dialog, "ruleStatus"), QStringLiteral("42"));
    QVERIFY(error("ruleError.status").contains(QLatin1String("100 to 599")));
    f.retype(f.in<QLineEdit>(dialog, "ruleStatus"), QStringLiteral("429"));
    QVERIFY(error("ruleError.status").isEmpty());
    f.retype(f.in<QLineEdit>(dialog, "ruleHold"), QStringLiteral("31"));
    f.in<QComboBox>(dialog, "ruleHoldUnit")->setCurrentIndex(3);
    QVERIFY(error("ruleError.cooldownMs").contains(QLatin1String("30 days")));
    f.in<QComboBox>(dialog, "ruleHoldUnit")->setCurrentIndex(2);
    QVERIFY(error("ruleError.cooldownMs").isEmpty());
    f.in<QPlainTextEdit>(dialog, "ruleMatch")->clear();
    QVERIFY(error("ruleError.match").contains(QLatin1String("1 to 500")));
    QTest::mouseClick(f.in<QPushButton>(dialog, "ruleCancel"), Qt::LeftButton);
    QTRY_VERIFY(!f.dialog());
    QVERIFY(f.rules().empty());
}

void ErrorRulesTest::anotherRuleMayComeFirst()
{
    RulesFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.patchSettings(kThree);
    QTRY_COMPARE(f.table()->model()->rowCount(), 3);
    QTest::mouseClick(f.find<QPushButton>(QStringLiteral("addRule")), Qt::LeftButton);
    QDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = f.dialog()));
    f.choose(dialog, "ruleProvider", QStringLiteral("groq"));
    QTest::keyClicks(f.in<QPlainTextEdit>(dialog, "ruleMatch"), QStringLiteral("irs"));
    f.in<QPlainTextEdit>(dialog, "tryBody")->setPlainText(QStringLiteral("the first time"));
    QTRY_VERIFY2(f.textOf(dialog, "tryRule").contains(QLatin1String("another rule of yours")), qPrintable(f.textOf(dialog, "tryRule")));
}

void ErrorRulesTest::aRuleIsChanged()
{
    RulesFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.patchSettings(kThree);
    QTRY_COMPARE(f.table()->model()->rowCount(), 3);
    f.table()->selectRow(1);
    QTest::keyClick(f.table(), Qt::Key_Return);
    QDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = f.dialog()));
    QCOMPARE(f.in<QPlainTextEdit>(dialog, "ruleMatch")->toPlainText(), QStringLiteral("second"));
    QCOMPARE(f.in<QLineEdit>(dialog, "ruleHold")->text(), QStringLiteral("90"));
    // To another provider: it leaves the one and goes behind the other's.
    f.choose(dialog, "ruleProvider", QStringLiteral("openai"));
    QTest::mouseClick(f.in<QPushButton>(dialog, "ruleSave"), Qt::LeftButton);
    QTRY_COMPARE(f.rules()[1].provider, std::string("openai"));
    QCOMPARE(f.rules()[0].match, std::string("first"));
    QCOMPARE(f.rules()[1].match, std::string("third"));
    QCOMPARE(f.rules()[2].match, std::string("second"));
}

void ErrorRulesTest::orderIsChanged()
{
    RulesFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.patchSettings(kThree);
    QTRY_COMPARE(f.table()->model()->rowCount(), 3);
    auto* up = f.find<QPushButton>(QStringLiteral("ruleUp"));
    auto* down = f.find<QPushButton>(QStringLiteral("ruleDown"));
    QVERIFY(!up->isEnabled());
    f.table()->selectRow(0);
    QVERIFY(!up->isEnabled() && down->isEnabled());
    QTest::mouseClick(down, Qt::LeftButton);
    QTRY_COMPARE(f.rules()[0].match, std::string("second"));
    QTRY_VERIFY2(up->isEnabled(), "the moved rule stays selected");
    QVERIFY2(!down->isEnabled(), "no rule leaves its provider by being moved");
    QTest::mouseClick(up, Qt::LeftButton);
    QTRY_COMPARE(f.rules()[0].match, std::string("first"));
}

void ErrorRulesTest::deletedRulesComeBack()
{
    RulesFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.patchSettings(kThree);
    QTRY_COMPARE(f.table()->model()->rowCount(), 3);
    const auto before = f.rules();
    f.table()->selectAll();
    QTest::keyClick(f.table(), Qt::Key_Delete);
    QTRY_VERIFY(f.rules().empty());
    QTRY_VERIFY(f.find<QPushButton>(QStringLiteral("addFirstRule"))->isVisible());
    auto* undo = f.find<QPushButton>(QStringLiteral("messageButton"));
    QTRY_VERIFY(undo->isVisible());
    QTest::mouseClick(undo, Qt::LeftButton);
    QTRY_VERIFY(f.rules() == before);
}

void ErrorRulesTest::rulesAreFound()
{
    RulesFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.patchSettings(kThree);
    QTRY_COMPARE(f.table()->model()->rowCount(), 3);
    auto* filter = f.find<QLineEdit>(QStringLiteral("ruleFilter"));
    f.retype(filter, QStringLiteral("503 second"));
    QCOMPARE(f.table()->model()->rowCount(), 1);
    f.retype(filter, QStringLiteral("nowhere"));
    QCOMPARE(f.table()->model()->rowCount(), 0);
    auto* all = f.find<QPushButton>(QStringLiteral("showAllRules"));
    QTRY_VERIFY(all->isVisible());
    QTest::mouseClick(all, Qt::LeftButton);
    QCOMPARE(f.table()->model()->rowCount(), 3);
}

void ErrorRulesTest::answersAreTriedOnThePage()
{
    RulesFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* tester = f.find<QWidget>(QStringLiteral("answerTester"));
    f.choose(tester, "tryProvider", QStringLiteral("groq"));
    f.in<QPlainTextEdit>(tester, "tryHeaders")->setPlainText(QStringLiteral("Retry-After: 75"));
    QTRY_COMPARE(f.textOf(tester, "tryHold"), QStringLiteral("the connection for 1 min 15 s"));
    f.retype(f.in<QLineEdit>(tester, "tryStatus"), QStringLiteral("402"));
    QTRY_VERIFY(f.textOf(tester, "tryHold").contains(QLatin1String("out of credit")));
    // Rules count as soon as they are saved.
    f.retype(f.in<QLineEdit>(tester, "tryStatus"), QStringLiteral("429"));
    f.in<QPlainTextEdit>(tester, "tryHeaders")->clear();
    f.in<QPlainTextEdit>(tester, "tryBody")->setPlainText(QStringLiteral("second to none, the first"));
    QTRY_VERIFY(!f.textOf(tester, "tryRule").contains(QLatin1String("your own error rule")));
    f.core.patchSettings(kThree);
    QTRY_VERIFY2(f.textOf(tester, "tryRule").contains(QLatin1String("your own error rule")), qPrintable(f.textOf(tester, "tryRule")));
    f.retype(f.in<QLineEdit>(tester, "tryStatus"), QStringLiteral("42"));
    QTRY_COMPARE(f.textOf(tester, "tryHold"), QStringLiteral("–"));
}

void ErrorRulesTest::aWholeAnswerIsTakenApart()
{
    RulesFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* tester = f.find<QWidget>(QStringLiteral("answerTester"));
    f.choose(tester, "tryProvider", QStringLiteral("groq"));
    f.in<QPlainTextEdit>(tester, "tryHeaders")->setPlainText(QStringLiteral("HTTP/1.1 503 Busy\nRetry-After: 20\n\n{\"error\":\"busy\"}"));
    QCOMPARE(f.in<QLineEdit>(tester, "tryStatus")->text(), QStringLiteral("503"));
    QCOMPARE(f.in<QPlainTextEdit>(tester, "tryBody")->toPlainText(), QStringLiteral("{\"error\":\"busy\"}"));
    QTRY_COMPARE(f.textOf(tester, "tryHold").section(QLatin1Char('\n'), 0, 0), QStringLiteral("the connection for 20 s"));
}

OMNI_TEST(ErrorRulesTest)
#include "error_rules_test.moc"
