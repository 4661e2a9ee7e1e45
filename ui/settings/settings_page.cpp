#include "ui/settings/settings_page.h"

#include "control/port_holder.h"
#include "secrets/secret_store.h"
#include "store/store.h"
#include "ui/backups/backup_panel.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/settings/resilience_previews.h"
#include "ui/shell/autostart.h"
#include "ui/shell/shell_status.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/search_field.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace omni {

namespace {

constexpr int kIndexWidth = 176;
constexpr int kCardWidth = 900;

/// Who has a port, and which one is free instead.
struct TakenPort {
    std::optional<PortHolder> holder;
    int next = 0;
};

}  // namespace

SettingsPage::SettingsPage(CoreLink& link, Autostart* autostart, const std::string& databasePath, QWidget* parent)
    : Page(parent), m_link(link), m_autostart(autostart), m_filter(new SearchField(this)), m_index(new QListWidget(this)),
      m_scroll(new QScrollArea(this)), m_cards(nullptr), m_previews(new ResiliencePreviews(link, this))
{
    auto* title = new QLabel(tr("Settings"), this);
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.3);
    large.setWeight(QFont::DemiBold);
    title->setFont(large);
    auto* subtitle = new QuietLabel(tr("Changes take effect at once."), this);
    m_filter->setObjectName(QStringLiteral("settingsFilter"));
    m_filter->setPlaceholderText(tr("Find a setting"));
    m_filter->setAccessibleName(tr("Find a setting"));
    m_filter->setFixedWidth(240);
    auto* titles = new QVBoxLayout;
    titles->setSpacing(0);
    titles->addWidget(title);
    titles->addWidget(subtitle);
    auto* head = new QHBoxLayout;
    head->addLayout(titles, 1);
    head->addWidget(m_filter);

    m_index->setObjectName(QStringLiteral("settingsIndex"));
    m_index->setAccessibleName(tr("Sections"));
    m_index->setFixedWidth(kIndexWidth);
    m_index->setFrameShape(QFrame::NoFrame);
    m_index->setWordWrap(true);
    m_index->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_index->setStyleSheet(QStringLiteral("QListView { background: transparent; border: none; padding: 0; }"
                                          "QListView::item { padding: 7px 8px; border-radius: 6px; }"));

    auto* body = new QWidget(m_scroll);
    body->setProperty("pageBody", true);
    body->setMaximumWidth(kCardWidth);
    m_cards = new QVBoxLayout(body);
    m_cards->setContentsMargins(0, 0, 8, 0);
    m_cards->setSpacing(14);
    m_scroll->setObjectName(QStringLiteral("settingsScroll"));
    m_scroll->setWidget(body);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);

    auto* columns = new QHBoxLayout;
    columns->setSpacing(16);
    columns->addWidget(m_index);
    columns->addWidget(m_scroll, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(14);
    layout->addLayout(head);
    layout->addLayout(columns, 1);

    buildProxy();
    buildUpstream();
    buildRouting();
    buildLog();
    buildResilience();
    buildModelLockout();
    buildErrorRules();
    buildSecrets();
    buildBackups(databasePath);
    buildAppearance();
    auto* nothing = new EmptyState(QStringLiteral("search"), body);
    nothing->setTexts(tr("No setting has these words."), tr("Show all settings"));
    connect(nothing, &EmptyState::actionTriggered, m_filter, &QLineEdit::clear);
    m_nothing = nothing;
    m_nothing->hide();
    m_cards->addWidget(m_nothing);
    m_cards->addStretch();

    connect(m_filter, &QLineEdit::textChanged, this, &SettingsPage::filter);
    connect(m_index, &QListWidget::currentRowChanged, this, &SettingsPage::showGroup);
    connect(m_index, &QListWidget::itemClicked, this, [this] { m_filter->clear(); });
    connect(&link, &CoreLink::configurationChanged, this, &SettingsPage::showSettings);
    showSettings();
    showAutostart();
    m_index->setCurrentRow(0);
    showGroup(0);
}

SettingsPage::~SettingsPage() = default;

// ---- values

