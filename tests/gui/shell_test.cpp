#include "gui/window_fixture.h"
#include "support/http_client.h"
#include "ui/shell/core_texts.h"
#include "ui/shell/hold_notifier.h"
#include "ui/shell/languages.h"
#include "ui/shell/rail.h"
#include "ui/shell/single_instance.h"
#include "ui/shell/tray.h"
#include "ui/shell/tray_backend.h"
#include "ui/shell/troubles_line.h"
#include "ui/widgets/message_bar.h"

#include <QClipboard>
#include <QDirIterator>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QLocalSocket>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTemporaryDir>

using namespace omni;
using omni::test::FakeAutostart;
using omni::test::HttpClient;
using omni::test::WindowFixture;

namespace {

class FakeTray final : public TrayBackend {
public:
    void start(QMenu* given) override { menu = given; }
    bool present() const override { return there; }
    void setIcon(const QIcon& icon) override
    {
        ++icons;
        lastIcon = icon.cacheKey();
    }
    void setToolTip(const QString& text) override { toolTip = text; }
    void notify(const QString& title, const QString& text) override { notifications << title + QLatin1Char('|') + text; }

    QMenu* menu = nullptr;
    bool there = true;
    int icons = 0;
    qint64 lastIcon = 0;
    QString toolTip;
    QStringList notifications;
};

/// Has the proxy ask a model of the sandbox, which answers as its name says.
int ask(const WindowFixture& f, const std::string& model)
{
    HttpClient client(f.core.port());
    return client.postJson("/v1/chat/completions", R"({"model":"sandbox/)" + model + R"(","messages":[{"role":"user","content":"hi"}]})").status;
}

QAction* actionNamed(QMenu& menu, const char* name)
{
    for (QAction* action : menu.actions()) {
        if (action->objectName() == QLatin1String(name))
            return action;
        if (action->menu() && action->menu()->objectName() == QLatin1String(name))
            return action;
    }
    return nullptr;
}

}  // namespace

class ShellTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhereItServes();
    void pagesAreMadeWhenOpened();
    void keysOpenPages();
    void remembersPageAndSize();
    void stopsAndStarts();
    void copiesTheBaseUrl();
    void aTakenPortIsToldWithAnotherOne();
    void namesWhatIsOutOfService();
    void closingHidesOnlyWhileThereIsATray();
    void withoutATrayClosingAsks();
    void theMessageBarUndoes();
    void theTrayTellsTheState();
    void theTrayClearsAHold();
    void theTrayStartsAtLogin();
    void newsOfHoldsAreTold();
    void oneInstanceForEachFolder();
    void aCrashLeavesNoLock();
    void strangersAreNotObeyed();
    void autostartReadsBackWhatIsTrue();
    void autostartQuotesItsCommand();
    void theLanguageChangesAtOnce();
    void dialogsSpeakTheLanguageToo();
    void namedCoreTextsAreTheCores();
};

void ShellTest::saysWhereItServes()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    auto* address = f.find<QLabel>(QStringLiteral("serviceAddress"));
    QTRY_COMPARE(address->text(), QStringLiteral("127.0.0.1:%1").arg(f.core.port()));
    QCOMPARE(f.find<QWidget>(QStringLiteral("serviceState"))->accessibleName(), QStringLiteral("Serving"));
    QCOMPARE(f.window->minimumSize(), QSize(1024, 700));
    QCOMPARE(f.window->size(), QSize(1280, 800));
}

void ShellTest::pagesAreMadeWhenOpened()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    QTRY_VERIFY(f.find<Page>(QStringLiteral("overview")));
    QCOMPARE(f.window->currentPage(), QStringLiteral("overview"));
    QVERIFY(!f.find<Page>(QStringLiteral("settings")));
    QTest::mouseClick(f.find<RailButton>(QStringLiteral("rail.settings")), Qt::LeftButton);
    auto* settings = f.find<Page>(QStringLiteral("settings"));
    QVERIFY(settings && settings->isVisible());
    QVERIFY(!f.find<Page>(QStringLiteral("overview"))->isVisible());
    QVERIFY(!f.window->openPage(QStringLiteral("no such page")));
    // A page may send the user on to another one.
    Q_EMIT settings->openRequested(QStringLiteral("requests"), {});
    QCOMPARE(f.window->currentPage(), QStringLiteral("requests"));
    QVERIFY(f.find<RailButton>(QStringLiteral("rail.requests"))->isChecked());
}

