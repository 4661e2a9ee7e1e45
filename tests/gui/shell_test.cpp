#include "gui/tray_fixture.h"
#include "program/test_program.h"
#include "ui/shell/core_texts.h"
#include "ui/shell/languages.h"
#include "ui/shell/rail.h"
#include "ui/shell/tray.h"
#include "ui/shell/troubles_line.h"
#include "ui/widgets/message_bar.h"

#include <QClipboard>
#include <QDirIterator>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTimer>

using namespace omni;
using namespace omni::test;

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
    void messagesWaitUntilTheWindowIsSeen();
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
    const QStringList order{QStringLiteral("overview"), QStringLiteral("connections"), QStringLiteral("combos"),
                            QStringLiteral("cooldowns"), QStringLiteral("lockouts"), QStringLiteral("requests"),
                            QStringLiteral("usage"), QStringLiteral("clients"), QStringLiteral("api-keys")};
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
    QCOMPARE(f.find<RailButton>(QStringLiteral("rail.cooldowns"))->badge(), 0);
    ask(f, "rate-limited?seconds=90");
    QTRY_VERIFY(troubles->isVisible());
    QVERIFY2(troubles->accessibleName().contains(QLatin1String("resting, 1:")), qPrintable(troubles->accessibleName()));
    QTRY_COMPARE(f.find<RailButton>(QStringLiteral("rail.cooldowns"))->badge(), 1);
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

void ShellTest::messagesWaitUntilTheWindowIsSeen()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    MessageBar& bar = f.window->messages();
    const auto* time = bar.findChild<QTimer*>();
    QVERIFY(time);
    f.window->hide();
    bar.showMessage(QStringLiteral("The backup was restored."));
    QVERIFY(!time->isActive());
    QCOMPARE(bar.text(), QStringLiteral("The backup was restored."));
    f.window->bringUp();
    QTRY_VERIFY(bar.isVisible() && time->isActive());
    // Nor is it lost, or out of place, in a window that was never shown.
    MainWindow hidden(*f.link, desktopPages(*f.link, &f.autostart, f.core.runtime().databasePath()),
                      QString::fromStdString(f.core.dataDir() + "/hidden.ini"));
    hidden.messages().showMessage(QStringLiteral("The backup was not restored. The file is no database."));
    hidden.bringUp();
    QTRY_VERIFY(hidden.messages().isVisible());
    QTRY_VERIFY(hidden.messages().parentWidget()->rect().contains(hidden.messages().geometry()));
    QVERIFY2(hidden.messages().width() > 300, qPrintable(QString::number(hidden.messages().width())));
    // What can be taken back cannot be for ever.
    f.window->hide();
    bar.showMessage(QStringLiteral("Deleted 3 connections."), [] {});
    QVERIFY(time->isActive());
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

OMNI_TEST(ShellTest)
#include "shell_test.moc"
