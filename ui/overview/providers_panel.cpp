#include "ui/overview/providers_panel.h"

#include "ui/charts/breaker_band.h"
#include "ui/charts/live_chart.h"
#include "ui/models/breaker_bands_model.h"
#include "ui/models/display_text.h"
#include "ui/models/state_delegate.h"
#include "ui/overview/minute_panel.h"
#include "ui/overview/minute_scrubber.h"
#include "ui/overview/traffic_figures.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QAccessible>
#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace omni {

namespace {

constexpr std::array<Millis, 3> kSpans{Millis(300'000), Millis(3'600'000), Millis(86'400'000)};
constexpr int kMaxBands = 8;
constexpr int kMinuteDelayMs = 120;
constexpr Millis kMinuteRefresh{5'000};

}  // namespace

ProvidersPanel::ProvidersPanel(QWidget* parent) : QWidget(parent), m_model(new BreakerBandsModel(this))
{
    m_spanButtons = new QWidget(this);
    auto* row = new QHBoxLayout(m_spanButtons);
    row->setContentsMargins({});
    row->setSpacing(2);
    m_spans = new QButtonGroup(this);
    for (std::size_t i = 0; i < kSpans.size(); ++i) {
        m_spanChoices[i] = new QToolButton(m_spanButtons);
        m_spanChoices[i]->setCheckable(true);
        m_spanChoices[i]->setObjectName(QStringLiteral("span%1").arg(i));
        m_spans->addButton(m_spanChoices[i], static_cast<int>(i));
        row->addWidget(m_spanChoices[i]);
    }
    m_spanChoices[0]->setChecked(true);
    connect(m_spans, &QButtonGroup::idToggled, this, [this](int, bool on) {
        if (!on)
            return;
        m_failureChart->setSpan(span().count());
        m_traffic->setSpan(span().count());
        showFailures(m_now);
        Q_EMIT spanChanged();
    });

    buildBands();
    buildCharts();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(16);
    auto* above = new QVBoxLayout;
    above->setSpacing(4);
    above->addWidget(m_bands);
    above->addWidget(m_minuteLine);
    layout->addLayout(above);
    layout->addWidget(m_below, 1);
    setTexts();
}

void ProvidersPanel::buildBands()
{
    m_bands = new QTableView(this);
    m_bands->setObjectName(QStringLiteral("breakerBands"));
    m_bands->setModel(m_model);
    m_bandDelegate = new BreakerBandDelegate(m_bands);
    m_bands->setItemDelegateForColumn(BreakerBandsModel::Band, m_bandDelegate);
    m_bands->setItemDelegateForColumn(BreakerBandsModel::State, new StateDelegate(m_bands));
    m_bands->horizontalHeader()->hide();
    m_bands->verticalHeader()->hide();
    m_bands->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_bands->horizontalHeader()->setSectionResizeMode(BreakerBandsModel::Band, QHeaderView::Stretch);
    m_bands->setShowGrid(false);
    m_bands->setStyleSheet(QStringLiteral("QTableView::item { border: none; }"));
    m_bands->setItemDelegate(new CellDelegate(m_bands));
    m_bands->setFrameShape(QFrame::NoFrame);
    m_bands->setWordWrap(false);
    m_bands->setTabKeyNavigation(false);
    m_bands->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_bands->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_bands->setSelectionMode(QAbstractItemView::SingleSelection);
    m_bands->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_bands->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    // A click on a band chooses a minute of it, not the provider.
    connect(m_bands, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() != BreakerBandsModel::Band)
            choose(index);
    });
    connect(m_bands, &QTableView::activated, this, &ProvidersPanel::choose);
    connect(m_model, &QAbstractItemModel::modelReset, this, &ProvidersPanel::fitBands);

    m_scrubber = new MinuteScrubber(*m_bands, BreakerBandsModel::Band);
    connect(m_scrubber, &MinuteScrubber::moved, this, &ProvidersPanel::followScrubber);
    m_minuteLine = new ElidedLabel(this);
    m_minuteLine->setObjectName(QStringLiteral("minuteLine"));
    m_minuteLine->setForegroundRole(QPalette::PlaceholderText);  // the theme's muted text
    m_minuteDelay.setSingleShot(true);
    m_minuteDelay.setInterval(kMinuteDelayMs);
    connect(&m_minuteDelay, &QTimer::timeout, this, [this] {
        if (const auto minute = m_scrubber->minute()) {
            m_minuteAskedAt = m_now;
            Q_EMIT minuteChosen(*minute);
        }
    });
}

void ProvidersPanel::buildCharts()
{
    m_failureChart = new LiveChart(this);
    m_failureChart->setObjectName(QStringLiteral("failureChart"));
    m_failureChart->setScale(LiveChart::Scale::Left, [](double value) { return decimalText(value, 0); }, 5);
    m_failureChart->hide();
    m_traffic = new LiveChart(this);
    m_traffic->setObjectName(QStringLiteral("trafficChart"));
    m_traffic->setScale(LiveChart::Scale::Left, [](double value) { return decimalText(value, value < 10 ? 1 : 0); }, 5);
    m_traffic->setScale(LiveChart::Scale::Right,
        [](double ms) {
            return ms >= 1000 ? tr("%1 s").arg(decimalText(ms / 1000.0, 1)) : tr("%1 ms").arg(decimalText(ms, ms < 10 ? 1 : 0));
        },
        100);
    auto* charts = new QWidget(this);
    auto* layout = new QVBoxLayout(charts);
    layout->setContentsMargins({});
    layout->setSpacing(16);
    layout->addWidget(m_failureChart, 1);
    layout->addWidget(m_traffic, 1);
    m_minutePanel = new MinutePanel(this);
    connect(m_minutePanel, &MinutePanel::closeRequested, m_scrubber, &MinuteScrubber::letGo);
    connect(m_minutePanel, &MinutePanel::requestChosen, this, &ProvidersPanel::requestChosen);
    m_below = new QStackedWidget(this);
    m_below->addWidget(charts);
    m_below->addWidget(m_minutePanel);
}

void ProvidersPanel::setTexts()
{
    const std::array<QString, 3> names{tr("5 min"), tr("1 h"), tr("24 h")};
    const std::array<QString, 3> spoken{tr("Show the last 5 minutes"), tr("Show the last hour"), tr("Show the last 24 hours")};
    for (std::size_t i = 0; i < names.size(); ++i) {
        m_spanChoices[i]->setText(names[i]);
        m_spanChoices[i]->setAccessibleName(spoken[i]);
    }
    m_bands->setAccessibleName(tr("Breakers of the providers, %1").arg(spanWords()));
    showMinute();
    m_failureChart->setLines({{tr("failures"), ChartTone::Accent, LiveChart::Scale::Left}});
    m_traffic->setTitle(tr("Requests and latency"));
    m_traffic->setLines({{tr("requests/s"), ChartTone::Accent, LiveChart::Scale::Left},
        {tr("p50"), ChartTone::Good, LiveChart::Scale::Right}, {tr("p95"), ChartTone::Warn, LiveChart::Scale::Right}});
}

void ProvidersPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fitBands();
}

