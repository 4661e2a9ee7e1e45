#include "ui/shell/tray_menu.h"

#include "ui/models/display_text.h"
#include "ui/shell/autostart.h"
#include "ui/shell/shell_status.h"

#include <QAction>
#include <QEvent>
#include <QSignalBlocker>

namespace omni {

namespace {

/// A menu of more could not be read; the window has them all.
constexpr std::size_t kMostHolds = 30;

/// "&" in a menu's text marks a key; a name's own must be doubled.
QString menuText(QString text)
{
    return text.replace(QLatin1Char('&'), QLatin1String("&&"));
}

}  // namespace

TrayMenu::TrayMenu(CoreLink& link, Autostart* autostart, QObject* parent)
    : QObject(parent), m_link(link), m_autostart(autostart), m_out(nullptr), m_state(m_menu.addAction(QString())),
      m_otherPort(m_menu.addAction(QString())), m_toggle(nullptr), m_open(nullptr), m_copy(nullptr), m_quit(nullptr)
{
    m_menu.addSeparator();
    m_toggle = m_menu.addAction(QString(), this, [this] { toggleProxy(m_link); });
    m_open = m_menu.addAction(QString(), this, &TrayMenu::openRequested);
    m_copy = m_menu.addAction(QString(), this, [this] { copyBaseUrl(m_link); });
    m_out = m_menu.addMenu(QString());
    m_menu.addSeparator();
    if (m_autostart) {
        m_atLogin = m_menu.addAction(QString());
        m_atLogin->setCheckable(true);
        connect(m_atLogin, &QAction::toggled, this, &TrayMenu::toggleAutostart);
    }
    m_quit = m_menu.addAction(QString(), this, &TrayMenu::quitRequested);
    m_state->setEnabled(false);
    connect(m_otherPort, &QAction::triggered, this, [this] { changePort(m_link, m_link.listener().suggestedPort); });

    m_menu.setObjectName(QStringLiteral("trayMenu"));
    m_state->setObjectName(QStringLiteral("tray.state"));
    m_otherPort->setObjectName(QStringLiteral("tray.otherPort"));
    m_toggle->setObjectName(QStringLiteral("tray.toggle"));
    m_open->setObjectName(QStringLiteral("tray.open"));
    m_copy->setObjectName(QStringLiteral("tray.copy"));
    m_out->setObjectName(QStringLiteral("tray.outOfService"));
    m_quit->setObjectName(QStringLiteral("tray.quit"));
    if (m_atLogin)
        m_atLogin->setObjectName(QStringLiteral("tray.atLogin"));

    m_menu.installEventFilter(this);
    connect(&m_menu, &QMenu::aboutToShow, this, &TrayMenu::refresh);
    connect(&link, &CoreLink::listenerChanged, this, &TrayMenu::refresh);
    connect(&link, &CoreLink::engineChanged, this, &TrayMenu::refresh);
    connect(&link, &CoreLink::configurationChanged, this, &TrayMenu::refresh);
    retranslate();
}

void TrayMenu::retranslate()
{
    m_open->setText(tr("Open OmniRoute"));
    m_copy->setText(tr("Copy base URL"));
    m_quit->setText(tr("Quit"));
    if (m_atLogin)
        m_atLogin->setText(tr("Start at login"));
    m_holdsFilled = false;
    refresh();
}

bool TrayMenu::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &m_menu && event->type() == QEvent::LanguageChange)
        retranslate();
    return QObject::eventFilter(watched, event);
}

QString TrayMenu::stateLine() const
{
    const ListenerState& listener = m_link.listener();
    switch (listener.phase) {
    case ListenerPhase::Stopped: return tr("Stopped");
    case ListenerPhase::Starting: return tr("Starting");
    case ListenerPhase::Failed: return failureText(listener);
    case ListenerPhase::Serving: break;
    }
    const QString serving = tr("Serving on %1").arg(addressText(listener));
    return m_holds.total == 0 ? serving : tr("%1, %Ln out of service", nullptr, static_cast<int>(m_holds.total)).arg(serving);
}

void TrayMenu::refresh()
{
    refreshHolds();
    const ListenerState& listener = m_link.listener();
    const bool running = listener.phase == ListenerPhase::Serving || listener.phase == ListenerPhase::Starting;
    const bool failed = listener.phase == ListenerPhase::Failed;
    m_state->setText(menuText(stateLine()));
    m_otherPort->setVisible(failed && listener.suggestedPort > 0);
    m_otherPort->setText(tr("Use port %1").arg(listener.suggestedPort));
    m_toggle->setText(running ? tr("Stop the proxy") : failed ? tr("Try again") : tr("Start the proxy"));
    m_copy->setEnabled(listener.port > 0);
    if (m_atLogin) {
        const QSignalBlocker quiet(m_atLogin);
        m_atLogin->setChecked(m_autostart->enabled());
    }
}

void TrayMenu::refreshHolds()
{
    HoldList holds;
    if (m_link.ready())
        holds = listHolds(*m_link.configuration(), m_link.engine(), wallNow(), kMostHolds, HoldFilter::All, false);
    if (m_holdsFilled && holds == m_holds)
        return;
    m_holdsFilled = true;
    m_holds = std::move(holds);
    // Submenus belong to themselves, not to the actions that `clear` deletes; one of them may be open right now.
    for (QMenu* old : m_out->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly))
        old->deleteLater();
    m_out->clear();
    m_out->setTitle(m_holds.total == 0 ? tr("Nothing is out of service")
                                       : tr("Out of service (%Ln)", nullptr, static_cast<int>(m_holds.total)));
    m_out->menuAction()->setEnabled(m_holds.total > 0);
    for (const HoldItem& hold : m_holds.first)
        addHold(hold);
    if (m_holds.total > m_holds.first.size()) {
        const auto more = static_cast<int>(m_holds.total - m_holds.first.size());
        m_out->addAction(tr("%Ln more in the window", nullptr, more), this,
                 [this] { Q_EMIT openPageRequested(QStringLiteral("overview"), QString()); })
            ->setObjectName(QStringLiteral("tray.more"));
    }
    if (m_holds.clearable > 0) {
        m_out->addSeparator();
        m_out->addAction(tr("Clear all"), this, [this] { clearAllHolds(m_link); })->setObjectName(QStringLiteral("tray.clearAll"));
    }
}

void TrayMenu::addHold(const HoldItem& hold)
{
    const QString word = lookOf(hold.reason, Colours{}).word;
    const QString title = hold.until ? tr("%1: %2 until %3", "who, state, time").arg(hold.title, word, timeText(*hold.until))
                                     : tr("%1: %2", "who, state").arg(hold.title, word);
    QMenu* one = m_out->addMenu(menuText(title));
    one->addAction(menuText(hold.explanation))->setEnabled(false);
    if (hold.clearable()) {
        one->addAction(tr("Clear now"), this, [this, hold] { clearHold(m_link, hold); })->setObjectName(QStringLiteral("tray.clear"));
    } else {
        const QString id = toQString(hold.connection.str());
        one->addAction(tr("Show the connection"), this, [this, id] { Q_EMIT openPageRequested(QStringLiteral("connections"), id); })
            ->setObjectName(QStringLiteral("tray.show"));
    }
}

void TrayMenu::toggleAutostart(bool on)
{
    if (const Status status = m_autostart->setEnabled(on); !status)
        Q_EMIT failed(errorText(status.error()));
    refresh();
}

}  // namespace omni
