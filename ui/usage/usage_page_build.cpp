#include "ui/usage/usage_page_p.h"

#include "ui/core_link.h"
#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/models/page_head.h"
#include "ui/overview/stat_tile.h"
#include "ui/theme/theme.h"
#include "ui/usage/usage_model.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/search_field.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace omni {

namespace {

constexpr int kPauseMs = 2'000;

}  // namespace

void UsagePage::Private::build(const std::string& databasePath)
{
    reader = new UsageReader(databasePath, &page);
    model = new UsageModel(&page);
    head = new PageHead(&page);
    head->setTitle(tr("Usage"));
    range = new QComboBox(&page);
    range->setObjectName(QStringLiteral("usageRange"));
    range->setAccessibleName(tr("Time shown"));
    range->addItem(tr("Today"), 1);
    range->addItem(tr("Last 7 days"), 7);
    range->addItem(tr("Last 30 days"), 30);
    range->addItem(tr("Last 90 days"), 90);
    range->addItem(tr("All time"), 0);
    range->setCurrentIndex(1);
    prices = new QPushButton(tr("&Prices…"), &page);
    prices->setObjectName(QStringLiteral("usagePrices"));
    prices->setAccessibleName(tr("Prices of models"));
    exportButton = new QPushButton(tr("&Export CSV…"), &page);
    exportButton->setObjectName(QStringLiteral("usageExport"));
    exportButton->setAccessibleName(tr("Export the usage of this time as a CSV file"));
    more = new QToolButton(&page);
    more->setObjectName(QStringLiteral("usageMore"));
    more->setAccessibleName(tr("More actions"));
    more->setIcon(themedIcon(QStringLiteral("more"), page.palette()));
    more->setPopupMode(QToolButton::InstantPopup);
    more->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    auto* menu = new QMenu(more);
    QAction* forget = menu->addAction(tr("Forget all usage figures…"));
    forget->setObjectName(QStringLiteral("forgetUsage"));
    more->setMenu(menu);
    for (QWidget* tool : std::initializer_list<QWidget*>{range, prices, exportButton, more})
        head->tools()->addWidget(tool);

    auto* layout = new QVBoxLayout(&page);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(head);
    layout->addWidget(buildTiles());
    layout->addWidget(buildChart(), 2);
    layout->addWidget(buildTable(), 3);

    pause = new QTimer(&page);
    pause->setObjectName(QStringLiteral("usagePause"));
    pause->setSingleShot(true);
    pause->setInterval(kPauseMs);
    QObject::connect(pause, &QTimer::timeout, &page, [this] { reload(); });
    QObject::connect(range, &QComboBox::currentIndexChanged, &page, [this] { reload(); });
    QObject::connect(prices, &QPushButton::clicked, &page, [this] { openPrices({}); });
    QObject::connect(exportButton, &QPushButton::clicked, &page, [this] { chooseFile(); });
    QObject::connect(forget, &QAction::triggered, &page, [this] { askForget(); });
}

QWidget* UsagePage::Private::buildTiles()
{
    auto* row = new QWidget(&page);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins({});
    layout->setSpacing(12);
    const auto tile = [&](const QString& caption, const char* name) {
        auto* made = new StatTile(row);
        made->setObjectName(QLatin1String(name));
        made->setCaption(caption);
        layout->addWidget(made);
        return made;
    };
    requests = tile(tr("Requests"), "usageRequests");
    tokensIn = tile(tr("Tokens in"), "usageTokensIn");
    tokensOut = tile(tr("Tokens out"), "usageTokensOut");
    cost = tile(tr("Estimated cost"), "usageCost");
    return row;
}

