#include "ui/clients/client_detail.h"

#include "ui/clients/client_text.h"
#include "ui/clients/diff_view.h"
#include "ui/clients/snippet_box.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/field_error_label.h"
#include "ui/widgets/state_label.h"

#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace omni {

using namespace client_setup;

namespace {

constexpr std::size_t kMostNames = 6;

/// Any text does while no key is asked for.
constexpr const char* kNoKey = "local";
constexpr const char* kKeyToCome = "YOUR-CLIENT-KEY";

}  // namespace

ClientDetail::ClientDetail(CoreLink& link, ClientDesk& desk, QWidget* parent) : QWidget(parent), m_link(link), m_desk(desk)
{
    build();
}

void ClientDetail::showClient(const Client& client)
{
    if (m_client == &client)
        return;
    m_client = &client;
    m_files.clear();
    m_refusal.clear();
    {
        // A key is made for one client, and a project belongs to one.
        const QSignalBlocker quiet(m_key);
        m_key->clear();
    }
    m_folder.clear();
    m_about->setTitle(toQString(client.name));
    m_setup->setTitle(client.ownFile ? tr("Set up for me") : tr("Set up a project for me"));
    m_remark->setText(remarkOn(client));
    m_remark->setVisible(!m_remark->text().isEmpty());
    m_setup->setVisible(client.settable());
    m_byHand->setVisible(client.settable());
    m_choices->setVisible(client.settable());
    m_servedRow->setVisible(client.settable());
    m_folderRow->setVisible(!client.ownFile);
    m_diff->hide();
    refresh();
}

Target ClientDetail::target() const
{
    const ListenerState& listener = m_link.listener();
    const ProxySettings& proxy = m_link.configuration()->settings.proxy;
    Target target;
    target.root = "http://" + listener.address + ":" + std::to_string(listener.port > 0 ? listener.port : proxy.port);
    target.keyNeeded = proxy.requireApiKey;
    const std::string typed = toUtf8(m_key->text().trimmed());
    target.key = !target.keyNeeded ? kNoKey : typed.empty() ? kKeyToCome : typed;
    if (m_client && m_client->model != ModelChoice::None) {
        // The first entry of an optional choice stands for none.
        const bool own = m_client->model == ModelChoice::Optional && m_model->currentText() == m_model->itemText(0);
        target.model = own ? std::string() : toUtf8(m_model->currentText().trimmed());
    }
    return target;
}

void ClientDetail::refresh()
{
    if (!m_client || !m_link.ready())
        return;
    fillModels();
    fillServed();
    fillState();
    m_keyRow->setVisible(m_link.configuration()->settings.proxy.requireApiKey);
    planSoon();
}

void ClientDetail::fillModels()
{
    const bool asked = m_client->settable() && m_client->model != ModelChoice::None;
    m_model->setVisible(asked);
    m_modelLabel->setVisible(asked);
    if (!asked)
        return;
    QStringList names;
    if (m_client->model == ModelChoice::Optional)
        names << tr("As the client chooses");
    for (const std::string& name : modelsFor(*m_link.configuration(), *m_client->operation))
        names << toQString(name);
    const QString before = m_model->property("client").toString() == toQString(m_client->id) ? m_model->currentText() : QString();
    const QSignalBlocker quiet(m_model);
    QStringList present;
    for (int i = 0; i < m_model->count(); ++i)
        present << m_model->itemText(i);
    if (present != names) {
        m_model->clear();
        m_model->addItems(names);
    }
    m_model->setProperty("client", toQString(m_client->id));
    if (!before.isEmpty())
        m_model->setEditText(before);
    else if (m_client->model == ModelChoice::Optional && !servedForReal() && names.size() > 1)
        m_model->setCurrentIndex(1);  // the sandbox knows none of the client's own
    else
        m_model->setCurrentIndex(names.isEmpty() ? -1 : 0);
}

bool ClientDetail::servedForReal() const
{
    const Configuration& configuration = *m_link.configuration();
    const auto connections = connectionsFor(configuration, *m_client->operation);
    return std::any_of(connections.begin(), connections.end(), [&configuration](const Connection* connection) {
        return configuration.provider(connection->provider)->category != ProviderCategory::Sandbox;
    });
}

