#include "ui/connections/connections_page_p.h"

#include "ui/connections/connection_actions.h"
#include "ui/core_link.h"
#include "ui/models/connections_filter.h"
#include "ui/models/connections_model.h"
#include "ui/models/display_text.h"
#include "ui/models/holds.h"
#include "ui/models/page_head.h"
#include "ui/models/reorder_table.h"
#include "ui/widgets/search_field.h"
#include "ui/widgets/why_dialog.h"

#include <QComboBox>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace omni {

namespace {

constexpr int kTickMs = 1000;
constexpr QLatin1String kEditPrefix("edit:");

}  // namespace

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
    testImported();
}

void ConnectionsPage::Private::takeEngine()
{
    model->setEngine(link.engine(), wallNow());
    head->setSubtitle(model->summary());
    refreshButtons();
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
    importKeys->setVisible(!none);
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
    for (QPushButton* button : {edit, test, toggle, duplicate, remove})
        button->setEnabled(!ids.empty());
    why->setEnabled(canTellWhy(ids));
    toggle->setText(ids.empty() || anyEnabled(ids) ? tr("Disable") : tr("Enable"));
}

bool ConnectionsPage::Private::anyClearable(const std::vector<ConnectionId>& ids) const
{
    return std::any_of(ids.begin(), ids.end(), [this](const ConnectionId& id) {
        const int row = model->rowOf(id);
        const Standing* standing = model->standingAt(row);
        return standing && (standing->until || (standing->reason == Exclusion::None && model->restingModels(row) > 0));
    });
}

bool ConnectionsPage::Private::canTellWhy(const std::vector<ConnectionId>& ids) const
{
    const int row = ids.size() == 1 ? model->rowOf(ids.front()) : -1;
    const Standing* standing = model->standingAt(row);
    if (!standing || standing->reason == Exclusion::Disabled)
        return false;
    return standing->reason != Exclusion::None || model->restingModels(row) > 0;
}

void ConnectionsPage::Private::tellWhy()
{
    const std::vector<ConnectionId> ids = selected();
    const Connection* connection = canTellWhy(ids) ? model->connectionAt(model->rowOf(ids.front())) : nullptr;
    if (!connection)
        return;
    const std::vector<HoldItem> holds = holdsConcerning(*link.configuration(), link.engine(), wallNow(), *connection);
    auto* told = new WhyDialog(targetText(link.configuration().get(), connection->provider, connection->name), whyText(holds), &page);
    if (anyClearable(ids)) {
        told->setAction(tr("Clear now"));
        QObject::connect(told, &WhyDialog::actionTriggered, &page, [this, ids] { actions->clearCooldowns(ids); });
    }
    told->open();
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
        Q_EMIT page.messageRaised(fresh ? tr("“%1” was added.").arg(toQString(saved.name))
                                        : tr("“%1” was saved.").arg(toQString(saved.name)));
    });
    dialog->open();
}

void ConnectionsPage::Private::editCurrent()
{
    const std::vector<ConnectionId> ids = selected();
    if (ids.size() > 1)
        openBulk(ids);
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
    menu.addAction(tr("Edit…"), QKeySequence(Qt::Key_Return), &page, [this] { editCurrent(); });
    menu.addAction(tr("Test"), &page, [this, ids] { actions->test(ids); });
    const bool enabled = anyEnabled(ids);
    menu.addAction(enabled ? tr("Disable") : tr("Enable"), &page, [this, ids, enabled] { actions->setEnabled(ids, !enabled); });
    menu.addAction(tr("Why?"), &page, [this] { tellWhy(); })->setEnabled(canTellWhy(ids));
    menu.addAction(tr("Clear the hold now"), &page, [this, ids] { actions->clearCooldowns(ids); })->setEnabled(anyClearable(ids));
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
