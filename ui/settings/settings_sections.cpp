#include "ui/settings/settings_page.h"

#include "ui/core_link.h"
#include "ui/shell/autostart.h"
#include "ui/shell/languages.h"
#include "ui/widgets/card.h"
#include "ui/widgets/quiet_label.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace omni {

void SettingsPage::buildProxy()
{
    Section& section = addSection(QStringLiteral("proxy"));
    number(section, "proxy.port", tr("Port"), tr("Clients reach the proxy at http://127.0.0.1:port/v1."), Unit::Port);
    m_otherPort = new QPushButton(this);
    m_otherPort->setObjectName(QStringLiteral("useOtherPort"));
    m_otherPort->hide();
    section.card->body()->addWidget(m_otherPort, 0, Qt::AlignRight);
    toggle(section, "proxy.startWithProgram", tr("Serve as soon as OmniRoute starts"), tr("Off: the proxy waits until you press Start."));
    buildAutostart(section);
    toggle(section, "proxy.requireApiKey", tr("Clients need a key"),
           tr("Programs on this computer must send a client key. Off: any of them may use the proxy."));
    auto* keys = new QPushButton(tr("Client keys…"), this);
    keys->setObjectName(QStringLiteral("openApiKeys"));
    keys->setProperty("quiet", true);
    section.extras.push_back(keys);
    section.card->body()->addWidget(keys, 0, Qt::AlignRight);
    connect(keys, &QPushButton::clicked, this, [this] { Q_EMIT openRequested(QStringLiteral("api-keys"), {}); });
    toggle(section, "proxy.exposeToNetwork", tr("Reachable from the network"), tr("Other computers can use the proxy too."));
    addRow(section,
           new TextRow("proxy.allowedOrigins", tr("Web pages that may call the proxy"),
                       tr("Origins of browser apps, with commas between. Other web pages are refused."), TextRow::Kind::Origins, this));
    number(section, "proxy.maxBodyBytes", tr("Largest request"), tr("A longer one is refused with 413."), Unit::Mebibytes);
    number(section, "proxy.maxHeaderBytes", tr("Largest request head"), tr("A longer one is refused with 431."), Unit::Kibibytes);
    number(section, "proxy.maxConnections", tr("Clients at once"), tr("Network connections from clients, idle ones included."), Unit::None);
    number(section, "proxy.headerTimeoutMs", tr("Time for a request head"), tr("From its first byte to its end."), Unit::Seconds);
    number(section, "proxy.bodyTimeoutMs", tr("Pause within a request"), tr("Longest wait between two pieces of its body."), Unit::Seconds);
    number(section, "proxy.idleTimeoutMs", tr("Idle client connections"), tr("Closed after this time without a request."), Unit::Seconds);
}

void SettingsPage::buildAutostart(Section& section)
{
    if (!m_autostart)
        return;
    m_atLogin = new ToggleRow("autostart", tr("Start OmniRoute when I log in"), tr("It starts in the tray, without its window."), this);
    section.card->body()->addWidget(m_atLogin);
    m_sectionOf.emplace(m_atLogin, m_sections.size() - 1);
    connect(m_atLogin, &SettingRow::committed, this, [this](const SettingValue& value) {
        const bool* on = std::get_if<bool>(&value);
        const Status status = m_autostart->setEnabled(on && *on);
        showAutostart();
        if (status)
            m_atLogin->showSaved();
        else
            tellRefusal(m_atLogin, status.error());
    });
}

