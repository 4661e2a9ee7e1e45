#include "ui/cooldowns/cooldowns_page_p.h"

#include "ui/cooldowns/evidence_panel.h"
#include "ui/cooldowns/held_delegate.h"
#include "ui/cooldowns/rules_bar.h"
#include "ui/core_link.h"
#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/models/page_head.h"
#include "ui/models/state_delegate.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/search_field.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace omni {

void CooldownsPage::Private::build()
{
    model = new HeldModel(&page);
    head = new PageHead(&page);
    head->setTitle(tr("Cooldown Manager"));
    search = new SearchField(&page);
    search->setObjectName(QStringLiteral("cooldownFilter"));
    search->setPlaceholderText(tr("Filter"));
    search->setAccessibleName(tr("Filter what is out of service"));
    search->setMinimumWidth(page.fontMetrics().averageCharWidth() * 22);
    provider = new QComboBox(&page);
    provider->setObjectName(QStringLiteral("cooldownProvider"));
    provider->setAccessibleName(tr("Provider"));
    provider->addItem(tr("All providers"), QString());
    provider->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    show = new QComboBox(&page);
    show->setObjectName(QStringLiteral("cooldownStates"));
    show->setAccessibleName(tr("States shown"));
    show->addItem(tr("All states"), static_cast<int>(HeldModel::Show::All));
    show->addItem(tr("Passing"), static_cast<int>(HeldModel::Show::Passing));
    show->addItem(tr("Terminal"), static_cast<int>(HeldModel::Show::Lasting));
    head->tools()->addWidget(search);
    head->tools()->addWidget(provider);
    head->tools()->addWidget(show);

    buildTable();
    auto* list = new Card(&page);
    list->layout()->setContentsMargins(1, 4, 1, 4);
    nothing = new EmptyState(QStringLiteral("check"), list);
    nothing->setObjectName(QStringLiteral("nothingHeld"));
    stack = new QStackedLayout;
    stack->addWidget(table);
    stack->addWidget(nothing);
    list->body()->addLayout(stack);

    auto* splitter = new QSplitter(Qt::Horizontal, &page);
    splitter->setObjectName(QStringLiteral("cooldownSplitter"));
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(14);
    splitter->addWidget(list);
    splitter->addWidget(buildPanel());
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 0);
    splitter->setSizes({746, 292});

    auto* rulesCard = new Card(tr("Rules"), &page);
    rules = new RulesBar(link, rulesCard);
    rulesCard->body()->addWidget(rules);

    auto* layout = new QVBoxLayout(&page);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(head);
    layout->addWidget(buildToolbar());
    layout->addWidget(splitter, 1);
    layout->addWidget(rulesCard);

    QObject::connect(search, &QLineEdit::textChanged, &page, [this] { applyFilter(); });
    QObject::connect(provider, &QComboBox::currentIndexChanged, &page, [this] { applyFilter(); });
    QObject::connect(show, &QComboBox::currentIndexChanged, &page, [this] { applyFilter(); });
    QObject::connect(nothing, &EmptyState::actionTriggered, &page, [this] {
        if (model->groups().empty())
            Q_EMIT page.openRequested(QStringLiteral("connections"), QStringLiteral("new"));
        else
            showEverything();
    });
}

QWidget* CooldownsPage::Private::buildToolbar()
{
    auto* bar = new QWidget(&page);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins({});
    row->setSpacing(8);
    const auto button = [&](const QString& text, const char* name) {
        auto* made = new QPushButton(text, bar);
        made->setObjectName(QLatin1String(name));
        row->addWidget(made);
        return made;
    };
    clearSelected = button(tr("Clear selected"), "clearSelected");
    clearSelected->setProperty("primary", true);
    clearAll = button(tr("Clear all…"), "clearAllCooldowns");
    clearAll->setToolTip(tr("Ends every passing hold. Terminal states stay as they are."));
    why = button(tr("Why?"), "whyHeld");
    row->addStretch();
    QObject::connect(clearSelected, &QPushButton::clicked, &page, [this] { clear(selected()); });
    QObject::connect(clearAll, &QPushButton::clicked, &page, [this] { askClearAll(model->provider()); });
    QObject::connect(why, &QPushButton::clicked, &page, [this] { panel->focusAction(); });
    return bar;
}

void CooldownsPage::Private::buildTable()
{
    table = new DataTable(&page);
    table->setObjectName(QStringLiteral("cooldownTable"));
    table->setAccessibleName(tr("Out of service"));
    table->setModel(model);
    auto* states = new HeldDelegate(table);
    table->setItemDelegateForColumn(HeldModel::State, states);
    table->setItemDelegateForColumn(HeldModel::Remaining, new RemainingDelegate(table));
    table->setSortingEnabled(true);
    table->sortByColumn(HeldModel::State, Qt::AscendingOrder);
    table->setColumnWidths({10, 12, 14, 16, 16, 5, 0, 8, 0, 0});
    // The rarer, longer words have their tooltip.
    QStringList words;
    for (const Exclusion state : {Exclusion::None, Exclusion::SecretMissing, Exclusion::Banned, Exclusion::Expired,
                                  Exclusion::CreditsExhausted, Exclusion::CircuitOpen, Exclusion::ConnectionCooldown})
        words << lookOf(state, Colours()).word;
    table->widenForStates(HeldModel::State, words);
    table->setColumnWidth(HeldModel::State, table->columnWidth(HeldModel::State) + HeldDelegate::kFold - CellDelegate::kPadding / 2);
    table->installEventFilter(&page);
    QObject::connect(states, &HeldDelegate::foldClicked, &page, [this](const QModelIndex& index) {
        if (const HeldRow* row = rowAt(index))
            model->setFolded(std::string(row->key), !row->folded);
    });
    QObject::connect(table, &DataTable::activated, &page, [this] { panel->focusAction(); });
    QObject::connect(table, &DataTable::deletePressed, &page, [this] { clear(selected()); });
    QObject::connect(table, &QWidget::customContextMenuRequested, &page, [this](const QPoint& at) { showMenu(at); });
    QObject::connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, &page, [this] {
        if (updating)
            return;
        refreshButtons();
        refreshPanel();
    });
}

QWidget* CooldownsPage::Private::buildPanel()
{
    auto* card = new Card(&page);
    panel = new EvidencePanel(card);
    panel->setObjectName(QStringLiteral("evidence"));
    panel->showNote(tr("Choose a line to see why it is held."));
    card->body()->addWidget(panel, 1);
    QObject::connect(panel, &EvidencePanel::clearRequested, &page, [this] { clearShown(); });
    QObject::connect(panel, &EvidencePanel::editRequested, &page, [this](const ConnectionId& id) { openConnection(id, true); });
    QObject::connect(panel, &EvidencePanel::requestRequested, &page,
                     [this](const RequestId& id) { Q_EMIT page.openRequested(QStringLiteral("requests"), toQString(id.str())); });
    QObject::connect(panel, &EvidencePanel::copied, &page, [this] { Q_EMIT page.messageRaised(tr("What is known was copied as text.")); });
    return card;
}

}  // namespace omni
