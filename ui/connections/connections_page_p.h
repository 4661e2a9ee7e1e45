#pragma once

#include "control/control.h"
#include "ui/connections/bulk_dialog.h"
#include "ui/connections/connection_dialog.h"
#include "ui/connections/connections_page.h"
#include "ui/connections/key_import_dialog.h"

#include <QPointer>

#include <optional>
#include <vector>

class QComboBox;
class QProgressBar;
class QPushButton;
class QStackedLayout;
class QTimer;

namespace omni {

class ConnectionActions;
class ConnectionsFilter;
class ConnectionsModel;
class EmptyState;
class PageHead;
class ReorderTable;
class SearchField;

/// Built in connections_page_build.cpp, at work in connections_page.cpp.
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
    QPushButton* importKeys = nullptr;
    QPushButton* edit = nullptr;
    QPushButton* test = nullptr;
    QPushButton* toggle = nullptr;
    QPushButton* duplicate = nullptr;
    QPushButton* remove = nullptr;
    QPushButton* why = nullptr;
    QPushButton* testAll = nullptr;
    QProgressBar* progress = nullptr;
    ReorderTable* table = nullptr;
    QStackedLayout* stack = nullptr;
    QWidget* tableSide = nullptr;
    QWidget* emptySide = nullptr;
    EmptyState* noMatch = nullptr;
    QPointer<ConnectionDialog> dialog;
    QPointer<BulkDialog> bulk;
    QPointer<KeyImportDialog> keyImport;
    std::vector<ConnectionId> toTest;  ///< once the core's announcement has brought them

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
    bool anyClearable(const std::vector<ConnectionId>& ids) const;
    /// Whether there is something to tell of the one connection.
    bool canTellWhy(const std::vector<ConnectionId>& ids) const;
    void tellWhy();
    void select(const ConnectionId& id);
    void openEditor(std::optional<Connection> connection);
    void openKeyImport();
    void takeImported(const std::vector<Connection>& connections, bool testThem);
    void testImported();
    void editCurrent();
    void openBulk(const std::vector<ConnectionId>& ids);
    /// Says so, with a way back.
    void tellChanged(const ChangedConnections& result);
    /// All that the filter shows, or, while tests run, none any more.
    void testOrStop();
    void showProgress(int done, int total);
    /// Rows can be dragged where they stand in the order of trying.
    void followSorting();
    void reorder(const std::vector<int>& rows, int before);
    void showMenu(const QPoint& position);
};

}  // namespace omni
