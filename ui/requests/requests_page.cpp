#include "ui/requests/requests_page.h"

#include "ui/core_link.h"
#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/models/page_head.h"
#include "ui/models/requests_model.h"
#include "ui/models/state_delegate.h"
#include "ui/requests/request_detail.h"
#include "ui/requests/request_filter_bar.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/search_field.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace omni {

namespace {

constexpr QLatin1String kConnectionPrefix("connection:");
constexpr QLatin1String kTextPrefix("text:");

}  // namespace

struct RequestsPage::Private {
    Private(RequestsPage& owner, CoreLink& core) : page(owner), link(core) {}

    RequestsPage& page;
    CoreLink& link;
    RequestsModel* model = nullptr;
    RequestId chosen;  ///< shown in the detail pane
    bool stale = true;

    PageHead* head = nullptr;
    RequestFilterBar* bar = nullptr;
    DataTable* table = nullptr;
    QPushButton* newer = nullptr;
    EmptyState* empty = nullptr;
    QStackedLayout* stack = nullptr;
    RequestDetail* detail = nullptr;

    void build(const std::string& databasePath);
    void buildTable();
    void placeNewer();
    void scrolled();
    void refreshStatus();
    void refreshEmpty();
    void reselect();
    void choose(const RequestId& id);
    void chooseNone();
    void showChosen(const Result<RequestRecord>& record);
    void showMenu(const QPoint& position);
    void takeConfiguration();
    void askNames();
};

RequestsPage::RequestsPage(CoreLink& link, const std::string& databasePath, QWidget* parent)
    : Page(parent), d(std::make_unique<Private>(*this, link))
{
    setObjectName(QStringLiteral("requests"));
    d->build(databasePath);
    connect(&link, &CoreLink::configurationChanged, this, [this] { d->takeConfiguration(); });
    connect(&link, &CoreLink::requestsFinished, this, [this](const QList<RequestRecord>& records) {
        d->bar->addNames(records);
        // Hidden, the page reads the top anew when it is seen again.
        if (isVisible()) {
            d->model->addFinished(records);
            return;
        }
        d->stale = true;
        d->model->remember(records);
    });
    connect(&link, &CoreLink::requestLogCleared, this, [this] {
        d->bar->forgetNames();
        d->model->startOver();
        d->model->catchUp();  // what finished while the log was being emptied is on its way there
        d->chooseNone();
    });
    d->takeConfiguration();
}

RequestsPage::~RequestsPage() = default;

void RequestsPage::Private::build(const std::string& databasePath)
{
    model = new RequestsModel(databasePath, &page);
    head = new PageHead(&page);
    head->setTitle(tr("Requests"));
    bar = new RequestFilterBar(&page);
    head->tools()->addWidget(bar);

    buildTable();
    auto* listCard = new Card(&page);
    listCard->layout()->setContentsMargins(1, 4, 1, 4);
    empty = new EmptyState(QStringLiteral("requests"), listCard);
    stack = new QStackedLayout;
    stack->addWidget(table);
    stack->addWidget(empty);
    listCard->body()->addLayout(stack);

    auto* detailCard = new Card(&page);
    detailCard->layout()->setContentsMargins(0, 0, 0, 0);
    detail = new RequestDetail(detailCard);
    detailCard->body()->addWidget(detail);
    chooseNone();

    auto* splitter = new QSplitter(Qt::Vertical, &page);
    splitter->setObjectName(QStringLiteral("requestSplitter"));
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(12);
    splitter->addWidget(listCard);
    splitter->addWidget(detailCard);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({600, 400});

    auto* layout = new QVBoxLayout(&page);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(head);
    layout->addWidget(bar->secondRow());
    layout->addWidget(splitter, 1);

    QObject::connect(bar, &RequestFilterBar::filterChanged, &page, [this] {
        table->scrollToTop();
        model->setFilter(bar->filter());
    });
    QObject::connect(empty, &EmptyState::actionTriggered, &page, [this] {
        if (bar->filtering())
            bar->clear();
        else
            QApplication::clipboard()->setText(toQString(link.listener().baseUrl()));
    });
    QObject::connect(model, &RequestsModel::statusChanged, &page, [this] { refreshStatus(); });
    QObject::connect(model, &RequestsModel::pendingChanged, &page, [this] { placeNewer(); });
    QObject::connect(model, &QAbstractItemModel::modelReset, &page, [this] { reselect(); });
    QObject::connect(detail, &RequestDetail::copied, &page, [this](const QString& text) { Q_EMIT page.messageRaised(text); });
    QObject::connect(detail, &RequestDetail::connectionRequested, &page,
        [this](const QString& id) { Q_EMIT page.openRequested(QStringLiteral("connections"), id); });
}

