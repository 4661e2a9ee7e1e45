#include "ui/cooldowns/hour_bar.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace omni {

namespace {

constexpr int kHeight = 18;

Qt::BrushStyle patternOf(Exclusion state)
{
    switch (state) {
    case Exclusion::None: return Qt::NoBrush;
    case Exclusion::ConnectionCooldown:
    case Exclusion::ProviderCooldown:
    case Exclusion::ModelLockout: return Qt::BDiagPattern;
    case Exclusion::Disabled: return Qt::Dense6Pattern;
    default: return Qt::DiagCrossPattern;
    }
}

double shareOf(WallTime time, WallTime now)
{
    const auto kept = static_cast<double>(HoldHistory::kKept.count());
    return std::clamp(1.0 - static_cast<double>(std::chrono::duration_cast<Millis>(now - time).count()) / kept, 0.0, 1.0);
}

}  // namespace

HourBar::HourBar(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("This connection, last hour"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize HourBar::sizeHint() const
{
    return {240, kHeight};
}

QSize HourBar::minimumSizeHint() const
{
    return {60, kHeight};
}

void HourBar::setSpans(std::vector<HoldSpan> spans, std::vector<WallTime> failures, WallTime now)
{
    m_spans = std::move(spans);
    m_failures = std::move(failures);
    m_now = now;
    summarise();
    update();
}

void HourBar::summarise()
{
    Millis served{0};
    Millis held{0};
    for (const HoldSpan& span : m_spans)
        (span.state == Exclusion::None ? served : held) += std::chrono::duration_cast<Millis>(span.to - span.from);
    m_summary = m_spans.empty() ? tr("Nothing is known of it yet.")
                                : tr("in service %1, out %2", "two lengths of time")
                                      .arg(durationText(served.count() * 1000), durationText(held.count() * 1000));
    setAccessibleDescription(m_summary);
}

void HourBar::paintEvent(QPaintEvent*)
{
    const Colours& colours = coloursFor(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (layoutDirection() == Qt::RightToLeft) {
        painter.translate(width(), 0);
        painter.scale(-1, 1);
    }
    const QRectF box(0, 0, width(), kHeight);
    QPainterPath outline;
    outline.addRoundedRect(box, 3, 3);
    painter.fillPath(outline, colours.raised);
    painter.setClipPath(outline);
    painter.setRenderHint(QPainter::Antialiasing, false);
    QColor pattern = colours.surface;
    pattern.setAlphaF(0.4F);
    for (const HoldSpan& span : m_spans) {
        // A rest that lasted less than a pixel is still one that was: it gets two.
        const double left = std::floor(box.width() * shareOf(span.from, m_now));
        const double right = std::max(std::ceil(box.width() * shareOf(span.to, m_now)), left + 2);
        const QRectF part(left, 0, right - left, kHeight);
        const QColor colour = lookOf(span.state, colours).colour;
        painter.fillRect(part, colours.dark ? colour : colour.lighter(120));
        if (const Qt::BrushStyle style = patternOf(span.state); style != Qt::NoBrush)
            painter.fillRect(part, QBrush(pattern, style));
    }
    painter.setPen(QPen(colours.text, 1));
    for (const WallTime failure : m_failures) {
        const double x = std::floor(box.width() * shareOf(failure, m_now));
        painter.drawLine(QPointF(x, kHeight - 6), QPointF(x, kHeight));
    }
}

bool HourBar::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), m_summary, this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace omni
