#pragma once

#include "ui/api_keys/api_keys_page.h"
#include "ui/api_keys/key_dialog.h"

#include <QPointer>

#include <vector>

class QPushButton;
class QSortFilterProxyModel;
class QStackedLayout;
class QTimer;

namespace omni {

class ApiKeysModel;
class DataTable;
class EmptyState;
class PageHead;
class QuietLabel;
class SearchField;

/// Built in api_keys_page_build.cpp, at work in api_keys_page.cpp.
struct ApiKeysPage::Private {
    Private(ApiKeysPage& owner, CoreLink& core) : page(owner), link(core) {}

    ApiKeysPage& page;
    CoreLink& link;
    ApiKeysModel* model = nullptr;
    QSortFilterProxyModel* filter = nullptr;
    QTimer* minute = nullptr;  ///< "3 minutes ago", and keys that expire; only while the page is shown
    ApiKeyId wanted;           ///< to be selected once it is there
    QPointer<KeyDialog> dialog;

    PageHead* head = nullptr;
    SearchField* search = nullptr;
    QPushButton* create = nullptr;
    QuietLabel* note = nullptr;
    QPushButton* settings = nullptr;
    QPushButton* edit = nullptr;
    QPushButton* toggle = nullptr;
    QPushButton* revoke = nullptr;
    QPushButton* remove = nullptr;
    DataTable* table = nullptr;
    QWidget* tableSide = nullptr;
    QWidget* emptySide = nullptr;
    EmptyState* noMatch = nullptr;
    QStackedLayout* stack = nullptr;
    QStackedLayout* tables = nullptr;

    void build();
    QWidget* buildNote();
    QWidget* buildToolbar();
    void buildTable();
    QWidget* buildEmpty();
    void takeConfiguration();
    void showNote();
    void refreshButtons();
    std::vector<ApiKey> selected() const;
    void select(const ApiKeyId& id);
    void openEditor(const ApiKey& key);
    void editCurrent();
    void setActive(const std::vector<ApiKey>& keys, bool active);
    void askRevoke(const std::vector<ApiKey>& keys);
    void askRemove(const std::vector<ApiKey>& keys);
    /// Runs `act` for each key, one after the other; then says `done`, or what went wrong first.
    void forEach(std::vector<ApiKey> keys, std::function<void(Control&, const ApiKey&, Reply<int>)> act, const QString& done);
    void showMenu(const QPoint& position);
};

}  // namespace omni
