#include "ui/charts/chart_view.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QtCharts/QChart>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include <algorithm>
#include <cmath>

namespace omni {

namespace {

constexpr double kGap = 6.0;

/// Steps between time labels that give four to six of them.
qint64 timeStep(qint64 span)
{
    constexpr qint64 minute = 60'000;
    for (const qint64 step : {minute, 2 * minute, 5 * minute, 10 * minute, 30 * minute, 60 * minute, 240 * minute}) {
        if (span / step <= 6)
            return step;
    }
    return span / 6;
}

}  // namespace

QColor toneColour(ChartTone tone, const Colours& colours)
{
    switch (tone) {
    case ChartTone::Accent: return colours.accent;
    case ChartTone::Good: return colours.good;
    case ChartTone::Warn: return colours.warn;
    case ChartTone::Bad: return colours.bad;
    case ChartTone::Probing: return colours.probing;
    case ChartTone::Muted: return colours.mutedText;
    }
    return colours.text;
}

ChartView::ChartView(QWidget* parent) : QChartView(parent)
{
    auto* bare = new QChart;
    bare->setAnimationOptions(QChart::NoAnimation);
    bare->setBackgroundVisible(false);
    bare->setBackgroundRoundness(0);
    bare->setMargins({});
    bare->legend()->hide();
    setChart(bare);

    const auto axis = [this, bare](double from, double to, Qt::Alignment side) {
        auto* made = new QValueAxis(this);
        made->setRange(from, to);
        made->setVisible(false);
        bare->addAxis(made, side);
        return made;
    };
    m_timeAxis = axis(-static_cast<double>(m_span), 0.0, Qt::AlignBottom);
    m_scales[0].valueAxis = axis(0.0, 1.0, Qt::AlignLeft);
    m_scales[1].valueAxis = axis(0.0, 1.0, Qt::AlignRight);

    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Labels lie outside the plot, so a new scale repaints everything anyway.
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setBackgroundBrush(Qt::NoBrush);
    viewport()->setAutoFillBackground(false);
    applyColours();
}

void ChartView::addLine(ChartLine line)
{
    auto* series = new QLineSeries(this);
    series->setUseOpenGL(false);
    chart()->addSeries(series);
    series->attachAxis(m_timeAxis);
    ScaleState& scale = state(line.scale);
    series->attachAxis(scale.valueAxis);
    scale.used = true;
    line.series = series;
    m_lines.push_back(std::move(line));
    applyColours();
    layOut();
}

void ChartView::setScale(LiveChart::Scale scale, LiveChart::ValueText text, double minimumTop)
{
    ScaleState& changed = state(scale);
    changed.text = std::move(text);
    changed.axis = AxisScale(minimumTop);
    changed.refit = true;
    m_dirty = true;
}

void ChartView::setSpan(qint64 milliseconds)
{
    if (m_span == milliseconds)
        return;
    m_span = milliseconds;
    m_timeAxis->setRange(-static_cast<double>(m_span), 0.0);
    refit();
}

void ChartView::setThresholds(QList<ChartThreshold> thresholds)
{
    if (m_thresholds == thresholds)
        return;
    m_thresholds = std::move(thresholds);
    m_dirty = true;
}

void ChartView::setPoints(std::size_t line, QList<QPointF> points)
{
    m_lines.at(line).points = std::move(points);
    m_dirty = true;
}

void ChartView::refit()
{
    for (ScaleState& scale : m_scales)
        scale.refit = true;
    m_dirty = true;
}

void ChartView::apply()
{
    if (!m_dirty)
        return;
    m_dirty = false;
    double largest[2] = {0.0, 0.0};
    for (const ChartThreshold& threshold : std::as_const(m_thresholds))
        largest[0] = std::max(largest[0], threshold.value);
    for (const ChartLine& line : m_lines) {
        double& most = largest[static_cast<std::size_t>(line.scale)];
        for (const QPointF& point : line.points)
            most = std::max(most, point.y());
        line.series->replace(line.points);
    }
    bool moved = false;
    for (std::size_t i = 0; i < 2; ++i) {
        ScaleState& scale = m_scales[i];
        const double before = scale.axis.top();
        const double top = scale.refit ? scale.axis.reset(largest[i]) : scale.axis.fit(largest[i]);
        moved = moved || scale.refit || !qFuzzyCompare(top, before);
        scale.refit = false;
        scale.valueAxis->setRange(0.0, top);
    }
    if (moved)
        layOut();
    viewport()->update();
}

void ChartView::applyColours()
{
    const Colours& colours = coloursFor(palette());
    for (const ChartLine& line : m_lines) {
        QPen pen(toneColour(line.tone, colours), 1.8, line.dash, Qt::RoundCap, Qt::RoundJoin);
        pen.setCosmetic(true);
        line.series->setPen(pen);
    }
    viewport()->update();
}

void ChartView::setCursor(std::optional<double> at)
{
    if (at)
        at = std::clamp(*at, -static_cast<double>(m_span), 0.0);
    if (m_cursor == at)
        return;
    m_cursor = at;
    viewport()->update();
    Q_EMIT cursorMoved();
}

double ChartView::xAt(const QPoint& position) const
{
    const QRectF area = plot();
    const double share = area.width() > 0 ? (position.x() - area.left()) / area.width() : 1.0;
    return (std::clamp(share, 0.0, 1.0) - 1.0) * static_cast<double>(m_span);
}

std::optional<double> ChartView::valueAt(const ChartLine& line, double x) const
{
    if (line.points.isEmpty())
        return std::nullopt;
    auto after = std::lower_bound(line.points.cbegin(), line.points.cend(), x, [](const QPointF& p, double at) { return p.x() < at; });
    if (after == line.points.cend() || (after != line.points.cbegin() && x - (after - 1)->x() < after->x() - x))
        --after;
    // A gap in the line has no value, however near its ends may be.
    if (std::abs(after->x() - x) > static_cast<double>(m_span) / 20.0)
        return std::nullopt;
    return after->y();
}

QFont ChartView::labelFont() const
{
    QFont font = tabularFont(this->font());
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * 0.85);
    return font;
}

