#include "ui/combos/combos_page_p.h"

#include "ui/combos/combo_actions.h"
#include "ui/combos/dry_run_panel.h"
#include "ui/combos/route_outlooks.h"
#include "ui/combos/route_text.h"
#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/models/page_head.h"
#include "ui/models/state_delegate.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/search_field.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabBar>
#include <QVBoxLayout>

namespace omni {

void CombosPage::Private::build()
{
    outlooks = new RouteOutlooks(link, &page);
    actions = new ComboActions(link, &page);

    head = new PageHead(&page);
    head->setTitle(tr("Combos"));
    search = new SearchField(&page);
    search->setObjectName(QStringLiteral("comboFilter"));
    search->setPlaceholderText(tr("Filter"));
    search->setAccessibleName(tr("Filter combos and aliases"));
    search->setMinimumWidth(page.fontMetrics().averageCharWidth() * 26);
    add = new QPushButton(&page);
    add->setObjectName(QStringLiteral("addCombo"));
    add->setProperty("primary", true);
    head->tools()->addWidget(search);
    head->tools()->addWidget(add);

    auto* trial = new Card(tr("Dry run"), &page);
    trial->setRightText(tr("who would be asked now; nothing is sent"));
    dryRun = new DryRunPanel(link, trial);
    trial->body()->addWidget(dryRun);

    auto* halves = new QSplitter(Qt::Vertical, &page);
    halves->setObjectName(QStringLiteral("comboHalves"));
    halves->setChildrenCollapsible(false);
    halves->setHandleWidth(12);
    halves->addWidget(buildLists());
    halves->addWidget(trial);
    halves->setStretchFactor(0, 4);
    halves->setStretchFactor(1, 5);

    auto* layout = new QVBoxLayout(&page);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(head);
    layout->addWidget(halves, 1);

    QObject::connect(search, &QLineEdit::textChanged, &page, [this](const QString& text) {
        for (List* list : {&combos, &aliases}) {
            list->filter->setText(text);
            refreshStack(*list);
        }
        refreshButtons();
    });
    QObject::connect(add, &QPushButton::clicked, &page, [this] { addNew(); });
    QObject::connect(tabs, &QTabBar::currentChanged, &page, [this](int tab) {
        lists->setCurrentIndex(tab);
        refreshTexts();
        refreshButtons();
        tryCurrent();
    });
    QObject::connect(actions, &ComboActions::messageRaised, &page, &Page::messageRaised);
    QObject::connect(dryRun, &DryRunPanel::messageRaised, &page, [this](const QString& text) { Q_EMIT page.messageRaised(text); });
    QObject::connect(dryRun, &DryRunPanel::connectionRequested, &page,
                     [this](const ConnectionId& id) { Q_EMIT page.openRequested(QStringLiteral("connections"), toQString(id.str())); });
}

QWidget* CombosPage::Private::buildLists()
{
    auto* side = new QWidget(&page);
    tabs = new QTabBar(side);
    tabs->setObjectName(QStringLiteral("comboTabs"));
    tabs->setAccessibleName(tr("Combos or aliases"));
    tabs->setDrawBase(false);
    tabs->setExpanding(false);
    tabs->setStyleSheet(
        QStringLiteral("QTabBar::tab { border: none; border-bottom: 2px solid transparent; padding: 4px 2px; margin-right: 16px; "
                       "color: palette(placeholder-text); } "
                       "QTabBar::tab:selected { color: palette(text); border-bottom-color: palette(highlight); } "
                       "QTabBar::tab:focus { color: palette(highlight); }"));
    tabs->addTab(QString());
    tabs->addTab(QString());
    const auto button = [&](const QString& text, const char* name) {
        auto* made = new QPushButton(text, side);
        made->setObjectName(QLatin1String(name));
        return made;
    };
    edit = button(tr("Edit"), "editCombo");
    duplicate = button(tr("Duplicate…"), "duplicateCombo");
    remove = button(tr("Delete"), "deleteCombo");
    auto* bar = new QHBoxLayout;
    bar->setSpacing(8);
    bar->addWidget(tabs);
    bar->addStretch();
    for (QPushButton* one : {edit, duplicate, remove})
        bar->addWidget(one);
    QObject::connect(edit, &QPushButton::clicked, &page, [this] { editCurrent(); });
    QObject::connect(duplicate, &QPushButton::clicked, &page, [this] { duplicateCurrent(); });
    QObject::connect(remove, &QPushButton::clicked, &page, [this] { removeSelected(); });

    auto* card = new Card(side);
    card->layout()->setContentsMargins(1, 4, 1, 4);
    lists = new QStackedLayout;
    lists->addWidget(buildList(combos, RouteListModel::Kind::Combos));
    lists->addWidget(buildList(aliases, RouteListModel::Kind::Aliases));
    card->body()->addLayout(lists);
    combos.empty->setTexts(
        tr("No combos yet. A combo is a name for several models in order: when one cannot answer, the next one does, and "
           "the client notices nothing."),
        tr("Add a combo"));
    aliases.empty->setTexts(tr("No aliases yet. An alias lets a client that asks for one model get another, or a combo."),
                            tr("Add an alias"));

    auto* column = new QVBoxLayout(side);
    column->setContentsMargins({});
    column->setSpacing(8);
    column->addLayout(bar);
    column->addWidget(card, 1);
    return side;
}

QWidget* CombosPage::Private::buildList(List& list, RouteListModel::Kind kind)
{
    auto* side = new QWidget(&page);
    list.model = new RouteListModel(kind, *outlooks, &page);
    list.filter = new RouteListFilter(&page);
    list.filter->setSourceModel(list.model);
    buildTable(list, kind);
    list.empty = new EmptyState(QStringLiteral("combos"), side);
    list.noMatch = new EmptyState(QStringLiteral("search"), side);
    list.noMatch->setTexts(tr("Nothing matches the filter."), tr("Show all"));
    list.stack = new QStackedLayout(side);
    list.stack->addWidget(list.table);
    list.stack->addWidget(list.empty);
    list.stack->addWidget(list.noMatch);
    QObject::connect(list.empty, &EmptyState::actionTriggered, &page, [this] { addNew(); });
    QObject::connect(list.noMatch, &EmptyState::actionTriggered, &page, [this] { search->clear(); });
    return side;
}

void CombosPage::Private::buildTable(List& list, RouteListModel::Kind kind)
{
    const bool ofCombos = kind == RouteListModel::Kind::Combos;
    list.table = new DataTable(&page);
    list.table->setObjectName(ofCombos ? QStringLiteral("comboTable") : QStringLiteral("aliasTable"));
    list.table->setAccessibleName(ofCombos ? tr("Combos") : tr("Aliases"));
    list.table->setModel(list.filter);
    auto* states = new StateDelegate(list.table);
    list.table->setItemDelegateForColumn(RouteListModel::State, states);
    if (ofCombos)
        list.table->setItemDelegateForColumn(RouteListModel::Problem, states);
    list.table->setSortingEnabled(true);
    list.table->sortByColumn(RouteListModel::Name, Qt::AscendingOrder);
    list.table->setColumnWidths(ofCombos ? QList<int>{12, 12, 32, 28, 20} : QList<int>{18, 12, 42, 24});
    QStringList words;
    for (const auto word : {RouteOutlook::Kind::First, RouteOutlook::Kind::Later, RouteOutlook::Kind::Nobody, RouteOutlook::Kind::Broken}) {
        RouteOutlook outlook;
        outlook.kind = word;
        words << outlookWord(outlook);
    }
    list.table->widenForStates(RouteListModel::State, words);
    QObject::connect(list.table, &DataTable::activated, &page, [this] { editCurrent(); });
    QObject::connect(list.table, &DataTable::deletePressed, &page, [this] { removeSelected(); });
    QObject::connect(list.table, &QWidget::customContextMenuRequested, &page, [this](const QPoint& at) { showMenu(at); });
    QObject::connect(list.table->selectionModel(), &QItemSelectionModel::selectionChanged, &page, [this] {
        refreshButtons();
        tryCurrent();
    });
}

}  // namespace omni