Millis ProvidersPanel::span() const
{
    return kSpans[static_cast<std::size_t>(std::max(m_spans->checkedId(), 0))];
}

QString ProvidersPanel::spanWords() const
{
    switch (m_spans->checkedId()) {
    case 1: return tr("last hour");
    case 2: return tr("last 24 hours");
    default: return tr("last 5 minutes");
    }
}

void ProvidersPanel::fitBands()
{
    const int row = m_bands->fontMetrics().height() + 8;
    m_bands->verticalHeader()->setDefaultSectionSize(row);
    m_bands->setFixedHeight(row * std::clamp(m_model->rowCount(), 1, kMaxBands));
    const int one = m_bands->fontMetrics().averageCharWidth();
    int name = one * 10;
    for (int i = 0; i < m_model->rowCount(); ++i)
        name = std::max(name, m_bands->fontMetrics().horizontalAdvance(m_model->index(i, BreakerBandsModel::Name).data().toString()) + 24);
    m_bands->setColumnWidth(BreakerBandsModel::Name, std::min(name, one * 24));
    m_bands->setColumnWidth(BreakerBandsModel::State, one * 19);
}

void ProvidersPanel::showBands(const ConfigurationPtr& configuration, const EngineSnapshot& engine, const BreakerHistory& history, WallTime now)
{
    m_now = now;
    m_configuration = configuration;
    m_history = history;
    m_model->update(*configuration, engine, history, span(), now);
    m_scrubber->setTime(span(), now);
    showMinute();
    // The minute that runs goes on; of those before, a request may have ended late.
    if (const auto minute = m_scrubber->minute(); minute && !m_minuteDelay.isActive()) {
        const bool over = *minute + kOneMinute + kLongestTry < now;
        if (m_recordsOf != *minute || (!over && now - m_minuteAskedAt >= kMinuteRefresh))
            m_minuteDelay.start();
    }
    m_bands->setVisible(m_model->rowCount() > 0);
    if (m_chosen && m_model->rowOf(m_shown) < 0)
        m_chosen = false;
    if (!m_chosen) {
        const ProviderId worst = m_model->mostTroubled();
        if (worst != m_dismissed) {
            m_dismissed = {};
            m_shown = worst;
        }
    }
    showFailures(now);
}

