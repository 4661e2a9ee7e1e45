#include "ui/connections/connections_page.h"

#include "ui/connections/connection_actions.h"
#include "ui/connections/connection_dialog.h"
#include "ui/core_link.h"
#include "ui/models/connections_filter.h"
#include "ui/models/connections_model.h"
#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/models/page_head.h"
#include "ui/models/state_delegate.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/search_field.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace omni {

namespace {

constexpr int kTickMs = 1000;
constexpr QLatin1String kEditPrefix("edit:");

}  // namespace

struct ConnectionsPage::Private {
    Private(ConnectionsPage& owner, CoreLink& core) : page(owner), link(core) {}

    ConnectionsPage& page;
    CoreLink& link;
    ConnectionsModel* model = nullptr;
    ConnectionsFilter* filter = nullptr;
    ConnectionActions* actions = nullptr;
    QTimer* timer = nullptr;
    bool stale = true;
    ConnectionId wanted;  ///< to be selected once it is there

    PageHead* head = nullptr;
    SearchField* search = nullptr;
    QComboBox* show = nullptr;
    QPushButton* add = nullptr;
    QPushButton* edit = nullptr;
    QPushButton* test = nullptr;
    QPushButton* toggle = nullptr;
    QPushButton* duplicate = nullptr;
    QPushButton* remove = nullptr;
    DataTable* table = nullptr;
    QStackedLayout* stack = nullptr;
    QWidget* tableSide = nullptr;
    QWidget* emptySide = nullptr;
    EmptyState* noMatch = nullptr;
    QPointer<ConnectionDialog> dialog;

    void build();
    QWidget* buildToolbar();
    void buildTable();
    QWidget* buildEmpty();
    void takeConfiguration();
    void takeEngine();
    void tick();
    void refreshButtons();
    void refreshStack();
    std::vector<ConnectionId> selected() const;
    bool anyEnabled(const std::vector<ConnectionId>& ids) const;
    void select(const ConnectionId& id);
    void openEditor(std::optional<Connection> connection);
    void editCurrent();
    void showMenu(const QPoint& position);
};

ConnectionsPage::ConnectionsPage(CoreLink& link, QWidget* parent) : Page(parent), d(std::make_unique<Private>(*this, link))
{
    setObjectName(QStringLiteral("connections"));
    d->build();
    d->timer = new QTimer(this);
    d->timer->setObjectName(QStringLiteral("refreshTimer"));
    d->timer->setInterval(kTickMs);
    connect(d->timer, &QTimer::timeout, this, [this] { d->tick(); });
    // Hidden, the page only notes that something changed.
    connect(&link, &CoreLink::configurationChanged, this, [this] {
        d->stale = true;
        if (isVisible())
            d->takeConfiguration();
    });
    connect(&link, &CoreLink::engineChanged, this, [this] {
        if (isVisible())
            d->takeEngine();
        else
            d->stale = true;
    });
    d->takeConfiguration();
}

ConnectionsPage::~ConnectionsPage() = default;