QRectF ChartView::plot() const
{
    return chart()->plotArea();
}

int ChartView::divisions() const
{
    const double top = m_scales[0].axis.top();
    const double power = std::pow(10.0, std::floor(std::log10(top) + 1e-9));
    const int lead = static_cast<int>(std::lround(top / power));
    const int fine = lead == 2 ? 4 : 5;
    const double room = plot().height() / (QFontMetricsF(labelFont()).height() * 1.6);
    if (room >= fine)
        return fine;
    return room >= 2 && fine == 4 ? 2 : 1;
}

double ChartView::yOf(double value, LiveChart::Scale scale) const
{
    const QRectF area = plot();
    return area.bottom() - area.height() * value / this->scale(scale).axis.top();
}

double ChartView::xOf(double milliseconds) const
{
    const QRectF area = plot();
    return area.right() + area.width() * milliseconds / static_cast<double>(m_span);
}

void ChartView::layOut()
{
    const QFontMetricsF metrics(labelFont());
    double margins[2] = {0.0, 0.0};
    for (std::size_t i = 0; i < 2; ++i) {
        const ScaleState& scale = m_scales[i];
        if (!scale.used || !scale.text)
            continue;
        for (const double share : {0.0, 0.2, 0.25, 0.6, 1.0})
            margins[i] = std::max(margins[i], metrics.horizontalAdvance(scale.text(scale.axis.top() * share)));
        margins[i] += kGap;
    }
    // Without a right scale the last time label still needs half its width.
    margins[1] = std::max(margins[1], metrics.horizontalAdvance(tr("now")) / 2);
    const double height = metrics.height();
    QRectF area(viewport()->rect());
    area.adjust(std::ceil(margins[0]), std::ceil(height / 2), -std::ceil(margins[1]), -std::ceil(height + kGap));
    if (area.width() > 8 && area.height() > 8)
        chart()->setPlotArea(area);
}

void ChartView::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    layOut();
}

