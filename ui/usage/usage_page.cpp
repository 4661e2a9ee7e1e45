#include "ui/usage/usage_page_p.h"

#include "store/local_day.h"
#include "store/store.h"
#include "ui/core_link.h"
#include "ui/models/data_table.h"
#include "ui/models/display_text.h"
#include "ui/models/page_head.h"
#include "ui/overview/stat_tile.h"
#include "ui/theme/theme.h"
#include "ui/usage/usage_model.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/search_field.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedLayout>
#include <QStandardPaths>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <limits>
#include <set>

namespace omni {

namespace {

/// Today alone is one bar; the days before it say whether it is much.
constexpr int kFewestBars = 14;

}  // namespace

UsagePage::UsagePage(CoreLink& link, const std::string& databasePath, QWidget* parent)
    : Page(parent), d(std::make_unique<Private>(*this, link))
{
    setObjectName(QStringLiteral("usage"));
    d->build(databasePath);
    connect(&link, &CoreLink::configurationChanged, this, [this] {
        if (isVisible())
            d->show();
    });
    // Told by the counters rather than by the list of requests, which leaves out those that are kept in no log.
    connect(&link, &CoreLink::trafficTicked, this, [this](const TrafficSample& sample) {
        if (sample.requests > 0 && isVisible() && !d->pause->isActive())
            d->pause->start();
    });
}

UsagePage::~UsagePage() = default;

UsageGroup UsagePage::Private::groupNow() const
{
    return static_cast<UsageGroup>(group->currentData().toInt());
}

UsageMeasure UsagePage::Private::measureNow() const
{
    return static_cast<UsageMeasure>(measure->currentData().toInt());
}

UsageRange UsagePage::Private::rangeNow() const
{
    const int days = range->currentData().toInt();
    if (days == 0)
        return {};
    // To the end of time rather than of today: what has just finished may have begun in a day that a clock set back has not reached.
    return {localDayOf(wallNow()) - days + 1, std::numeric_limits<int>::max()};
}

void UsagePage::Private::reload()
{
    pause->stop();
    const UsageRange wanted = rangeNow();
    const UsageGroup wantedGroup = groupNow();
    std::optional<int> from;
    UsageRange chart = wanted;
    if (range->currentData().toInt() != 0) {
        from = wanted.firstDay;
        chart.firstDay = std::min(wanted.firstDay, localDayOf(wallNow()) - kFewestBars + 1);
    }
    reader->read(wanted, partsFor(wantedGroup), chart, &page, [this, wantedGroup, from](const Result<UsageFigures>& result) {
        problem = result ? QString() : errorText(result.error());
        if (result) {
            figuresGroup = wantedGroup;
            take(*result, from);
        }
        show();
    });
}

void UsagePage::Private::take(const UsageFigures& newest, std::optional<int> from)
{
    figures = newest;
    read = true;
    chartRange.lastDay = localDayOf(wallNow());
    const int few = chartRange.lastDay - kFewestBars + 1;
    chartRange.firstDay = std::min(from.value_or(few), few);
    if (!figures.days.empty()) {
        chartRange.lastDay = std::max(chartRange.lastDay, figures.days.back().day);
        if (!from)
            chartRange.firstDay = std::min(chartRange.firstDay, figures.days.front().day);
    }
    mainFirstDay = from.value_or(chartRange.firstDay);
}

void UsagePage::Private::show()
{
    if (!link.ready())
        return;
    const UsageGroup shown = figuresGroup;
    const bool regrouped = shown != model->group();
    model->setRows(usageRows(figures.table, shown, *link.configuration()), shown);
    if (regrouped)
        chooseColumns();
    // Of everything, whatever the filter leaves in the table.
    showTiles(usageTotal(usageRows(figures.table, shown, *link.configuration())));
    showBars();
    showEmpty();
}

void UsagePage::Private::showTiles(const UsageRow& total)
{
    const UsageCounts& counts = total.of.counts;
    requests->setFigures(numberText(counts.requests),
                         counts.failed == 0
                             ? tr("no errors")
                             : tr("%1 errors, %2").arg(numberText(counts.failed), failureShareText(counts.failed, counts.requests)));
    tokensIn->setFigures(compactNumber(static_cast<double>(counts.tokensIn)),
                         tr("%1 of them cached").arg(compactNumber(static_cast<double>(counts.tokensCached))));
    tokensOut->setFigures(compactNumber(static_cast<double>(counts.tokensOut)),
                          counts.uncounted == 0   ? tr("all answers counted")
                          : counts.uncounted == 1 ? tr("one answer without counts")
                                                  : tr("%1 answers without counts").arg(numberText(counts.uncounted)));
    const auto unpriced = total.unpriced.size();
    cost->setFigures(costText(total.cost), unpriced == 0   ? tr("from the prices you entered")
                                           : unpriced == 1 ? tr("one model has no price")
                                                           : tr("%1 models have no price").arg(numberText(unpriced)));
    head->setSubtitle(!problem.isEmpty() ? tr("The usage cannot be read: %1").arg(problem)
                      : !read            ? tr("Reading the usage…")
                                         : tr("Kept when old requests leave the log. Days are those of this computer."));
    exportButton->setEnabled(counts.requests > 0);
}

void UsagePage::Private::showBars()
{
    if (!read || !link.ready())
        return;
    applyMeasure(*bars, measureNow());
    bars->setBars(usageBars(usageRows(figures.days, UsageGroup::Day, *link.configuration()), chartRange, mainFirstDay, measureNow()));
}

void UsagePage::Private::showEmpty()
{
    const bool nothing = read && model->shownRows() == 0;
    stack->setCurrentIndex(nothing ? 1 : 0);
    if (!nothing)
        return;
    if (model->filtering() && !figures.table.empty())
        empty->setTexts(tr("Nothing matches the filter."), tr("Show all"));
    else if (range->currentData().toInt() != 0)
        empty->setTexts(tr("No requests in this time."), tr("Show all time"));
    else
        empty->setTexts(tr("No requests yet. Point a client at %1 and ask it something.").arg(toQString(link.listener().baseUrl())),
                        tr("Copy base URL"));
}

void UsagePage::Private::showMenu(const QPoint& position)
{
    const QModelIndex index = table->indexAt(position);
    if (!index.isValid())
        return;
    QMenu menu(&page);
    menu.setObjectName(QStringLiteral("usageMenu"));
    menu.addAction(tr("Copy as text"), QKeySequence::Copy, table, &DataTable::copySelection);
    const UsageRow* row = model->rowAt(index.row());
    if (row && model->group() == UsageGroup::Model && !row->of.model.empty()) {
        std::vector<PricedModel> chosen;
        for (const QModelIndex& one : table->selectedRowsInOrder()) {
            if (const UsageRow* other = model->rowAt(one.row()); other && !other->of.model.empty())
                chosen.push_back({other->of.provider, other->of.model});
        }
        menu.addAction(tr("Set the price…"), QKeySequence(Qt::Key_Return), &page, [this, chosen] { openPrices(chosen); });
    }
    if (row && model->group() == UsageGroup::Connection && !row->of.connection.empty()) {
        const QString id = toQString(row->of.connection.str());
        menu.addAction(tr("Open the connection"), &page, [this, id] { Q_EMIT page.openRequested(QStringLiteral("connections"), id); })
            ->setEnabled(link.configuration()->connection(row->of.connection) != nullptr);
        menu.addAction(tr("Show its requests"), &page,
                       [this, id] { Q_EMIT page.openRequested(QStringLiteral("requests"), QStringLiteral("connection:") + id); });
    }
    if (row && model->group() == UsageGroup::ApiKey && !row->of.apiKey.empty()) {
        const QString id = toQString(row->of.apiKey.str());
        menu.addAction(tr("Open the key"), &page, [this, id] { Q_EMIT page.openRequested(QStringLiteral("api-keys"), id); });
    }
    menu.exec(table->viewport()->mapToGlobal(position));
}

std::vector<PricedModel> UsagePage::Private::usedModels() const
{
    std::set<PricedModel> used;
    for (const std::vector<UsageCell>* cells : {&figures.table, &figures.days}) {
        for (const UsageCell& cell : *cells) {
            if (!cell.model.empty())
                used.insert({cell.provider, cell.model});
        }
    }
    return {used.begin(), used.end()};
}

void UsagePage::Private::openPrices(const std::vector<PricedModel>& selected)
{
    if (!link.ready())
        return;
    if (!pricesDialog) {
        pricesDialog = new PricesDialog(link, usedModels(), &page);
        pricesDialog->setAttribute(Qt::WA_DeleteOnClose);
        pricesDialog->open();
    }
    pricesDialog->select(selected);
}

void UsagePage::Private::chooseFile()
{
    if (fileDialog)
        return;
    const QString name = QStringLiteral("omniroute-usage-%1.csv").arg(QDate::currentDate().toString(Qt::ISODate));
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    fileDialog =
        new QFileDialog(&page, tr("Export the usage"), folder.isEmpty() ? QDir::homePath() : folder, tr("Comma-separated values (*.csv)"));
    fileDialog->setObjectName(QStringLiteral("usageFileDialog"));
    fileDialog->setAttribute(Qt::WA_DeleteOnClose);
    fileDialog->setAcceptMode(QFileDialog::AcceptSave);
    fileDialog->setFileMode(QFileDialog::AnyFile);
    fileDialog->setDefaultSuffix(QStringLiteral("csv"));
    fileDialog->selectFile(name);
    QObject::connect(fileDialog, &QFileDialog::fileSelected, &page, [this](const QString& path) { exportTo(path); });
    fileDialog->open();
}

void UsagePage::Private::exportTo(const QString& path)
{
    reader->exportTo(path, rangeNow(), link.configuration(), &page, [this, path](const Result<std::int64_t>& lines) {
        Q_EMIT page.messageRaised(lines ? tr("Wrote %1 lines to %2.").arg(numberText(*lines), QDir::toNativeSeparators(path))
                                        : errorText(lines.error()));
    });
}

void UsagePage::Private::askForget()
{
    auto* question = new QMessageBox(&page);
    question->setObjectName(QStringLiteral("forgetUsageQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setIcon(QMessageBox::Warning);
    question->setWindowTitle(tr("Forget all usage figures?"));
    question->setText(tr("Forget all usage figures?"));
    question->setInformativeText(
        tr("The sums of every day are deleted, and this cannot be undone. The request log, prices and keys stay."));
    QPushButton* forget = question->addButton(tr("Forget them"), QMessageBox::DestructiveRole);
    QPushButton* cancel = question->addButton(tr("Cancel"), QMessageBox::RejectRole);
    forget->setObjectName(QStringLiteral("forgetUsageNow"));
    question->setDefaultButton(cancel);
    question->setEscapeButton(cancel);
    QObject::connect(forget, &QPushButton::clicked, &page, [this] {
        link.ask<bool>(
            &page,
            [](Control& control, const Reply<bool>& reply) {
                control.store().clearUsage(&control, [reply](const Status& status) {
                    if (status)
                        reply(true);
                    else
                        reply(status.error());
                });
            },
            [this](const Result<bool>& done) {
                Q_EMIT page.messageRaised(done ? tr("The usage figures are counted anew from now on.") : errorText(done.error()));
                reload();
            });
    });
    question->open();
}

QWidget* UsagePage::filterField() const
{
    return d->search;
}

void UsagePage::refresh()
{
    d->reload();
}

void UsagePage::showObject(const QString& objectId)
{
    if (objectId == QLatin1String("export"))
        d->chooseFile();
}

void UsagePage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    d->more->setIcon(themedIcon(QStringLiteral("more"), palette()));
    d->show();
    // Also when nothing came in: the day may be another one by now.
    d->reload();
}

void UsagePage::hideEvent(QHideEvent* event)
{
    Page::hideEvent(event);
    d->pause->stop();
}

}  // namespace omni