void RequestsPage::Private::buildTable()
{
    table = new DataTable(&page);
    table->setObjectName(QStringLiteral("requestTable"));
    table->setAccessibleName(tr("Requests"));
    table->setModel(model);
    table->setItemDelegateForColumn(RequestsModel::State, new StateDelegate(table));
    table->setColumnWidths({11, 12, 5, 17, 24, 14, 8, 9, 11, 4, 4});
    QStringList outcomes;
    for (const Outcome outcome : {Outcome::Answered, Outcome::UpstreamFailed, Outcome::Broken, Outcome::ClientGone, Outcome::Refused})
        outcomes << lookOf(outcome, Colours()).word;
    table->widenForStates(RequestsModel::State, outcomes);
    newer = new QPushButton(table);
    newer->setObjectName(QStringLiteral("newerRequests"));
    newer->setProperty("primary", true);
    newer->hide();
    QObject::connect(newer, &QPushButton::clicked, &page, [this] {
        table->scrollToTop();
        table->setFocus();
    });
    QObject::connect(table->verticalScrollBar(), &QScrollBar::valueChanged, &page, [this] { scrolled(); });
    QObject::connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, &page, [this](const QModelIndex& current) {
        if (const RequestRecord* record = model->recordAt(current.row()))
            choose(record->id);
    });
    QObject::connect(table, &QWidget::customContextMenuRequested, &page, [this](const QPoint& at) { showMenu(at); });
}

void RequestsPage::Private::scrolled()
{
    const QScrollBar* place = table->verticalScrollBar();
    model->setPaused(place->value() > 0);
    // Before the end is reached, so that scrolling does not have to wait.
    if (place->maximum() - place->value() < 3 * place->pageStep() && model->canFetchMore({}))
        model->fetchMore({});
}

void RequestsPage::Private::placeNewer()
{
    const int count = model->pending();
    newer->setVisible(count > 0);
    if (count == 0)
        return;
    newer->setText(count == 1 ? tr("↑ One newer request") : tr("↑ %1 newer requests").arg(numberText(count)));
    newer->adjustSize();
    const QRect room = table->viewport()->geometry();
    newer->move(room.left() + (room.width() - newer->width()) / 2, room.top() + 8);
    newer->raise();
}

void RequestsPage::Private::refreshStatus()
{
    QString text;
    if (!model->problem().isEmpty())
        text = tr("The history cannot be read: %1").arg(coreText(toUtf8(model->problem())));
    else if (model->loading() && model->rowCount() == 0)
        text = tr("Reading the history…");
    else if (model->total() >= 0 && bar->filtering())
        text = model->total() == 1 ? tr("One request matches") : tr("%1 requests match").arg(numberText(model->total()));
    else if (model->total() >= 0)
        text = model->total() == 1 ? tr("One request kept") : tr("%1 requests kept").arg(numberText(model->total()));
    head->setSubtitle(text);
    refreshEmpty();
}

void RequestsPage::Private::refreshEmpty()
{
    const bool nothing = model->rowCount() == 0 && !model->loading();
    stack->setCurrentIndex(nothing ? 1 : 0);
    if (!nothing)
        return;
    if (bar->filtering())
        empty->setTexts(tr("No request matches the filter."), tr("Show all"));
    else
        empty->setTexts(tr("No requests yet. Point a client at %1 and ask it something.").arg(toQString(link.listener().baseUrl())),
            tr("Copy base URL"));
}

