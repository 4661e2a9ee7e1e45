#include "ui/connections/connections_page_p.h"

#include "ui/connections/connection_actions.h"
#include "ui/core_link.h"
#include "ui/models/connections_model.h"
#include "ui/models/display_text.h"

#include <QPointer>

#include <algorithm>
#include <utility>

namespace omni {

void ConnectionsPage::Private::openKeyImport()
{
    if (!link.ready())
        return;
    if (keyImport) {
        keyImport->raise();
        keyImport->activateWindow();
        return;
    }
    keyImport = new KeyImportDialog(link, connection_import::Surroundings::ofThisUser(), KeyImportDialog::Testing::Offered, &page);
    keyImport->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(keyImport, &KeyImportDialog::added, &page,
                     [this](const std::vector<Connection>& connections, bool testThem) { takeImported(connections, testThem); });
    keyImport->open();
}

void ConnectionsPage::Private::takeImported(const std::vector<Connection>& connections, bool testThem)
{
    std::vector<ConnectionId> ids;
    for (const Connection& connection : connections)
        ids.push_back(connection.id);
    const QString text = ids.size() == 1 ? tr("“%1” was added.").arg(toQString(connections.front().name))
                                         : tr("%1 connections were added.").arg(numberText(static_cast<std::int64_t>(ids.size())));
    Q_EMIT page.messageRaised(text, [actions = QPointer<ConnectionActions>(actions), ids] {
        if (actions)
            actions->remove(ids);
    });
    select(ids.front());
    if (testThem)
        toTest.insert(toTest.end(), ids.begin(), ids.end());
    testImported();
}

void ConnectionsPage::Private::testImported()
{
    // All at once, so that their results are told together.
    const bool here = std::all_of(toTest.begin(), toTest.end(), [this](const ConnectionId& id) { return model->rowOf(id) >= 0; });
    if (here && !toTest.empty())
        actions->test(std::exchange(toTest, {}));
}

}  // namespace omni