void ChartView::drawBackground(QPainter* painter, const QRectF&)
{
    const Colours& colours = coloursFor(palette());
    const QRectF area = plot();
    const int steps = divisions();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setFont(labelFont());
    const QFontMetricsF metrics(painter->font());
    for (int i = 0; i <= steps; ++i) {
        const double share = static_cast<double>(i) / steps;
        const double y = area.bottom() - area.height() * share;
        QColor line = colours.border;
        line.setAlphaF(i == 0 ? 1.0F : 0.55F);
        painter->setPen(QPen(line, 1));
        painter->drawLine(QPointF(area.left(), std::round(y)), QPointF(area.right(), std::round(y)));
        painter->setPen(colours.mutedText);
        const double top = y - metrics.height() / 2;
        if (m_scales[0].used && m_scales[0].text) {
            painter->drawText(QRectF(0, top, area.left() - kGap, metrics.height()),
                Qt::AlignRight | Qt::AlignVCenter | Qt::AlignAbsolute,
                m_scales[0].text(m_scales[0].axis.top() * share));
        }
        if (m_scales[1].used && m_scales[1].text) {
            painter->drawText(QRectF(area.right() + kGap, top, width() - area.right(), metrics.height()),
                Qt::AlignLeft | Qt::AlignVCenter | Qt::AlignAbsolute,
                m_scales[1].text(m_scales[1].axis.top() * share));
        }
    }
    paintTimeLabels(*painter);
    painter->restore();
}

void ChartView::paintTimeLabels(QPainter& painter) const
{
    const QRectF area = plot();
    const QFontMetricsF metrics(painter.font());
    const qint64 step = timeStep(m_span);
    double free = width();
    for (qint64 back = 0; back <= m_span; back += step) {
        const qint64 minutes = back / 60'000;
        const QString text = back == 0 ? tr("now")
            : minutes % 60 == 0        ? tr("−%1 h").arg(numberText(minutes / 60))
                                       : tr("−%1 min").arg(numberText(minutes));
        const double half = metrics.horizontalAdvance(text) / 2;
        const double centre = std::max(xOf(-static_cast<double>(back)), half);
        if (centre + half > free)
            continue;
        painter.drawText(QRectF(centre - half - 1, area.bottom() + kGap, half * 2 + 2, metrics.height()), Qt::AlignCenter, text);
        free = centre - half - 2 * kGap;
    }
}

void ChartView::drawForeground(QPainter* painter, const QRectF&)
{
    painter->save();
    painter->setFont(labelFont());
    paintThresholds(*painter);
    if (m_cursor)
        paintCursor(*painter);
    painter->restore();
}

void ChartView::paintThresholds(QPainter& painter) const
{
    const Colours& colours = coloursFor(palette());
    const QRectF area = plot();
    const QFontMetricsF metrics(painter.font());
    for (const ChartThreshold& threshold : m_thresholds) {
        const double y = std::round(yOf(threshold.value, LiveChart::Scale::Left)) + 0.5;
        const QColor colour = toneColour(threshold.tone, colours);
        QPen dashed(colour, 1);
        dashed.setDashPattern({4, 4});
        painter.setPen(dashed);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(colour);
        const double above = y - metrics.height() - 1;
        painter.drawText(QRectF(area.left() + kGap, above < 0 ? y + 1 : above, area.width() - 2 * kGap, metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter, threshold.label);
    }
}

void ChartView::paintCursor(QPainter& painter) const
{
    const Colours& colours = coloursFor(palette());
    const QRectF area = plot();
    const double x = std::round(xOf(*m_cursor)) + 0.5;
    painter.setPen(QPen(colours.mutedText, 1));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    for (const ChartLine& line : m_lines) {
        const std::optional<double> value = valueAt(line, *m_cursor);
        if (!value)
            continue;
        painter.setPen(QPen(colours.surface, 1.5));
        painter.setBrush(toneColour(line.tone, colours));
        painter.drawEllipse(QPointF(x, yOf(*value, line.scale)), 4, 4);
    }
}

void ChartView::mouseMoveEvent(QMouseEvent* event)
{
    QChartView::mouseMoveEvent(event);
    setCursor(xAt(event->pos()));
}

void ChartView::leaveEvent(QEvent* event)
{
    QChartView::leaveEvent(event);
    setCursor(std::nullopt);
}

}  // namespace omni
