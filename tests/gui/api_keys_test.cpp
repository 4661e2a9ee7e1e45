#include "gui/window_fixture.h"
#include "program/test_program.h"
#include "support/http_client.h"
#include "ui/models/data_table.h"
#include "ui/widgets/search_field.h"

#include <QCheckBox>
#include <QClipboard>
#include <QDateEdit>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTimer>

using namespace omni;
using omni::test::HttpClient;
using omni::test::WindowFixture;

namespace {

struct KeysFixture : WindowFixture {
    KeysFixture() : WindowFixture(test::withoutSandbox()) {}

    bool open() { return start() && window->openPage(QStringLiteral("api-keys")); }

    DataTable* table() const { return find<DataTable>(QStringLiteral("keyTable")); }
    QDialog* dialog() const { return window->findChild<QDialog*>(QStringLiteral("keyDialog")); }
    QDialog* create() const
    {
        find<Page>(QStringLiteral("api-keys"))->createNew();
        return dialog();
    }
    QStringList column(int column) const
    {
        QStringList cells;
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            cells << table()->model()->index(row, column).data().toString();
        return cells;
    }
    std::vector<ApiKey> stored()
    {
        return core.read<ConfigurationPtr>([](Control& control) { return control.configuration(); })->apiKeys;
    }
    int models(const std::string& key) const
    {
        return HttpClient(core.port()).request("GET", "/v1/models", {{"Authorization", "Bearer " + key}}).status;
    }
    int ask(const std::string& key, const std::string& model) const
    {
        HttpClient client(core.port());
        client.setDefaultHeaders({{"Authorization", "Bearer " + key}});
        return client.postJson("/v1/chat/completions", "{\"model\":\"" + model + "\",\"messages\":[]}").status;
    }
    void click(const char* button) const { QTest::mouseClick(find<QPushButton>(QLatin1String(button)), Qt::LeftButton); }
    QPushButton* answer(const char* question) const
    {
        return window->findChild<QPushButton*>(QLatin1String(question) + QStringLiteral("Now"));
    }
};

QString errorBeside(const QWidget* field)
{
    return field->property("invalid").toBool() ? field->accessibleDescription() : QString();
}

}  // namespace

class ApiKeysTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void aKeyIsShownOnce();
    void namesAreCheckedWhileTyping();
    void aKeyIsHeldToItsModels();
    void aKeyIsHeldToItsConnections();
    void chosenConnectionsMustBeSome();
    void aDeletedConnectionOpensNothing();
    void rightsAndExpiryAreSaved();
    void disablingWorksAtOnce();
    void revokingAsksOnceAndKeepsTheKeyInTheList();
    void deletingAsksOnce();
    void severalAtOnce();
    void theNoteSaysWhetherKeysAreNeeded();
    void theListIsFiltered();
    void nothingRunsWhileHidden();
};

void ApiKeysTest::aKeyIsShownOnce()
{
    KeysFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.patchSettings(R"({"proxy":{"requireApiKey":true}})");
    QDialog* dialog = f.create();
    QVERIFY(dialog);
    auto* save = dialog->findChild<QPushButton*>(QStringLiteral("dialogSave"));
    QVERIFY(!save->isEnabled());
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("keyName")), QStringLiteral("laptop"));
    QVERIFY(save->isEnabled());
    QTest::mouseClick(save, Qt::LeftButton);
    auto* fresh = dialog->findChild<QLineEdit*>(QStringLiteral("newClientKey"));
    QTRY_VERIFY(!fresh->text().isEmpty());
    QTRY_VERIFY(fresh->isVisible());
    const QString key = fresh->text();
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("copyClientKey")), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), key);
    QCOMPARE(HttpClient(f.core.port()).get("/v1/models").status, 401);
    QCOMPARE(f.models(key.toStdString()), 200);
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("keyDone")), Qt::LeftButton);
    QTRY_VERIFY(!f.dialog());
    QTRY_COMPARE(f.column(1), QStringList{QStringLiteral("laptop")});
    // Kept nowhere: every cell and every label shows its beginning at most.
    f.window.reset();
    f.makeWindow();
    QVERIFY(f.window->openPage(QStringLiteral("api-keys")));
    f.table()->selectAll();
    QVERIFY(!f.table()->selectedText().contains(key));
    QVERIFY(f.table()->selectedText().contains(key.left(12)));
    for (const QLabel* label : f.window->findChildren<QLabel*>())
        QVERIFY(!label->text().contains(key));
}

