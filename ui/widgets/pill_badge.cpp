#include "ui/widgets/pill_badge.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace omni {

namespace {

QFont badgeFont(const QFont& base)
{
    QFont font = tabularFont(base);
    font.setPointSizeF(base.pointSizeF() * 0.88);
    font.setWeight(QFont::DemiBold);
    return font;
}

}  // namespace

PillBadge::PillBadge(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

PillBadge::PillBadge(const QString& text, Kind kind, QWidget* parent) : PillBadge(parent)
{
    m_kind = kind;
    setText(text);
}

void PillBadge::setText(const QString& text)
{
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

void PillBadge::setKind(Kind kind)
{
    m_kind = kind;
    update();
}

QSize PillBadge::sizeHint() const
{
    const QFontMetrics metrics(badgeFont(font()));
    const int height = metrics.height() + 2;
    return QSize(std::max(height, metrics.horizontalAdvance(m_text) + 14), height);
}

void PillBadge::paintEvent(QPaintEvent*)
{
    const Colours& c = coloursFor(palette());
    QColor ground = c.raised;
    QColor ink = c.mutedText;
    switch (m_kind) {
    case Kind::Quiet: break;
    case Kind::Accent:
        ground = c.accentSoft;
        ink = c.text;
        break;
    case Kind::Good:
        ground = c.goodSoft;
        ink = c.good;
        break;
    case Kind::Warn:
        ground = c.warnSoft;
        ink = c.warn;
        break;
    case Kind::Bad:
        ground = c.bad;
        ink = c.accentText;
        break;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    const qreal radius = height() / 2.0;
    painter.drawRoundedRect(rect(), radius, radius);
    painter.setPen(ink);
    painter.setFont(badgeFont(font()));
    painter.drawText(rect(), Qt::AlignCenter, m_text);
}

}  // namespace omni
