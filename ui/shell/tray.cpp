#include "ui/shell/tray.h"

#include "ui/models/display_text.h"
#include "ui/shell/app_icon.h"
#include "ui/shell/tray_backend.h"

#include <QEvent>

namespace omni {

Tray::Tray(CoreLink& link, TrayBackend& backend, Autostart* autostart, QObject* parent)
    : QObject(parent), m_link(link), m_backend(backend), m_menu(link, autostart)
{
    connect(&link, &CoreLink::listenerChanged, this, &Tray::refresh);
    connect(&link, &CoreLink::engineChanged, this, &Tray::refresh);
    connect(&link, &CoreLink::configurationChanged, this, &Tray::refresh);
    // The menu is a widget, so it is told of a new language; its own filter runs after this one and changes only its texts.
    m_menu.menu().installEventFilter(this);
    refresh();
}

void Tray::start()
{
    m_backend.start(&m_menu.menu());
}

ShellState Tray::state() const
{
    const bool trouble = m_link.ready() && !troublesOf(*m_link.configuration(), m_link.engine(), wallNow()).empty();
    return shellStateOf(m_link.listener(), trouble);
}

void Tray::refresh()
{
    const ShellState now = state();
    if (m_shown != now) {
        m_shown = now;
        m_backend.setIcon(trayIcon(now));
    }
    const QString toolTip = tr("OmniRoute: %1").arg(m_menu.stateLine());
    if (toolTip != m_toolTip) {
        m_toolTip = toolTip;
        m_backend.setToolTip(toolTip);
    }
}

bool Tray::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        QMetaObject::invokeMethod(this, &Tray::refresh, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

}  // namespace omni
