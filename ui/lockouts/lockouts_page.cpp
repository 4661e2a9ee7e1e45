#include "ui/lockouts/lockouts_page.h"

#include "ui/cooldowns/clear_holds.h"
#include "ui/cooldowns/hold_story.h"
#include "ui/core_link.h"
#include "ui/lockouts/lockouts_model.h"
#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/models/page_head.h"
#include "ui/models/state_delegate.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/search_field.h"
#include "ui/widgets/why_dialog.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace omni {

namespace {

constexpr int kTickMs = 1000;

}  // namespace

struct LockoutsPage::Private {
    Private(LockoutsPage& owner, CoreLink& core) : page(owner), link(core) {}

    LockoutsPage& page;
    CoreLink& link;
    LockoutsModel* model = nullptr;
    QTimer* timer = nullptr;
    PageHead* head = nullptr;
    SearchField* search = nullptr;
    QComboBox* provider = nullptr;
    QPushButton* enable = nullptr;
    QPushButton* enableAll = nullptr;
    QPushButton* why = nullptr;
    DataTable* table = nullptr;
    EmptyState* nothing = nullptr;
    QStackedLayout* stack = nullptr;

    void build();
    QWidget* buildToolbar();
    void buildTable();
    void takeFacts();
    void tick();
    void refreshProviders();
    void refreshStack();
    void refreshButtons();
    std::vector<LockoutRow> selected() const;
    void enableRows(const std::vector<LockoutRow>& rows);
    void askEnableAll();
    void tellEnabled(const Result<int>& count, const QString& name);
    void tellWhy();
    void showMenu(const QPoint& position);
};

LockoutsPage::LockoutsPage(CoreLink& link, QWidget* parent) : Page(parent), d(std::make_unique<Private>(*this, link))
{
    setObjectName(QStringLiteral("lockouts"));
    d->build();
    d->timer = new QTimer(this);
    d->timer->setObjectName(QStringLiteral("refreshTimer"));
    d->timer->setInterval(kTickMs);
    connect(d->timer, &QTimer::timeout, this, [this] { d->tick(); });
    // Hidden, the page does nothing; it looks anew when it is seen again.
    for (const auto fact : {&CoreLink::configurationChanged, &CoreLink::engineChanged}) {
        connect(&link, fact, this, [this] {
            if (isVisible())
                d->takeFacts();
        });
    }
}

LockoutsPage::~LockoutsPage() = default;

void LockoutsPage::Private::build()
{
    model = new LockoutsModel(&page);
    head = new PageHead(&page);
    head->setTitle(tr("Model Cooldowns"));
    search = new SearchField(&page);
    search->setObjectName(QStringLiteral("lockoutFilter"));
    search->setPlaceholderText(tr("Filter"));
    search->setAccessibleName(tr("Filter the models at rest"));
    search->setMinimumWidth(page.fontMetrics().averageCharWidth() * 26);
    provider = new QComboBox(&page);
    provider->setObjectName(QStringLiteral("lockoutProvider"));
    provider->setAccessibleName(tr("Provider"));
    provider->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    provider->addItem(tr("All providers"), QString());
    head->tools()->addWidget(search);
    head->tools()->addWidget(provider);

    buildTable();
    auto* card = new Card(&page);
    card->layout()->setContentsMargins(1, 4, 1, 4);
    nothing = new EmptyState(QStringLiteral("check"), card);
    stack = new QStackedLayout;
    stack->addWidget(table);
    stack->addWidget(nothing);
    card->body()->addLayout(stack);

    auto* layout = new QVBoxLayout(&page);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(head);
    layout->addWidget(buildToolbar());
    layout->addWidget(card, 1);

    const auto filter = [this] {
        model->setText(search->text());
        model->setProvider(ProviderId(toUtf8(provider->currentData().toString())));
        refreshStack();
        refreshButtons();
    };
    QObject::connect(search, &QLineEdit::textChanged, &page, filter);
    QObject::connect(provider, &QComboBox::currentIndexChanged, &page, filter);
    QObject::connect(nothing, &EmptyState::actionTriggered, &page, [this] {
        if (model->all().empty()) {
            Q_EMIT page.openRequested(QStringLiteral("cooldowns"), QString());
            return;
        }
        search->clear();
        provider->setCurrentIndex(0);
    });
}