void ApiKeysTest::namesAreCheckedWhileTyping()
{
    KeysFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.addApiKey("laptop");
    QTRY_COMPARE(f.column(1).size(), 1);
    QDialog* dialog = f.create();
    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("keyName"));
    auto* save = dialog->findChild<QPushButton*>(QStringLiteral("dialogSave"));
    QVERIFY(errorBeside(name).isEmpty());
    QTest::keyClicks(name, QStringLiteral("Laptop"));
    QVERIFY2(errorBeside(name).contains(QLatin1String("Another key")), qPrintable(errorBeside(name)));
    QVERIFY(!save->isEnabled());
    QTest::keyClicks(name, QStringLiteral(" 2"));
    QVERIFY(errorBeside(name).isEmpty());
    QVERIFY(save->isEnabled());
}

void ApiKeysTest::aKeyIsHeldToItsModels()
{
    KeysFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.addSandboxConnection("Sandbox");
    const std::string key = f.core.addApiKey("laptop");
    QCOMPARE(f.ask(key, "sandbox/ok"), 200);
    QTRY_COMPARE(f.column(1).size(), 1);
    f.table()->selectRow(0);
    f.click("editKey");
    QVERIFY(f.dialog());
    auto* models = f.dialog()->findChild<QPlainTextEdit*>(QStringLiteral("keyModels"));
    models->setFocus();
    QTest::keyClicks(models, QStringLiteral("sandbox/slow*"));
    QTest::mouseClick(f.dialog()->findChild<QPushButton*>(QStringLiteral("dialogSave")), Qt::LeftButton);
    QTRY_VERIFY(!f.dialog());
    QTRY_COMPARE(f.column(3), QStringList{QStringLiteral("sandbox/slow*")});
    QCOMPARE(f.ask(key, "sandbox/ok"), 403);
    QCOMPARE(HttpClient(f.core.port()).postJson("/v1/chat/completions", R"({"model":"sandbox/ok","messages":[]})").status, 200);
}

void ApiKeysTest::aKeyIsHeldToItsConnections()
{
    KeysFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.addSandboxConnection("First");
    const ConnectionId second = f.core.addSandboxConnection("Second");
    const std::string key = f.core.addApiKey("laptop");
    QTRY_COMPARE(f.column(1).size(), 1);
    QTRY_COMPARE(f.link->configuration()->connections.size(), std::size_t{2});
    f.table()->selectRow(0);
    f.click("editKey");
    auto* list = f.dialog()->findChild<QListWidget*>(QStringLiteral("keyConnections"));
    QVERIFY(!list->isEnabled());
    f.dialog()->findChild<QCheckBox*>(QStringLiteral("keyAnyConnection"))->click();
    QVERIFY(list->isEnabled());
    for (int row = 0; row < list->count(); ++row) {
        if (list->item(row)->text().contains(QLatin1String("Second")))
            list->item(row)->setCheckState(Qt::Checked);
    }
    QTest::mouseClick(f.dialog()->findChild<QPushButton*>(QStringLiteral("dialogSave")), Qt::LeftButton);
    QTRY_VERIFY(!f.dialog());
    QTRY_VERIFY(f.stored().front().allowedConnections == std::vector<ConnectionId>{second});
    QCOMPARE(f.ask(key, "sandbox/ok"), 200);
    // Without it nothing else steps in.
    (void)f.core.ask<int>(
        [second](Control& control, Reply<int> reply) { control.setConnectionsEnabled({second}, false, std::move(reply)); });
    QVERIFY(f.ask(key, "sandbox/ok") >= 400);
}

void ApiKeysTest::chosenConnectionsMustBeSome()
{
    KeysFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.addSandboxConnection("First");
    QTRY_COMPARE(f.link->configuration()->connections.size(), std::size_t{1});
    QDialog* dialog = f.create();
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("keyName")), QStringLiteral("laptop"));
    dialog->findChild<QCheckBox*>(QStringLiteral("keyAnyConnection"))->click();
    auto* list = dialog->findChild<QListWidget*>(QStringLiteral("keyConnections"));
    QVERIFY2(errorBeside(list).contains(QLatin1String("at least one")), qPrintable(errorBeside(list)));
    QVERIFY(!dialog->findChild<QPushButton*>(QStringLiteral("dialogSave"))->isEnabled());
    list->item(0)->setCheckState(Qt::Checked);
    QVERIFY(errorBeside(list).isEmpty());
    QVERIFY(dialog->findChild<QPushButton*>(QStringLiteral("dialogSave"))->isEnabled());
}