void ShellTest::keysOpenPages()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    const QStringList order{QStringLiteral("overview"), QStringLiteral("connections"), QStringLiteral("requests"), QStringLiteral("settings")};
    for (int i = static_cast<int>(order.size()); i > 0; --i) {
        QTest::keyClick(f.window.get(), static_cast<Qt::Key>(Qt::Key_0 + i), Qt::ControlModifier);
        QTRY_COMPARE(f.window->currentPage(), order.at(i - 1));
    }
    f.window->openPage(QStringLiteral("settings"));
    f.find<RailButton>(QStringLiteral("rail.settings"))->setFocus();
    QTest::keyClick(f.window.get(), Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(f.window->focusWidget()->objectName(), QStringLiteral("settingsFilter"));
    QSignalSpy quit(f.window.get(), &MainWindow::quitRequested);
    QTest::keyClick(f.window.get(), Qt::Key_Q, Qt::ControlModifier);
    QCOMPARE(quit.count(), 1);
}

void ShellTest::remembersPageAndSize()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    f.window->openPage(QStringLiteral("requests"));
    f.window->resize(1111, 777);
    f.window.reset();
    f.makeWindow();
    QTRY_COMPARE(f.window->currentPage(), QStringLiteral("requests"));
    QCOMPARE(f.window->size(), QSize(1111, 777));
}

void ShellTest::stopsAndStarts()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    auto* toggle = f.find<QPushButton>(QStringLiteral("toggleProxy"));
    QTRY_COMPARE(toggle->text(), QStringLiteral("Stop"));
    QTest::mouseClick(toggle, Qt::LeftButton);
    QTRY_COMPARE(f.core.listener().phase, ListenerPhase::Stopped);
    QTRY_COMPARE(toggle->text(), QStringLiteral("Start"));
    QVERIFY(!f.find<QLabel>(QStringLiteral("serviceAddress"))->isVisible());
    QTest::mouseClick(toggle, Qt::LeftButton);
    QTRY_COMPARE(f.core.listener().phase, ListenerPhase::Serving);
    QTRY_COMPARE(toggle->text(), QStringLiteral("Stop"));
    QCOMPARE(ask(f, "ok"), 200);
}

void ShellTest::copiesTheBaseUrl()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    auto* copy = f.find<QPushButton>(QStringLiteral("copyBaseUrl"));
    QTRY_VERIFY(copy->isEnabled());
    QTest::mouseClick(copy, Qt::LeftButton);
    const QString url = QStringLiteral("http://127.0.0.1:%1/v1").arg(f.core.port());
    QCOMPARE(QGuiApplication::clipboard()->text(), url);
    QVERIFY(f.window->messages().text().contains(url));
}

void ShellTest::aTakenPortIsToldWithAnotherOne()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    RuntimeOptions options;
    options.port = other.serverPort();
    WindowFixture f(options);
    QVERIFY2(f.start(), f.core.error().c_str());
    auto* failure = f.find<QLabel>(QStringLiteral("serviceFailure"));
    QTRY_VERIFY(failure->isVisible());
    QVERIFY2(failure->text().contains(QString::number(other.serverPort())), qPrintable(failure->text()));
    QCOMPARE(f.find<QWidget>(QStringLiteral("serviceState"))->accessibleName(), QStringLiteral("Not serving"));
    auto* use = f.find<QPushButton>(QStringLiteral("otherPort"));
    QVERIFY(use->isVisible());
    const int suggested = f.link->listener().suggestedPort;
    QVERIFY(suggested > 0 && use->text().contains(QString::number(suggested)));
    QTest::mouseClick(use, Qt::LeftButton);
    QTRY_COMPARE(f.core.listener().phase, ListenerPhase::Serving);
    QCOMPARE(f.core.port(), suggested);
    QTRY_VERIFY(!use->isVisible());
}

