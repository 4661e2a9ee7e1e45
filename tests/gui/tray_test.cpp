#include "gui/tray_fixture.h"
#include "program/test_program.h"
#include "ui/shell/hold_notifier.h"
#include "ui/shell/tray.h"

#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTimer>

#include <algorithm>
#include <functional>

using namespace omni;
using namespace omni::test;

class TrayTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTrayTellsTheState();
    void theTrayClearsAHold();
    void theTrayStartsAtLogin();
    void newsOfHoldsAreTold();
    void aMomentBackIsNoNews();
    void eachKindOfNewsHasItsSwitch_data();
    void eachKindOfNewsHasItsSwitch();
};

void TrayTest::theTrayTellsTheState()
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

void TrayTest::theTrayClearsAHold()
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

void TrayTest::theTrayStartsAtLogin()
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

void TrayTest::newsOfHoldsAreTold()
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

/// What is told once stays told while it is back for less than the time between two notifications.
void TrayTest::aMomentBackIsNoNews()
{
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    f.core.patchSettings(R"({"providerErrorRules":{"sandbox":[{"status":503,"match":"answers 503","scope":"provider",)"
                         R"("reason":"server_error","cooldownMs":1800000}]}})");
    HoldNotifier notifier(*f.link);
    QSignalSpy news(&notifier, &HoldNotifier::newsRaised);
    Q_EMIT f.link->engineChanged();
    const auto out = [&f] { return !holdsOf(*f.link->configuration(), f.link->engine(), wallNow()).empty(); };
    ask(f, "503");
    QTRY_COMPARE(news.count(), 1);
    clearAllHolds(*f.link);
    QTRY_VERIFY(!out());
    ask(f, "503");
    QTRY_VERIFY(out());
    auto* gap = notifier.findChild<QTimer*>(QStringLiteral("gap"));
    QVERIFY(gap && gap->isActive());
    gap->start(0);
    QTRY_VERIFY(!gap->isActive());
    QVERIFY2(news.count() == 1, qPrintable(news.isEmpty() ? QString() : news.last().at(1).toString()));
}

void TrayTest::eachKindOfNewsHasItsSwitch_data()
{
    QTest::addColumn<QString>("off");
    QTest::addColumn<bool>("hold");
    QTest::addColumn<bool>("breaker");
    QTest::addColumn<bool>("recovery");
    QTest::newRow("all on") << QString() << true << true << true;
    QTest::newRow("no holds") << QStringLiteral("appearance.notifyHolds") << false << true << true;
    QTest::newRow("no breakers") << QStringLiteral("appearance.notifyBreakers") << true << false << true;
    QTest::newRow("no recovery") << QStringLiteral("appearance.notifyRecovery") << true << true << false;
}

void TrayTest::eachKindOfNewsHasItsSwitch()
{
    QFETCH(QString, off);
    QFETCH(bool, hold);
    QFETCH(bool, breaker);
    QFETCH(bool, recovery);
    WindowFixture f;
    QVERIFY2(f.start(), f.core.error().c_str());
    if (!off.isEmpty()) {
        f.window->openPage(QStringLiteral("settings"), off);
        auto* box = f.find<QCheckBox>(QStringLiteral("setting.") + off);
        QVERIFY(box && box->isChecked());
        box->click();
        const auto isOff = [&f] {
            const AppearanceSettings& now = f.link->configuration()->settings.appearance;
            return !(now.notifyHolds && now.notifyBreakers && now.notifyRecovery);
        };
        QTRY_VERIFY(isOff());
    }
    // A notifier of its own for each kind, since one waits 30 s between two notifications.
    const auto told = [&f](const std::function<void()>& happening, const std::function<bool()>& happened) {
        HoldNotifier notifier(*f.link);
        QSignalSpy news(&notifier, &HoldNotifier::newsRaised);
        Q_EMIT f.link->engineChanged();
        happening();
        if (!QTest::qWaitFor(happened, 10'000))
            return QStringLiteral("nothing happened");
        return news.isEmpty() ? QString() : news.first().at(0).toString();
    };
    const auto held = [&f] { return !holdsOf(*f.link->configuration(), f.link->engine(), wallNow()).empty(); };
    const auto free = [&f] { return holdsOf(*f.link->configuration(), f.link->engine(), wallNow()).empty(); };
    const auto open = [&f] {
        const auto& breakers = f.link->engine().breakers;
        return std::any_of(breakers.begin(), breakers.end(), [](const BreakerStatus& one) { return one.state == BreakerState::Open; });
    };
    const QString out = QStringLiteral("Out of service");
    QCOMPARE(told(
                 [&f] {
                     f.core.patchSettings(R"({"resilience":{"providerBreaker":{"apikey":{"degradationThreshold":1,"failureThreshold":1}}}})");
                     ask(f, "503");
                 },
                 open),
        breaker ? out : QString());
    QCOMPARE(told([&f] { clearAllHolds(*f.link); }, free), recovery ? QStringLiteral("Back in service") : QString());
    QCOMPARE(told([&f] { ask(f, "402"); }, held), hold ? out : QString());
}

OMNI_TEST(TrayTest)
#include "tray_test.moc"
