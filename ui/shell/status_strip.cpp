#include "ui/shell/status_strip.h"

#include "ui/models/display_text.h"
#include "ui/shell/shell_status.h"
#include "ui/shell/troubles_line.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/state_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace omni {

namespace {

/// The rate shown is the mean of so many seconds: one alone would jump about.
constexpr std::size_t kRateSeconds = 5;

}  // namespace

StatusStrip::StatusStrip(CoreLink& link, QWidget* parent)
    : QWidget(parent), m_link(link), m_state(new StateLabel(this)), m_address(new QLabel(this)), m_rate(new QuietLabel(this)),
      m_troubles(new TroublesLine(this)), m_failure(new ElidedLabel(this)), m_otherPort(new QPushButton(this)),
      m_toggle(new QPushButton(this)), m_copy(new QPushButton(this)), m_more(new QToolButton(this)), m_menu(new QMenu(this))
{
    setObjectName(QStringLiteral("statusStrip"));
    m_state->setObjectName(QStringLiteral("serviceState"));
    m_state->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_address->setObjectName(QStringLiteral("serviceAddress"));
    m_address->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_address->setFont(tabularFont(font()));
    m_rate->setObjectName(QStringLiteral("requestRate"));
    m_rate->setFont(tabularFont(font()));
    m_troubles->setObjectName(QStringLiteral("troubles"));
    m_troubles->hide();
    m_failure->setObjectName(QStringLiteral("serviceFailure"));
    m_otherPort->setObjectName(QStringLiteral("otherPort"));
    m_toggle->setObjectName(QStringLiteral("toggleProxy"));
    m_copy->setObjectName(QStringLiteral("copyBaseUrl"));
    m_more->setObjectName(QStringLiteral("moreMenu"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(m_menu);
    m_more->setIconSize(QSize(18, 18));
    m_more->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 5, 16, 6);
    layout->setSpacing(18);
    layout->addWidget(m_state);
    layout->addWidget(m_address);
    layout->addWidget(m_rate);
    layout->addWidget(m_troubles, 1);
    layout->addWidget(m_failure, 1);
    layout->addStretch(0);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(10);
    for (QWidget* button : {static_cast<QWidget*>(m_otherPort), static_cast<QWidget*>(m_toggle), static_cast<QWidget*>(m_copy),
                            static_cast<QWidget*>(m_more)})
        buttons->addWidget(button);
    layout->addLayout(buttons);

    connect(&link, &CoreLink::listenerChanged, this, &StatusStrip::refreshListener);
    connect(&link, &CoreLink::engineChanged, this, &StatusStrip::refreshTroubles);
    connect(&link, &CoreLink::configurationChanged, this, &StatusStrip::refreshTroubles);
    connect(&link, &CoreLink::trafficTicked, this, &StatusStrip::refreshTraffic);
    connect(m_toggle, &QPushButton::clicked, this, [this] { toggleProxy(m_link); });
    connect(m_copy, &QPushButton::clicked, this, [this] { Q_EMIT baseUrlCopied(omni::copyBaseUrl(m_link)); });
    connect(m_otherPort, &QPushButton::clicked, this, [this] { changePort(m_link, m_link.listener().suggestedPort); });
    connect(m_troubles, &TroublesLine::clicked, this, &StatusStrip::troublesClicked);
    connect(m_troubles, &TroublesLine::lapsed, this, &StatusStrip::refreshTroubles);
    retranslate();
}

void StatusStrip::retranslate()
{
    m_copy->setText(tr("Copy base URL"));
    m_more->setIcon(themedIcon(QStringLiteral("more"), palette()));
    m_more->setAccessibleName(tr("Menu"));
    m_more->setToolTip(tr("Menu"));
    refreshListener();
    refreshTraffic();
}

void StatusStrip::refreshListener()
{
    const ListenerState& listener = m_link.listener();
    const ShellState state = shellStateOf(listener, false);
    const bool serving = listener.phase == ListenerPhase::Serving;
    const bool failed = listener.phase == ListenerPhase::Failed;
    m_state->setLook([state](const Colours& colours) { return lookOf(state, colours); });
    m_address->setText(addressText(listener));
    m_address->setVisible(serving);
    m_rate->setVisible(serving);
    m_copy->setEnabled(listener.port > 0);
    m_copy->setToolTip(listener.port > 0 ? toQString(listener.baseUrl()) : QString());
    m_toggle->setText(serving || listener.phase == ListenerPhase::Starting ? tr("Stop") : failed ? tr("Try again") : tr("Start"));
    m_toggle->setAccessibleName(serving ? tr("Stop the proxy") : tr("Start the proxy"));
    m_failure->setVisible(failed);
    m_failure->setText(failed ? failureText(listener) : QString());
    m_otherPort->setVisible(failed && listener.suggestedPort > 0);
    m_otherPort->setText(tr("Use port %1").arg(listener.suggestedPort));
    refreshTroubles();
}

void StatusStrip::refreshTroubles()
{
    std::vector<Trouble> troubles;
    if (m_link.ready() && m_link.listener().phase != ListenerPhase::Failed)
        troubles = troublesOf(*m_link.configuration(), m_link.engine(), wallNow());
    m_troubles->setTroubles(std::move(troubles));
}

void StatusStrip::refreshTraffic()
{
    const auto& traffic = m_link.traffic();
    const std::size_t seconds = std::min(kRateSeconds, traffic.size());
    double sum = 0;
    for (std::size_t i = traffic.size() - seconds; i < traffic.size(); ++i)
        sum += traffic[i].requests;
    const double rate = seconds > 0 ? sum / static_cast<double>(seconds) : 0.0;
    const QString text = tr("%1 requests/s").arg(compactNumber(rate));
    if (text != m_rate->text())
        m_rate->setText(text);
}

void StatusStrip::paintEvent(QPaintEvent*)
{
    const Colours& colours = coloursFor(palette());
    QPainter painter(this);
    painter.fillRect(rect(), colours.surface);
    painter.fillRect(QRect(0, height() - 1, width(), 1), colours.border);
}

void StatusStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
}

}  // namespace omni