/// The list of a key whose only connection is gone must not become empty, which would mean any.
void ApiKeysTest::aDeletedConnectionOpensNothing()
{
    KeysFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    const ConnectionId gone = f.core.addSandboxConnection("Gone");
    f.core.addSandboxConnection("Other");
    const std::string key = f.core.addApiKey("laptop");
    ApiKey limited = f.stored().front();
    limited.allowedConnections = {gone};
    QVERIFY(f.core.ask<ApiKey>([limited](Control& control, Reply<ApiKey> reply) { control.updateApiKey(limited, std::move(reply)); }).ok());
    QVERIFY(
        f.core.ask<std::string>([gone](Control& control, Reply<std::string> reply) { control.removeConnections({gone}, std::move(reply)); })
            .ok());
    QTRY_COMPARE(f.link->configuration()->connections.size(), std::size_t{1});
    QTRY_COMPARE(f.column(1).size(), 1);
    f.table()->selectRow(0);
    f.click("editKey");
    auto* name = f.dialog()->findChild<QLineEdit*>(QStringLiteral("keyName"));
    name->setFocus();
    name->end(false);
    QTest::keyClicks(name, QStringLiteral(" 2"));
    QTest::mouseClick(f.dialog()->findChild<QPushButton*>(QStringLiteral("dialogSave")), Qt::LeftButton);
    QTRY_VERIFY(!f.dialog());
    QCOMPARE(f.stored().front().name, std::string("laptop 2"));
    QVERIFY(f.stored().front().allowedConnections == std::vector<ConnectionId>{gone});
    QCOMPARE(f.ask(key, "sandbox/ok"), 403);
}

void ApiKeysTest::rightsAndExpiryAreSaved()
{
    KeysFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    QDialog* dialog = f.create();
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("keyName")), QStringLiteral("panel"));
    dialog->findChild<QCheckBox*>(QStringLiteral("keyManage"))->click();
    dialog->findChild<QCheckBox*>(QStringLiteral("keyNoLog"))->click();
    auto* expires = dialog->findChild<QCheckBox*>(QStringLiteral("keyExpires"));
    auto* day = dialog->findChild<QDateEdit*>(QStringLiteral("keyExpiryDay"));
    auto* save = dialog->findChild<QPushButton*>(QStringLiteral("dialogSave"));
    QVERIFY(!day->isEnabled());
    expires->click();
    QVERIFY(day->isEnabled());
    day->setDate(QDate::currentDate().addDays(-1));
    QVERIFY(!errorBeside(day).isEmpty());
    QVERIFY(!save->isEnabled());
    day->setDate(QDate::currentDate());
    QVERIFY(save->isEnabled());
    QTest::mouseClick(save, Qt::LeftButton);
    auto* fresh = dialog->findChild<QLineEdit*>(QStringLiteral("newClientKey"));
    QTRY_VERIFY(!fresh->text().isEmpty());
    const std::string key = fresh->text().toStdString();
    dialog->accept();
    const ApiKey stored = f.stored().front();
    QVERIFY(stored.scopes == std::vector<std::string>{"manage"});
    QVERIFY(stored.noLog);
    // To the end of that day.
    QCOMPARE(epochMillis(*stored.expiresAt), QDate::currentDate().addDays(1).startOfDay().toMSecsSinceEpoch() - 1);
    QCOMPARE(HttpClient(f.core.port()).request("GET", "/api/keys", {{"Authorization", "Bearer " + key}}).status, 200);
    QTRY_VERIFY2(f.column(5).value(0).contains(QLatin1String("management")), qPrintable(f.column(5).join(QLatin1Char(' '))));
}

void ApiKeysTest::disablingWorksAtOnce()
{
    KeysFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.patchSettings(R"({"proxy":{"requireApiKey":true}})");
    const std::string key = f.core.addApiKey("laptop");
    QTRY_COMPARE(f.column(1).size(), 1);
    QCOMPARE(f.models(key), 200);
    f.table()->selectRow(0);
    f.click("toggleKey");
    QTRY_COMPARE(f.column(0), QStringList{QStringLiteral("disabled")});
    QCOMPARE(f.models(key), 401);
    auto* toggle = f.find<QPushButton>(QStringLiteral("toggleKey"));
    QTRY_COMPARE(toggle->text(), QStringLiteral("Enable"));
    f.click("toggleKey");
    QTRY_COMPARE(f.column(0), QStringList{QStringLiteral("active")});
    QCOMPARE(f.models(key), 200);
}