void SettingsPage::showSettings()
{
    if (!m_link.ready())
        return;
    const Settings& settings = m_link.configuration()->settings;
    const SettingsDocument now(settings);
    const SettingsDocument byDefault(defaultSettings());
    for (const auto& [field, row] : m_rows) {
        row->showValue(now.value(field), byDefault.value(field), settingOrigin(field, settings), environmentVariable(field));
        if (environmentWins(field))
            row->setBlocked(tr("The environment variable %1 decides this.").arg(toQString(environmentVariable(field))));
    }
    m_resetLockout->setEnabled(settings.resilience.modelLockout != defaultSettings().resilience.modelLockout);
    if (isVisible())
        m_previews->ask();
    m_rows.at("proxy.exposeToNetwork")->setBlocked(settings.proxy.requireApiKey ? QString() : tr("Possible once clients need a key."));
    m_rows.at("proxy.requireApiKey")
        ->setBlocked(settings.proxy.exposeToNetwork ? tr("Needed as long as the proxy is reachable from the network.") : QString());
}

void SettingsPage::send(SettingRow* row, const SettingValue& value)
{
    m_otherPort->hide();
    const std::int64_t* port = row->field() == "proxy.port" ? std::get_if<std::int64_t>(&value) : nullptr;
    m_link.ask<Settings>(
        row,
        [patch = settingPatch(row->field(), value)](Control& control, Reply<Settings> reply) {
            control.patchSettings(patch, std::move(reply));
        },
        [this, row, wantedPort = port ? static_cast<int>(*port) : 0](const Result<Settings>& result) {
            if (result)
                row->showSaved();
            else if (wantedPort > 0 && result.error().kind == ErrorKind::Conflict)
                tellTakenPort(row, wantedPort);
            else
                tellRefusal(row, result.error());
        });
}

void SettingsPage::tellRefusal(SettingRow* row, const Error& error)
{
    for (const omni::FieldError& detail : error.details) {
        if (detail.field == row->field()) {
            row->showError(coreText(detail.message));
            return;
        }
    }
    row->showError(errorText(error));
}

void SettingsPage::tellTakenPort(SettingRow* row, int port)
{
    const bool exposed = m_link.configuration()->settings.proxy.exposeToNetwork;
    m_link.ask<TakenPort>(
        row,
        [port, exposed](Control&, const Reply<TakenPort>& reply) {
            reply(TakenPort{findPortHolder(port), nextFreePort(port, exposed)});
        },
        [this, row, port](const Result<TakenPort>& result) {
            if (!result)
                return;
            const auto& holder = result->holder;
            row->showError(portTakenText(port, holder ? toQString(holder->name) : QString(), holder ? holder->pid : 0));
            const int next = result->next;
            m_otherPort->setText(tr("Use port %1").arg(next));
            m_otherPort->setVisible(next > 0);
            m_otherPort->disconnect(this);
            connect(m_otherPort, &QPushButton::clicked, this, [this, row, next] { send(row, std::int64_t{next}); });
        });
}

void SettingsPage::showAutostart()
{
    if (m_atLogin)
        m_atLogin->showValue(m_autostart->enabled(), false);
}

void SettingsPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    refresh();
}

void SettingsPage::refresh()
{
    showAutostart();
    askLogSize();
    askSecretStatus();
    m_backups->refresh();
    m_previews->ask();
}

void SettingsPage::askLogSize()
{
    m_link.ask<std::int64_t>(
        this, [](Control& control, const Reply<std::int64_t>& reply) { reply(control.store().statistics().fileBytes); },
        [this](const Result<std::int64_t>& bytes) {
            if (bytes)
                m_logSize->setText(tr("The database takes %1 now.").arg(QLocale().formattedDataSize(*bytes, 1, QLocale::DataSizeSIFormat)));
        });
}

void SettingsPage::askSecretStatus()
{
    m_link.ask<SecretStatus>(
        this, [](Control& control, const Reply<SecretStatus>& reply) { reply(control.secretStatus()); },
        [this](const Result<SecretStatus>& status) {
            if (!status)
                return;
            QString text;
            switch (status->protection) {
            case SecretProtection::SystemKeyStore:
                text = tr("Your keys are encrypted, and the system's key store holds the key to them.");
                break;
            case SecretProtection::KeyFile:
                text =
                    tr("Your keys are encrypted; the key to them is a file in the data folder that only you can read. Anyone who can read "
                       "your files can read them: no key store of the system could be used.");
                break;
            case SecretProtection::Passphrase:
                text = tr("Your keys are encrypted under the passphrase given at the start. It is stored nowhere.");
                break;
            case SecretProtection::Memory: text = tr("Your keys are kept in memory only and are gone when the program ends."); break;
            }
            if (status->locked)
                text =
                    tr("The keys cannot be read now: the key store is locked, or the key to them is missing. Connections that need one are "
                       "left out.");
            m_secrets->setText(text);
        });
}