void RequestsPage::Private::reselect()
{
    const int row = chosen.empty() ? -1 : model->rowOf(chosen);
    if (row < 0)
        return;
    // The same request is current again; it is not chosen anew, so its details stay as they are.
    const QSignalBlocker quiet(table->selectionModel());
    table->setCurrentIndex(model->index(row, 0));
    table->viewport()->update();
}

void RequestsPage::Private::choose(const RequestId& id)
{
    if (id == chosen)
        return;
    chosen = id;
    model->wholeRecord(id, &page, [this, id](const Result<RequestRecord>& record) {
        if (id == chosen)
            showChosen(record);
    });
}

void RequestsPage::Private::chooseNone()
{
    chosen = {};
    detail->showNote(tr("Choose a request to see which targets were tried, and why."));
}

void RequestsPage::Private::showChosen(const Result<RequestRecord>& record)
{
    if (record)
        detail->showRecord(*record, link.configuration(), link.listener().baseUrl());
    else if (record.error().kind == ErrorKind::NotFound)
        detail->showNote(tr("This request is no longer kept."));
    else
        detail->showNote(errorText(record.error()));
}

void RequestsPage::Private::showMenu(const QPoint& position)
{
    const RequestRecord* record = model->recordAt(table->indexAt(position).row());
    if (!record)
        return;
    const QString connection = toQString(record->connection.str());
    const QString asked = toQString(record->requestedModel);
    QMenu menu(&page);
    menu.setObjectName(QStringLiteral("requestMenu"));
    menu.addAction(tr("Copy as text"), QKeySequence::Copy, table, &DataTable::copySelection);
    menu.addAction(tr("Copy this request with its details"), detail, &RequestDetail::copyText)->setEnabled(detail->record().has_value());
    menu.addAction(tr("Copy as curl"), detail, &RequestDetail::copyCurl)->setEnabled(detail->record().has_value());
    menu.addAction(tr("Copy the request's id"), &page,
        [id = toQString(record->id.str())] { QApplication::clipboard()->setText(id); });
    menu.addSeparator();
    menu.addAction(tr("Open the connection"), &page, [this, connection] {
        Q_EMIT page.openRequested(QStringLiteral("connections"), connection);
    })->setEnabled(!connection.isEmpty());
    menu.addAction(tr("Only this connection"), &page,
                   [this, id = record->connection, provider = record->provider, name = record->connectionName] {
                       bar->setConnection(id, targetText(link.configuration().get(), provider, name));
                   })
        ->setEnabled(!connection.isEmpty());
    menu.addAction(tr("Only this model"), &page, [this, asked] { bar->setModel(toUtf8(asked)); })->setEnabled(!asked.isEmpty());
    menu.exec(table->viewport()->mapToGlobal(position));
}

void RequestsPage::Private::askNames()
{
    model->names(&page, [this](const Result<RequestHistory::Names>& names) {
        if (names)
            bar->setNames(*names);
    });
}

void RequestsPage::Private::takeConfiguration()
{
    if (!link.ready())
        return;
    bar->setConfiguration(link.configuration());
    model->setConfiguration(link.configuration());
}

QWidget* RequestsPage::filterField() const
{
    return d->bar->searchField();
}

void RequestsPage::refresh()
{
    d->table->scrollToTop();
    d->model->reload();
    d->askNames();
}

void RequestsPage::showObject(const QString& objectId)
{
    if (objectId.startsWith(kConnectionPrefix)) {
        const ConnectionId id(toUtf8(objectId.mid(kConnectionPrefix.size())));
        const Connection* connection = d->link.ready() ? d->link.configuration()->connection(id) : nullptr;
        d->bar->setConnection(id,
                              connection ? targetText(d->link.configuration().get(), connection->provider, connection->name) : objectId);
        return;
    }
    if (objectId.startsWith(kTextPrefix)) {
        d->bar->searchField()->setText(objectId.mid(kTextPrefix.size()));
        return;
    }
    const RequestId id(toUtf8(objectId));
    d->choose(id);
    if (d->model->rowOf(id) >= 0)
        d->reselect();
    else
        d->table->clearSelection();
}

void RequestsPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    d->askNames();
    if (!d->stale)
        return;
    d->stale = false;
    d->model->reload();
    d->model->catchUp();
}

}  // namespace omni
