#include "ui/welcome/welcome_page.h"

#include "ui/clients/client_detail.h"
#include "ui/connections/test_box.h"
#include "ui/core_link.h"
#include "ui/help/demonstrator.h"
#include "ui/models/display_text.h"
#include "ui/models/request_text.h"
#include "ui/widgets/state_label.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace omni {

using namespace client_setup;

WelcomePage::WelcomePage(CoreLink& link, const std::string& journal, std::shared_ptr<WelcomeState> state, QWidget* parent)
    : Page(parent), m_link(link), m_state(std::move(state)), m_desk(Places::ofThisUser(), journal),
      m_demonstrator(new Demonstrator(link, this))
{
    setObjectName(QStringLiteral("welcome"));
    build();
    connect(&m_desk, &ClientDesk::surveyed, this, &WelcomePage::surveyed);
    // Hidden, it waits: each step looks anew when it is shown.
    const auto follow = [this] {
        if (m_detail->isVisible())
            m_detail->refresh();
    };
    connect(&link, &CoreLink::listenerChanged, this, follow);
    connect(&link, &CoreLink::configurationChanged, this, follow);
    connect(m_detail, &ClientDetail::messageRaised, this, &Page::messageRaised);
    connect(m_detail, &ClientDetail::openRequested, this, [this](const QString& page, const QString& object) {
        if (page == QLatin1String("connections") && object == QLatin1String("new"))
            openEditor({});
        else
            Q_EMIT openRequested(page, object);
    });
    connect(m_detail, &ClientDetail::surveyWanted, this, [this] { m_desk.survey(m_detail->target(), m_detail->folder()); });
    connect(&link, &CoreLink::requestsFinished, this, [this](const QList<RequestRecord>& records) {
        // What asks for an answer; a look at the list of models is not the sight that is promised.
        const auto found =
            std::find_if(records.begin(), records.end(), [](const RequestRecord& record) { return record.operation.has_value(); });
        if (found != records.end() && m_request.isEmpty())
            seen(*found);
    });
    connect(m_demonstrator, &Demonstrator::finished, this, [this](const QString& problem) {
        m_sendOne->setEnabled(true);
        if (!problem.isEmpty())
            Q_EMIT messageRaised(problem);
    });
    showStep(0);
}

void WelcomePage::showStep(int step)
{
    m_stack->setCurrentIndex(step);
    for (std::size_t i = 0; i < m_steps.size(); ++i)
        m_steps[i]->setChecked(static_cast<int>(i) == step);
    m_back->setEnabled(step > 0);
    m_next->setText(step + 1 < m_stack->count() ? tr("&Next") : tr("&Done"));
    if (step == 1) {
        m_detail->refresh();
        m_desk.survey(m_detail->target(), m_detail->folder());
    }
}

void WelcomePage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    showStep(m_stack->currentIndex());
}

void WelcomePage::openEditor(const ProviderId& provider)
{
    if (!m_link.ready())
        return;
    if (m_dialog) {
        m_dialog->raise();
        return;
    }
    m_dialog = new ConnectionDialog(m_link, std::nullopt, this);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &ConnectionDialog::saved, this, &WelcomePage::addAndTest);
    m_dialog->open();
    if (!provider.empty())
        m_dialog->chooseProvider(provider);
}

void WelcomePage::openKeyImport()
{
    if (!m_link.ready() || m_keyImport)
        return;
    m_keyImport =
        new KeyImportDialog(m_link, connection_import::Surroundings::ofThisUser(), KeyImportDialog::Testing::ByCaller, this);
    m_keyImport->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_keyImport, &KeyImportDialog::added, this, [this](const std::vector<Connection>& connections) {
        for (const Connection& connection : connections)
            addAndTest(connection);
    });
    m_keyImport->open();
}

void WelcomePage::addAndTest(const Connection& connection)
{
    auto* row = new QWidget(this);
    auto* name = new QLabel(targetText(m_link.configuration().get(), connection.provider, connection.name), row);
    name->setTextFormat(Qt::PlainText);
    auto* test = new TestBox(m_link, row);
    test->setObjectName(QStringLiteral("welcomeTest"));
    auto* layout = new QVBoxLayout(row);
    layout->setContentsMargins(0, 4, 0, 4);
    layout->setSpacing(4);
    layout->addWidget(name);
    layout->addWidget(test);
    m_added->addWidget(row);
    const auto run = [test, connection] {
        ConnectionDraft draft;
        draft.connection = connection;
        test->setReady(true);
        test->run(draft);
    };
    connect(test, &TestBox::wanted, this, run);
    run();
}

void WelcomePage::chooseClient()
{
    if (const Client* client = findClient(toUtf8(m_clients->currentData().toString())))
        m_detail->showClient(*client);
}

void WelcomePage::surveyed()
{
    // The first that is installed is the likeliest to be wanted.
    if (!m_clientChosen) {
        for (int i = 0; i < m_clients->count(); ++i) {
            if (m_desk.facts().value(m_clients->itemData(i).toString()).installed.empty())
                continue;
            m_clients->setCurrentIndex(i);
            break;
        }
        m_clientChosen = true;
    }
    m_detail->refresh();
}

void WelcomePage::seen(const RequestRecord& record)
{
    m_request = toQString(record.id.str());
    m_arrival->setState(record.outcome);
    m_story->setText(tr("It arrived: %1. %2").arg(modelText(record), storyOf(record, m_link.configuration().get())));
    m_showIt->show();
}

void WelcomePage::finish()
{
    m_state->dismiss();
    Q_EMIT openRequested(QStringLiteral("overview"), {});
}

}  // namespace omni
