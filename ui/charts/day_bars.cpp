#include "ui/charts/day_bars.h"

#include "ui/charts/chart_math.h"
#include "ui/charts/chart_view.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace omni {

namespace {

constexpr double kGap = 6.0;
constexpr double kWidestBar = 44.0;

double sumOf(const DayBars::Bar& bar)
{
    return bar.lower + bar.upper;
}

/// As an area; a light theme's colours are dark enough for text and would be gloomy.
QColor areaColour(ChartTone tone, const Colours& colours)
{
    const QColor colour = toneColour(tone, colours);
    return colours.dark ? colour : colour.lighter(115);
}

}  // namespace

DayBars::DayBars(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void DayBars::setMeasure(const QString& title, Part lower, Part upper, ValueText axisText, ValueText exact)
{
    m_title = title;
    m_lower = std::move(lower);
    m_upper = std::move(upper);
    m_axisText = std::move(axisText);
    m_exact = std::move(exact);
    describe();
    update();
}

void DayBars::setBars(std::vector<Bar> bars)
{
    if (bars.size() != m_bars.size())
        m_pointed = -1;
    m_bars = std::move(bars);
    describe();
    update();
}

void DayBars::describe()
{
    setAccessibleName(m_title);
    setAccessibleDescription(summary());
}

QString DayBars::summary() const
{
    if (!m_exact || m_bars.empty())
        return {};
    const auto highest = std::max_element(m_bars.begin(), m_bars.end(), [](const Bar& a, const Bar& b) { return sumOf(a) < sumOf(b); });
    return tr("%1. Highest: %2. Latest: %3.")
        .arg(m_title, textAt(static_cast<int>(highest - m_bars.begin())), textAt(static_cast<int>(m_bars.size()) - 1));
}

QString DayBars::textAt(int bar) const
{
    const Bar& one = m_bars[static_cast<std::size_t>(bar)];
    if (m_upper.name.isEmpty())
        return QStringLiteral("%1: %2").arg(one.name, m_exact(one.lower));
    return QStringLiteral("%1: %2 %3, %4 %5").arg(one.name, m_lower.name, m_exact(one.lower), m_upper.name, m_exact(one.upper));
}

QString DayBars::valuesAsText() const
{
    QStringList lines;
    QStringList head{tr("Day"), m_lower.name};
    if (!m_upper.name.isEmpty())
        head << m_upper.name;
    lines << head.join(QLatin1Char('\t'));
    for (const Bar& bar : m_bars) {
        QStringList cells{bar.name, m_exact(bar.lower)};
        if (!m_upper.name.isEmpty())
            cells << m_exact(bar.upper);
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

QFont DayBars::labelFont() const
{
    QFont small = tabularFont(font());
    small.setPointSizeF(font().pointSizeF() * 0.88);
    return small;
}

QSize DayBars::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 60, fontMetrics().height() * 11};
}

QSize DayBars::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 30, fontMetrics().height() * 7};
}

DayBars::Scale DayBars::scale() const
{
    double largest = 0.0;
    for (const Bar& bar : m_bars)
        largest = std::max(largest, sumOf(bar));
    // 1, 2 and 5 divide into 2, 4 and 5 even steps; a small axis of whole things has no halves.
    const double top = niceCeiling(largest);
    const double first = top / std::pow(10.0, std::floor(std::log10(top) + 1e-9));
    const int steps = first < 1.5 ? 2 : first < 3.0 ? 4 : 5;
    return {top, steps};
}

QRectF DayBars::plot() const
{
    const QFontMetricsF metrics(labelFont());
    const Scale now = scale();
    double left = 0.0;
    for (int step = 0; m_axisText && step <= now.steps; ++step)
        left = std::max(left, metrics.horizontalAdvance(m_axisText(now.top * step / now.steps)));
    const double head = QFontMetricsF(font()).height() + kGap;
    const QRectF room(left + kGap, head, width() - left - kGap - 2.0, height() - head - metrics.height() - kGap);
    // Time runs the way the language reads; the numbers stand at its beginning.
    return isRightToLeft() ? QRectF(2.0, room.top(), room.width(), room.height()) : room;
}

