#include "gui/window_fixture.h"
#include "program/test_program.h"
#include "ui/clients/client_list.h"
#include "ui/clients/clients_page.h"
#include "ui/widgets/message_bar.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTcpServer>
#include <QTemporaryDir>

using namespace omni;
using omni::test::WindowFixture;

namespace {

/// A home of its own, so that nobody's real files are touched.
struct PageFixture : WindowFixture {
    PageFixture() : homeBefore(qgetenv("HOME")), configBefore(qgetenv("XDG_CONFIG_HOME"))
    {
        qputenv("HOME", home.path().toLocal8Bit());
        qunsetenv("XDG_CONFIG_HOME");
    }
    ~PageFixture()
    {
        window.reset();
        qputenv("HOME", homeBefore);
        if (!configBefore.isEmpty())
            qputenv("XDG_CONFIG_HOME", configBefore);
    }
    bool open(const QString& client)
    {
        if (!start())
            return false;
        page = window->openPage(QStringLiteral("clients"), client);
        return page != nullptr;
    }
    template <typename T>
    T* part(const char* name) const
    {
        return page->findChild<T*>(QLatin1String(name));
    }
    QPushButton* button(const char* name) const { return part<QPushButton>(name); }
    void click(const char* name) const { QTest::mouseClick(button(name), Qt::LeftButton); }
    QString diff() const { return part<QPlainTextEdit>("clientDiff")->toPlainText(); }
    QString note() const { return part<QLabel>("clientNote")->text(); }
    QString path(const char* name) const { return home.path() + QLatin1Char('/') + QLatin1String(name); }
    void write(const char* name, const QByteArray& content) const
    {
        QDir().mkpath(QFileInfo(path(name)).absolutePath());
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    }
    QByteArray read(const char* name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(none)");
    }
    QString root() const { return QStringLiteral("http://127.0.0.1:%1").arg(core.port()); }

    QTemporaryDir home;
    QByteArray homeBefore;
    QByteArray configBefore;
    Page* page = nullptr;
};

}  // namespace

class ClientsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void changeIsShownWrittenAndTakenBack();
    void itIsTakenBackAfterARestart();
    void brokenFileIsToldAndLeft();
    void aFileChangedSinceIsLeft();
    void neededKeyIsMade();
    void modelFollowsTheChoice();
    void addressFollowsTheListener();
    void geminiSaysWhatIsMissing();
    void sdkSetsUpAProject();
    void linesAreCopied();
    void listIsFilteredAndCopied();
};

void ClientsTest::changeIsShownWrittenAndTakenBack()
{
    PageFixture f;
    const QByteArray before = "{\n  // mine\n  \"model\": \"opus\"\n}\n";
    f.write(".claude/settings.json", before);
    QVERIFY2(f.open(QStringLiteral("claude-code")), f.core.error().c_str());
    QTRY_VERIFY(f.button("clientApply")->isEnabled());
    QVERIFY2(f.diff().contains(QStringLiteral("+     \"ANTHROPIC_BASE_URL\": \"%1\",").arg(f.root())), qPrintable(f.diff()));
    QVERIFY(f.diff().contains(QStringLiteral("    // mine")));
    QCOMPARE(f.read(".claude/settings.json"), before);
    QVERIFY(!f.button("clientUndo")->isVisible());

    f.click("clientApply");
    QTRY_VERIFY(f.note().contains(QStringLiteral("already")));
    QVERIFY(f.read(".claude/settings.json").contains(f.root().toUtf8()));
    QVERIFY(f.window->messages().text().contains(QStringLiteral("Claude Code is set up")));
    QTRY_VERIFY(f.button("clientUndo")->isVisible());
    QCOMPARE(f.part<ClientList>("clientList")->currentIndex().data(Qt::AccessibleTextRole).toString(),
             QStringLiteral("Claude Code, points here"));

    f.click("clientUndo");
    QTRY_COMPARE(f.read(".claude/settings.json"), before);
    QTRY_VERIFY(!f.button("clientUndo")->isVisible());
    QTRY_VERIFY(f.button("clientApply")->isEnabled());
    QCOMPARE(QDir(f.path(".claude")).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("settings.json")});
}