void ShellTest::namesWhatIsOutOfService()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    auto* troubles = f.find<TroublesLine>(QStringLiteral("troubles"));
    QVERIFY(!troubles->isVisible());
    QCOMPARE(f.find<RailButton>(QStringLiteral("rail.connections"))->badge(), 0);
    ask(f, "rate-limited?seconds=90");
    QTRY_VERIFY(troubles->isVisible());
    QVERIFY2(troubles->accessibleName().contains(QLatin1String("resting, 1:")), qPrintable(troubles->accessibleName()));
    QTRY_COMPARE(f.find<RailButton>(QStringLiteral("rail.connections"))->badge(), 1);
    f.window->openPage(QStringLiteral("settings"));
    QTest::mouseClick(troubles, Qt::LeftButton);
    QCOMPARE(f.window->currentPage(), QStringLiteral("overview"));
    clearAllHolds(*f.link);
    QTRY_VERIFY(!troubles->isVisible());
}

void ShellTest::closingHidesOnlyWhileThereIsATray()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    bool tray = true;
    f.window->setTrayCheck([&tray] { return tray; });
    QSignalSpy told(f.window.get(), &MainWindow::firstHidden);
    f.window->close();
    QVERIFY(!f.window->isVisible());
    QCOMPARE(told.count(), 1);
    f.window->bringUp();
    QVERIFY(f.window->isVisible());
    f.window->close();
    QCOMPARE(told.count(), 1);
    f.window->bringUp();
    // The panel went away meanwhile: hidden now, the window could not be found again.
    tray = false;
    f.window->close();
    QVERIFY(f.window->isVisible());
    f.window->letGo();
    f.window->close();
    QVERIFY(!f.window->isVisible());
}

void ShellTest::withoutATrayClosingAsks()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    QSignalSpy quit(f.window.get(), &MainWindow::quitRequested);
    f.window->close();
    auto* question = f.find<QMessageBox>(QStringLiteral("closeQuestion"));
    QVERIFY(question && f.window->isVisible());
    QTest::mouseClick(question->findChild<QPushButton*>(QStringLiteral("cancel")), Qt::LeftButton);
    QTRY_VERIFY(!f.find<QMessageBox>(QStringLiteral("closeQuestion")));
    QCOMPARE(quit.count(), 0);
    f.window->close();
    question = f.find<QMessageBox>(QStringLiteral("closeQuestion"));
    QTest::mouseClick(question->findChild<QPushButton*>(QStringLiteral("quitNow")), Qt::LeftButton);
    QTRY_COMPARE(quit.count(), 1);
    // Said once in the life of an installation.
    f.window->tellNoTray();
    QVERIFY(!f.window->messages().text().isEmpty());
    f.window->messages().dismiss();
    f.window->tellNoTray();
    QVERIFY(f.window->messages().text().isEmpty());
}

void ShellTest::theMessageBarUndoes()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    QTRY_VERIFY(f.find<Page>(QStringLiteral("overview")));
    int undone = 0;
    Q_EMIT f.find<Page>(QStringLiteral("overview"))->messageRaised(QStringLiteral("Deleted 3 connections."), [&undone] { ++undone; });
    MessageBar& bar = f.window->messages();
    QCOMPARE(bar.text(), QStringLiteral("Deleted 3 connections."));
    auto* button = bar.findChild<QPushButton*>(QStringLiteral("messageButton"));
    QVERIFY(button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(undone, 1);
    QVERIFY(!bar.isVisible());
    bar.showMessage(QStringLiteral("Something else."));
    QVERIFY(!button->isVisible());
    QTest::keyClick(f.window.get(), Qt::Key_Escape);
    QVERIFY(!bar.isVisible());
}