void SettingsPage::askClearLog()
{
    auto* question = new QMessageBox(this);
    question->setObjectName(QStringLiteral("clearLogQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setIcon(QMessageBox::Warning);
    question->setWindowTitle(tr("Clear the request log?"));
    question->setText(tr("Clear the request log?"));
    question->setInformativeText(
        tr("Every request in it is deleted, and this cannot be undone. Connections, settings and the usage figures stay."));
    QPushButton* clear = question->addButton(tr("Clear the log"), QMessageBox::DestructiveRole);
    QPushButton* cancel = question->addButton(tr("Cancel"), QMessageBox::RejectRole);
    clear->setObjectName(QStringLiteral("clearLogNow"));
    cancel->setObjectName(QStringLiteral("cancel"));
    question->setDefaultButton(cancel);
    question->setEscapeButton(cancel);
    connect(clear, &QPushButton::clicked, this, [this] {
        m_link.ask<bool>(
            this,
            [](Control& control, const Reply<bool>& reply) { control.clearRequestLog(reply); },
            [this](const Result<bool>& done) {
                Q_EMIT messageRaised(done ? tr("The request log is empty now.") : errorText(done.error()), {});
                askLogSize();
            });
    });
    question->open();
}

// ---- finding one's way

QWidget* SettingsPage::filterField() const
{
    return m_filter;
}

void SettingsPage::showObject(const QString& objectId)
{
    const auto row = m_rows.find(toUtf8(objectId));
    for (std::size_t i = 0; i < m_sections.size(); ++i) {
        const bool holdsRow = row != m_rows.end() && m_sectionOf.at(row->second) == i;
        if (m_sections[i].id != objectId && !holdsRow)
            continue;
        m_filter->clear();
        m_index->setCurrentRow(m_sections[i].group);
        QWidget* target = holdsRow ? static_cast<QWidget*>(row->second) : m_sections[i].card;
        // After the layout knows the cards' places, which on a new page is a turn later.
        QTimer::singleShot(0, target, [this, target, holdsRow] {
            if (holdsRow)
                m_scroll->ensureWidgetVisible(target);
            else
                m_scroll->verticalScrollBar()->setValue(target->y());
        });
        return;
    }
}

void SettingsPage::showGroup(int group)
{
    if (group >= 0)
        m_group = group;
    filter(m_filter->text());
    if (m_filter->text().trimmed().isEmpty())
        m_scroll->verticalScrollBar()->setValue(0);
}

void SettingsPage::filter(const QString& text)
{
    const QString words = text.trimmed();
    std::vector<bool> any(m_sections.size(), false);
    const auto titled = [&](const Section& section) {
        return words.isEmpty() || section.card->title().contains(words, Qt::CaseInsensitive) ||
               m_index->item(section.group)->text().contains(words, Qt::CaseInsensitive);
    };
    for (const auto& [row, section] : m_sectionOf) {
        const bool wanted = row->matches(words) || titled(m_sections[section]);
        row->setVisible(wanted);
        any[section] = any[section] || wanted;
    }
    std::vector<bool> groups(static_cast<std::size_t>(m_index->count()), false);
    for (std::size_t i = 0; i < m_sections.size(); ++i) {
        const Section& section = m_sections[i];
        for (QWidget* extra : section.extras)
            extra->setVisible(titled(section));
        const bool found = any[i] || titled(section);
        // Without a search one group is shown, with one whatever was found anywhere.
        section.card->setVisible(found && (!words.isEmpty() || section.group == m_group));
        const auto group = static_cast<std::size_t>(section.group);
        groups[group] = groups[group] || found;
    }
    for (std::size_t i = 0; i < groups.size(); ++i)
        m_index->item(static_cast<int>(i))->setHidden(!groups[i]);
    m_nothing->setVisible(std::find(groups.begin(), groups.end(), true) == groups.end());
}

}  // namespace omni