void ConnectionsPage::Private::build()
{
    model = new ConnectionsModel(&page);
    filter = new ConnectionsFilter(&page);
    filter->setSourceModel(model);
    actions = new ConnectionActions(link, *model, &page);

    head = new PageHead(&page);
    head->setTitle(tr("Connections"));
    search = new SearchField(&page);
    search->setObjectName(QStringLiteral("connectionFilter"));
    search->setPlaceholderText(tr("Filter"));
    search->setAccessibleName(tr("Filter the connections"));
    search->setMinimumWidth(page.fontMetrics().averageCharWidth() * 26);
    show = new QComboBox(&page);
    show->setObjectName(QStringLiteral("connectionStates"));
    show->setAccessibleName(tr("States shown"));
    show->addItem(tr("All states"), static_cast<int>(ConnectionsFilter::Show::All));
    show->addItem(tr("Serving"), static_cast<int>(ConnectionsFilter::Show::Serving));
    show->addItem(tr("Out of service"), static_cast<int>(ConnectionsFilter::Show::OutOfService));
    show->addItem(tr("Disabled"), static_cast<int>(ConnectionsFilter::Show::Disabled));
    add = new QPushButton(tr("Add…"), &page);
    add->setObjectName(QStringLiteral("addConnection"));
    add->setAccessibleName(tr("Add a connection"));
    add->setProperty("primary", true);
    head->tools()->addWidget(search);
    head->tools()->addWidget(show);
    head->tools()->addWidget(add);

    buildTable();
    auto* card = new Card(&page);
    card->layout()->setContentsMargins(1, 4, 1, 4);
    noMatch = new EmptyState(QStringLiteral("search"), card);
    noMatch->setTexts(tr("No connection matches the filter."), tr("Show all"));
    auto* tables = new QStackedLayout;
    tables->addWidget(table);
    tables->addWidget(noMatch);
    card->body()->addLayout(tables);
    const auto showMatch = [this, tables] {
        const bool nothing = filter->rowCount() == 0 && model->rowCount() > 0;
        tables->setCurrentWidget(nothing ? static_cast<QWidget*>(noMatch) : table);
    };
    for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        QObject::connect(filter, changed, &page, showMatch);
    QObject::connect(filter, &QAbstractItemModel::modelReset, &page, showMatch);
    QObject::connect(filter, &QAbstractItemModel::layoutChanged, &page, showMatch);

    tableSide = new QWidget(&page);
    auto* column = new QVBoxLayout(tableSide);
    column->setContentsMargins({});
    column->setSpacing(12);
    column->addWidget(buildToolbar());
    column->addWidget(card, 1);
    emptySide = buildEmpty();
    stack = new QStackedLayout;
    stack->addWidget(tableSide);
    stack->addWidget(emptySide);

    auto* layout = new QVBoxLayout(&page);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(head);
    layout->addLayout(stack, 1);

    QObject::connect(search, &QLineEdit::textChanged, &page, [this, showMatch](const QString& text) {
        filter->setText(text);
        showMatch();
        refreshButtons();
    });
    QObject::connect(show, &QComboBox::currentIndexChanged, &page, [this, showMatch] {
        filter->setShow(static_cast<ConnectionsFilter::Show>(show->currentData().toInt()));
        showMatch();
        refreshButtons();
    });
    QObject::connect(noMatch, &EmptyState::actionTriggered, &page, [this] {
        search->clear();
        show->setCurrentIndex(0);
    });
    QObject::connect(add, &QPushButton::clicked, &page, [this] { openEditor(std::nullopt); });
    QObject::connect(actions, &ConnectionActions::messageRaised, &page, &Page::messageRaised);
    QObject::connect(actions, &ConnectionActions::made, &page, [this](const ConnectionId& id) { select(id); });
}

QWidget* ConnectionsPage::Private::buildToolbar()
{
    auto* bar = new QWidget(&page);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins({});
    row->setSpacing(8);
    const auto button = [&](const QString& text, const char* name) {
        auto* made = new QPushButton(text, bar);
        made->setObjectName(QLatin1String(name));
        row->addWidget(made);
        return made;
    };
    edit = button(tr("Edit"), "editConnection");
    test = button(tr("Test"), "testConnection");
    toggle = button(tr("Disable"), "toggleConnection");
    duplicate = button(tr("Duplicate"), "duplicateConnection");
    remove = button(tr("Delete"), "deleteConnection");
    row->addStretch();
    QObject::connect(edit, &QPushButton::clicked, &page, [this] { editCurrent(); });
    QObject::connect(test, &QPushButton::clicked, &page, [this] { actions->test(selected()); });
    QObject::connect(toggle, &QPushButton::clicked, &page, [this] {
        const auto ids = selected();
        actions->setEnabled(ids, !anyEnabled(ids));
    });
    QObject::connect(duplicate, &QPushButton::clicked, &page, [this] { actions->duplicate(selected()); });
    QObject::connect(remove, &QPushButton::clicked, &page, [this] { actions->remove(selected()); });
    return bar;
}

