#include "gui/tray_fixture.h"
#include "program/test_program.h"
#include "ui/lockouts/lockouts_model.h"
#include "ui/models/data_table.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/why_dialog.h"

#include <QClipboard>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace omni;
using namespace omni::test;

namespace {

struct Lockouts : WindowFixture {
    Lockouts() : WindowFixture(quietStart()) {}

    static RuntimeOptions quietStart()
    {
        RuntimeOptions options;
        options.offerSandbox = false;
        return options;
    }
    bool open()
    {
        if (!start())
            return false;
        core.addSandboxConnection("work key");
        page = window->openPage(QStringLiteral("lockouts"));
        table = page->findChild<DataTable*>(QStringLiteral("lockoutTable"));
        model = static_cast<LockoutsModel*>(table->model());
        return true;
    }
    void click(const char* name) const { QTest::mouseClick(page->findChild<QPushButton*>(QLatin1String(name)), Qt::LeftButton); }
    void choose(const char* modelName) const
    {
        for (int row = 0; row < model->rowCount(); ++row) {
            if (model->index(row, LockoutsModel::Model).data().toString() == QLatin1String(modelName))
                table->selectRow(row);
        }
    }
    std::size_t lockouts()
    {
        return core.read<std::size_t>([](Control& control) { return control.engineSnapshot().lockouts.size(); });
    }

    Page* page = nullptr;
    DataTable* table = nullptr;
    LockoutsModel* model = nullptr;
};

}  // namespace

/// Model Cooldowns, used as a person does.
class LockoutsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void whatIsLockedIsListed();
    void oneIsReEnabled();
    void severalAreReEnabled();
    void allAreReEnabledAfterAQuestion();
    void whyHasAnAnswer();
    void theEmptyPageSaysWhatItIsFor();
};

void LockoutsTest::whatIsLockedIsListed()
{
    Lockouts f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QVERIFY(!f.table->isVisible());
    ask(f, "404-model");
    ask(f, "daily-quota");
    QTRY_COMPARE(f.model->rowCount(), 2);
    QVERIFY(f.table->isVisible());
    const auto cell = [&f](int row, int column) { return f.model->index(row, column).data().toString(); };
    // The longest first.
    QVERIFY(*f.model->rowAt(0)->held.until >= *f.model->rowAt(1)->held.until);
    f.table->sortByColumn(LockoutsModel::Model, Qt::DescendingOrder);
    QCOMPARE(cell(0, LockoutsModel::Model), QStringLiteral("daily-quota"));
    QCOMPARE(cell(0, LockoutsModel::Reason), QStringLiteral("quota used up"));
    QCOMPARE(cell(0, LockoutsModel::Scope), QStringLiteral("its quota"));
    QCOMPARE(cell(1, LockoutsModel::Model), QStringLiteral("404-model"));
    QCOMPARE(cell(1, LockoutsModel::Scope), QStringLiteral("this name"));
    QCOMPARE(cell(1, LockoutsModel::Connection), QStringLiteral("work key"));
    QCOMPARE(cell(1, LockoutsModel::Failures), QStringLiteral("1"));
    QVERIFY(cell(1, LockoutsModel::Remaining).startsWith(QStringLiteral("1:")) ||
            cell(1, LockoutsModel::Remaining) == QLatin1String("2:00"));
    auto* filter = f.page->findChild<QLineEdit*>(QStringLiteral("lockoutFilter"));
    QTest::keyClicks(filter, QStringLiteral("404"));
    QCOMPARE(f.model->rowCount(), 1);
    QTest::keyClick(filter, Qt::Key_Escape);
    QCOMPARE(f.model->rowCount(), 2);
    f.table->selectAll();
    f.table->copySelection();
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("daily-quota\tSandbox\twork key\tits quota")));
}

