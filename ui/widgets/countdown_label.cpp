#include "ui/widgets/countdown_label.h"

#include "ui/theme/theme.h"

#include <QEvent>
#include <QTimerEvent>

namespace omni {

CountdownLabel::CountdownLabel(QWidget* parent) : QLabel(parent)
{
    setFont(tabularFont(font()));
}

void CountdownLabel::setUntil(std::optional<WallTime> until)
{
    if (until != m_until)
        m_told = false;
    m_until = until;
    refresh();
}

void CountdownLabel::setPattern(const QString& pattern)
{
    m_pattern = pattern;
    refresh();
}

void CountdownLabel::refresh()
{
    if (!m_until) {
        m_timer.stop();
        clear();
        return;
    }
    const Millis left = *m_until - SystemClock().wall();
    const QString time = countdownText(left);
    const QString wanted = m_pattern.contains(QLatin1String("%1")) ? m_pattern.arg(time) : time;
    if (wanted != text())
        setText(wanted);
    if (left > Millis(0)) {
        // Wake just after the figure changes, so that several countdowns on one page keep step with the clock.
        if (isVisible())
            m_timer.start(static_cast<int>((left.count() - 1) % 1000) + 2, this);
        return;
    }
    m_timer.stop();
    if (isVisible() && !m_told) {
        m_told = true;
        Q_EMIT ended();
    }
}

void CountdownLabel::timerEvent(QTimerEvent* event)
{
    if (event->timerId() == m_timer.timerId())
        refresh();
    else
        QLabel::timerEvent(event);
}

void CountdownLabel::showEvent(QShowEvent* event)
{
    QLabel::showEvent(event);
    refresh();
}

void CountdownLabel::hideEvent(QHideEvent* event)
{
    m_timer.stop();
    QLabel::hideEvent(event);
}

void CountdownLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        refresh();
}

}  // namespace omni
