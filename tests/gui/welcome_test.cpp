#include "gui/window_fixture.h"
#include "program/test_program.h"
#include "ui/connections/connection_dialog.h"
#include "ui/welcome/welcome.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>

using namespace omni;
using omni::test::WindowFixture;

namespace {

struct WelcomeFixture : WindowFixture {
    WelcomeFixture() : homeBefore(qgetenv("HOME")) { qputenv("HOME", home.path().toLocal8Bit()); }
    ~WelcomeFixture()
    {
        window.reset();
        qputenv("HOME", homeBefore);
    }
    /// As the program makes its window.
    void makeWelcomeWindow()
    {
        window.reset();
        const QString memory = QString::fromStdString(core.dataDir() + "/window.ini");
        std::vector<PageEntry> pages = desktopPages(*link, &autostart, core.runtime().databasePath());
        pages.push_back(welcomePage(*link, core.dataDir() + "/clients.json", memory));
        window = std::make_unique<MainWindow>(*link, std::move(pages), memory);
        window->bringUp();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
    }
    bool begin()
    {
        if (!start())
            return false;
        makeWelcomeWindow();
        return window->currentPage() == QLatin1String("welcome");
    }
    QPushButton* button(const char* name) const { return window->findChild<QPushButton*>(QLatin1String(name)); }
    void click(const char* name) const { QTest::mouseClick(button(name), Qt::LeftButton); }
    bool inRail() const { return window->findChild<QWidget*>(QStringLiteral("rail.welcome"))->isVisible(); }

    QTemporaryDir home;
    QByteArray homeBefore;
};

}  // namespace

class WelcomeTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void firstStartBeginsWithIt();
    void skippedItStaysAway();
    void notWithAConnection();
    void savedKeyIsTestedAtOnce();
    void clientIsSetUp();
    void firstRequestIsSeen();
};

void WelcomeTest::firstStartBeginsWithIt()
{
    WelcomeFixture f;
    QVERIFY2(f.begin(), f.core.error().c_str());
    QVERIFY(f.inRail());
    QVERIFY(f.button("welcomeProvider.openai"));
    f.click("welcomeSandbox");
    QVERIFY(f.button("welcomeStep2")->isChecked());
    f.click("welcomeNext");
    QVERIFY(f.button("welcomeStep3")->isChecked());
    f.click("welcomeBack");
    QVERIFY(f.button("welcomeStep2")->isChecked());
}

void WelcomeTest::skippedItStaysAway()
{
    WelcomeFixture f;
    QVERIFY2(f.begin(), f.core.error().c_str());
    f.click("welcomeSkip");
    QCOMPARE(f.window->currentPage(), QStringLiteral("overview"));
    QVERIFY(!f.inRail());
    f.makeWelcomeWindow();
    QCOMPARE(f.window->currentPage(), QStringLiteral("overview"));
    QVERIFY(!f.inRail());
}

void WelcomeTest::notWithAConnection()
{
    WelcomeFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    ConnectionDraft draft;
    draft.connection.provider = ProviderId("ollama-local");
    draft.connection.name = "Here";
    const auto saved = f.core.ask<Connection>([draft](Control& control, Reply<Connection> reply) { control.saveConnection(draft, reply); });
    QVERIFY(saved.ok());
    QTRY_COMPARE(f.link->configuration()->connections.size(), std::size_t{2});
    f.makeWelcomeWindow();
    QVERIFY(!f.inRail());
    QCOMPARE(f.window->currentPage(), QStringLiteral("overview"));
}

void WelcomeTest::savedKeyIsTestedAtOnce()
{
    WelcomeFixture f;
    QVERIFY2(f.begin(), f.core.error().c_str());
    // A local server that is not there: saved all the same, and its test says so.
    f.click("welcomeProvider.ollama-local");
    auto* dialog = f.window->findChild<ConnectionDialog*>();
    QVERIFY(dialog);
    auto* save = dialog->findChild<QPushButton*>(QStringLiteral("dialogSave"));
    auto* address = dialog->findChild<QLineEdit*>(QStringLiteral("baseUrl"));
    QVERIFY(address);
    address->setText(QStringLiteral("http://127.0.0.1:1/v1"));
    QTRY_VERIFY(save->isEnabled());
    QTest::mouseClick(save, Qt::LeftButton);
    QTRY_VERIFY(f.window->findChild<QWidget*>(QStringLiteral("welcomeTest")));
    QWidget* test = f.window->findChild<QWidget*>(QStringLiteral("welcomeTest"));
    const auto told = [test] {
        for (const QLabel* label : test->findChildren<QLabel*>()) {
            if (!label->text().isEmpty() && !label->text().contains(QStringLiteral("Testing")) && label->isVisible())
                return true;
        }
        return false;
    };
    QVERIFY(QTest::qWaitFor(told, 15'000));
    // Begun, it stays until it is finished.
    QVERIFY(f.inRail());
}

void WelcomeTest::clientIsSetUp()
{
    WelcomeFixture f;
    QVERIFY2(f.begin(), f.core.error().c_str());
    f.click("welcomeStep2");
    auto* client = f.window->findChild<QComboBox*>(QStringLiteral("welcomeClient"));
    client->setFocus();
    client->setCurrentIndex(client->findData(QStringLiteral("aider")));
    QTRY_VERIFY(
        f.window->findChild<QPlainTextEdit*>(QStringLiteral("snippet0"))->toPlainText().contains(QStringLiteral("OPENAI_API_BASE")));
    QTRY_VERIFY(f.button("clientApply")->isEnabled());
    f.click("clientApply");
    QTRY_VERIFY(QFile::exists(f.home.path() + QStringLiteral("/.aider.conf.yml")));
}

void WelcomeTest::firstRequestIsSeen()
{
    WelcomeFixture f;
    QVERIFY2(f.begin(), f.core.error().c_str());
    f.click("welcomeStep3");
    auto* story = f.window->findChild<QLabel*>(QStringLiteral("welcomeStory"));
    QVERIFY(story->text().contains(QStringLiteral("Waiting")));
    QVERIFY(!f.button("welcomeShow")->isVisible());
    f.click("welcomeSend");
    QTRY_VERIFY(story->text().contains(QStringLiteral("It arrived: sandbox/echo")));
    f.click("welcomeShow");
    QCOMPARE(f.window->currentPage(), QStringLiteral("requests"));
    QVERIFY(f.inRail());
    f.window->openPage(QStringLiteral("welcome"));
    f.click("welcomeNext");
    QCOMPARE(f.window->currentPage(), QStringLiteral("overview"));
    QVERIFY(!f.inRail());
}

OMNI_TEST(WelcomeTest)
#include "welcome_test.moc"
