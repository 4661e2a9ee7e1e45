#include "ui/cooldowns/cooldowns_page_p.h"

#include "ui/cooldowns/evidence_panel.h"
#include "ui/cooldowns/hold_story.h"
#include "ui/cooldowns/rules_bar.h"
#include "ui/core_link.h"
#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/models/page_head.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/search_field.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace omni {

namespace {

constexpr int kTickMs = 1000;
constexpr int kReadEvery = 5;  ///< ticks
constexpr int kMostRequests = 500;
constexpr std::size_t kShownEvents = 8;

}  // namespace

CooldownsPage::CooldownsPage(CoreLink& link, std::shared_ptr<HoldHistory> history, const std::string& databasePath, QWidget* parent)
    : Page(parent), d(std::make_unique<Private>(*this, link, std::move(history), databasePath))
{
    setObjectName(QStringLiteral("cooldowns"));
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

CooldownsPage::~CooldownsPage() = default;

void CooldownsPage::Private::takeFacts()
{
    if (!link.ready())
        return;
    const bool wasEmpty = model->rowCount() == 0;
    updating = true;
    model->setFacts(*link.configuration(), link.engine(), wallNow());
    updating = false;
    refreshProviders();
    refreshStack();
    // Whoever opens the page wants to know of something: the first line is as good a guess as any, and saves a click.
    if (wasEmpty && model->rowCount() > 0 && shown.empty())
        table->selectRow(0);
    refreshButtons();
    refreshPanel();
}

void CooldownsPage::Private::tick()
{
    if (!link.ready())
        return;
    if (model->anythingOver(wallNow()))
        takeFacts();
    // Only the cells that count and are seen: neither the model nor the order of lines changes with the time.
    const int first = std::max(0, table->rowAt(0));
    const int bottom = table->rowAt(table->viewport()->height() - 1);
    const int last = bottom < 0 ? model->rowCount() - 1 : bottom;
    for (int row = first; row <= last; ++row) {
        if (const HeldRow* line = model->rowAt(row); line && line->until)
            table->update(model->index(row, HeldModel::Remaining));
    }
    if (++ticks % kReadEvery != 0)
        return;
    if (const HeldRow* row = chosen(); row && !row->connection.empty())
        readRequests(row->connection);
}

void CooldownsPage::Private::refreshProviders()
{
    std::vector<std::pair<QString, ProviderId>> wanted = model->providers();
    const QString chosenProvider = provider->currentData().toString();
    const bool present = std::any_of(wanted.begin(), wanted.end(),
                                     [&chosenProvider](const auto& one) { return toQString(one.second.str()) == chosenProvider; });
    // What is chosen stays, although nothing of it may be out any more.
    if (!chosenProvider.isEmpty() && !present)
        wanted.emplace_back(provider->currentText(), ProviderId(toUtf8(chosenProvider)));
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
    provider->setCurrentIndex(std::max(0, provider->findData(chosenProvider)));
}

void CooldownsPage::Private::refreshStack()
{
    head->setSubtitle(model->summary());
    const bool empty = model->rowCount() == 0;
    if (!empty) {
        stack->setCurrentWidget(table);
        return;
    }
    if (model->groups().empty() && link.configuration()->connections.empty())
        nothing->setTexts(tr("There are no connections yet. Once there are, those that rest are listed here, with the reason."),
                          tr("Add a connection"));
    else if (model->groups().empty())
        nothing->setTexts(
            tr("Nothing is out of service: every connection takes requests. A key that rests is listed here, with the reason."));
    else
        nothing->setTexts(tr("Nothing that is out of service matches the filter."), tr("Show all"));
    stack->setCurrentWidget(nothing);
}

void CooldownsPage::Private::refreshButtons()
{
    const std::vector<HeldRow> rows = selected();
    clearSelected->setEnabled(std::any_of(rows.begin(), rows.end(), [](const HeldRow& row) { return row.passing(); }));
    clearSelected->setToolTip(!rows.empty() && !clearSelected->isEnabled()
                                  ? tr("A terminal state is not cleared here: give the connection another key, or test it on its own page.")
                                  : QString());
    why->setEnabled(chosen() != nullptr);
    const ProviderId only = model->provider();
    const bool any = std::any_of(model->groups().begin(), model->groups().end(), [&only](const HeldGroup& group) {
        return group.head.passing() && (only.empty() || group.head.provider == only);
    });
    clearAll->setEnabled(any);
    clearAll->setText(only.empty() ? tr("Clear all…") : tr("Clear all of %1…").arg(provider->currentText()));
}

const HeldRow* CooldownsPage::Private::rowAt(const QModelIndex& index) const
{
    return index.isValid() ? model->rowAt(index.row()) : nullptr;
}

const HeldRow* CooldownsPage::Private::chosen() const
{
    const QItemSelectionModel* selection = table->selectionModel();
    if (!selection->hasSelection())
        return nullptr;
    const QModelIndex current = table->currentIndex();
    if (current.isValid() && selection->isRowSelected(current.row()))
        return rowAt(current);
    const QModelIndexList rows = table->selectedRowsInOrder();
    return rows.isEmpty() ? nullptr : rowAt(rows.constFirst());
}

bool CooldownsPage::Private::holds(const std::string& key) const
{
    const auto is = [&key](const HeldRow& row) { return row.key == key; };
    return std::any_of(model->groups().begin(), model->groups().end(),
                       [&is](const HeldGroup& group) { return is(group.head) || std::any_of(group.locks.begin(), group.locks.end(), is); });
}

std::vector<HeldRow> CooldownsPage::Private::selected() const
{
    std::vector<HeldRow> rows;
    for (const QModelIndex& index : table->selectedRowsInOrder()) {
        if (const HeldRow* row = rowAt(index))
            rows.push_back(*row);
    }
    return rows;
}

void CooldownsPage::Private::refreshPanel()
{
    const HeldRow* row = chosen();
    if (!row) {
        // What the user was reading about has ended: that is said for as long as nothing else is chosen.
        if (!shown.empty())
            panel->showNote(holds(shown) ? tr("Choose a line to see why it is held.")
                                         : tr("“%1” is in service again. Choose a line to see why it is held.").arg(shownTitle));
        shown.clear();
        return;
    }
    const bool other = std::exchange(shown, row->key) != row->key;
    shownTitle = row->kind == HeldRow::Kind::Provider ? row->providerName : row->name;
    panel->setStory(storyOf(*row, *link.configuration(), link.engine()), row->passing());
    if (other)
        panel->setBusy(false);
    if (!row->connection.empty() && (other || recordsOf != row->connection)) {
        if (recordsOf != row->connection)
            records.clear();
        recordsOf = row->connection;
        readRequests(row->connection);
    }
    refreshTimeline(*row);
}

void CooldownsPage::Private::refreshTimeline(const HeldRow& row)
{
    const WallTime now = wallNow();
    if (row.kind == HeldRow::Kind::Provider) {
        const BreakerStatus* breaker = row.state == Exclusion::CircuitOpen ? link.engine().breaker(row.provider) : nullptr;
        panel->setMeanwhile({});
        panel->setTimeline({}, breaker ? eventsOf(*breaker, kShownEvents) : std::vector<HoldEvent>(), now);
        return;
    }
    panel->setMeanwhile(meanwhileOf(row, records, *link.configuration()));
    panel->setTimeline(history->spans(row.connection, now), eventsOf(row.connection, records, kShownEvents), now);
}

void CooldownsPage::Private::readRequests(const ConnectionId& connection)
{
    // One question at a time: over a long log it may take longer than a tick.
    if (reading == connection)
        return;
    reading = connection;
    reader.concerning(connection, wallNow() - HoldHistory::kKept, kMostRequests, &page,
                      [this, connection](Result<std::vector<RequestRecord>> found) {
                          if (reading == connection)
                              reading = {};
                          if (!found || connection != recordsOf)
                              return;
                          records = std::move(*found);
                          if (const HeldRow* row = chosen(); row && row->connection == connection)
                              refreshTimeline(*row);
                      });
}

void CooldownsPage::Private::applyFilter()
{
    updating = true;
    model->setText(search->text());
    model->setProvider(ProviderId(toUtf8(provider->currentData().toString())));
    model->setShow(static_cast<HeldModel::Show>(show->currentData().toInt()));
    updating = false;
    refreshStack();
    refreshButtons();
    refreshPanel();
}

void CooldownsPage::Private::showEverything()
{
    search->clear();
    provider->setCurrentIndex(0);
    show->setCurrentIndex(0);
}

QWidget* CooldownsPage::filterField() const
{
    return d->search;
}

void CooldownsPage::refresh()
{
    d->recordsOf = {};
    d->takeFacts();
}

void CooldownsPage::showObject(const QString& objectId)
{
    d->takeFacts();
    const std::string key = "c/" + toUtf8(objectId);
    int row = d->model->reveal(key);
    if (row < 0 && d->model->filtering()) {
        d->showEverything();
        row = d->model->reveal(key);
    }
    if (row < 0)
        return;
    d->table->selectRow(row);
    d->table->scrollTo(d->model->index(row, 0));
}

void CooldownsPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    d->rules->takeConfiguration();
    d->takeFacts();
    d->tick();
    d->timer->start();
}

void CooldownsPage::hideEvent(QHideEvent* event)
{
    Page::hideEvent(event);
    d->timer->stop();
}

bool CooldownsPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == d->table && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int close = layoutDirection() == Qt::RightToLeft ? Qt::Key_Right : Qt::Key_Left;
        const int open = layoutDirection() == Qt::RightToLeft ? Qt::Key_Left : Qt::Key_Right;
        if ((key == close && d->fold(true)) || (key == open && d->fold(false)))
            return true;
    }
    return Page::eventFilter(watched, event);
}

}  // namespace omni