void ConnectionsPage::Private::buildTable()
{
    table = new DataTable(&page);
    table->setObjectName(QStringLiteral("connectionTable"));
    table->setAccessibleName(tr("Connections"));
    table->setModel(filter);
    auto* states = new StateDelegate(table);
    table->setItemDelegateForColumn(ConnectionsModel::State, states);
    table->setItemDelegateForColumn(ConnectionsModel::LastResult, states);
    table->setItemDelegateForColumn(ConnectionsModel::Remaining, new RemainingDelegate(table));
    table->setSortingEnabled(true);
    table->sortByColumn(ConnectionsModel::Provider, Qt::AscendingOrder);
    table->setColumnWidths({13, 16, 15, 14, 8, 8, 11, 12, 15});
    // The countdown stands beside the state it belongs to.
    table->horizontalHeader()->moveSection(ConnectionsModel::Remaining, 1);
    QObject::connect(table, &DataTable::activated, &page, [this] { editCurrent(); });
    QObject::connect(table, &DataTable::deletePressed, &page, [this] { actions->remove(selected()); });
    QObject::connect(table, &QWidget::customContextMenuRequested, &page, [this](const QPoint& at) { showMenu(at); });
    QObject::connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, &page, [this] { refreshButtons(); });
}

QWidget* ConnectionsPage::Private::buildEmpty()
{
    auto* card = new Card(&page);
    auto* state = new EmptyState(QStringLiteral("key"), card);
    state->setTexts(tr("No connections yet. Add the key of a provider, or a server of your own: every client of this proxy can then use it. "
                       "Or look around first with the sandbox, which needs no key."),
        tr("Add a connection"));
    auto* sandbox = new QPushButton(tr("Try the sandbox"), card);
    sandbox->setObjectName(QStringLiteral("trySandbox"));
    sandbox->setProperty("quiet", true);
    card->body()->addStretch(1);
    card->body()->addWidget(state);
    card->body()->addWidget(sandbox, 0, Qt::AlignHCenter);
    card->body()->addStretch(1);
    QObject::connect(state, &EmptyState::actionTriggered, &page, [this] { openEditor(std::nullopt); });
    QObject::connect(sandbox, &QPushButton::clicked, &page, [this] { actions->addSandbox(); });
    return card;
}

void ConnectionsPage::Private::takeConfiguration()
{
    if (!link.ready())
        return;
    stale = false;
    model->setConfiguration(link.configuration(), link.engine(), wallNow());
    model->setEngine(link.engine(), wallNow());
    refreshStack();
    refreshButtons();
    if (!wanted.empty() && model->rowOf(wanted) >= 0)
        select(std::exchange(wanted, {}));
}

void ConnectionsPage::Private::takeEngine()
{
    model->setEngine(link.engine(), wallNow());
    head->setSubtitle(model->summary());
}

void ConnectionsPage::Private::tick()
{
    if (!link.ready())
        return;
    model->expire(link.engine(), wallNow());
    // Only the cells that count: neither the model nor the order of rows changes with the time.
    for (const int row : model->countingRows()) {
        const QModelIndex cell = filter->mapFromSource(model->index(row, ConnectionsModel::Remaining));
        if (cell.isValid())
            table->update(cell);
    }
}

void ConnectionsPage::Private::refreshStack()
{
    const bool none = model->rowCount() == 0;
    stack->setCurrentWidget(none ? emptySide : tableSide);
    search->setVisible(!none);
    show->setVisible(!none);
    add->setVisible(!none);
    head->setSubtitle(none ? tr("Keys and servers that requests may go to.") : model->summary());
}

std::vector<ConnectionId> ConnectionsPage::Private::selected() const
{
    std::vector<ConnectionId> ids;
    for (const QModelIndex& index : table->selectedRowsInOrder()) {
        if (const Connection* connection = model->connectionAt(filter->mapToSource(index).row()))
            ids.push_back(connection->id);
    }
    return ids;
}

bool ConnectionsPage::Private::anyEnabled(const std::vector<ConnectionId>& ids) const
{
    return std::any_of(ids.begin(), ids.end(), [this](const ConnectionId& id) {
        const Connection* connection = model->connectionAt(model->rowOf(id));
        return connection && connection->enabled;
    });
}

void ConnectionsPage::Private::refreshButtons()
{
    const std::vector<ConnectionId> ids = selected();
    edit->setEnabled(ids.size() == 1);
    for (QPushButton* button : {test, toggle, duplicate, remove})
        button->setEnabled(!ids.empty());
    toggle->setText(ids.empty() || anyEnabled(ids) ? tr("Disable") : tr("Enable"));
}

