#include "ui/usage/usage_bars.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace omni {

namespace {

constexpr int kMostDays = 124;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::UsageBars)
};

QString wholeText(double value)
{
    return numberText(std::llround(value));
}

/// "12/3": the locale's short date without its year, which the days beside it share.
QString dayLabel(const QDate& date)
{
    const QLocale locale;
    QString format = locale.dateFormat(QLocale::ShortFormat);
    format.remove(QLatin1Char('y'));
    while (!format.isEmpty() && !format.front().isLetter())
        format.remove(0, 1);
    while (!format.isEmpty() && !format.back().isLetter())
        format.chop(1);
    return locale.toString(date, format);
}

void add(DayBars::Bar& bar, const UsageRow& row, UsageMeasure measure)
{
    const UsageCounts& counts = row.of.counts;
    switch (measure) {
    case UsageMeasure::Requests:
        bar.lower += static_cast<double>(counts.failed);
        bar.upper += static_cast<double>(counts.requests - counts.failed);
        break;
    case UsageMeasure::Tokens:
        bar.lower += static_cast<double>(counts.tokensOut);
        bar.upper += static_cast<double>(counts.tokensIn);
        break;
    case UsageMeasure::Errors: bar.lower += static_cast<double>(counts.failed); break;
    case UsageMeasure::Cost: bar.lower += row.cost.dollars; break;
    }
}

}  // namespace

void applyMeasure(DayBars& bars, UsageMeasure measure)
{
    switch (measure) {
    case UsageMeasure::Requests:
        bars.setMeasure(Words::tr("Requests"), {Words::tr("errors"), ChartTone::Bad}, {Words::tr("without error"), ChartTone::Accent},
                        &compactNumber, &wholeText);
        break;
    case UsageMeasure::Tokens:
        bars.setMeasure(Words::tr("Tokens"), {Words::tr("out", "tokens"), ChartTone::Probing},
                        {Words::tr("in", "tokens"), ChartTone::Accent}, &compactNumber, &wholeText);
        break;
    case UsageMeasure::Errors:
        bars.setMeasure(Words::tr("Errors"), {Words::tr("errors"), ChartTone::Bad}, {}, &compactNumber, &wholeText);
        break;
    case UsageMeasure::Cost:
        bars.setMeasure(Words::tr("Estimated cost"), {Words::tr("estimated cost"), ChartTone::Accent}, {}, &moneyText, &moneyText);
        break;
    }
}

std::vector<DayBars::Bar> usageBars(const std::vector<UsageRow>& days, const UsageRange& range, int mainFirstDay, UsageMeasure measure)
{
    const QLocale locale;
    const QDate first = dateOfDay(range.firstDay);
    const QDate last = dateOfDay(range.lastDay);
    std::vector<DayBars::Bar> bars;
    if (first > last)
        return bars;
    const bool months = first.daysTo(last) >= kMostDays;
    const auto placeOf = [&](const QDate& date) {
        return months ? (date.year() - first.year()) * 12 + date.month() - first.month() : static_cast<int>(first.daysTo(date));
    };
    for (int place = 0; place <= placeOf(last); ++place) {
        DayBars::Bar bar;
        const QDate date = months ? QDate(first.year(), first.month(), 1).addMonths(place) : first.addDays(place);
        bar.name = months ? locale.toString(date, QStringLiteral("MMMM yyyy")) : locale.toString(date, QLocale::LongFormat);
        bar.label = months ? locale.toString(date, QStringLiteral("MMM yy")) : dayLabel(date);
        bar.quiet = !months && range.firstDay + place < mainFirstDay;
        bars.push_back(std::move(bar));
    }
    for (const UsageRow& row : days) {
        const QDate date = dateOfDay(row.of.day);
        if (date >= first && date <= last)
            add(bars[static_cast<std::size_t>(placeOf(date))], row, measure);
    }
    return bars;
}

}  // namespace omni