void LockoutsTest::oneIsReEnabled()
{
    Lockouts f;
    QVERIFY2(f.open(), f.core.error().c_str());
    ask(f, "404-model");
    ask(f, "retired-model");
    QTRY_COMPARE(f.model->rowCount(), 2);
    auto* enable = f.page->findChild<QPushButton*>(QStringLiteral("enableLockouts"));
    QVERIFY(!enable->isEnabled());
    f.choose("404-model");
    QVERIFY(enable->isEnabled());
    f.click("enableLockouts");
    QTRY_COMPARE(f.model->rowCount(), 1);
    QCOMPARE(f.model->index(0, LockoutsModel::Model).data().toString(), QStringLiteral("retired-model"));
    QTRY_COMPARE(f.window->messages().text(), QStringLiteral("404-model on work key serves again."));
    QCOMPARE(f.lockouts(), std::size_t{1});
}

void LockoutsTest::severalAreReEnabled()
{
    Lockouts f;
    QVERIFY2(f.open(), f.core.error().c_str());
    for (const char* model : {"404-model", "retired-model", "daily-quota"})
        ask(f, model);
    QTRY_COMPARE(f.model->rowCount(), 3);
    f.table->selectAll();
    f.table->setFocus();
    QTest::keyClick(f.table, Qt::Key_Delete);
    QTRY_COMPARE(f.model->rowCount(), 0);
    QTRY_COMPARE(f.window->messages().text(), QStringLiteral("3 models serve again."));
    QCOMPARE(f.lockouts(), std::size_t{0});
}

void LockoutsTest::allAreReEnabledAfterAQuestion()
{
    Lockouts f;
    QVERIFY2(f.open(), f.core.error().c_str());
    ask(f, "404-model");
    ask(f, "retired-model");
    QTRY_COMPARE(f.model->rowCount(), 2);
    f.click("enableAllLockouts");
    auto* question = f.page->findChild<QMessageBox*>(QStringLiteral("enableAllQuestion"));
    QVERIFY(question && question->informativeText().contains(QStringLiteral("Models: 2")));
    QTest::keyClick(question, Qt::Key_Escape);
    QTRY_VERIFY(!f.page->findChild<QMessageBox*>(QStringLiteral("enableAllQuestion")));
    QCOMPARE(f.lockouts(), std::size_t{2});
    f.click("enableAllLockouts");
    question = f.page->findChild<QMessageBox*>(QStringLiteral("enableAllQuestion"));
    QTest::mouseClick(question->findChild<QPushButton*>(QStringLiteral("enableAllNow")), Qt::LeftButton);
    QTRY_COMPARE(f.model->rowCount(), 0);
    QCOMPARE(f.lockouts(), std::size_t{0});
}

void LockoutsTest::whyHasAnAnswer()
{
    Lockouts f;
    QVERIFY2(f.open(), f.core.error().c_str());
    ask(f, "404-model");
    QTRY_COMPARE(f.model->rowCount(), 1);
    f.table->selectRow(0);
    f.click("whyLocked");
    auto* why = f.window->findChild<WhyDialog*>();
    QVERIFY(why && why->isVisible());
    const QString text = why->findChild<QPlainTextEdit*>(QStringLiteral("whyText"))->toPlainText();
    for (const char* part :
         {"HTTP 404", "does not exist", "Rule that matched: HTTP 404: no such model here", "from our own ladder", "2:00"})
        QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
    QTest::mouseClick(why->findChild<QPushButton*>(QStringLiteral("whyAction")), Qt::LeftButton);
    QTRY_COMPARE(f.lockouts(), std::size_t{0});
}

void LockoutsTest::theEmptyPageSaysWhatItIsFor()
{
    Lockouts f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QVERIFY(!f.page->findChild<QPushButton*>(QStringLiteral("enableAllLockouts"))->isEnabled());
    QTest::mouseClick(f.page->findChild<QPushButton*>(QStringLiteral("emptyAction")), Qt::LeftButton);
    QCOMPARE(f.window->currentPage(), QStringLiteral("cooldowns"));
}

OMNI_TEST(LockoutsTest)
#include "lockouts_test.moc"
