#include "ui/connections/connections_page_p.h"

#include "ui/connections/connection_actions.h"
#include "ui/models/connections_filter.h"
#include "ui/models/connections_model.h"
#include "ui/models/page_head.h"
#include "ui/models/reorder_table.h"
#include "ui/models/state_delegate.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/search_field.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace omni {

void ConnectionsPage::Private::build()
{
    model = new ConnectionsModel(&page);
    filter = new ConnectionsFilter(&page);
    filter->setSourceModel(model);
    actions = new ConnectionActions(link, *model, &page);

    head = new PageHead(&page);
    head->setTitle(tr("Connections"));
    search = new SearchField(&page);
    search->setObjectName(QStringLiteral("connectionFilter"));
    search->setPlaceholderText(tr("Filter"));
    search->setAccessibleName(tr("Filter the connections"));
    search->setMinimumWidth(page.fontMetrics().averageCharWidth() * 26);
    show = new QComboBox(&page);
    show->setObjectName(QStringLiteral("connectionStates"));
    show->setAccessibleName(tr("States shown"));
    show->addItem(tr("All states"), static_cast<int>(ConnectionsFilter::Show::All));
    show->addItem(tr("Serving"), static_cast<int>(ConnectionsFilter::Show::Serving));
    show->addItem(tr("Out of service"), static_cast<int>(ConnectionsFilter::Show::OutOfService));
    show->addItem(tr("Disabled"), static_cast<int>(ConnectionsFilter::Show::Disabled));
    add = new QPushButton(tr("Add…"), &page);
    add->setObjectName(QStringLiteral("addConnection"));
    add->setAccessibleName(tr("Add a connection"));
    add->setProperty("primary", true);
    importKeys = new QPushButton(tr("Import…"), &page);
    importKeys->setObjectName(QStringLiteral("importKeys"));
    importKeys->setAccessibleName(tr("Import keys that lie on this computer"));
    head->tools()->addWidget(search);
    head->tools()->addWidget(show);
    head->tools()->addWidget(importKeys);
    head->tools()->addWidget(add);

    buildTable();
    auto* card = new Card(&page);
    card->layout()->setContentsMargins(1, 4, 1, 4);
    noMatch = new EmptyState(QStringLiteral("search"), card);
    noMatch->setTexts(tr("No connection matches the filter."), tr("Show all"));
    auto* tables = new QStackedLayout;
    tables->addWidget(table);
    tables->addWidget(noMatch);
    card->body()->addLayout(tables);
    const auto showMatch = [this, tables] {
        const bool nothing = filter->rowCount() == 0 && model->rowCount() > 0;
        tables->setCurrentWidget(nothing ? static_cast<QWidget*>(noMatch) : table);
    };
    for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        QObject::connect(filter, changed, &page, showMatch);
    QObject::connect(filter, &QAbstractItemModel::modelReset, &page, showMatch);
    QObject::connect(filter, &QAbstractItemModel::layoutChanged, &page, showMatch);

    tableSide = new QWidget(&page);
    auto* column = new QVBoxLayout(tableSide);
    column->setContentsMargins({});
    column->setSpacing(12);
    column->addWidget(buildToolbar());
    column->addWidget(card, 1);
    emptySide = buildEmpty();
    stack = new QStackedLayout;
    stack->addWidget(tableSide);
    stack->addWidget(emptySide);

    auto* layout = new QVBoxLayout(&page);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(head);
    layout->addLayout(stack, 1);

    QObject::connect(search, &QLineEdit::textChanged, &page, [this, showMatch](const QString& text) {
        filter->setText(text);
        showMatch();
        refreshButtons();
    });
    QObject::connect(show, &QComboBox::currentIndexChanged, &page, [this, showMatch] {
        filter->setShow(static_cast<ConnectionsFilter::Show>(show->currentData().toInt()));
        showMatch();
        refreshButtons();
    });
    QObject::connect(noMatch, &EmptyState::actionTriggered, &page, [this] {
        search->clear();
        show->setCurrentIndex(0);
    });
    QObject::connect(add, &QPushButton::clicked, &page, [this] { openEditor(std::nullopt); });
    QObject::connect(importKeys, &QPushButton::clicked, &page, [this] { openKeyImport(); });
    QObject::connect(actions, &ConnectionActions::messageRaised, &page, &Page::messageRaised);
    QObject::connect(actions, &ConnectionActions::made, &page, [this](const ConnectionId& id) { select(id); });
}

