#include "ui/overview/stat_tile.h"

#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QEvent>
#include <QLocale>
#include <QPainter>
#include <QTextLayout>
#include <QVBoxLayout>

#include <cmath>

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
    // Tiles stand in a row: one whose text needs the fonts of two scripts must not push its lines below those of its neighbour.
    const auto lineHeight = [](const QFont& font) {
        QTextLayout layout(QStringLiteral("Ag") + QLocale().toString(8), font);
        layout.beginLayout();
        const QTextLine line = layout.createLine();
        layout.endLayout();
        return static_cast<int>(std::ceil(line.height()));
    };
    QFont large = tabularFont(font());
    large.setPointSizeF(font().pointSizeF() * 1.7);
    large.setWeight(QFont::Bold);
    m_value->setFont(large);
    m_value->setMinimumHeight(lineHeight(large));
    for (ElidedLabel* label : {m_caption, m_below}) {
        QFont small = font();
        small.setPointSizeF(font().pointSizeF() * 0.92);
        label->setFont(small);
        label->setMinimumHeight(lineHeight(small));
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
