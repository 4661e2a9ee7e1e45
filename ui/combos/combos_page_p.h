#pragma once

#include "ui/combos/alias_dialog.h"
#include "ui/combos/combo_dialog.h"
#include "ui/combos/combos_page.h"
#include "ui/combos/route_list_model.h"

#include <QPointer>

#include <optional>
#include <string>
#include <vector>

class QPushButton;
class QStackedLayout;
class QTabBar;

namespace omni {

class ComboActions;
class DataTable;
class DryRunPanel;
class EmptyState;
class PageHead;
class RouteOutlooks;
class SearchField;

/// Built in combos_page_build.cpp, at work in combos_page.cpp.
struct CombosPage::Private {
    /// One of the two lists.
    struct List {
        RouteListModel* model = nullptr;
        RouteListFilter* filter = nullptr;
        DataTable* table = nullptr;
        EmptyState* empty = nullptr;
        EmptyState* noMatch = nullptr;
        QStackedLayout* stack = nullptr;
    };

    Private(CombosPage& owner, CoreLink& core) : page(owner), link(core) {}

    CombosPage& page;
    CoreLink& link;
    RouteOutlooks* outlooks = nullptr;
    ComboActions* actions = nullptr;
    List combos;
    List aliases;
    bool stale = true;
    std::string wanted;  ///< name to be selected once it is there

    PageHead* head = nullptr;
    SearchField* search = nullptr;
    QPushButton* add = nullptr;
    QTabBar* tabs = nullptr;
    QStackedLayout* lists = nullptr;
    QPushButton* edit = nullptr;
    QPushButton* duplicate = nullptr;
    QPushButton* remove = nullptr;
    DryRunPanel* dryRun = nullptr;
    QPointer<QDialog> dialog;

    void build();
    QWidget* buildLists();
    QWidget* buildList(List& list, RouteListModel::Kind kind);
    void buildTable(List& list, RouteListModel::Kind kind);
    List& shown();
    bool showsCombos() const;
    void takeConfiguration();
    void refreshTexts();
    void refreshStack(List& list);
    void refreshButtons();
    void tryCurrent();
    /// Names of the chosen combos or aliases, in the order shown.
    std::vector<std::string> selected();
    bool select(const std::string& name);
    void openCombo(std::optional<Combo> combo);
    void openAlias(std::optional<ModelAlias> alias);
    void addNew();
    void editCurrent();
    void duplicateCurrent();
    void removeSelected();
    void showMenu(const QPoint& position);
    void savedCombo(const Combo& combo, bool fresh);
};

}  // namespace omni