QWidget* UsagePage::Private::buildChart()
{
    auto* card = new Card(tr("Over time"), &page);
    measure = new QComboBox(card);
    measure->setObjectName(QStringLiteral("usageMeasure"));
    measure->setAccessibleName(tr("What the bars show"));
    measure->addItem(tr("Requests"), static_cast<int>(UsageMeasure::Requests));
    measure->addItem(tr("Tokens"), static_cast<int>(UsageMeasure::Tokens));
    measure->addItem(tr("Errors"), static_cast<int>(UsageMeasure::Errors));
    measure->addItem(tr("Estimated cost"), static_cast<int>(UsageMeasure::Cost));
    card->setRightWidget(measure);
    bars = new DayBars(card);
    bars->setObjectName(QStringLiteral("usageBars"));
    card->body()->addWidget(bars, 1);
    QObject::connect(measure, &QComboBox::currentIndexChanged, &page, [this] { showBars(); });
    return card;
}

QWidget* UsagePage::Private::buildTable()
{
    tableCard = new Card(tr("In detail"), &page);
    auto* tools = new QWidget(tableCard);
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    search = new SearchField(tools);
    search->setObjectName(QStringLiteral("usageFilter"));
    search->setPlaceholderText(tr("Filter"));
    search->setAccessibleName(tr("Filter the usage"));
    search->setMinimumWidth(page.fontMetrics().averageCharWidth() * 26);
    group = new QComboBox(tools);
    group->setObjectName(QStringLiteral("usageGroup"));
    group->setAccessibleName(tr("Rows by"));
    group->addItem(tr("By day"), static_cast<int>(UsageGroup::Day));
    group->addItem(tr("By provider"), static_cast<int>(UsageGroup::Provider));
    group->addItem(tr("By connection"), static_cast<int>(UsageGroup::Connection));
    group->addItem(tr("By model"), static_cast<int>(UsageGroup::Model));
    group->addItem(tr("By client key"), static_cast<int>(UsageGroup::ApiKey));
    group->setCurrentIndex(3);
    row->addWidget(search);
    row->addWidget(group);
    tableCard->setRightWidget(tools);

    table = new DataTable(tableCard);
    table->setObjectName(QStringLiteral("usageTable"));
    table->setAccessibleName(tr("Usage"));
    table->setModel(model);
    table->setSortingEnabled(true);
    table->sortByColumn(UsageModel::Requests, Qt::DescendingOrder);
    chooseColumns();
    empty = new EmptyState(QStringLiteral("overview"), tableCard);
    stack = new QStackedLayout;
    stack->addWidget(table);
    stack->addWidget(empty);
    tableCard->body()->addLayout(stack, 1);

    QObject::connect(search, &QLineEdit::textChanged, &page, [this](const QString& text) {
        model->setFilter(text);
        showEmpty();
    });
    QObject::connect(group, &QComboBox::currentIndexChanged, &page, [this] {
        // Days read from the newest, everything else from the largest.
        const int column = groupNow() == UsageGroup::Day ? UsageModel::Name : UsageModel::Requests;
        table->sortByColumn(column, Qt::DescendingOrder);
        reload();
    });
    QObject::connect(empty, &EmptyState::actionTriggered, &page, [this] {
        if (model->filtering())
            search->clear();
        else if (range->currentData().toInt() != 0)
            range->setCurrentIndex(range->count() - 1);
        else
            QApplication::clipboard()->setText(toQString(link.listener().baseUrl()));
    });
    QObject::connect(table, &QWidget::customContextMenuRequested, &page, [this](const QPoint& at) { showMenu(at); });
    QObject::connect(table, &DataTable::activated, &page, [this](const QModelIndex& index) {
        const UsageRow* chosen = model->rowAt(index.row());
        if (chosen && model->group() == UsageGroup::Model && !chosen->of.model.empty())
            openPrices({{chosen->of.provider, chosen->of.model}});
    });
    return tableCard;
}

void UsagePage::Private::chooseColumns()
{
    const bool beside = model->group() == UsageGroup::Connection || model->group() == UsageGroup::Model;
    table->setColumnWidths({26, beside ? 15 : 0, 10, 8, 9, 12, 12, 12, 11});
}

}  // namespace omni
