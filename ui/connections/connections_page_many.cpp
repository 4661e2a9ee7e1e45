#include "ui/connections/connections_page_p.h"

#include "control/priority_order.h"
#include "ui/connections/connection_actions.h"
#include "ui/core_link.h"
#include "ui/models/connections_filter.h"
#include "ui/models/connections_model.h"
#include "ui/models/display_text.h"
#include "ui/models/reorder_table.h"

#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace omni {

void ConnectionsPage::Private::openBulk(const std::vector<ConnectionId>& ids)
{
    if (!link.ready() || bulk)
        return;
    bulk = new BulkDialog(link, ids, &page);
    bulk->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(bulk, &BulkDialog::changed, &page, [this](const ChangedConnections& result) { tellChanged(result); });
    bulk->open();
}

void ConnectionsPage::Private::tellChanged(const ChangedConnections& result)
{
    if (result.changed == 0) {
        Q_EMIT page.messageRaised(tr("Nothing had to be changed."));
        return;
    }
    const QString text =
        result.changed == 1 ? tr("One connection was changed.") : tr("%1 connections were changed.").arg(numberText(result.changed));
    const QPointer<ConnectionsPage> self(&page);
    Q_EMIT page.messageRaised(text, [this, self, token = result.undo] {
        if (!self)
            return;
        link.ask<int>(
            &page, [token](Control& control, const Reply<int>& reply) { control.undoChange(token, reply); },
            [this](const Result<int>& restored) {
                Q_EMIT page.messageRaised(!restored        ? errorText(restored.error())
                                          : *restored == 1 ? tr("The connection is as it was.")
                                                           : tr("%1 connections are as they were.").arg(numberText(*restored)));
            });
    });
}

void ConnectionsPage::Private::testOrStop()
{
    if (actions->testing()) {
        actions->cancelTests();
        return;
    }
    std::vector<ConnectionId> ids;
    for (int row = 0; row < filter->rowCount(); ++row) {
        if (const Connection* connection = model->connectionAt(filter->mapToSource(filter->index(row, 0)).row()))
            ids.push_back(connection->id);
    }
    actions->test(ids);
}

void ConnectionsPage::Private::showProgress(int done, int total)
{
    // One test says itself what it came to; a bar for it would only flash.
    progress->setVisible(total > 1);
    progress->setRange(0, std::max(total, 1));
    progress->setValue(done);
    testAll->setText(total > 0 ? tr("Stop (%1 of %2)", "tests").arg(numberText(done), numberText(total)) : tr("Test all"));
}

void ConnectionsPage::Private::followSorting()
{
    const int column = table->horizontalHeader()->sortIndicatorSection();
    const bool inOrder = table->horizontalHeader()->sortIndicatorOrder() == Qt::AscendingOrder &&
                         (column == ConnectionsModel::Provider || column == ConnectionsModel::Priority);
    table->setReorderable(inOrder);
    table->setToolTip(inOrder ? QString() : tr("Sort by provider or priority to drag connections into another order."));
}

void ConnectionsPage::Private::reorder(const std::vector<int>& rows, int before)
{
    const auto at = [this](int row) { return model->connectionAt(filter->mapToSource(filter->index(row, 0)).row()); };
    const Connection* first = at(rows.front());
    if (!first)
        return;
    const bool byProvider = table->horizontalHeader()->sortIndicatorSection() == ConnectionsModel::Provider;
    std::vector<RankedConnection> moved;
    std::unordered_set<ConnectionId> movedIds;
    for (const int row : rows) {
        const Connection* connection = at(row);
        if (!connection)
            return;
        if (byProvider && connection->provider != first->provider) {
            Q_EMIT page.messageRaised(tr("Priorities are told within one provider: move connections of one at a time."));
            return;
        }
        moved.push_back({connection->id, connection->priority});
        movedIds.insert(connection->id);
    }
    // The neighbour above counts: what the filter hides between it and the one below stays between the two, too.
    const Connection* above = nullptr;
    for (int row = before - 1; row >= 0 && !above; --row) {
        const Connection* connection = at(row);
        if (connection && !movedIds.contains(connection->id) && (!byProvider || connection->provider == first->provider))
            above = connection;
    }
    std::vector<const Connection*> all;
    for (const Connection& connection : link.configuration()->connections) {
        if (!movedIds.contains(connection.id) && (!byProvider || connection.provider == first->provider))
            all.push_back(&connection);
    }
    std::vector<std::pair<const Connection*, int>> places;
    places.reserve(all.size());
    for (const Connection* connection : all) {
        const QModelIndex shown = filter->mapFromSource(model->index(model->rowOf(connection->id), 0));
        places.emplace_back(connection, shown.isValid() ? shown.row() : -1);
    }
    std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
        return a.first->priority != b.first->priority ? a.first->priority < b.first->priority : a.second < b.second;
    });
    std::vector<RankedConnection> others;
    std::size_t place = 0;
    for (const auto& one : places) {
        others.push_back({one.first->id, one.first->priority});
        if (one.first == above || (above && one.first->id == above->id))
            place = others.size();
    }
    std::vector<ConnectionChange> changes;
    for (const RankedConnection& one : placedInOrder(others, moved, place)) {
        ConnectionPatch patch;
        patch.priority = one.priority;
        changes.push_back({one.id, patch});
    }
    if (changes.empty())
        return;
    link.ask<ChangedConnections>(
        &page, [changes](Control& control, const Reply<ChangedConnections>& reply) { control.changeConnections(changes, reply); },
        [this](const Result<ChangedConnections>& result) {
            if (result)
                tellChanged(*result);
            else
                Q_EMIT page.messageRaised(errorText(result.error()));
        });
}

}  // namespace omni