void ProvidersPanel::followScrubber()
{
    m_below->setCurrentIndex(m_scrubber->kept() ? 1 : 0);
    showMinute();
    if (m_scrubber->minute() && !m_minuteDelay.isActive())
        m_minuteDelay.start();
    if (QAccessible::isActive() && m_bands->hasFocus()) {
        QAccessibleEvent described(m_bands, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&described);
    }
}

void ProvidersPanel::showRequests(WallTime from, std::vector<RequestRecord> records, bool whole)
{
    m_recordsWhole = whole;
    m_recordsOf = from;
    m_records = std::move(records);
    if (m_scrubber->minute() == from)
        showMinute();
}

void ProvidersPanel::forgetRequests()
{
    m_recordsOf = {};
    m_records.clear();
    showMinute();
}

void ProvidersPanel::showMinute()
{
    m_bandDelegate->setMark(m_scrubber->share());
    m_bands->viewport()->update();
    const auto minute = m_scrubber->minute();
    if (!minute) {
        m_model->showPast(std::nullopt);
        m_minuteLine->setText(tr("Point at a band, or press Left there, to look at a past minute."));
        m_bands->setAccessibleDescription(tr("Enter shows the failures of the provider, Left and Right walk through the past minutes"));
        return;
    }
    PastMinute past = pastMinute(*minute, m_model->providers(), m_history, m_recordsOf == *minute ? m_records : std::vector<RequestRecord>());
    past.whole = m_recordsOf != *minute || m_recordsWhole;
    BreakerBandsModel::PastStates states;
    for (const ProviderMinute& provider : past.providers)
        states.emplace(provider.provider, provider.state);
    m_model->showPast(std::move(states));
    const QString sentence =
        tr("%1: %2", "time, what was").arg(timeText(*minute), MinutePanel::sentenceOf(past, m_configuration.get()));
    m_minuteLine->setText(m_scrubber->kept() ? sentence : tr("%1. A click keeps it.").arg(sentence));
    m_bands->setAccessibleDescription(sentence);
    if (m_scrubber->kept())
        m_minutePanel->showMinute(past, m_configuration);
}

void ProvidersPanel::choose(const QModelIndex& index)
{
    const ProviderId provider = m_model->providerAt(index.row());
    m_chosen = provider != m_shown;
    m_dismissed = m_chosen ? ProviderId() : provider;
    m_shown = m_chosen ? provider : ProviderId();
    m_failureChart->restart();
    showFailures(m_now);
}

void ProvidersPanel::showFailures(WallTime now)
{
    const int row = m_shown.empty() ? -1 : m_model->rowOf(m_shown);
    const BreakerStatus* status = m_model->statusAt(row);
    m_failureChart->setVisible(status != nullptr);
    if (!status) {
        m_bands->clearSelection();
        return;
    }
    if (!m_bands->selectionModel()->isRowSelected(row))
        m_bands->selectRow(row);
    const QString name = m_model->index(row, BreakerBandsModel::Name).data().toString();
    m_failureChart->setTitle(tr("%1: failures against its thresholds").arg(name));
    QList<ChartThreshold> thresholds;
    if (status->failureThreshold > 0)
        thresholds.append(
            {static_cast<double>(status->failureThreshold), tr("opens at %1").arg(numberText(status->failureThreshold)), ChartTone::Bad});
    if (status->degradationThreshold > 0 && status->degradationThreshold < status->failureThreshold)
        thresholds.append({static_cast<double>(status->degradationThreshold),
                           tr("degraded at %1").arg(numberText(status->degradationThreshold)), ChartTone::Warn});
    m_failureChart->setThresholds(thresholds);
    m_failureChart->replace({m_failures.line(m_shown, span(), now)});
}

void ProvidersPanel::showTraffic(const TrafficLines& lines)
{
    m_traffic->replace({lines.perSecond, lines.p50, lines.p95});
}

}  // namespace omni
