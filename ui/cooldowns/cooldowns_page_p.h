#pragma once

#include "control/control.h"
#include "ui/cooldowns/clear_holds.h"
#include "ui/cooldowns/cooldowns_page.h"
#include "ui/cooldowns/held_model.h"
#include "ui/cooldowns/hold_history.h"
#include "ui/models/history_reader.h"

#include <string>
#include <vector>

class QComboBox;
class QPushButton;
class QStackedLayout;
class QTimer;

namespace omni {

class DataTable;
class EmptyState;
class EvidencePanel;
class PageHead;
class RulesBar;
class SearchField;

/// Built in cooldowns_page_build.cpp, at work in cooldowns_page.cpp, what it does with holds in cooldowns_page_actions.cpp.
struct CooldownsPage::Private {
    Private(CooldownsPage& owner, CoreLink& core, std::shared_ptr<HoldHistory> gathered, const std::string& databasePath)
        : page(owner), link(core), history(std::move(gathered)), reader(databasePath)
    {
    }

    CooldownsPage& page;
    CoreLink& link;
    std::shared_ptr<HoldHistory> history;
    HistoryReader reader;
    HeldModel* model = nullptr;
    QTimer* timer = nullptr;
    int ticks = 0;
    std::string shown;  ///< key of the line the panel tells of
    QString shownTitle;
    ConnectionId recordsOf;  ///< whose requests `records` are
    std::vector<RequestRecord> records;
    ConnectionId reading;   ///< whose requests are being read; empty = none
    bool updating = false;  ///< selections that move with their lines are looked at when all lines are in place

    PageHead* head = nullptr;
    SearchField* search = nullptr;
    QComboBox* provider = nullptr;
    QComboBox* show = nullptr;
    QPushButton* clearSelected = nullptr;
    QPushButton* clearAll = nullptr;
    QPushButton* why = nullptr;
    DataTable* table = nullptr;
    EmptyState* nothing = nullptr;
    QStackedLayout* stack = nullptr;
    EvidencePanel* panel = nullptr;
    RulesBar* rules = nullptr;

    void build();
    QWidget* buildToolbar();
    void buildTable();
    QWidget* buildPanel();
    void takeFacts();
    void tick();
    void refreshProviders();
    void refreshStack();
    void refreshButtons();
    void refreshPanel();
    void refreshTimeline(const HeldRow& row);
    void readRequests(const ConnectionId& connection);
    void applyFilter();
    void showEverything();

    const HeldRow* rowAt(const QModelIndex& index) const;
    /// The line the user looks at; nullptr without a selection.
    const HeldRow* chosen() const;
    /// It is out of service, whether or not the filter shows it.
    bool holds(const std::string& key) const;
    std::vector<HeldRow> selected() const;
    void clear(const std::vector<HeldRow>& rows);
    void clearShown();
    void askClearAll(const ProviderId& only);
    void clearEverything(const ProviderId& only);
    void tellCleared(const Result<Engine::Cleared>& cleared);
    void showMenu(const QPoint& position);
    void openConnection(const ConnectionId& id, bool edit);
    bool fold(bool folded);
};

}  // namespace omni