void ConnectionsPage::Private::select(const ConnectionId& id)
{
    const int row = model->rowOf(id);
    if (row < 0) {
        wanted = id;  // the core's announcement is still on its way
        return;
    }
    QModelIndex index = filter->mapFromSource(model->index(row, 0));
    if (!index.isValid()) {
        search->clear();
        show->setCurrentIndex(0);
        index = filter->mapFromSource(model->index(row, 0));
    }
    table->setCurrentIndex(index);
    table->scrollTo(index);
}

void ConnectionsPage::Private::openEditor(std::optional<Connection> connection)
{
    if (!link.ready())
        return;
    if (dialog) {
        dialog->raise();
        dialog->activateWindow();
        return;
    }
    const bool fresh = !connection;
    dialog = new ConnectionDialog(link, std::move(connection), &page);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &ConnectionDialog::saved, &page, [this, fresh](const Connection& saved) {
        select(saved.id);
        Q_EMIT page.messageRaised(fresh ? tr("“%1” was added.").arg(toQString(saved.name)) : tr("“%1” was saved.").arg(toQString(saved.name)));
    });
    dialog->open();
}

void ConnectionsPage::Private::editCurrent()
{
    const std::vector<ConnectionId> ids = selected();
    if (ids.size() != 1)
        return;
    if (const Connection* connection = model->connectionAt(model->rowOf(ids.front())))
        openEditor(*connection);
}

void ConnectionsPage::Private::showMenu(const QPoint& position)
{
    const std::vector<ConnectionId> ids = selected();
    QMenu menu(&page);
    menu.setObjectName(QStringLiteral("connectionMenu"));
    if (ids.empty()) {
        menu.addAction(tr("Add a connection…"), QKeySequence::New, &page, [this] { openEditor(std::nullopt); });
        menu.exec(table->viewport()->mapToGlobal(position));
        return;
    }
    menu.addAction(tr("Edit…"), QKeySequence(Qt::Key_Return), &page, [this] { editCurrent(); })->setEnabled(ids.size() == 1);
    menu.addAction(tr("Test"), &page, [this, ids] { actions->test(ids); });
    const bool enabled = anyEnabled(ids);
    menu.addAction(enabled ? tr("Disable") : tr("Enable"), &page, [this, ids, enabled] { actions->setEnabled(ids, !enabled); });
    const bool resting = std::any_of(ids.begin(), ids.end(), [this](const ConnectionId& id) {
        const Standing* standing = model->standingAt(model->rowOf(id));
        return standing && standing->reason == Exclusion::ConnectionCooldown;
    });
    menu.addAction(tr("Clear the hold now"), &page, [this, ids] { actions->clearCooldowns(ids); })->setEnabled(resting);
    menu.addAction(tr("List its models anew"), &page, [this, ids] { actions->refreshModels(ids); });
    menu.addAction(tr("Show its requests"), &page, [this, ids] {
        Q_EMIT page.openRequested(QStringLiteral("requests"), QStringLiteral("connection:") + toQString(ids.front().str()));
    })->setEnabled(ids.size() == 1);
    menu.addSeparator();
    menu.addAction(tr("Copy as text"), QKeySequence::Copy, table, &DataTable::copySelection);
    menu.addAction(tr("Duplicate"), &page, [this, ids] { actions->duplicate(ids); });
    menu.addSeparator();
    menu.addAction(tr("Delete"), QKeySequence::Delete, &page, [this, ids] { actions->remove(ids); });
    menu.exec(table->viewport()->mapToGlobal(position));
}

QWidget* ConnectionsPage::filterField() const
{
    return d->search;
}

void ConnectionsPage::refresh()
{
    d->takeConfiguration();
}

void ConnectionsPage::createNew()
{
    d->openEditor(std::nullopt);
}

void ConnectionsPage::showObject(const QString& objectId)
{
    if (objectId == QLatin1String("new")) {
        createNew();
        return;
    }
    const bool editing = objectId.startsWith(kEditPrefix);
    const ConnectionId id(toUtf8(editing ? objectId.mid(kEditPrefix.size()) : objectId));
    d->select(id);
    if (!editing)
        return;
    if (const Connection* connection = d->model->connectionAt(d->model->rowOf(id)))
        d->openEditor(*connection);
}

void ConnectionsPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    if (d->stale)
        d->takeConfiguration();
    d->tick();
    d->timer->start();
}

void ConnectionsPage::hideEvent(QHideEvent* event)
{
    Page::hideEvent(event);
    d->timer->stop();
}

}  // namespace omni