void ShellTest::theTrayTellsTheState()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    FakeTray place;
    Tray tray(*f.link, place, nullptr);
    tray.start();
    QTRY_COMPARE(tray.state(), ShellState::Serving);
    QVERIFY(place.menu);
    const QAction* first = place.menu->actions().constFirst();
    QVERIFY(!first->isEnabled());
    QTRY_COMPARE(first->text(), QStringLiteral("Serving on 127.0.0.1:%1").arg(f.core.port()));
    QVERIFY(place.toolTip.contains(first->text()));
    const qint64 serving = place.lastIcon;
    const int icons = place.icons;
    ask(f, "rate-limited?seconds=90");
    QTRY_COMPARE(tray.state(), ShellState::Degraded);
    QTRY_VERIFY(place.lastIcon != serving);
    QCOMPARE(place.icons, icons + 1);
    actionNamed(*place.menu, "tray.toggle")->trigger();
    QTRY_COMPARE(tray.state(), ShellState::Stopped);
    QTRY_COMPARE(first->text(), QStringLiteral("Stopped"));
    QCOMPARE(actionNamed(*place.menu, "tray.toggle")->text(), QStringLiteral("Start the proxy"));
    actionNamed(*place.menu, "tray.toggle")->trigger();
    QTRY_COMPARE(f.core.listener().phase, ListenerPhase::Serving);
    QSignalSpy open(&tray.menu(), &TrayMenu::openRequested);
    QSignalSpy quit(&tray.menu(), &TrayMenu::quitRequested);
    actionNamed(*place.menu, "tray.open")->trigger();
    actionNamed(*place.menu, "tray.quit")->trigger();
    QCOMPARE(open.count(), 1);
    QCOMPARE(quit.count(), 1);
    QGuiApplication::clipboard()->clear();
    actionNamed(*place.menu, "tray.copy")->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().endsWith(QLatin1String("/v1")));
}

void ShellTest::theTrayClearsAHold()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    TrayMenu menu(*f.link, nullptr);
    QMenu* out = actionNamed(menu.menu(), "tray.outOfService")->menu();
    QTRY_VERIFY(!out->menuAction()->isEnabled());
    ask(f, "rate-limited?seconds=90");
    QTRY_VERIFY(out->menuAction()->isEnabled());
    QMenu* hold = out->actions().constFirst()->menu();
    QVERIFY(hold);
    QVERIFY2(hold->title().contains(QLatin1String("resting until")), qPrintable(hold->title()));
    QVERIFY(!hold->actions().constFirst()->isEnabled());
    QVERIFY(actionNamed(*out, "tray.clearAll"));
    actionNamed(*hold, "tray.clear")->trigger();
    QTRY_VERIFY(!out->menuAction()->isEnabled());
    QTRY_VERIFY(f.core.read<bool>([](Control& control) {
        for (const ConnectionHealth& health : control.engineSnapshot().healths) {
            if (health.coolingUntil)
                return false;
        }
        return true;
    }));
    QCOMPARE(ask(f, "ok"), 200);
    // A key that is refused for good cannot be cleared, only mended.
    ask(f, "402");
    QTRY_VERIFY(out->menuAction()->isEnabled());
    hold = out->actions().constFirst()->menu();
    QVERIFY(!actionNamed(*hold, "tray.clear"));
    QSignalSpy show(&menu, &TrayMenu::openPageRequested);
    actionNamed(*hold, "tray.show")->trigger();
    QCOMPARE(show.count(), 1);
    QCOMPARE(show.at(0).at(0).toString(), QStringLiteral("connections"));
}

void ShellTest::theTrayStartsAtLogin()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    TrayMenu menu(*f.link, &f.autostart);
    QAction* login = actionNamed(menu.menu(), "tray.atLogin");
    QVERIFY(login && !login->isChecked());
    login->trigger();
    QVERIFY(f.autostart.on && login->isChecked());
    QSignalSpy failed(&menu, &TrayMenu::failed);
    f.autostart.refusal = "disk full";
    login->trigger();
    QCOMPARE(failed.count(), 1);
    QVERIFY2(login->isChecked(), "the menu must show what is true, not what was wished");
}

void ShellTest::newsOfHoldsAreTold()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    HoldNotifier notifier(*f.link);
    QSignalSpy news(&notifier, &HoldNotifier::newsRaised);
    // Its first look only learns what is out already.
    ask(f, "rate-limited?seconds=90");
    QTRY_VERIFY(!f.link->engine().healths.empty());
    QCOMPARE(news.count(), 0);
    clearAllHolds(*f.link);
    ask(f, "402");
    QTRY_COMPARE(news.count(), 1);
    QVERIFY2(news.at(0).at(1).toString().contains(QLatin1String("balance")), qPrintable(news.at(0).at(1).toString()));
}

