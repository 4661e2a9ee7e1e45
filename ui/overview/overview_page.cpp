#include "ui/overview/overview_page.h"

#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/models/history_reader.h"
#include "ui/models/hold_actions.h"
#include "ui/overview/holds_panel.h"
#include "ui/overview/providers_panel.h"
#include "ui/overview/stat_tile.h"
#include "ui/overview/traffic_figures.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/why_dialog.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include <optional>
#include <utility>

namespace omni {

namespace {

constexpr int kRefreshMs = 1000;
constexpr int kHoldsMs = 400;
constexpr std::size_t kChartPoints = 600;
constexpr Millis kHour{3'600'000};
constexpr std::size_t kMostRequests = 3'000;

/// What the page asks the core for, once a second.
struct Picture {
    BreakerHistory breakers;
    std::vector<TrafficSample> traffic;
    std::vector<TrafficSample> hour;
    /// Breakers only. The engine announces changes of state; the counts between them have to be asked for.
    EngineSnapshot counts;
};

/// Two durations, the unit once where both have the same: "0.09 / 0.4 ms".
QString pairText(std::int64_t first, std::int64_t second)
{
    constexpr std::int64_t aSecond = 999'500;
    const QString left = second < aSecond ? decimalText(static_cast<double>(first) / 1000.0, first < 10'000 ? 2 : 0) : durationText(first);
    return OverviewPage::tr("%1 / %2", "p50 / p99").arg(left, durationText(second));
}

}  // namespace

struct OverviewPage::Private {
    Private(OverviewPage& owner, CoreLink& core, const std::string& databasePath) : page(owner), link(core), history(databasePath) {}

    OverviewPage& page;
    CoreLink& link;
    HistoryReader history;
    std::optional<WallTime> askedMinute;  ///< whose requests are being read
    std::optional<WallTime> nextMinute;
    QTimer* timer = nullptr;
    QTimer* holdsTimer = nullptr;
    bool asking = false;

    StatTile* rate = nullptr;
    StatTile* answered = nullptr;
    StatTile* added = nullptr;
    StatTile* tokens = nullptr;
    Card* providersCard = nullptr;
    ProvidersPanel* providers = nullptr;
    EmptyState* noConnections = nullptr;
    QStackedLayout* stack = nullptr;
    Card* holdsCard = nullptr;
    HoldsPanel* holds = nullptr;
    QPushButton* clearAll = nullptr;
    QPushButton* manager = nullptr;