QRectF DayBars::barBox(int bar) const
{
    const QRectF room = plot();
    const double slot = room.width() / static_cast<double>(m_bars.size());
    const int place = isRightToLeft() ? static_cast<int>(m_bars.size()) - 1 - bar : bar;
    const double wide = std::min(kWidestBar, std::max(1.0, slot * 0.72));
    return {room.left() + slot * place + (slot - wide) / 2, room.top(), wide, room.height()};
}

void DayBars::paintEvent(QPaintEvent*)
{
    if (!m_axisText || m_bars.empty())
        return;
    const Colours& colours = coloursFor(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(labelFont());
    paintAxes(painter, colours);
    paintBars(painter, colours);
    if (m_pointed >= 0)
        paintPointed(painter, colours);
    else
        paintKey(painter, colours);
}

void DayBars::paintAxes(QPainter& painter, const Colours& colours) const
{
    const QRectF room = plot();
    const QFontMetricsF metrics(painter.font());
    const Scale now = scale();
    for (int step = 0; step <= now.steps; ++step) {
        const double y = std::round(room.bottom() - room.height() * step / now.steps) + 0.5;
        painter.setPen(QPen(colours.border, 1));
        painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y));
        painter.setPen(colours.mutedText);
        const QRectF place = isRightToLeft() ? QRectF(room.right() + kGap, y - metrics.height() / 2, width(), metrics.height())
                                             : QRectF(0, y - metrics.height() / 2, room.left() - kGap, metrics.height());
        painter.drawText(place, static_cast<int>((isRightToLeft() ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter | Qt::AlignAbsolute),
                         m_axisText(now.top * step / now.steps));
    }
    double widest = 0.0;
    for (const Bar& bar : m_bars)
        widest = std::max(widest, metrics.horizontalAdvance(bar.label));
    const double slot = room.width() / static_cast<double>(m_bars.size());
    const int every = std::max(1, static_cast<int>(std::ceil((widest + 2 * kGap) / slot)));
    const int count = static_cast<int>(m_bars.size());
    // Counted from the newest, which always has its label.
    for (int bar = count - 1; bar >= 0; bar -= every) {
        const double middle = barBox(bar).center().x();
        QRectF place(middle - widest / 2, room.bottom() + kGap / 2, widest, metrics.height());
        place.moveLeft(std::clamp(place.left(), 0.0, std::max(0.0, width() - widest)));
        painter.setPen(colours.mutedText);
        painter.drawText(place, Qt::AlignCenter, m_bars[static_cast<std::size_t>(bar)].label);
    }
}

void DayBars::paintBars(QPainter& painter, const Colours& colours) const
{
    const double top = scale().top;
    for (int bar = 0; bar < static_cast<int>(m_bars.size()); ++bar) {
        const Bar& one = m_bars[static_cast<std::size_t>(bar)];
        if (sumOf(one) <= 0)
            continue;
        const QRectF box = barBox(bar);
        const auto high = [&](double value) { return value <= 0 ? 0.0 : std::max(1.0, box.height() * value / top); };
        const QRectF whole(box.left(), box.bottom() - std::max(2.0, high(sumOf(one))), box.width(), std::max(2.0, high(sumOf(one))));
        painter.save();
        painter.setOpacity(one.quiet && bar != m_pointed ? 0.45 : 1.0);
        QPainterPath outline;
        const double round = std::min(3.0, box.width() / 3);
        // Round at the top only: it stands on the axis.
        outline.addRoundedRect(whole.adjusted(0, 0, 0, round), round, round);
        painter.setClipPath(outline);
        painter.setClipRect(whole, Qt::IntersectClip);
        const double lower = high(one.lower);
        painter.fillRect(whole, areaColour(m_upper.name.isEmpty() ? m_lower.tone : m_upper.tone, colours));
        if (!m_upper.name.isEmpty() && lower > 0) {
            const QRectF part(box.left(), box.bottom() - lower, box.width(), lower);
            painter.fillRect(part, areaColour(m_lower.tone, colours));
            QColor pattern = colours.surface;
            pattern.setAlphaF(0.35F);
            painter.fillRect(part, QBrush(pattern, Qt::BDiagPattern));
        }
        painter.restore();
    }
}

