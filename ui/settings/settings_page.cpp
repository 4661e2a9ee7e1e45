#include "ui/settings/settings_page.h"

#include "control/port_holder.h"
#include "secrets/secret_store.h"
#include "store/store.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
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

SettingsPage::SettingsPage(CoreLink& link, Autostart* autostart, QWidget* parent)
    : Page(parent), m_link(link), m_autostart(autostart), m_filter(new SearchField(this)), m_index(new QListWidget(this)),
      m_scroll(new QScrollArea(this)), m_cards(nullptr)
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
    buildClientKeys();
    buildUpstream();
    buildRouting();
    buildLog();
    buildResilience();
    buildSecrets();
    buildAppearance();
    auto* nothing = new EmptyState(QStringLiteral("search"), body);
    nothing->setTexts(tr("No setting has these words."), tr("Show all settings"));
    connect(nothing, &EmptyState::actionTriggered, m_filter, &QLineEdit::clear);
    m_nothing = nothing;
    m_nothing->hide();
    m_cards->addWidget(m_nothing);
    m_cards->addStretch();

    connect(m_filter, &QLineEdit::textChanged, this, &SettingsPage::filter);
    connect(m_index, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0 && !m_jumping)
            showObject(m_sections[static_cast<std::size_t>(row)].id);
    });
    connect(m_scroll->verticalScrollBar(), &QScrollBar::valueChanged, this, &SettingsPage::markSection);
    connect(&link, &CoreLink::configurationChanged, this, &SettingsPage::showSettings);
    showSettings();
    showAutostart();
    m_index->setCurrentRow(0);
}

SettingsPage::~SettingsPage() = default;

// ---- building blocks

SettingsPage::Section& SettingsPage::addSection(const QString& id, const QString& title)
{
    auto* card = new Card(title, this);
    card->setObjectName(QStringLiteral("section.") + id);
    card->body()->setSpacing(6);
    m_cards->addWidget(card);
    m_index->addItem(title);
    m_sections.push_back({id, card, nullptr});
    return m_sections.back();
}

void SettingsPage::addRow(Section& section, SettingRow* row)
{
    section.card->body()->addWidget(row);
    m_rows.emplace(row->field(), row);
    m_sectionOf.emplace(row, static_cast<std::size_t>(&section - m_sections.data()));
    connect(row, &SettingRow::committed, this, [this, row](const SettingValue& value) { send(row, value); });
}

NumberRow* SettingsPage::number(Section& section, std::string_view field, const QString& label, const QString& help, Unit unit)
{
    auto* row = new NumberRow(field, label, help, unit, this);
    addRow(section, row);
    return row;
}

void SettingsPage::toggle(Section& section, std::string_view field, const QString& label, const QString& help)
{
    addRow(section, new ToggleRow(field, label, help, this));
}

// ---- values

void SettingsPage::showSettings()
{
    if (!m_link.ready())
        return;
    const Settings& settings = m_link.configuration()->settings;
    const SettingsDocument now(settings);
    const SettingsDocument byDefault(defaultSettings());
    for (const auto& [field, row] : m_rows)
        row->showValue(now.value(field), byDefault.value(field));
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
    question->setInformativeText(tr("Every request in it is deleted, and this cannot be undone. Connections and settings stay."));
    QPushButton* clear = question->addButton(tr("Clear the log"), QMessageBox::DestructiveRole);
    QPushButton* cancel = question->addButton(tr("Cancel"), QMessageBox::RejectRole);
    clear->setObjectName(QStringLiteral("clearLogNow"));
    cancel->setObjectName(QStringLiteral("cancel"));
    question->setDefaultButton(cancel);
    question->setEscapeButton(cancel);
    connect(clear, &QPushButton::clicked, this, [this] {
        m_link.ask<bool>(
            this,
            [](Control& control, const Reply<bool>& reply) {
                control.store().clearRequests(&control, [reply](const Status& status) {
                    if (status)
                        reply(true);
                    else
                        reply(status.error());
                });
            },
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
    for (std::size_t i = 0; i < m_sections.size(); ++i) {
        if (m_sections[i].id != objectId)
            continue;
        m_filter->clear();
        // After the layout knows the cards' places, which on a new page is a turn later.
        Card* card = m_sections[i].card;
        QTimer::singleShot(0, card, [this, card, i] {
            m_jumping = true;
            m_scroll->verticalScrollBar()->setValue(card->y());
            m_index->setCurrentRow(static_cast<int>(i));
            m_jumping = false;
        });
    }
}

void SettingsPage::filter(const QString& words)
{
    std::vector<bool> any(m_sections.size(), false);
    for (const auto& [row, section] : m_sectionOf) {
        const bool wanted = row->matches(words) || m_sections[section].card->title().contains(words.trimmed(), Qt::CaseInsensitive);
        row->setVisible(wanted);
        any[section] = any[section] || wanted;
    }
    bool anything = false;
    for (std::size_t i = 0; i < m_sections.size(); ++i) {
        const Section& section = m_sections[i];
        const bool titled = words.trimmed().isEmpty() || section.card->title().contains(words.trimmed(), Qt::CaseInsensitive);
        if (section.extra)
            section.extra->setVisible(titled);
        const bool wanted = any[i] || titled;
        section.card->setVisible(wanted);
        m_index->item(static_cast<int>(i))->setHidden(!wanted);
        anything = anything || wanted;
    }
    m_nothing->setVisible(!anything);
}

void SettingsPage::markSection()
{
    // Before it is shown, every card lies at the top.
    if (m_jumping || !isVisible())
        return;
    const int top = m_scroll->verticalScrollBar()->value();
    int current = 0;
    for (std::size_t i = 0; i < m_sections.size(); ++i) {
        if (m_sections[i].card->isVisibleTo(this) && m_sections[i].card->y() <= top + 40)
            current = static_cast<int>(i);
    }
    m_jumping = true;
    m_index->setCurrentRow(current);
    m_jumping = false;
}

}  // namespace omni