QWidget* LockoutsPage::Private::buildToolbar()
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
    enable = button(tr("Re-enable"), "enableLockouts");
    enable->setProperty("primary", true);
    enable->setToolTip(tr("The selected models take requests again at once."));
    enableAll = button(tr("Re-enable all…"), "enableAllLockouts");
    why = button(tr("Why?"), "whyLocked");
    row->addStretch();
    QObject::connect(enable, &QPushButton::clicked, &page, [this] { enableRows(selected()); });
    QObject::connect(enableAll, &QPushButton::clicked, &page, [this] { askEnableAll(); });
    QObject::connect(why, &QPushButton::clicked, &page, [this] { tellWhy(); });
    return bar;
}

void LockoutsPage::Private::buildTable()
{
    table = new DataTable(&page);
    table->setObjectName(QStringLiteral("lockoutTable"));
    table->setAccessibleName(tr("Models at rest"));
    table->setModel(model);
    table->setItemDelegateForColumn(LockoutsModel::Remaining, new RemainingDelegate(table));
    table->setSortingEnabled(true);
    table->sortByColumn(LockoutsModel::Remaining, Qt::DescendingOrder);
    table->setColumnWidths({24, 14, 16, 11, 16, 8, 20, 14, 0, 0});
    QObject::connect(table, &DataTable::activated, &page, [this] { tellWhy(); });
    QObject::connect(table, &DataTable::deletePressed, &page, [this] { enableRows(selected()); });
    QObject::connect(table, &QWidget::customContextMenuRequested, &page, [this](const QPoint& at) { showMenu(at); });
    QObject::connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, &page, [this] { refreshButtons(); });
}

void LockoutsPage::Private::takeFacts()
{
    if (!link.ready())
        return;
    model->setFacts(*link.configuration(), link.engine(), wallNow());
    refreshProviders();
    refreshStack();
    refreshButtons();
}

void LockoutsPage::Private::tick()
{
    if (!link.ready())
        return;
    if (model->anythingOver(wallNow()))
        takeFacts();
    // Only the cells that count and are seen: neither the model nor the order of lines changes with the time.
    const int first = std::max(0, table->rowAt(0));
    const int bottom = table->rowAt(table->viewport()->height() - 1);
    const int last = bottom < 0 ? model->rowCount() - 1 : bottom;
    for (int row = first; row <= last; ++row)
        table->update(model->index(row, LockoutsModel::Remaining));
}

void LockoutsPage::Private::refreshProviders()
{
    const QString chosen = provider->currentData().toString();
    std::vector<std::pair<QString, ProviderId>> wanted = model->providers();
    const bool present =
        std::any_of(wanted.begin(), wanted.end(), [&chosen](const auto& one) { return toQString(one.second.str()) == chosen; });
    if (!chosen.isEmpty() && !present)
        wanted.emplace_back(provider->currentText(), ProviderId(toUtf8(chosen)));
    bool same = provider->count() == static_cast<int>(wanted.size()) + 1;
    for (std::size_t i = 0; same && i < wanted.size(); ++i)
        same = provider->itemText(static_cast<int>(i) + 1) == wanted[i].first;
    if (same)
        return;
    const QSignalBlocker quiet(provider);
    while (provider->count() > 1)
        provider->removeItem(1);
    for (const auto& [name, id] : wanted)
        provider->addItem(name, toQString(id.str()));
    provider->setCurrentIndex(std::max(0, provider->findData(chosen)));
}

void LockoutsPage::Private::refreshStack()
{
    const auto count = static_cast<std::int64_t>(model->all().size());
    if (count == 0)
        head->setSubtitle(tr("Models that rest on a connection while its others serve."));
    else
        head->setSubtitle(count == 1 ? tr("One model rests") : tr("%1 models rest").arg(numberText(count)));
    if (model->rowCount() > 0) {
        stack->setCurrentWidget(table);
        return;
    }
    if (count == 0)
        nothing->setTexts(tr("No model rests. When a provider refuses one model of a connection, it is listed here, and the connection "
                             "goes on serving its others."),
                          tr("Open the Cooldown Manager"));
    else
        nothing->setTexts(tr("No model at rest matches the filter."), tr("Show all"));
    stack->setCurrentWidget(nothing);
}

void LockoutsPage::Private::refreshButtons()
{
    const int count = static_cast<int>(table->selectionModel()->selectedRows().size());
    enable->setEnabled(count > 0);
    why->setEnabled(count == 1);
    enableAll->setEnabled(!model->all().empty());
}

std::vector<LockoutRow> LockoutsPage::Private::selected() const
{
    std::vector<LockoutRow> rows;
    for (const QModelIndex& index : table->selectedRowsInOrder()) {
        if (const LockoutRow* row = model->rowAt(index.row()))
            rows.push_back(*row);
    }
    return rows;
}