void ClientDetail::fillServed()
{
    if (!m_client->settable()) {
        m_speech->setText(missingFor(*m_client));
        return;
    }
    m_speech->setText(tr("Speaks %1.").arg(speechOf(*m_client->operation)));
    const auto connections = connectionsFor(*m_link.configuration(), *m_client->operation);
    QStringList names;
    for (const Connection* connection : connections)
        names << targetText(m_link.configuration().get(), connection->provider, connection->name);
    names.removeDuplicates();
    const auto more = names.size() - static_cast<qsizetype>(kMostNames);
    if (more > 0)
        names = names.mid(0, static_cast<qsizetype>(kMostNames)) << tr("%Ln more", nullptr, static_cast<int>(more));
    const bool real = servedForReal();
    m_addConnection->setVisible(!real);
    m_servedShape->setState(real ? BreakerState::Closed : BreakerState::Degraded);
    if (connections.empty())
        m_served->setText(tr("None of your connections speaks this, so its requests would be refused. Add one that does."));
    else if (!real)
        m_served->setText(tr("Only the sandbox answers this now: fine for trying out, but no model is behind it."));
    else
        m_served->setText(tr("Answered by %1.").arg(names.join(QStringLiteral(", "))));
}

void ClientDetail::fillState()
{
    const ClientFacts facts = m_desk.facts().value(toQString(m_client->id));
    m_state->setLook([client = m_client, facts](const Colours& colours) { return standingLook(*client, facts, colours); });
    m_state->setVisible(m_client->ownFile || !m_folder.empty());
    QStringList lines;
    if (!m_client->executable.empty() || !m_client->extension.empty())
        lines << (facts.installed.empty() ? tr("Not found on this machine.") : tr("Found at %1.").arg(toQString(facts.installed)));
    if (facts.standing.kind == Standing::Kind::Elsewhere)
        lines << tr("Its file leads to %1.").arg(toQString(facts.standing.detail));
    m_where->setText(lines.join(QLatin1Char(' ')));
    m_where->setVisible(!lines.isEmpty());
    const auto& last = facts.lastChange;
    m_undo->setVisible(last.has_value());
    m_written->setText(last ? tr("Written %1.", "when, such as: 3 minutes ago").arg(agoText(last->at, wallNow())) : QString());
    if (last) {
        QStringList copies;
        for (const WrittenFile& file : last->files)
            copies << (file.backup.empty() ? tr("%1 was new.").arg(toQString(file.path))
                                           : tr("What was there before: %1").arg(toQString(file.backup)));
        m_written->setToolTip(copies.join(QLatin1Char('\n')));
    }
    m_folderLabel->setText(m_folder.empty() ? tr("Which project? Its .env file is changed, or made.") : toQString(m_folder + "/.env"));
}

void ClientDetail::planSoon()
{
    if (!m_client)
        return;
    fillSnippets();
    refreshButtons();
    m_soon.start();
}

QString ClientDetail::obstacle() const
{
    if (!m_client->ownFile && m_folder.empty())
        return tr("Choose the folder of the project first.");
    const Target now = target();
    if (now.keyNeeded && now.key == kKeyToCome)
        return tr("Clients need a key (Settings → Proxy). Make one for this client, or paste one you have.");
    if (m_client->model == ModelChoice::Needed && now.model.empty())
        return tr("Choose the model it should ask for.");
    return {};
}

void ClientDetail::plan()
{
    const int asked = ++m_asked;
    if (!m_client || !m_client->settable() || !m_link.ready() || !obstacle().isEmpty()) {
        showPlan(ClientDesk::Files());
        return;
    }
    m_desk.plan(*m_client, target(), m_folder,
                [this, guard = QPointer<ClientDetail>(this), asked](const Result<ClientDesk::Files>& planned) {
                    if (guard && asked == m_asked)
                        showPlan(planned);
                });
}

void ClientDetail::showPlan(const Result<ClientDesk::Files>& planned)
{
    m_refusal = planned ? QString() : errorText(planned.error());
    m_files = planned.valueOr({});
    const Target now = target();
    m_diff->setFiles(m_files, now.keyNeeded && m_link.ready() ? now.key : std::string());
    refreshButtons();
}

void ClientDetail::refreshButtons()
{
    const QString missing = m_client->settable() ? obstacle() : QString();
    const bool changes = std::any_of(m_files.begin(), m_files.end(), [](const PlannedFile& file) { return file.changes(); });
    const bool stopped = m_link.listener().phase != ListenerPhase::Serving;
    m_diff->setVisible(changes && missing.isEmpty());
    m_apply->setEnabled(changes && missing.isEmpty() && !m_busy && !m_soon.isActive());
    m_undo->setEnabled(!m_busy);
    m_note->setForegroundRole(m_refusal.isEmpty() ? QPalette::WindowText : QPalette::BrightText);
    if (!m_refusal.isEmpty())
        m_note->setText(m_refusal);
    else if (!missing.isEmpty())
        m_note->setText(missing);
    else if (m_files.empty())
        m_note->setText(tr("Looking at its file…"));
    else if (!changes)
        m_note->setText(tr("Its file says all of this already. There is nothing to write."));
    else
        m_note->setText(tr("This is all that would change. A copy of what is there is kept beside it.") +
                        (stopped ? QLatin1Char(' ') + tr("The proxy is stopped now.") : QString()));
}