    void build();
    void setTexts();
    void refresh();
    void show(const Picture& picture);
    void showTiles(const Picture& picture, WallTime now);
    void showHolds();
    void clear(const HoldItem& hold);
    void edit(const HoldItem& hold);
    void tellWhy(const HoldItem& hold);
    void clearEverything();
    void askMinute(WallTime from);
    void tellCleared(int cleared);
};

OverviewPage::OverviewPage(CoreLink& link, const std::string& databasePath, QWidget* parent)
    : Page(parent), d(std::make_unique<Private>(*this, link, databasePath))
{
    setObjectName(QStringLiteral("overview"));
    d->build();
    d->setTexts();
    d->holdsTimer = new QTimer(this);
    d->holdsTimer->setSingleShot(true);
    d->holdsTimer->setInterval(kHoldsMs);
    d->timer = new QTimer(this);
    d->timer->setObjectName(QStringLiteral("refreshTimer"));
    d->timer->setInterval(kRefreshMs);
    connect(d->timer, &QTimer::timeout, this, &OverviewPage::refresh);
    // A page opened late starts from what the engine tells now, its last transitions included.
    d->providers->remember(link.engine(), wallNow());
    connect(&link, &CoreLink::engineChanged, this, [this] {
        d->providers->remember(d->link.engine(), wallNow());
        // A busy engine speaks ten times a second; twice is enough to look live.
        if (isVisible() && !d->holdsTimer->isActive())
            d->holdsTimer->start();
    });
    connect(d->holdsTimer, &QTimer::timeout, this, [this] { d->showHolds(); });
    connect(&link, &CoreLink::requestLogCleared, this, [this] { d->providers->forgetRequests(); });
    connect(&link, &CoreLink::configurationChanged, this, [this] {
        if (isVisible())
            refresh();
    });
}

OverviewPage::~OverviewPage() = default;

void OverviewPage::Private::build()
{
    auto* tiles = new QHBoxLayout;
    tiles->setSpacing(16);
    const auto tile = [&](const char* name) {
        auto* made = new StatTile(&page);
        made->setObjectName(QLatin1String(name));
        tiles->addWidget(made, 1);
        return made;
    };
    rate = tile("tileRate");
    answered = tile("tileAnswered");
    added = tile("tileAdded");
    tokens = tile("tileTokens");

    providersCard = new Card(&page);
    providers = new ProvidersPanel(providersCard);
    providersCard->setRightWidget(providers->spanButtons());
    noConnections = new EmptyState(QStringLiteral("connections"), providersCard);
    stack = new QStackedLayout;
    stack->addWidget(providers);
    stack->addWidget(noConnections);
    providersCard->body()->addLayout(stack);

    holdsCard = new Card(&page);
    holdsCard->setMinimumWidth(280);
    holdsCard->setMaximumWidth(420);
    holds = new HoldsPanel(holdsCard);
    clearAll = new QPushButton(holdsCard);
    clearAll->setObjectName(QStringLiteral("clearAll"));
    clearAll->hide();
    holdsCard->body()->addWidget(holds, 1);
    manager = new QPushButton(holdsCard);
    manager->setObjectName(QStringLiteral("openCooldowns"));
    manager->setProperty("quiet", true);
    manager->hide();
    auto* below = new QHBoxLayout;
    below->setSpacing(8);
    below->addWidget(clearAll);
    below->addWidget(manager);
    below->addStretch();
    holdsCard->body()->addLayout(below);

    auto* cards = new QHBoxLayout;
    cards->setSpacing(16);
    cards->addWidget(providersCard, 64);
    cards->addWidget(holdsCard, 36);
    auto* layout = new QVBoxLayout(&page);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(16);
    layout->addLayout(tiles);
    layout->addLayout(cards, 1);

    QObject::connect(providers, &ProvidersPanel::spanChanged, &page, [this] {
        providersCard->setTitle(tr("Providers, %1").arg(providers->spanWords()));
        asking = false;  // the answer under way is for another time
        refresh();
    });
    QObject::connect(providers, &ProvidersPanel::minuteChosen, &page, [this](WallTime from) { askMinute(from); });
    QObject::connect(providers, &ProvidersPanel::requestChosen, &page,
        [this](const RequestId& id) { Q_EMIT page.openRequested(QStringLiteral("requests"), toQString(id.str())); });
    QObject::connect(noConnections, &EmptyState::actionTriggered, &page,
        [this] { Q_EMIT page.openRequested(QStringLiteral("connections"), QStringLiteral("new")); });
    QObject::connect(holds, &HoldsPanel::clearRequested, &page, [this](const HoldItem& hold) { clear(hold); });
    QObject::connect(holds, &HoldsPanel::editRequested, &page, [this](const HoldItem& hold) { edit(hold); });
    QObject::connect(holds, &HoldsPanel::whyRequested, &page, [this](const HoldItem& hold) { tellWhy(hold); });
    QObject::connect(holds, &HoldsPanel::restRequested, &page,
        [this] { Q_EMIT page.openRequested(QStringLiteral("cooldowns"), QString()); });
    QObject::connect(manager, &QPushButton::clicked, &page,
        [this] { Q_EMIT page.openRequested(QStringLiteral("cooldowns"), QString()); });
    QObject::connect(holds, &HoldsPanel::holdEnded, &page, [this] { showHolds(); });
    QObject::connect(clearAll, &QPushButton::clicked, &page, [this] { clearEverything(); });
}

void OverviewPage::Private::setTexts()
{
    rate->setCaption(tr("Requests a second"));
    answered->setCaption(tr("Answered, last hour"));
    added->setCaption(tr("Added by us, p50 / p99"));
    tokens->setCaption(tr("Tokens a minute"));
    providersCard->setTitle(tr("Providers, %1").arg(providers->spanWords()));
    holdsCard->setTitle(tr("Out of service"));
    clearAll->setText(tr("Clear all now"));
    clearAll->setToolTip(tr("Ends every passing hold. Connections that need a new key or credit stay as they are."));
    manager->setText(tr("Cooldown Manager"));
    manager->setToolTip(tr("Why each of them is out, and how the last hour went"));
    noConnections->setTexts(
        tr("No connections yet. Add the key of a provider, or a server of your own, and every client of this proxy can use it."),
        tr("Add a connection"));
}

void OverviewPage::Private::refresh()
{
    if (!link.ready() || asking)
        return;
    asking = true;
    const Millis span = providers->span();
    link.ask<Picture>(
        &page,
        [span](Control& control, const Reply<Picture>& reply) {
            const Metrics& metrics = control.metrics();
            EngineSnapshot counts = control.engineSnapshot();
            counts.healths.clear();
            counts.lockouts.clear();
            reply(Picture{metrics.breakerHistory(span), metrics.traffic(span, kChartPoints), metrics.traffic(kHour, kChartPoints),
                std::move(counts)});
        },
        [this, span](const Result<Picture>& picture) {
            if (span != providers->span())
                return;
            asking = false;
            if (picture && page.isVisible())
                show(*picture);
        });
}

void OverviewPage::Private::show(const Picture& picture)
{
    const WallTime now = wallNow();
    const Configuration& configuration = *link.configuration();
    showTiles(picture, now);
    if (configuration.connections.empty()) {
        stack->setCurrentWidget(noConnections);
        providers->spanButtons()->hide();
    } else {
        stack->setCurrentWidget(providers);
        providers->spanButtons()->show();
        providers->remember(picture.counts, now);
        providers->showBands(link.configuration(), picture.counts, picture.breakers, now);
        providers->showTraffic(linesOf(picture.traffic, now));
    }
    showHolds();
}

void OverviewPage::Private::showTiles(const Picture& picture, WallTime now)
{
    const TrafficFigures figures = figuresOf(link.traffic(), picture.hour, now);
    rate->setFigures(decimalText(figures.perSecond, figures.perSecond < 100 ? 1 : 0),
        tr("peak %1 in the last hour").arg(decimalText(figures.peakPerSecond, figures.peakPerSecond < 10 ? 1 : 0)));

    const std::int64_t all = figures.answered + figures.failed;
    answered->setFigures(shareText(figures.answered, all),
        all == 0 ? tr("no requests yet")
                 : tr("%1 of %2 by another target").arg(numberText(figures.viaAnotherTarget), numberText(all)));

    const QString none = QStringLiteral("–");
    added->setFigures(figures.addedP50Us ? pairText(*figures.addedP50Us, figures.addedP99Us.value_or(0)) : none,
        figures.firstFrameP50Us ? tr("upstream first token %1").arg(durationText(*figures.firstFrameP50Us))
                                : tr("no answers in the last 5 minutes"));

    tokens->setFigures(compactNumber(static_cast<double>(figures.tokensIn + figures.tokensOut)),
        tr("%1 in, %2 out", "tokens").arg(compactNumber(static_cast<double>(figures.tokensIn)),
            compactNumber(static_cast<double>(figures.tokensOut))));
}

void OverviewPage::Private::showHolds()
{
    if (!link.ready())
        return;
    const HoldList list = listHolds(*link.configuration(), link.engine(), wallNow(), HoldsPanel::kMaxRows);
    holdsCard->setRightText(list.total == 0 ? QString() : numberText(static_cast<std::int64_t>(list.total)));
    holds->setHolds(list);
    clearAll->setVisible(list.clearable > 1);
    manager->setVisible(list.total > 0);
}

void OverviewPage::Private::askMinute(WallTime from)
{
    // One at a time, so that even a slow answer is shown; of those that are asked for meanwhile the last.
    if (askedMinute) {
        nextMinute = from != *askedMinute ? std::optional(from) : std::nullopt;
        return;
    }
    askedMinute = from;
    history.during(from - kLongestTry, from + kOneMinute - Millis(1), static_cast<int>(kMostRequests), &page,
        [this, from](const Result<std::vector<RequestRecord>>& records) {
            askedMinute.reset();
            if (records)
                providers->showRequests(from, *records, records->size() < kMostRequests);
            if (const auto next = std::exchange(nextMinute, std::nullopt))
                askMinute(*next);
        });
}

void OverviewPage::Private::clear(const HoldItem& hold)
{
    link.ask<int>(
        &page,
        [hold](Control& control, const Reply<int>& reply) { reply(endHold(control, hold)); },
        [this, title = hold.title](const Result<int>& cleared) {
            if (cleared && *cleared > 0)
                Q_EMIT page.messageRaised(tr("%1 serves again.").arg(title));
            showHolds();
        });
}

void OverviewPage::Private::edit(const HoldItem& hold)
{
    Q_EMIT page.openRequested(QStringLiteral("connections"), QStringLiteral("edit:") + toQString(hold.connection.str()));
}

void OverviewPage::Private::tellWhy(const HoldItem& hold)
{
    auto* dialog = new WhyDialog(whyHeading(hold), hold.explanation + QStringLiteral("\n\n") + hold.evidence, &page);
    dialog->setAction(hold.clearable() ? tr("Clear now") : tr("Edit"));
    QObject::connect(dialog, &WhyDialog::actionTriggered, &page, [this, hold] {
        if (hold.clearable())
            clear(hold);
        else
            edit(hold);
    });
    dialog->open();
}

void OverviewPage::Private::clearEverything()
{
    link.ask<int>(
        &page,
        [](Control& control, const Reply<int>& reply) { reply(endAllHolds(control)); },
        [this](const Result<int>& cleared) {
            if (cleared)
                tellCleared(*cleared);
        });
}

void OverviewPage::Private::tellCleared(int cleared)
{
    Q_EMIT page.messageRaised(cleared == 1 ? tr("One hold was cleared.") : tr("%1 holds were cleared.").arg(numberText(cleared)));
    showHolds();
}

void OverviewPage::refresh()
{
    d->refresh();
}

void OverviewPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    d->asking = false;
    d->refresh();
    d->timer->start();
}

void OverviewPage::hideEvent(QHideEvent* event)
{
    Page::hideEvent(event);
    d->timer->stop();
    d->holdsTimer->stop();
}

}  // namespace omni