void LockoutsPage::Private::enableRows(const std::vector<LockoutRow>& rows)
{
    HeldSelection selection;
    for (const LockoutRow& row : rows)
        selection.add(row.held);
    if (selection.empty())
        return;
    const QString name =
        rows.size() == 1 ? tr("%1 on %2", "model, connection").arg(rows.front().held.name, rows.front().connectionName) : QString();
    link.ask<int>(
        &page, [selection](Control& control, const Reply<int>& reply) { reply(clearHeld(control, selection).lockoutsCleared); },
        [this, name](const Result<int>& count) { tellEnabled(count, name); });
}

void LockoutsPage::Private::tellEnabled(const Result<int>& count, const QString& name)
{
    if (!count)
        Q_EMIT page.messageRaised(errorText(count.error()));
    else if (*count == 0)
        Q_EMIT page.messageRaised(tr("Nothing was left to re-enable: it had ended by itself."));
    else if (*count == 1 && !name.isEmpty())
        Q_EMIT page.messageRaised(tr("%1 serves again.").arg(name));
    else
        Q_EMIT page.messageRaised(*count == 1 ? tr("One model serves again.") : tr("%1 models serve again.").arg(numberText(*count)));
}

void LockoutsPage::Private::askEnableAll()
{
    if (page.findChild<QMessageBox*>(QStringLiteral("enableAllQuestion")))
        return;
    auto* question = new QMessageBox(&page);
    question->setObjectName(QStringLiteral("enableAllQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setIcon(QMessageBox::Question);
    question->setWindowTitle(tr("Re-enable all?"));
    question->setText(tr("Re-enable all?"));
    question->setInformativeText(tr("Requests go to these models again at once, although what made them rest may not be over. Models: %1.")
                                     .arg(numberText(static_cast<std::int64_t>(model->all().size()))));
    QPushButton* yes = question->addButton(tr("Re-enable all"), QMessageBox::AcceptRole);
    QPushButton* no = question->addButton(tr("Cancel"), QMessageBox::RejectRole);
    yes->setObjectName(QStringLiteral("enableAllNow"));
    no->setObjectName(QStringLiteral("cancel"));
    question->setDefaultButton(yes);
    question->setEscapeButton(no);
    QObject::connect(yes, &QPushButton::clicked, &page, [this] {
        link.ask<int>(
            &page, [](Control& control, const Reply<int>& reply) { reply(control.clearAllLockouts()); },
            [this](const Result<int>& count) { tellEnabled(count, {}); });
    });
    question->open();
}

void LockoutsPage::Private::tellWhy()
{
    const std::vector<LockoutRow> rows = selected();
    if (rows.size() != 1)
        return;
    const HoldStory story = storyOf(rows.front().held, *link.configuration(), link.engine());
    const QString text = storyText(story, {});
    auto* told = new WhyDialog(story.heading, text.mid(story.heading.size()).trimmed(), &page);
    told->setAction(tr("Re-enable"));
    QObject::connect(told, &WhyDialog::actionTriggered, &page, [this, rows] { enableRows(rows); });
    told->open();
}

void LockoutsPage::Private::showMenu(const QPoint& position)
{
    const std::vector<LockoutRow> rows = selected();
    if (rows.empty())
        return;
    const QString connection = toQString(rows.front().held.connection.str());
    QMenu menu(&page);
    menu.setObjectName(QStringLiteral("lockoutMenu"));
    menu.addAction(tr("Why?"), QKeySequence(Qt::Key_Return), &page, [this] { tellWhy(); })->setEnabled(rows.size() == 1);
    menu.addAction(tr("Re-enable"), QKeySequence::Delete, &page, [this, rows] { enableRows(rows); });
    menu.addSeparator();
    menu.addAction(tr("Show its connection"), &page,
                   [this, connection] { Q_EMIT page.openRequested(QStringLiteral("connections"), connection); })
        ->setEnabled(rows.size() == 1);
    menu.addAction(tr("Copy as text"), QKeySequence::Copy, table, &DataTable::copySelection);
    menu.exec(table->viewport()->mapToGlobal(position));
}

QWidget* LockoutsPage::filterField() const
{
    return d->search;
}

void LockoutsPage::refresh()
{
    d->takeFacts();
}

void LockoutsPage::showObject(const QString& objectId)
{
    d->takeFacts();
    d->provider->setCurrentIndex(0);
    d->search->setText(objectId);
    if (d->model->rowCount() > 0)
        d->table->selectRow(0);
}

void LockoutsPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    d->takeFacts();
    d->timer->start();
}

void LockoutsPage::hideEvent(QHideEvent* event)
{
    Page::hideEvent(event);
    d->timer->stop();
}

}  // namespace omni
