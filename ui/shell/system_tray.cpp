#include "ui/shell/system_tray.h"

#include <QMenu>
#include <QSystemTrayIcon>

#ifdef OMNIROUTE_DBUS
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusServiceWatcher>
#include <QDBusVariant>
#endif

namespace omni {

namespace {

constexpr int kPatienceMs = 30'000;

#ifdef OMNIROUTE_DBUS
const QString kWatcher = QStringLiteral("org.kde.StatusNotifierWatcher");
const QString kPath = QStringLiteral("/StatusNotifierWatcher");
#endif

}  // namespace

SystemTray::SystemTray(QObject* parent) : TrayBackend(parent)
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
}

SystemTray::~SystemTray() = default;

void SystemTray::start(QMenu* menu)
{
    m_menu = menu;
    connect(&m_patience, &QTimer::timeout, this, [this] {
        // An X11 panel of the old kind registers nowhere: that one is asked for last, since the answer stays for good.
        if (QSystemTrayIcon::isSystemTrayAvailable())
            makeIcon();
        else
            Q_EMIT missing();
    });
#ifdef OMNIROUTE_DBUS
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (bus.isConnected()) {
        auto* watcher = new QDBusServiceWatcher(kWatcher, bus, QDBusServiceWatcher::WatchForRegistration, this);
        connect(watcher, &QDBusServiceWatcher::serviceRegistered, this, &SystemTray::askForHost);
        bus.connect(kWatcher, kPath, kWatcher, QStringLiteral("StatusNotifierHostRegistered"), this, SLOT(askForHost()));
        m_patience.start();
        askForHost();
        return;
    }
#endif
    // No bus, or another system: there is nothing to wait for.
    m_patience.setInterval(0);
    m_patience.start();
}

void SystemTray::askForHost()
{
#ifdef OMNIROUTE_DBUS
    if (m_tray)
        return;
    QDBusMessage call =
        QDBusMessage::createMethodCall(kWatcher, kPath, QStringLiteral("org.freedesktop.DBus.Properties"), QStringLiteral("Get"));
    call.setArguments({kWatcher, QStringLiteral("IsStatusNotifierHostRegistered")});
    call.setAutoStartService(false);
    auto* answer = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(call, 3000), this);
    connect(answer, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* done) {
        const QDBusPendingReply<QDBusVariant> reply = *done;
        onHostAnswer(reply.isValid() && reply.value().variant().toBool());
        done->deleteLater();
    });
#endif
}

void SystemTray::onHostAnswer(bool registered)
{
    if (registered && !m_tray)
        makeIcon();
}

void SystemTray::makeIcon()
{
    m_patience.stop();
    m_tray = std::make_unique<QSystemTrayIcon>(m_icon);
    m_tray->setContextMenu(m_menu);
    m_tray->setToolTip(m_toolTip);
    connect(m_tray.get(), &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
        if (reason == QSystemTrayIcon::Trigger || reason == QSystemTrayIcon::DoubleClick)
            Q_EMIT activated();
    });
    connect(m_tray.get(), &QSystemTrayIcon::messageClicked, this, &TrayBackend::notificationClicked);
    m_tray->show();
    Q_EMIT appeared();
}

bool SystemTray::present() const
{
    // The icon stays when its panel goes; a window hidden then could not be found again.
    return m_tray && QSystemTrayIcon::isSystemTrayAvailable();
}

void SystemTray::setIcon(const QIcon& icon)
{
    m_icon = icon;
    if (m_tray)
        m_tray->setIcon(icon);
}

void SystemTray::setToolTip(const QString& text)
{
    m_toolTip = text;
    if (m_tray)
        m_tray->setToolTip(text);
}

void SystemTray::notify(const QString& title, const QString& text)
{
    if (m_tray)
        m_tray->showMessage(title, text, m_icon, 8'000);
}

}  // namespace omni
