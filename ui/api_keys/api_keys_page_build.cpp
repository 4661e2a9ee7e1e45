#include "ui/api_keys/api_keys_page_p.h"

#include "ui/api_keys/api_keys_model.h"
#include "ui/core_link.h"
#include "ui/models/data_table.h"
#include "ui/models/page_head.h"
#include "ui/models/state_delegate.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/search_field.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace omni {

void ApiKeysPage::Private::build()
{
    model = new ApiKeysModel(&page);
    filter = new QSortFilterProxyModel(&page);
    filter->setSourceModel(model);
    filter->setSortRole(ApiKeysModel::SortRole);
    filter->setSortLocaleAware(true);
    filter->setSortCaseSensitivity(Qt::CaseInsensitive);
    filter->setFilterKeyColumn(-1);
    filter->setFilterCaseSensitivity(Qt::CaseInsensitive);

    head = new PageHead(&page);
    head->setTitle(tr("API keys"));
    search = new SearchField(&page);
    search->setObjectName(QStringLiteral("keyFilter"));
    search->setPlaceholderText(tr("Filter"));
    search->setAccessibleName(tr("Filter the keys"));
    search->setMinimumWidth(page.fontMetrics().averageCharWidth() * 26);
    create = new QPushButton(tr("&Create key…"), &page);
    create->setObjectName(QStringLiteral("createClientKey"));
    create->setAccessibleName(tr("Create a client key"));
    create->setProperty("primary", true);
    head->tools()->addWidget(search);
    head->tools()->addWidget(create);

    buildTable();
    auto* card = new Card(&page);
    card->layout()->setContentsMargins(1, 4, 1, 4);
    noMatch = new EmptyState(QStringLiteral("search"), card);
    noMatch->setTexts(tr("No key matches the filter."), tr("Show all"));
    tables = new QStackedLayout;
    tables->addWidget(table);
    tables->addWidget(noMatch);
    card->body()->addLayout(tables);

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
    layout->addWidget(buildNote());
    layout->addLayout(stack, 1);

    QObject::connect(search, &QLineEdit::textChanged, &page, [this](const QString& text) {
        filter->setFilterFixedString(text.trimmed());
        tables->setCurrentIndex(filter->rowCount() == 0 && model->rowCount() > 0 ? 1 : 0);
        refreshButtons();
    });
    QObject::connect(noMatch, &EmptyState::actionTriggered, search, &QLineEdit::clear);
    QObject::connect(create, &QPushButton::clicked, &page, [this] { openEditor({}); });
}

QWidget* ApiKeysPage::Private::buildNote()
{
    auto* line = new QWidget(&page);
    note = new QuietLabel(line);
    note->setObjectName(QStringLiteral("clientKeysNote"));
    note->setWordWrap(true);
    settings = new QPushButton(tr("Change in Settings"), line);
    settings->setObjectName(QStringLiteral("openProxySettings"));
    settings->setProperty("quiet", true);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins({});
    row->setSpacing(8);
    row->addWidget(note, 1);
    row->addWidget(settings, 0, Qt::AlignTop);
    QObject::connect(settings, &QPushButton::clicked, &page,
                     [this] { Q_EMIT page.openRequested(QStringLiteral("settings"), QStringLiteral("proxy")); });
    return line;
}

QWidget* ApiKeysPage::Private::buildToolbar()
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
    edit = button(tr("Edit"), "editKey");
    toggle = button(tr("Disable"), "toggleKey");
    revoke = button(tr("Revoke…"), "revokeKey");
    remove = button(tr("Delete…"), "deleteKey");
    row->addStretch();
    QObject::connect(edit, &QPushButton::clicked, &page, [this] { editCurrent(); });
    QObject::connect(toggle, &QPushButton::clicked, &page, [this] {
        const std::vector<ApiKey> keys = selected();
        setActive(keys, !keys.empty() && !keys.front().active);
    });
    QObject::connect(revoke, &QPushButton::clicked, &page, [this] { askRevoke(selected()); });
    QObject::connect(remove, &QPushButton::clicked, &page, [this] { askRemove(selected()); });
    return bar;
}

void ApiKeysPage::Private::buildTable()
{
    table = new DataTable(&page);
    table->setObjectName(QStringLiteral("keyTable"));
    table->setAccessibleName(tr("Client keys"));
    table->setModel(filter);
    table->setItemDelegateForColumn(ApiKeysModel::State, new StateDelegate(table));
    table->setSortingEnabled(true);
    table->sortByColumn(ApiKeysModel::Name, Qt::AscendingOrder);
    table->setColumnWidths({11, 16, 15, 14, 16, 22, 15, 10, 10});
    QStringList words;
    for (const KeyState state : {KeyState::Active, KeyState::Disabled, KeyState::Expired, KeyState::Revoked})
        words << keyStateText(state);
    table->widenForStates(ApiKeysModel::State, words);
    QObject::connect(table, &DataTable::activated, &page, [this] { editCurrent(); });
    QObject::connect(table, &DataTable::deletePressed, &page, [this] { askRemove(selected()); });
    QObject::connect(table, &QWidget::customContextMenuRequested, &page, [this](const QPoint& at) { showMenu(at); });
    QObject::connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, &page, [this] { refreshButtons(); });
}

QWidget* ApiKeysPage::Private::buildEmpty()
{
    auto* card = new Card(&page);
    auto* state = new EmptyState(QStringLiteral("key"), card);
    state->setTexts(
        tr("No client keys yet. A key tells in the request log and on the page Usage who asked, and can be limited to some models "
           "and connections."),
        tr("Create a key"));
    card->body()->addWidget(state, 1);
    QObject::connect(state, &EmptyState::actionTriggered, &page, [this] { openEditor({}); });
    return card;
}

}  // namespace omni