void SettingsPage::buildUpstream()
{
    Section& section = addSection(QStringLiteral("upstream"));
    number(section, "upstream.connectTimeoutMs", tr("Time to connect"), tr("Name look-up and encryption included."), Unit::Seconds);
    number(section, "upstream.firstByteTimeoutMs", tr("Time to the first byte"),
           tr("Then the next target is tried. Also for answers that are not streamed."), Unit::Seconds);
    number(section, "upstream.readinessTimeoutMs", tr("Time to the first word of a stream"), tr("Pings and empty frames do not count."),
           Unit::Seconds);
    number(section, "upstream.idleTimeoutMs", tr("Pause within an answer"), tr("Longest wait between two pieces of it."), Unit::Seconds);
    number(section, "upstream.attemptDeadlineMs", tr("Longest answer"), tr("One try at one target, from start to end."), Unit::Minutes);
    addRow(section, new TextRow("upstream.caBundle", tr("Additional certificates"),
                                tr("A PEM file trusted besides the system's authorities, for company networks that inspect traffic."),
                                TextRow::Kind::PemFile, this));
    toggle(section, "upstream.http2", tr("Use HTTP/2"),
           tr("HTTP/1.1 is steadier for streams; change this only where a provider needs it."));
}

void SettingsPage::buildRouting()
{
    Section& section = addSection(QStringLiteral("routing"));
    toggle(section, "routing.roundRobin", tr("Take turns"),
           tr("Connections of equal priority answer in turn. Off: the first one answers as long as it can."));
    toggle(section, "routing.failoverBeforeRetry", tr("Another target before a retry"),
           tr("A target that failed is tried again only when no other is left."));
    number(section, "routing.maxAttempts", tr("Targets tried for one request"), {}, Unit::None);
}

void SettingsPage::buildLog()
{
    Section& section = addSection(QStringLiteral("log"));
    number(section, "log.maxAgeDays", tr("Keep requests for"), tr("Older ones are deleted in the background."), Unit::Days);
    number(section, "log.maxRows", tr("Keep at most"), tr("Requests in the log."), Unit::None);
    number(section, "log.maxMegabytes", tr("Largest database"), tr("The oldest requests go first."), Unit::Megabytes);
    auto* line = new QWidget(this);
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 4, 0, 4);
    m_logSize = new QuietLabel(line);
    m_logSize->setObjectName(QStringLiteral("logSize"));
    auto* clear = new QPushButton(tr("Clear the log…"), line);
    clear->setObjectName(QStringLiteral("clearLog"));
    clear->setProperty("danger", true);
    layout->addWidget(m_logSize, 1);
    layout->addWidget(clear);
    addExtra(section, line);
    connect(clear, &QPushButton::clicked, this, &SettingsPage::askClearLog);
}

void SettingsPage::buildSecrets()
{
    Section& section = addSection(QStringLiteral("secrets"));
    m_secrets = new QLabel(this);
    m_secrets->setObjectName(QStringLiteral("secretStatus"));
    m_secrets->setWordWrap(true);
    addExtra(section, m_secrets);
}

void SettingsPage::buildAppearance()
{
    Section& section = addSection(QStringLiteral("appearance"));
    addRow(section, new ChoiceRow("appearance.theme", tr("Theme"), {},
                                  {{QStringLiteral("system"), tr("As the system")},
                                   {QStringLiteral("light"), tr("Light")},
                                   {QStringLiteral("dark"), tr("Dark")}},
                                  this));
    std::vector<ChoiceRow::Choice> languages{{QString(), tr("As the system")}};
    for (const Languages::Language& language : Languages::available())
        languages.push_back({language.code, language.name});
    addRow(section, new ChoiceRow("appearance.language", tr("Language"), {}, std::move(languages), this));
    addHeading(section, tr("Notifications of the desktop"));
    toggle(section, "appearance.notifyHolds", tr("When a connection goes out of service"),
           tr("When a connection needs you, or a provider is left out for longer. Rests of seconds are not told."));
    toggle(section, "appearance.notifyBreakers", tr("When a provider's breaker opens"),
           tr("Every connection of the provider is left out until a probe succeeds."));
    toggle(section, "appearance.notifyRecovery", tr("When it serves again"),
           tr("After it was out for longer. At most one notification in 30 seconds, whatever the kind."));
}

}  // namespace omni