QWidget* ConnectionsPage::Private::buildToolbar()
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
    edit = button(tr("Edit"), "editConnection");
    test = button(tr("Test"), "testConnection");
    toggle = button(tr("Disable"), "toggleConnection");
    duplicate = button(tr("Duplicate"), "duplicateConnection");
    remove = button(tr("Delete"), "deleteConnection");
    why = button(tr("Why?"), "whyConnection");
    why->setToolTip(tr("What keeps the connection, or models of it, out of service."));
    row->addStretch();
    progress = new QProgressBar(bar);
    progress->setObjectName(QStringLiteral("testProgress"));
    progress->setAccessibleName(tr("Tests that are through"));
    progress->setTextVisible(false);
    progress->setFixedSize(120, 8);
    progress->hide();
    row->addWidget(progress);
    testAll = button(tr("Test all"), "testAll");
    testAll->setToolTip(tr("Tests every connection that is shown. A test that fails changes nothing about how requests are routed."));
    QObject::connect(testAll, &QPushButton::clicked, &page, [this] { testOrStop(); });
    QObject::connect(actions, &ConnectionActions::testsProgressed, &page, [this](int done, int total) { showProgress(done, total); });
    QObject::connect(edit, &QPushButton::clicked, &page, [this] { editCurrent(); });
    QObject::connect(test, &QPushButton::clicked, &page, [this] { actions->test(selected()); });
    QObject::connect(toggle, &QPushButton::clicked, &page, [this] {
        const auto ids = selected();
        actions->setEnabled(ids, !anyEnabled(ids));
    });
    QObject::connect(duplicate, &QPushButton::clicked, &page, [this] { actions->duplicate(selected()); });
    QObject::connect(remove, &QPushButton::clicked, &page, [this] { actions->remove(selected()); });
    QObject::connect(why, &QPushButton::clicked, &page, [this] { tellWhy(); });
    return bar;
}

void ConnectionsPage::Private::buildTable()
{
    table = new ReorderTable(&page);
    table->setObjectName(QStringLiteral("connectionTable"));
    table->setAccessibleName(tr("Connections"));
    table->setModel(filter);
    auto* states = new StateDelegate(table);
    table->setItemDelegateForColumn(ConnectionsModel::State, states);
    table->setItemDelegateForColumn(ConnectionsModel::LastResult, states);
    table->setItemDelegateForColumn(ConnectionsModel::Remaining, new RemainingDelegate(table));
    table->setSortingEnabled(true);
    table->sortByColumn(ConnectionsModel::Provider, Qt::AscendingOrder);
    table->setColumnWidths({13, 16, 15, 14, 8, 8, 11, 12, 15});
    QStringList words;
    for (const Exclusion reason :
         {Exclusion::None, Exclusion::Disabled, Exclusion::SecretMissing, Exclusion::SecretUnreadable, Exclusion::Banned,
          Exclusion::Expired, Exclusion::CreditsExhausted, Exclusion::CircuitOpen, Exclusion::ConnectionCooldown,
          Exclusion::ProviderCooldown})
        words << lookOf(reason, Colours()).word;
    words << ConnectionsModel::restingModelsText(1) << ConnectionsModel::restingModelsText(10);
    table->widenForStates(ConnectionsModel::State, words);
    // The countdown stands beside the state it belongs to.
    table->horizontalHeader()->moveSection(ConnectionsModel::Remaining, 1);
    QObject::connect(table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, &page, [this] { followSorting(); });
    followSorting();
    QObject::connect(table, &ReorderTable::moveWanted, &page,
                     [this](const std::vector<int>& rows, int before) { reorder(rows, before); });
    QObject::connect(table, &DataTable::activated, &page, [this] { editCurrent(); });
    QObject::connect(table, &DataTable::deletePressed, &page, [this] { actions->remove(selected()); });
    QObject::connect(table, &QWidget::customContextMenuRequested, &page, [this](const QPoint& at) { showMenu(at); });
    QObject::connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, &page, [this] { refreshButtons(); });
}

QWidget* ConnectionsPage::Private::buildEmpty()
{
    auto* card = new Card(&page);
    auto* state = new EmptyState(QStringLiteral("key"), card);
    state->setTexts(
        tr("No connections yet. Add the key of a provider, or a server of your own: every client of this proxy can then use it. "
           "Or look around first with the sandbox, which needs no key."),
        tr("Add a connection"));
    auto* found = new QPushButton(tr("Import keys that lie on this computer…"), card);
    found->setObjectName(QStringLiteral("importKeysFirst"));
    found->setProperty("quiet", true);
    auto* sandbox = new QPushButton(tr("Try the sandbox"), card);
    sandbox->setObjectName(QStringLiteral("trySandbox"));
    sandbox->setProperty("quiet", true);
    card->body()->addStretch(1);
    card->body()->addWidget(state);
    card->body()->addWidget(found, 0, Qt::AlignHCenter);
    card->body()->addWidget(sandbox, 0, Qt::AlignHCenter);
    card->body()->addStretch(1);
    QObject::connect(state, &EmptyState::actionTriggered, &page, [this] { openEditor(std::nullopt); });
    QObject::connect(found, &QPushButton::clicked, &page, [this] { openKeyImport(); });
    QObject::connect(sandbox, &QPushButton::clicked, &page, [this] { actions->addSandbox(); });
    return card;
}

}  // namespace omni
