#include "ui/shell/troubles_line.h"

#include "ui/models/display_text.h"
#include "ui/theme/state_shape.h"

#include <QEvent>
#include <QPainter>
#include <QStringList>
#include <QStyle>
#include <QTimerEvent>

#include <algorithm>

namespace omni {

namespace {

constexpr int kShape = 12;
constexpr int kGap = 5;
constexpr int kBetween = 18;
constexpr int kTick = 1000;

int entryWidth(const QFontMetrics& metrics, const QString& text)
{
    return kShape + kGap + metrics.horizontalAdvance(text);
}

}  // namespace

TroublesLine::TroublesLine(QWidget* parent) : QAbstractButton(parent)
{
    setFont(tabularFont(font()));
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void TroublesLine::setTroubles(std::vector<Trouble> troubles)
{
    if (troubles == m_troubles)
        return;
    m_troubles = std::move(troubles);
    setVisible(!m_troubles.empty());
    describe();
    schedule();
    updateGeometry();
    update();
}

QSize TroublesLine::sizeHint() const
{
    const WallTime now = wallNow();
    int width = 0;
    for (const Trouble& trouble : m_troubles)
        width += entryWidth(fontMetrics(), trouble.text(now)) + kBetween;
    return QSize(std::min(width, 2000), std::max(fontMetrics().height(), kShape) + 8);
}

QSize TroublesLine::minimumSizeHint() const
{
    return QSize(60, sizeHint().height());
}

void TroublesLine::paintEvent(QPaintEvent*)
{
    const Colours& colours = coloursFor(palette());
    const WallTime now = wallNow();
    const QFontMetrics metrics = fontMetrics();
    QPainter painter(this);
    // From where reading begins, which is not everywhere the left.
    const auto place = [this](int from, int width) { return QStyle::visualRect(layoutDirection(), rect(), QRect(from, 0, width, height())); };
    int x = 4;
    for (std::size_t i = 0; i < m_troubles.size(); ++i) {
        const QString text = m_troubles[i].text(now);
        const std::size_t left = m_troubles.size() - i;
        const QString more = tr("+%Ln more", nullptr, static_cast<int>(left));
        const QString moreAfter = tr("+%Ln more", nullptr, static_cast<int>(left - 1));
        const int reserve = left > 1 ? kBetween + metrics.horizontalAdvance(moreAfter) : 0;
        const StateLook look = m_troubles[i].look(colours);
        const int room = width() - 4 - x - reserve;
        if (entryWidth(metrics, text) > room && i > 0) {
            painter.setPen(colours.mutedText);
            painter.drawText(place(x, width() - x), Qt::AlignVCenter | Qt::AlignLeft, more);
            break;
        }
        paintStateShape(painter, place(x, kShape), look.shape, look.colour);
        x += kShape + kGap;
        const QString shown = metrics.elidedText(text, Qt::ElideRight, std::max(room - kShape - kGap, 20));
        painter.setPen(look.colour);
        painter.drawText(place(x, width() - x), Qt::AlignVCenter | Qt::AlignLeft, shown);
        x += metrics.horizontalAdvance(shown) + kBetween;
    }
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(colours.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    }
}

void TroublesLine::describe()
{
    const WallTime now = wallNow();
    QStringList lines;
    for (const Trouble& trouble : m_troubles)
        lines << trouble.text(now);
    setAccessibleName(lines.join(QStringLiteral("; ")));
    setToolTip(lines.join(QLatin1Char('\n')));
}

void TroublesLine::schedule()
{
    const bool counting = std::any_of(m_troubles.begin(), m_troubles.end(), [](const Trouble& trouble) { return trouble.until; });
    if (counting && isVisible()) {
        if (!m_timer.isActive())
            m_timer.start(kTick, this);
    } else {
        m_timer.stop();
    }
}

void TroublesLine::timerEvent(QTimerEvent* event)
{
    if (event->timerId() != m_timer.timerId()) {
        QAbstractButton::timerEvent(event);
        return;
    }
    const WallTime now = wallNow();
    const bool over =
        std::any_of(m_troubles.begin(), m_troubles.end(), [now](const Trouble& trouble) { return trouble.until && *trouble.until <= now; });
    describe();
    update();
    if (over)
        Q_EMIT lapsed();
}

void TroublesLine::showEvent(QShowEvent* event)
{
    QAbstractButton::showEvent(event);
    schedule();
}

void TroublesLine::hideEvent(QHideEvent* event)
{
    m_timer.stop();
    QAbstractButton::hideEvent(event);
}

void TroublesLine::changeEvent(QEvent* event)
{
    QAbstractButton::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        describe();
        update();
    }
}

}  // namespace omni
