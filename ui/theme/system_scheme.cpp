#include "ui/theme/system_scheme.h"

#ifdef OMNIROUTE_DBUS
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#endif

namespace omni {

namespace {

#ifdef OMNIROUTE_DBUS
const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kGroup = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme");

/// `Read` wraps its answer in a variant once more than `SettingChanged` does.
QVariant unwrapped(QVariant value)
{
    while (value.userType() == qMetaTypeId<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value;
}
#endif

constexpr uint kPrefersDark = 1;
constexpr uint kPrefersLight = 2;

}  // namespace

SystemScheme::SystemScheme(const QPalette& startPalette, QObject* parent)
    : QObject(parent), m_paletteDark(startPalette.color(QPalette::Window).lightness() < 128), m_dark(m_paletteDark)
{
#ifdef OMNIROUTE_DBUS
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                SLOT(onSettingChanged(QString, QString, QDBusVariant)));
    QDBusMessage call = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    call.setArguments({kGroup, kKey});
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call, 3000), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* done) {
        const QDBusPendingReply<QDBusVariant> reply = *done;
        if (reply.isValid())
            setPortalValue(unwrapped(QVariant::fromValue(reply.value())).toUInt());
        done->deleteLater();
    });
#endif
}

#ifdef OMNIROUTE_DBUS
void SystemScheme::onSettingChanged(const QString& group, const QString& key, const QDBusVariant& value)
{
    if (group == kGroup && key == kKey)
        setPortalValue(unwrapped(QVariant::fromValue(value)).toUInt());
}
#endif

void SystemScheme::setPortalValue(uint value)
{
    const bool dark = value == kPrefersDark || (value != kPrefersLight && m_paletteDark);
    if (dark == m_dark)
        return;
    m_dark = dark;
    Q_EMIT changed();
}

}  // namespace omni