void ClientsTest::itIsTakenBackAfterARestart()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("aider")), f.core.error().c_str());
    QTRY_VERIFY(f.button("clientApply")->isEnabled());
    f.click("clientApply");
    QTRY_VERIFY(f.read(".aider.conf.yml").contains("openai-api-base: " + f.root().toUtf8() + "/v1"));
    f.makeWindow();
    QVERIFY(QTest::qWaitForWindowActive(f.window.get()));
    f.page = f.window->openPage(QStringLiteral("clients"), QStringLiteral("aider"));
    QTRY_VERIFY(f.button("clientUndo")->isVisible());
    f.click("clientUndo");
    QTRY_COMPARE(f.read(".aider.conf.yml"), QByteArray("(none)"));
}

void ClientsTest::brokenFileIsToldAndLeft()
{
    PageFixture f;
    f.write(".codex/config.toml", "model = \"o3\nx = 1\n");
    QVERIFY2(f.open(QStringLiteral("codex")), f.core.error().c_str());
    QTRY_VERIFY(f.note().contains(QStringLiteral("Line 1: a text has no closing quote")));
    QVERIFY(!f.button("clientApply")->isEnabled());
    QVERIFY(!f.part<QPlainTextEdit>("clientDiff")->isVisible());
    QTRY_VERIFY(f.part<ClientList>("clientList")
                    ->currentIndex()
                    .data(Qt::AccessibleTextRole)
                    .toString()
                    .contains(QStringLiteral("cannot be read")));
    // Mended, it can be set up: the window looks again when it is asked to.
    f.write(".codex/config.toml", "model = \"o3\"\nx = 1\n");
    QTest::keyClick(f.window.get(), Qt::Key_F5);
    QTRY_VERIFY(f.button("clientApply")->isEnabled());
}

void ClientsTest::aFileChangedSinceIsLeft()
{
    PageFixture f;
    f.write(".continue/config.yaml", "name: Mine\nversion: 1.0.0\nschema: v1\n");
    QVERIFY2(f.open(QStringLiteral("continue")), f.core.error().c_str());
    QTRY_VERIFY(f.button("clientApply")->isEnabled());
    // Between the look at it and the click.
    f.write(".continue/config.yaml", "name: Other\nversion: 1.0.0\nschema: v1\n");
    f.click("clientApply");
    QTRY_VERIFY(f.window->messages().text().contains(QStringLiteral("changed meanwhile")));
    QVERIFY(f.read(".continue/config.yaml").startsWith("name: Other"));
    // The page has looked again.
    QTRY_VERIFY(f.part<QPlainTextEdit>("clientDiff")->toPlainText().contains(QStringLiteral("name: Other")));
    QTRY_VERIFY(f.button("clientApply")->isEnabled());
    f.click("clientApply");
    QTRY_VERIFY(f.read(".continue/config.yaml").contains("apiBase"));
    QTRY_VERIFY(f.button("clientUndo")->isVisible() && f.button("clientUndo")->isEnabled());
    const QByteArray changed = f.read(".continue/config.yaml") + "rules: []\n";
    f.write(".continue/config.yaml", changed);
    f.click("clientUndo");
    QTRY_VERIFY(f.window->messages().text().contains(QStringLiteral("changed since")));
    QCOMPARE(f.read(".continue/config.yaml"), changed);
}

void ClientsTest::neededKeyIsMade()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("claude-code")), f.core.error().c_str());
    QTRY_VERIFY(f.button("clientApply")->isEnabled());
    QVERIFY(!f.part<QLineEdit>("clientKey")->isVisible());
    f.core.patchSettings("{\"proxy\":{\"requireApiKey\":true}}");
    QTRY_VERIFY(f.part<QLineEdit>("clientKey")->isVisible());
    QTRY_VERIFY(!f.button("clientApply")->isEnabled() && f.note().contains(QStringLiteral("Clients need a key")));
    f.click("clientCreateKey");
    QTRY_VERIFY(!f.part<QLineEdit>("clientKey")->text().isEmpty());
    const QString key = f.part<QLineEdit>("clientKey")->text();
    QTRY_VERIFY(f.button("clientApply")->isEnabled());
    // Shown masked, written whole.
    QVERIFY(!f.diff().contains(key));
    f.click("clientApply");
    QTRY_VERIFY(f.read(".claude/settings.json").contains(key.toUtf8()));
    const auto known = f.core.read<bool>([key](Control& control) { return control.findApiKey(key.toStdString()) != nullptr; });
    QVERIFY(known);
}

