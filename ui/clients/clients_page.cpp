#include "ui/clients/clients_page.h"

#include "ui/clients/client_detail.h"
#include "ui/clients/client_list.h"
#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/models/page_head.h"
#include "ui/widgets/search_field.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>

namespace omni {

using namespace client_setup;

ClientsPage::ClientsPage(CoreLink& link, const std::string& journal, const Places& places, QWidget* parent)
    : Page(parent), m_link(link), m_desk(places, journal), m_head(new PageHead(this)), m_search(new SearchField(this)),
      m_list(new ClientList(this)), m_detail(new ClientDetail(link, m_desk))
{
    setObjectName(QStringLiteral("clients"));
    m_head->setTitle(tr("Clients"));
    m_search->setObjectName(QStringLiteral("clientSearch"));
    m_search->setPlaceholderText(tr("Find a client"));
    m_search->setAccessibleName(tr("Find a client"));
    m_list->setObjectName(QStringLiteral("clientList"));
    m_list->setAccessibleName(tr("Clients"));

    auto* body = new QWidget;
    body->setProperty("pageBody", true);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 8, 16);
    column->addWidget(m_detail);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("clientScroll"));
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(body);

    auto* side = new QVBoxLayout;
    side->setSpacing(8);
    side->addWidget(m_search);
    side->addWidget(m_list, 1);
    side->addSpacing(16);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(16);
    middle->addLayout(side);
    middle->addWidget(scroll, 1);
    const int width = fontMetrics().averageCharWidth() * 30;
    m_search->setFixedWidth(width);
    m_list->setFixedWidth(width);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 12, 0);
    layout->setSpacing(16);
    layout->addWidget(m_head);
    layout->addLayout(middle, 1);

    connect(m_search, &QLineEdit::textChanged, m_list, &ClientList::filter);
    connect(m_list, &ClientList::chosen, this, [this, scroll](const QString& id) {
        if (const Client* client = findClient(toUtf8(id))) {
            m_detail->showClient(*client);
            scroll->ensureVisible(0, 0);
        }
    });
    connect(m_list, &ClientList::copyWanted, m_detail, &ClientDetail::copySnippets);
    connect(m_list, &ClientList::folderWanted, m_detail, &ClientDetail::openFolder);
    connect(m_detail, &ClientDetail::messageRaised, this, &Page::messageRaised);
    connect(m_detail, &ClientDetail::openRequested, this, &Page::openRequested);
    connect(m_detail, &ClientDetail::surveyWanted, this, [this] { m_desk.survey(m_detail->target(), m_detail->folder()); });
    connect(&m_desk, &ClientDesk::surveyed, this, [this] {
        m_list->setFacts(m_desk.facts());
        m_detail->refresh();
    });
    connect(&link, &CoreLink::listenerChanged, this, &ClientsPage::follow);
    connect(&link, &CoreLink::configurationChanged, this, &ClientsPage::follow);
    m_list->choose(toQString(clients().front().id));
}

QWidget* ClientsPage::filterField() const
{
    return m_search;
}

void ClientsPage::follow()
{
    if (isVisible())
        refresh();
}

void ClientsPage::refresh()
{
    if (!m_link.ready())
        return;
    const ListenerState& listener = m_link.listener();
    const QString root = toQString(m_detail->target().root);
    m_head->setSubtitle(listener.phase == ListenerPhase::Serving
                            ? tr("Programs ask at %1, or %1/v1 where they speak OpenAI's formats.").arg(root)
                            : tr("The proxy is stopped. When it serves, programs ask at %1.").arg(root));
    m_detail->refresh();
    // The files may have been changed by anyone meanwhile.
    m_desk.survey(m_detail->target(), m_detail->folder());
}

void ClientsPage::showObject(const QString& objectId)
{
    m_search->clear();
    m_list->choose(objectId);
}

void ClientsPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    refresh();
}

void ClientsPage::changeEvent(QEvent* event)
{
    Page::changeEvent(event);
    // Back from an editor in another window.
    if (event->type() == QEvent::ActivationChange && isActiveWindow())
        follow();
}

}  // namespace omni