void ApiKeysTest::revokingAsksOnceAndKeepsTheKeyInTheList()
{
    KeysFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.patchSettings(R"({"proxy":{"requireApiKey":true}})");
    const std::string key = f.core.addApiKey("laptop");
    QTRY_COMPARE(f.column(1).size(), 1);
    f.table()->selectRow(0);
    f.click("revokeKey");
    auto* question = f.window->findChild<QMessageBox*>(QStringLiteral("revokeQuestion"));
    QVERIFY(question && question->text().contains(QLatin1String("laptop")));
    QCOMPARE(f.models(key), 200);
    QTest::mouseClick(f.answer("revokeQuestion"), Qt::LeftButton);
    QTRY_COMPARE(f.column(0), QStringList{QStringLiteral("revoked")});
    QCOMPARE(f.models(key), 401);
    for (const char* button : {"editKey", "toggleKey", "revokeKey"})
        QVERIFY2(!f.find<QPushButton>(QLatin1String(button))->isEnabled(), button);
    QVERIFY(f.find<QPushButton>(QStringLiteral("deleteKey"))->isEnabled());
}

void ApiKeysTest::deletingAsksOnce()
{
    KeysFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.patchSettings(R"({"proxy":{"requireApiKey":true}})");
    const std::string key = f.core.addApiKey("laptop");
    QTRY_COMPARE(f.column(1).size(), 1);
    f.table()->selectRow(0);
    QTest::keyClick(f.table(), Qt::Key_Delete);
    QVERIFY(f.answer("deleteKeyQuestion"));
    QTest::mouseClick(f.answer("deleteKeyQuestion"), Qt::LeftButton);
    QTRY_VERIFY(f.stored().empty());
    QCOMPARE(f.models(key), 401);
    QTRY_COMPARE(f.column(1).size(), 0);
}

void ApiKeysTest::severalAtOnce()
{
    KeysFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    for (const char* name : {"a", "b", "c"})
        f.core.addApiKey(name);
    QTRY_COMPARE(f.column(1).size(), 3);
    f.table()->selectAll();
    f.click("toggleKey");
    QTRY_COMPARE(f.column(0).count(QStringLiteral("disabled")), 3);
    f.table()->selectAll();
    f.click("deleteKey");
    QTest::mouseClick(f.answer("deleteKeyQuestion"), Qt::LeftButton);
    QTRY_VERIFY(f.stored().empty());
}

void ApiKeysTest::theNoteSaysWhetherKeysAreNeeded()
{
    KeysFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    const auto* note = f.find<QLabel>(QStringLiteral("clientKeysNote"));
    QVERIFY2(note->text().contains(QLatin1String("no key now")), qPrintable(note->text()));
    f.core.patchSettings(R"({"proxy":{"requireApiKey":true}})");
    QTRY_VERIFY2(note->text().contains(QLatin1String("every request is refused")), qPrintable(note->text()));
    f.core.addApiKey("laptop");
    QTRY_VERIFY2(note->text().contains(QLatin1String("need one of these")), qPrintable(note->text()));
    f.click("openProxySettings");
    QTRY_VERIFY(f.find<Page>(QStringLiteral("settings")) && f.find<Page>(QStringLiteral("settings"))->isVisible());
}

void ApiKeysTest::theListIsFiltered()
{
    KeysFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    f.core.addApiKey("laptop");
    f.core.addApiKey("build server");
    QTRY_COMPARE(f.column(1), (QStringList{QStringLiteral("build server"), QStringLiteral("laptop")}));
    auto* search = f.find<SearchField>(QStringLiteral("keyFilter"));
    search->setFocus();
    QTest::keyClicks(search, QStringLiteral("LAP"));
    QCOMPARE(f.column(1), QStringList{QStringLiteral("laptop")});
    QTest::keyClick(search, Qt::Key_Escape);
    QCOMPARE(f.column(1).size(), 2);
}

void ApiKeysTest::nothingRunsWhileHidden()
{
    KeysFixture f;
    QVERIFY2(f.open(), f.core.error().c_str());
    auto* minute = f.find<QTimer>(QStringLiteral("keyMinute"));
    QVERIFY(minute && minute->isActive());
    f.window->openPage(QStringLiteral("overview"));
    QVERIFY(!minute->isActive());
}

OMNI_TEST(ApiKeysTest)
#include "api_keys_test.moc"