void ClientsTest::modelFollowsTheChoice()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("opencode")), f.core.error().c_str());
    auto* model = f.part<QComboBox>("clientModel");
    QTRY_VERIFY(model->count() > 0);
    QVERIFY(model->findText(QStringLiteral("sandbox/ok")) >= 0);
    model->lineEdit()->setFocus();
    model->lineEdit()->selectAll();
    QTest::keyClicks(model->lineEdit(), QStringLiteral("sandbox/echo"));
    QTRY_VERIFY(f.diff().contains(QStringLiteral("\"model\": \"omniroute/sandbox/echo\"")));
    QVERIFY(f.part<QPlainTextEdit>("snippet0")->toPlainText().contains(QStringLiteral("omniroute/sandbox/echo")));
    // Claude Code may choose for itself; the sandbox, the only one here, knows none of its models.
    f.window->openPage(QStringLiteral("clients"), QStringLiteral("claude-code"));
    QCOMPARE(model->currentText(), QStringLiteral("sandbox/ok"));
    QTRY_VERIFY(f.diff().contains(QStringLiteral("\"ANTHROPIC_DEFAULT_SONNET_MODEL\": \"sandbox/ok\"")));
    model->setCurrentIndex(0);
    QTRY_VERIFY(!f.diff().contains(QStringLiteral("SONNET")));
    QTRY_VERIFY(f.diff().contains(QStringLiteral("ANTHROPIC_BASE_URL")));
}

void ClientsTest::addressFollowsTheListener()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("openai-sdk")), f.core.error().c_str());
    QTRY_VERIFY(f.part<QPlainTextEdit>("snippet0")->toPlainText().contains(f.root() + QStringLiteral("/v1")));
    const int before = f.core.port();
    const int other = [] {
        QTcpServer probe;
        probe.listen(QHostAddress::LocalHost, 0);
        return static_cast<int>(probe.serverPort());
    }();
    f.core.patchSettings("{\"proxy\":{\"port\":" + std::to_string(other) + "}}");
    QTRY_VERIFY(f.part<QPlainTextEdit>("snippet0")->toPlainText().contains(QStringLiteral("127.0.0.1:%1/v1").arg(other)));
    QVERIFY(other != before);
}

void ClientsTest::geminiSaysWhatIsMissing()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("gemini-cli")), f.core.error().c_str());
    QVERIFY(f.part<QLabel>("clientSpeech")->text().contains(QStringLiteral("generateContent")));
    QVERIFY(!f.button("clientApply")->isVisible());
    QVERIFY(!f.part<QPlainTextEdit>("snippet0")->isVisible());
}

void ClientsTest::sdkSetsUpAProject()
{
    PageFixture f;
    f.write("project/.env", "A=1\n");
    QVERIFY2(f.open(QStringLiteral("anthropic-sdk")), f.core.error().c_str());
    QTRY_VERIFY(f.note().contains(QStringLiteral("folder")));
    QVERIFY(!f.button("clientApply")->isEnabled());
    f.click("clientFolder");
    auto* dialog = f.page->findChild<QFileDialog*>(QStringLiteral("clientFolderDialog"));
    QVERIFY(dialog);
    Q_EMIT dialog->fileSelected(f.path("project"));
    dialog->reject();
    QTRY_VERIFY(f.button("clientApply")->isEnabled());
    f.click("clientApply");
    QTRY_COMPARE(f.read("project/.env"), QByteArray("A=1\nANTHROPIC_BASE_URL=" + f.root().toUtf8() + "\nANTHROPIC_API_KEY=local\n"));
}

void ClientsTest::linesAreCopied()
{
    PageFixture f;
    QVERIFY2(f.open(QStringLiteral("claude-code")), f.core.error().c_str());
    QTRY_VERIFY(f.part<QPlainTextEdit>("snippet0")->isVisible());
    f.click("snippet0Copy");
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.startsWith(QStringLiteral("export ANTHROPIC_BASE_URL=%1\nexport ANTHROPIC_AUTH_TOKEN=local\n").arg(f.root())),
             qPrintable(copied));
    QVERIFY(copied.endsWith(QStringLiteral("_HAIKU_MODEL=sandbox/ok\n")));
}

void ClientsTest::listIsFilteredAndCopied()
{
    PageFixture f;
    QVERIFY2(f.open({}), f.core.error().c_str());
    auto* list = f.part<ClientList>("clientList");
    auto* search = f.part<QLineEdit>("clientSearch");
    QTest::keyClicks(search, QStringLiteral("cli not served"));
    QCOMPARE(list->current(), QStringLiteral("gemini-cli"));
    search->clear();
    list->setFocus();
    QTest::keyClick(list, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text().split(QLatin1Char('\n')).size(), 9);
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("Gemini CLI\tnot served yet")));
}

OMNI_TEST(ClientsTest)
#include "clients_test.moc"
