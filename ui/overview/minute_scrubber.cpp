#include "ui/overview/minute_scrubber.h"

#include "ui/models/cell_delegate.h"
#include "ui/overview/past_minute.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QTableView>

#include <algorithm>

namespace omni {

MinuteScrubber::MinuteScrubber(QTableView& bands, int column) : QObject(&bands), m_bands(bands), m_column(column)
{
    bands.installEventFilter(this);
    bands.viewport()->installEventFilter(this);
    bands.viewport()->setMouseTracking(true);
}

void MinuteScrubber::setTime(Millis span, WallTime now)
{
    m_span = span;
    m_now = now;
    if (m_minute && (*m_minute + kOneMinute <= now - span || *m_minute > now))
        letGo();
}

std::optional<double> MinuteScrubber::share() const
{
    if (!m_minute || m_span.count() <= 0)
        return std::nullopt;
    const WallTime middle = *m_minute + kOneMinute / 2;
    return std::clamp(1.0 - static_cast<double>((m_now - middle).count()) / static_cast<double>(m_span.count()), 0.0, 1.0);
}

void MinuteScrubber::letGo()
{
    choose(std::nullopt, false);
}

std::optional<WallTime> MinuteScrubber::minuteAt(const QPoint& position) const
{
    const QModelIndex index = m_bands.indexAt(position);
    if (!index.isValid() || index.column() != m_column || m_span.count() <= 0)
        return std::nullopt;
    const QRect cell = m_bands.visualRect(index);
    const double left = cell.left() + CellDelegate::kPadding;
    const double width = std::max(1, cell.width() - 2 * CellDelegate::kPadding);
    const double share = std::clamp((position.x() - left) / width, 0.0, 1.0);
    return clamped(minuteOf(m_now - Millis(static_cast<std::int64_t>((1.0 - share) * static_cast<double>(m_span.count())))));
}

WallTime MinuteScrubber::clamped(WallTime minute) const
{
    return std::clamp(minute, minuteOf(m_now - m_span), minuteOf(m_now));
}

void MinuteScrubber::choose(std::optional<WallTime> minute, bool keep)
{
    if (minute == m_minute && keep == m_kept)
        return;
    m_minute = minute;
    m_kept = keep && minute.has_value();
    Q_EMIT moved();
}

bool MinuteScrubber::keyPressed(int key)
{
    const WallTime last = minuteOf(m_now);
    switch (key) {
    case Qt::Key_Left: choose(clamped(m_minute ? *m_minute - kOneMinute : last), true); return true;
    case Qt::Key_Right: choose(clamped(m_minute ? *m_minute + kOneMinute : last), true); return true;
    case Qt::Key_Home: choose(minuteOf(m_now - m_span), true); return true;
    case Qt::Key_End: choose(last, true); return true;
    case Qt::Key_Escape:
        if (!m_minute)
            return false;
        letGo();
        return true;
    default: return false;
    }
}

bool MinuteScrubber::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &m_bands && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (!(key->modifiers() & ~Qt::KeypadModifier) && m_span.count() > 0 && keyPressed(key->key()))
            return true;
    }
    if (watched != m_bands.viewport())
        return QObject::eventFilter(watched, event);
    if (event->type() == QEvent::MouseMove && !m_kept) {
        choose(minuteAt(static_cast<QMouseEvent*>(event)->position().toPoint()), false);
    } else if (event->type() == QEvent::Leave && !m_kept) {
        letGo();
    } else if (event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (const auto minute = minuteAt(mouse->position().toPoint()); minute && mouse->button() == Qt::LeftButton)
            choose(minute, true);
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace omni
