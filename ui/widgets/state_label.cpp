#include "ui/widgets/state_label.h"

#include "ui/theme/state_shape.h"

#include <QEvent>
#include <QPainter>
#include <QStyle>

namespace omni {

namespace {

constexpr int kGap = 6;
constexpr int kShape = 12;

QFont wordFont(const QFont& base)
{
    QFont font = tabularFont(base);
    font.setWeight(QFont::DemiBold);
    return font;
}

}  // namespace

StateLabel::StateLabel(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void StateLabel::setLook(Look look)
{
    m_make = std::move(look);
    refresh();
}

void StateLabel::setState(BreakerState state)
{
    setLook([state](const Colours& colours) { return lookOf(state, colours); });
}

void StateLabel::setState(Outcome outcome)
{
    setLook([outcome](const Colours& colours) { return lookOf(outcome, colours); });
}

void StateLabel::setState(Exclusion reason)
{
    setLook([reason](const Colours& colours) { return lookOf(reason, colours); });
}

void StateLabel::setSuffix(const QString& suffix)
{
    if (suffix == m_suffix)
        return;
    m_suffix = suffix;
    refresh();
}

void StateLabel::setShapeOnly(bool on)
{
    m_shapeOnly = on;
    refresh();
}

QString StateLabel::text() const
{
    return m_look.word + m_suffix;
}

void StateLabel::refresh()
{
    if (m_make)
        m_look = m_make(coloursFor(palette()));
    setAccessibleName(text());
    if (m_shapeOnly)
        setToolTip(text());
    updateGeometry();
    update();
}

QSize StateLabel::sizeHint() const
{
    const QFontMetrics metrics(wordFont(font()));
    const int height = std::max(metrics.height(), kShape);
    return m_shapeOnly ? QSize(kShape, height) : QSize(kShape + kGap + metrics.horizontalAdvance(text()) + 2, height);
}

QSize StateLabel::minimumSizeHint() const
{
    return QSize(m_shapeOnly ? kShape : kShape * 4, sizeHint().height());
}

void StateLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const auto place = [this](int from, int width) { return QStyle::visualRect(layoutDirection(), rect(), QRect(from, 0, width, height())); };
    paintStateShape(painter, place(0, kShape), m_look.shape, m_look.colour);
    if (m_shapeOnly)
        return;
    painter.setFont(wordFont(font()));
    painter.setPen(m_look.colour);
    const QRect room = place(kShape + kGap, width() - kShape - kGap);
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, painter.fontMetrics().elidedText(text(), Qt::ElideRight, room.width()));
}

void StateLabel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    switch (event->type()) {
    case QEvent::PaletteChange:
    case QEvent::LanguageChange:
    case QEvent::FontChange: refresh(); break;
    default: break;
    }
}

}  // namespace omni
