// What the desktop says on D-Bus, played by a bus of the test's own: a tray that comes late, a colour scheme that changes.
#include "ui/shell/app_icon.h"
#include "ui/shell/system_tray.h"
#include "ui/theme/colours.h"
#include "ui/theme/system_scheme.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QMenu>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <atomic>
#include <functional>
#include <memory>

using namespace omni;

/// The panel: org.kde.StatusNotifierWatcher, with or without a host.
class FakeWatcher final : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.kde.StatusNotifierWatcher")
    Q_PROPERTY(bool IsStatusNotifierHostRegistered READ hasHost)
    Q_PROPERTY(int ProtocolVersion READ protocolVersion)

public:
    bool hasHost() const
    {
        ++asked;
        return host;
    }
    int protocolVersion() const { return 0; }

    std::atomic<bool> host{false};
    std::atomic<int> items{0};
    mutable std::atomic<int> asked{0};

public Q_SLOTS:
    void RegisterStatusNotifierItem(const QString&) { ++items; }

Q_SIGNALS:
    void StatusNotifierHostRegistered();
};

/// The desktop portal's settings.
class FakePortal final : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")

public:
    std::atomic<uint> scheme{0};

public Q_SLOTS:
    QDBusVariant Read(const QString& group, const QString& key)
    {
        const bool known = group == QLatin1String("org.freedesktop.appearance") && key == QLatin1String("color-scheme");
        return QDBusVariant(QVariant::fromValue(QDBusVariant(known ? QVariant(scheme.load()) : QVariant(QString()))));
    }

Q_SIGNALS:
    void SettingChanged(const QString& group, const QString& key, const QDBusVariant& value);
};

class DesktopBusTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void aTrayMayComeLate();
    void theColourSchemeIsFollowed();

private:
    /// Runs `call` where the other programs live: Qt asks them and waits, so they have a thread of their own.
    void there(const std::function<void()>& call) { QMetaObject::invokeMethod(&m_there, call, Qt::BlockingQueuedConnection); }

    QThread m_thread;
    QObject m_there;
};

void DesktopBusTest::initTestCase()
{
    if (!QDBusConnection::sessionBus().isConnected())
        QSKIP("dbus-daemon is not installed");
    m_there.moveToThread(&m_thread);
    m_thread.start();
}

void DesktopBusTest::cleanupTestCase()
{
    m_thread.quit();
    m_thread.wait();
}

void DesktopBusTest::aTrayMayComeLate()
{
    QMenu menu;
    SystemTray tray;
    QSignalSpy appeared(&tray, &TrayBackend::appeared);
    QSignalSpy missing(&tray, &TrayBackend::missing);
    tray.setIcon(trayIcon(ShellState::Serving));
    tray.start(&menu);
    std::unique_ptr<FakeWatcher> watcher;
    bool registered = false;
    there([&] {
        watcher = std::make_unique<FakeWatcher>();
        QDBusConnection bus = QDBusConnection::connectToBus(QDBusConnection::SessionBus, QStringLiteral("panel"));
        registered = bus.registerObject(QStringLiteral("/StatusNotifierWatcher"), watcher.get(), QDBusConnection::ExportAllContents) &&
                     bus.registerService(QStringLiteral("org.kde.StatusNotifierWatcher"));
    });
    QVERIFY(registered);
    // The watcher is there, its panel is not: neither shown nor given up.
    QTRY_VERIFY(watcher->asked > 0);
    QCOMPARE(appeared.count(), 0);
    there([&] {
        watcher->host = true;
        Q_EMIT watcher->StatusNotifierHostRegistered();
    });
    QTRY_COMPARE(appeared.count(), 1);
    QCOMPARE(missing.count(), 0);
    // Where Qt's platform has trays at all, the icon is in it.
    if (QGuiApplication::platformName() == QLatin1String("xcb")) {
        QTRY_VERIFY(watcher->items > 0);
        QVERIFY(tray.present());
    }
    there([&] {
        QDBusConnection::disconnectFromBus(QStringLiteral("panel"));
        watcher.reset();
    });
}

void DesktopBusTest::theColourSchemeIsFollowed()
{
    std::unique_ptr<FakePortal> portal;
    bool registered = false;
    there([&] {
        portal = std::make_unique<FakePortal>();
        portal->scheme = 1;
        QDBusConnection bus = QDBusConnection::connectToBus(QDBusConnection::SessionBus, QStringLiteral("portal"));
        registered =
            bus.registerObject(QStringLiteral("/org/freedesktop/portal/desktop"), portal.get(), QDBusConnection::ExportAllContents) &&
            bus.registerService(QStringLiteral("org.freedesktop.portal.Desktop"));
    });
    QVERIFY(registered);
    SystemScheme scheme(paletteFrom(lightColours()));
    QVERIFY(!scheme.dark());
    QTRY_VERIFY(scheme.dark());
    const auto say = [&](uint value) {
        there([&] {
            Q_EMIT portal->SettingChanged(QStringLiteral("org.freedesktop.appearance"), QStringLiteral("color-scheme"),
                                          QDBusVariant(value));
        });
    };
    say(2);
    QTRY_VERIFY(!scheme.dark());
    say(1);
    QTRY_VERIFY(scheme.dark());
    // No preference: what the platform's own palette says.
    say(0);
    QTRY_VERIFY(!scheme.dark());
    there([&] {
        QDBusConnection::disconnectFromBus(QStringLiteral("portal"));
        portal.reset();
    });
}

/// Its own bus, which must be known before the application asks for it, and which ends with the test.
int main(int argc, char** argv)
{
    QProcess bus;
    bus.start(QStringLiteral("dbus-daemon"), {QStringLiteral("--session"), QStringLiteral("--nofork"), QStringLiteral("--print-address")});
    qputenv("DBUS_SESSION_BUS_ADDRESS", bus.waitForStarted() && bus.waitForReadyRead() ? bus.readLine().trimmed() : "none:");
    int code = 0;
    {
        QApplication application(argc, argv);
        DesktopBusTest test;
        code = QTest::qExec(&test, argc, argv);
    }
    bus.kill();
    bus.waitForFinished();
    return code;
}

#include "desktop_bus_test.moc"
