#include "ui/overview/stat_tile.h"

#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace omni {

StatTile::StatTile(QWidget* parent)
    : QWidget(parent), m_caption(new ElidedLabel(this)), m_value(new ElidedLabel(this)), m_below(new ElidedLabel(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 12, 14, 12);
    layout->setSpacing(2);
    layout->addWidget(m_caption);
    layout->addWidget(m_value);
    layout->addWidget(m_below);
    layout->addStretch();
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    for (ElidedLabel* label : {m_caption, m_below})
        label->setForegroundRole(QPalette::PlaceholderText);  // the theme's muted text
    applyFonts();
}

void StatTile::setCaption(const QString& caption)
{
    m_caption->setText(caption);
}

void StatTile::setFigures(const QString& value, const QString& below)
{
    if (m_value->text() == value && m_below->text() == below)
        return;
    m_value->setText(value);
    m_below->setText(below);
    setAccessibleName(QStringLiteral("%1: %2, %3").arg(m_caption->text(), value, below));
}

void StatTile::applyFonts()
{
    QFont large = tabularFont(font());
    large.setPointSizeF(font().pointSizeF() * 1.7);
    large.setWeight(QFont::Bold);
    m_value->setFont(large);
    for (ElidedLabel* label : {m_caption, m_below}) {
        QFont small = font();
        small.setPointSizeF(font().pointSizeF() * 0.92);
        label->setFont(small);
    }
}

void StatTile::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        applyFonts();
}

void StatTile::paintEvent(QPaintEvent*)
{
    const Colours& colours = coloursFor(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colours.border, 1));
    painter.setBrush(colours.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

}  // namespace omni
