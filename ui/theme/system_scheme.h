#pragma once

#include <QObject>
#include <QPalette>

class QDBusVariant;

namespace omni {

/// Whether the desktop asks for dark windows. Linux: the desktop portal's "color-scheme", live; without a portal, and elsewhere, the
/// palette the platform gave the program at its start.
class SystemScheme final : public QObject {
    Q_OBJECT

public:
    /// `startPalette` must be the platform's own, taken before any other was set. Asks the portal without waiting for it.
    explicit SystemScheme(const QPalette& startPalette, QObject* parent = nullptr);
    bool dark() const { return m_dark; }

Q_SIGNALS:
    void changed();

private Q_SLOTS:
#ifdef OMNIROUTE_DBUS
    void onSettingChanged(const QString& group, const QString& key, const QDBusVariant& value);
#endif

private:
    void setPortalValue(uint value);

    bool m_paletteDark = false;
    bool m_dark = false;
};

}  // namespace omni