void ClientDetail::fillSnippets()
{
    const std::vector<Snippet> snippets = snippetsFor(*m_client, target(), m_desk.places());
    for (std::size_t i = 0; i < m_snippets.size(); ++i) {
        SnippetBox* box = m_snippets[i];
        box->setVisible(i < snippets.size());
        if (i < snippets.size())
            box->setSnippet(snippets[i].place.empty() ? tr("In a shell") : toQString(snippets[i].place), toQString(snippets[i].text));
    }
}

void ClientDetail::apply()
{
    if (m_busy || m_files.empty())
        return;
    m_busy = true;
    refreshButtons();
    const Client& client = *m_client;
    m_desk.apply(client, m_files, [this, guard = QPointer<ClientDetail>(this), &client](const Status& done) {
        if (!guard)
            return;
        m_busy = false;
        if (!done)
            Q_EMIT messageRaised(errorText(done.error()));
        else
            Q_EMIT messageRaised(tr("%1 is set up. %2").arg(toQString(client.name), afterSetUp(client)), [guard, &client] {
                if (guard)
                    guard->takeBack(client);
            });
        Q_EMIT surveyWanted();
        planSoon();
    });
}

void ClientDetail::takeBack(const Client& client)
{
    if (m_busy)
        return;
    m_busy = true;
    refreshButtons();
    m_desk.undo(client, [this, guard = QPointer<ClientDetail>(this), &client](const Status& done) {
        if (!guard)
            return;
        m_busy = false;
        Q_EMIT messageRaised(done ? tr("The settings of %1 are what they were before.").arg(toQString(client.name))
                                  : errorText(done.error()));
        Q_EMIT surveyWanted();
        planSoon();
    });
}

void ClientDetail::createKey()
{
    ApiKey key;
    key.name = m_client->name;
    const auto& existing = m_link.configuration()->apiKeys;
    const auto taken = [&existing](const std::string& name) {
        return std::any_of(existing.begin(), existing.end(), [&name](const ApiKey& one) { return one.name == name; });
    };
    for (int n = 2; taken(key.name); ++n)
        key.name = m_client->name + " " + std::to_string(n);
    m_createKey->setEnabled(false);
    m_link.ask<CreatedApiKey>(
        this, [key](Control& control, Reply<CreatedApiKey> reply) { control.createApiKey(key, std::move(reply)); },
        [this](const Result<CreatedApiKey>& made) {
            m_createKey->setEnabled(true);
            m_keyError->setError(made ? QString() : errorText(made.error()));
            if (!made)
                return;
            m_key->setText(toQString(made->key));
            Q_EMIT messageRaised(tr("Made the client key “%1”. It is kept nowhere else: write it, or copy it, before you leave.")
                                     .arg(toQString(made->record.name)));
        });
}

void ClientDetail::chooseFolder()
{
    auto* dialog =
        new QFileDialog(this, tr("The project's folder"), m_folder.empty() ? toQString(m_desk.places().home) : toQString(m_folder));
    dialog->setObjectName(QStringLiteral("clientFolderDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        m_folder = toUtf8(folder);
        fillState();
        Q_EMIT surveyWanted();
        planSoon();
    });
    dialog->open();
}

void ClientDetail::copySnippets()
{
    QStringList all;
    for (const SnippetBox* box : m_snippets) {
        if (box->isVisibleTo(m_byHand))
            all << box->text();
    }
    if (all.isEmpty())
        return;
    QGuiApplication::clipboard()->setText(all.first() + QLatin1Char('\n'));
    Q_EMIT messageRaised(tr("Copied the lines for %1.").arg(toQString(m_client->name)));
}

void ClientDetail::openFolder()
{
    const std::vector<FileEdit> edits = editsFor(*m_client, target(), m_desk.places(), m_folder);
    const QString folder = edits.empty() ? QString() : QFileInfo(toQString(edits.front().path)).absolutePath();
    if (folder.isEmpty() || !QFileInfo::exists(folder))
        Q_EMIT messageRaised(tr("%1 has no folder of settings here yet.").arg(toQString(m_client->name)));
    else
        QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
}

}  // namespace omni