void ShellTest::oneInstanceForEachFolder()
{
    QTemporaryDir folder;
    QTemporaryDir elsewhere;
    SingleInstance first(folder.path());
    QVERIFY(first.acquire());
    QSignalSpy received(&first, &SingleInstance::commandReceived);
    SingleInstance other(elsewhere.path());
    QVERIFY(other.acquire());

    // The second start is another process; here another thread plays it, since it waits for the answer.
    bool acquired = true;
    bool sent = false;
    const std::unique_ptr<QThread> second(QThread::create([&] {
        SingleInstance late(folder.path() + QStringLiteral("/."));
        acquired = late.acquire();
        sent = late.send(QStringLiteral("show"));
    }));
    second->start();
    QTRY_COMPARE(received.count(), 1);
    QTRY_VERIFY(second->isFinished());
    QVERIFY(!acquired);
    QVERIFY(sent);
    QCOMPARE(received.at(0).at(0).toString(), QStringLiteral("show"));
}

void ShellTest::aCrashLeavesNoLock()
{
    QTemporaryDir folder;
    QString socket;
    {
        const SingleInstance probe(folder.path());
        socket = probe.socketPath();
    }
    // What a killed process leaves: a socket nobody listens on.
    QFile leftover(socket);
    QVERIFY(leftover.open(QIODevice::WriteOnly));
    leftover.close();
    SingleInstance instance(folder.path());
    QVERIFY(instance.acquire());
    QLocalSocket client;
    client.connectToServer(socket);
    QVERIFY(client.waitForConnected(1'000));
}

void ShellTest::strangersAreNotObeyed()
{
    QTemporaryDir folder;
    SingleInstance instance(folder.path());
    QVERIFY(instance.acquire());
    QSignalSpy received(&instance, &SingleInstance::commandReceived);
    const QByteArray unknown = R"({"command":"format"})";
    QByteArray wellFormed("\x01\x00\x00\x00", 4);
    wellFormed += static_cast<char>(unknown.size());
    wellFormed += unknown;
    for (const QByteArray& bytes : {QByteArray("GET / HTTP/1.1\r\n\r\n"), QByteArray("\x01\x7f\xff\xff\xff{}", 7), wellFormed}) {
        QLocalSocket client;
        client.connectToServer(instance.socketPath());
        QVERIFY(client.waitForConnected(1'000));
        client.write(bytes);
        QTRY_COMPARE(client.state(), QLocalSocket::UnconnectedState);
    }
    QCOMPARE(received.count(), 0);
    const QFile::Permissions mode = QFile::permissions(instance.socketPath());
    QVERIFY(!(mode & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther)));
}

void ShellTest::autostartReadsBackWhatIsTrue()
{
    QTemporaryDir config;
    DesktopFileAutostart autostart(config.path(), QStringLiteral("/usr/bin/omniroute-desktop"), {QStringLiteral("--hidden")});
    QVERIFY(!autostart.enabled());
    QVERIFY(autostart.setEnabled(true).ok());
    QVERIFY(autostart.enabled());
    QFile file(autostart.filePath());
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QByteArray text = file.readAll();
    QVERIFY(text.contains("Exec=\"/usr/bin/omniroute-desktop\" \"--hidden\"\n"));
    // Desktops switch an entry off by writing into it.
    file.write("Hidden=true\n");
    file.close();
    QVERIFY(!autostart.enabled());
    QVERIFY(autostart.setEnabled(true).ok());
    QVERIFY(autostart.enabled());
    QVERIFY(autostart.setEnabled(false).ok());
    QVERIFY(!file.exists());
    QVERIFY(autostart.setEnabled(false).ok());
    // A place that cannot be written is told, not swallowed.
    QFile blocker(config.path() + QStringLiteral("/file"));
    QVERIFY(blocker.open(QIODevice::WriteOnly));
    DesktopFileAutostart impossible(blocker.fileName(), QStringLiteral("/x"), {});
    const Status status = impossible.setEnabled(true);
    QVERIFY(!status.ok());
    QVERIFY(status.error().kind == ErrorKind::Storage);
}

void ShellTest::autostartQuotesItsCommand()
{
    QTemporaryDir config;
    DesktopFileAutostart autostart(config.path(), QStringLiteral("/opt/my tools/omni$route"), {QStringLiteral("100%")});
    QVERIFY(autostart.setEnabled(true).ok());
    QFile file(autostart.filePath());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("Exec=\"/opt/my tools/omni\\\\$route\" \"100%%\"\n"));
}

void ShellTest::theLanguageChangesAtOnce()
{
    Languages languages(*qApp);
    languages.apply(QStringLiteral("en"));
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    FakeTray place;
    Tray tray(*f.link, place, nullptr);
    tray.start();
    f.window->openPage(QStringLiteral("settings"));
    f.find<QWidget>(QStringLiteral("setting.appearance.language"))->setFocus();
    const QPointer<Page> before = f.find<Page>(QStringLiteral("settings"));
    languages.apply(QStringLiteral("bn"));
    QTRY_COMPARE(f.find<RailButton>(QStringLiteral("rail.settings"))->text(), QStringLiteral("সেটিংস"));
    QTRY_COMPARE(f.find<QPushButton>(QStringLiteral("copyBaseUrl"))->text(), QStringLiteral("বেস URL কপি"));
    QTRY_VERIFY(!before);
    QCOMPARE(f.window->currentPage(), QStringLiteral("settings"));
    QTRY_COMPARE(f.window->focusWidget()->objectName(), QStringLiteral("setting.appearance.language"));
    QTRY_COMPARE(actionNamed(*place.menu, "tray.quit")->text(), QStringLiteral("প্রস্থান"));
    QTRY_VERIFY2(place.toolTip.contains(QStringLiteral("সেবা দিচ্ছে")), qPrintable(place.toolTip));
    // Its own digits, where the locale says so; addresses and ports stay what they are.
    QCOMPARE(f.find<QLineEdit>(QStringLiteral("setting.log.maxAgeDays"))->text(), QStringLiteral("৩০"));
    QCOMPARE(f.find<QLabel>(QStringLiteral("serviceAddress"))->text(), QStringLiteral("127.0.0.1:%1").arg(f.core.port()));
    languages.apply(QStringLiteral("en"));
    QTRY_COMPARE(f.find<RailButton>(QStringLiteral("rail.settings"))->text(), QStringLiteral("Settings"));
}

void ShellTest::dialogsSpeakTheLanguageToo()
{
    Languages languages(*qApp);
    languages.apply(QStringLiteral("bn"));
    QMessageBox box(QMessageBox::NoIcon, {}, {}, QMessageBox::Ok | QMessageBox::Cancel);
    QCOMPARE(box.button(QMessageBox::Ok)->text(), QStringLiteral("ঠিক আছে"));
    QCOMPARE(box.button(QMessageBox::Cancel)->text(), QStringLiteral("বাতিল"));
    languages.apply(QStringLiteral("en"));
    std::vector<QString> codes;
    for (const Languages::Language& language : Languages::available())
        codes.push_back(language.code);
    QCOMPARE(codes, (std::vector<QString>{QStringLiteral("en"), QStringLiteral("bn")}));
    // What we do not have falls back to English.
    languages.apply(QStringLiteral("xx"));
    QCOMPARE(languages.current(), QStringLiteral("en"));
}

void ShellTest::namedCoreTextsAreTheCores()
{
    QByteArray sources;
    QDirIterator files(QStringLiteral(OMNIROUTE_SOURCE_DIR "/core"), {QStringLiteral("*.cpp")}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        sources += file.readAll();
    }
    QVERIFY(coreTexts().size() > 30);
    for (const char* text : coreTexts()) {
        const QByteArray literal = '"' + QByteArray(text).replace('"', "\\\"") + '"';
        QVERIFY2(sources.contains(literal), text);
    }
}

QTEST_MAIN(ShellTest)
#include "shell_test.moc"
