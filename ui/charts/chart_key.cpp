#include "ui/charts/chart_view.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace omni {

namespace {

constexpr int kSample = 18;
constexpr int kGap = 6;
constexpr int kBetween = 16;

}  // namespace

ChartKey::ChartKey(const ChartView& view, QWidget* parent) : QWidget(parent), m_view(view)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

std::vector<ChartKey::Entry> ChartKey::entries() const
{
    std::vector<Entry> all;
    for (const ChartLine& line : m_view.lines()) {
        const auto& text = m_view.scale(line.scale).text;
        std::optional<double> value;
        if (m_view.cursor())
            value = m_view.valueAt(line, *m_view.cursor());
        else if (!line.points.isEmpty())
            value = line.points.last().y();
        all.push_back({&line, line.name, value && text ? text(*value) : QStringLiteral("–")});
    }
    return all;
}

QSize ChartKey::sizeHint() const
{
    const QFontMetrics metrics(font());
    int width = 0;
    for (const Entry& entry : entries())
        width += kSample + kGap + metrics.horizontalAdvance(entry.name + QStringLiteral("  ") + entry.value) + kBetween;
    return {width, metrics.height()};
}

QSize ChartKey::minimumSizeHint() const
{
    return {0, QFontMetrics(font()).height()};
}

void ChartKey::paintEvent(QPaintEvent*)
{
    const Colours& colours = coloursFor(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont figures = tabularFont(font());
    const QFontMetricsF names(font());
    const QFontMetricsF values(figures);
    const std::vector<Entry> all = entries();

    double needed = 0;
    for (const Entry& entry : all)
        needed += kSample + kGap + names.horizontalAdvance(entry.name) + kGap + values.horizontalAdvance(entry.value) + kBetween;
    // Where there is no room for names and values, the values give way: the axis still tells them.
    const bool withValues = needed - kBetween <= width();

    double right = width();
    for (auto entry = all.rbegin(); entry != all.rend(); ++entry) {
        const QRectF row(0, 0, right, height());
        if (withValues) {
            painter.setFont(figures);
            painter.setPen(colours.text);
            painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter | Qt::AlignAbsolute, entry->value);
            right -= values.horizontalAdvance(entry->value) + kGap;
        }
        painter.setFont(font());
        painter.setPen(colours.mutedText);
        painter.drawText(QRectF(0, 0, right, height()), Qt::AlignRight | Qt::AlignVCenter | Qt::AlignAbsolute, entry->name);
        right -= names.horizontalAdvance(entry->name) + kGap;
        painter.setPen(QPen(toneColour(entry->line->tone, colours), 2, entry->line->dash, Qt::FlatCap));
        const double middle = height() / 2.0;
        painter.drawLine(QPointF(right - kSample, middle), QPointF(right, middle));
        right -= kSample + kBetween;
    }

    if (m_view.cursor()) {
        const qint64 seconds = static_cast<qint64>(-*m_view.cursor() / 1000.0);
        painter.setPen(colours.mutedText);
        const QString text = tr("%1 ago").arg(countdownText(Millis(seconds * 1000)));
        if (right > names.horizontalAdvance(text) + kGap)
            painter.drawText(QRectF(0, 0, right, height()), Qt::AlignRight | Qt::AlignVCenter | Qt::AlignAbsolute, text);
    }
}

}  // namespace omni