void DayBars::paintKey(QPainter& painter, const Colours& colours) const
{
    if (m_upper.name.isEmpty())
        return;
    const QFontMetricsF metrics(painter.font());
    const double side = std::round(metrics.ascent() * 0.8);
    double at = isRightToLeft() ? 2.0 : width() - 2.0;
    // Upper part first as seen from the reader's far end, so that both read in the order of the bar.
    for (const Part* part : {&m_lower, &m_upper}) {
        const double wide = side + kGap + metrics.horizontalAdvance(part->name);
        const double left = isRightToLeft() ? at : at - wide;
        const QRectF square(isRightToLeft() ? left + wide - side : left, (metrics.height() - side) / 2, side, side);
        painter.fillRect(square, areaColour(part->tone, colours));
        if (part == &m_lower) {
            QColor pattern = colours.surface;
            pattern.setAlphaF(0.35F);
            painter.fillRect(square, QBrush(pattern, Qt::BDiagPattern));
        }
        painter.setPen(colours.mutedText);
        const QRectF words(isRightToLeft() ? left : left + side + kGap, 0, wide - side - kGap, metrics.height());
        painter.drawText(words, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter | Qt::AlignAbsolute) | static_cast<int>(Qt::TextDontClip),
                         part->name);
        at = isRightToLeft() ? left + wide + 3 * kGap : left - 3 * kGap;
    }
}

void DayBars::paintPointed(QPainter& painter, const Colours& colours) const
{
    const QRectF box = barBox(m_pointed);
    const double x = std::round(box.center().x()) + 0.5;
    painter.setPen(QPen(colours.mutedText, 1, Qt::DotLine));
    painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
    // In the key's place, so that it never covers a bar.
    painter.setPen(colours.text);
    const QRectF line(2, 0, width() - 4.0, QFontMetricsF(painter.font()).height());
    painter.drawText(line, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter),
                     QFontMetricsF(painter.font()).elidedText(textAt(m_pointed), Qt::ElideRight, line.width()));
}

void DayBars::point(int bar)
{
    if (bar == m_pointed)
        return;
    m_pointed = bar;
    update();
}

void DayBars::mouseMoveEvent(QMouseEvent* event)
{
    const QRectF room = plot();
    const QPointF at = event->position();
    if (m_bars.empty() || at.x() < room.left() || at.x() >= room.right()) {
        point(-1);
        return;
    }
    const int place = static_cast<int>((at.x() - room.left()) / room.width() * static_cast<double>(m_bars.size()));
    point(isRightToLeft() ? static_cast<int>(m_bars.size()) - 1 - place : place);
}

void DayBars::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    point(-1);
}

void DayBars::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    point(-1);
}

void DayBars::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_bars.size()) - 1;
    const int later = isRightToLeft() ? Qt::Key_Left : Qt::Key_Right;
    const int earlier = isRightToLeft() ? Qt::Key_Right : Qt::Key_Left;
    if (event->matches(QKeySequence::Copy) && last >= 0) {
        QApplication::clipboard()->setText(valuesAsText());
    } else if (last >= 0 && (event->key() == later || event->key() == earlier)) {
        const int from = m_pointed < 0 ? (event->key() == later ? -1 : last + 1) : m_pointed;
        point(std::clamp(from + (event->key() == later ? 1 : -1), 0, last));
        setAccessibleDescription(textAt(m_pointed));
    } else if (event->key() == Qt::Key_Escape && m_pointed >= 0) {
        point(-1);
        describe();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void DayBars::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_bars.empty())
        return;
    QMenu menu(this);
    menu.addAction(tr("Copy values"), QKeySequence::Copy, this, [this] { QApplication::clipboard()->setText(valuesAsText()); });
    menu.exec(event->globalPos());
}

}  // namespace omni
