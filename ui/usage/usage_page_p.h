#pragma once

#include "ui/usage/prices_dialog.h"
#include "ui/usage/usage_bars.h"
#include "ui/usage/usage_page.h"
#include "ui/usage/usage_reader.h"

#include <QPointer>

#include <optional>

class QComboBox;
class QFileDialog;
class QPushButton;
class QStackedLayout;
class QTimer;
class QToolButton;

namespace omni {

class Card;
class CoreLink;
class DataTable;
class EmptyState;
class PageHead;
class SearchField;
class StatTile;
class UsageModel;

/// Built in usage_page_build.cpp, at work in usage_page.cpp.
struct UsagePage::Private {
    Private(UsagePage& owner, CoreLink& core) : page(owner), link(core) {}

    UsagePage& page;
    CoreLink& link;
    UsageReader* reader = nullptr;
    UsageModel* model = nullptr;
    UsageFigures figures;
    UsageGroup figuresGroup = UsageGroup::Model;  ///< what they were read for
    UsageRange chartRange;
    int mainFirstDay = 0;  ///< bars before it are for comparison
    bool read = false;     ///< there are figures
    QString problem;
    QTimer* pause = nullptr;  ///< gathers finished requests into one reading

    PageHead* head = nullptr;
    QComboBox* range = nullptr;
    QPushButton* prices = nullptr;
    QPushButton* exportButton = nullptr;
    QToolButton* more = nullptr;
    StatTile* requests = nullptr;
    StatTile* tokensIn = nullptr;
    StatTile* tokensOut = nullptr;
    StatTile* cost = nullptr;
    QComboBox* measure = nullptr;
    DayBars* bars = nullptr;
    Card* tableCard = nullptr;
    QComboBox* group = nullptr;
    SearchField* search = nullptr;
    DataTable* table = nullptr;
    EmptyState* empty = nullptr;
    QStackedLayout* stack = nullptr;
    QPointer<PricesDialog> pricesDialog;
    QPointer<QFileDialog> fileDialog;

    void build(const std::string& databasePath);
    QWidget* buildTiles();
    QWidget* buildChart();
    QWidget* buildTable();
    void chooseColumns();

    UsageGroup groupNow() const;
    UsageMeasure measureNow() const;
    UsageRange rangeNow() const;
    void reload();
    /// `from`: first day of the time chosen; unset = all time.
    void take(const UsageFigures& newest, std::optional<int> from);
    /// Figures, names and prices as they are now.
    void show();
    void showTiles(const UsageRow& total);
    void showBars();
    void showEmpty();
    void showMenu(const QPoint& position);
    void openPrices(const std::vector<PricedModel>& selected);
    std::vector<PricedModel> usedModels() const;
    void chooseFile();
    void exportTo(const QString& path);
    void askForget();
};

}  // namespace omni
