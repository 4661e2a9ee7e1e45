#include "ui/widgets/card.h"

#include "ui/theme/theme.h"
#include "ui/widgets/quiet_label.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace omni {

namespace {

constexpr qreal kRadius = 8;

}  // namespace

Card::Card(QWidget* parent) : Card(QString(), parent) {}

Card::Card(const QString& title, QWidget* parent)
    : QWidget(parent), m_head(new QWidget(this)), m_headLayout(new QHBoxLayout(m_head)), m_title(new QLabel(m_head)),
      m_right(new QuietLabel(m_head)), m_body(new QVBoxLayout)
{
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    m_headLayout->setContentsMargins(0, 0, 0, 0);
    m_headLayout->addWidget(m_title);
    m_headLayout->addStretch();
    m_headLayout->addWidget(m_right);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 12, 14, 12);
    layout->setSpacing(10);
    layout->addWidget(m_head);
    layout->addLayout(m_body);
    m_body->setSpacing(8);
    setTitle(title);
}

void Card::setTitle(const QString& title)
{
    m_title->setText(title);
    setAccessibleName(title);
    showHead();
}

QString Card::title() const
{
    return m_title->text();
}

void Card::setRightText(const QString& text)
{
    m_right->setText(text);
    showHead();
}

void Card::setRightWidget(QWidget* widget)
{
    m_right->hide();
    m_headLayout->addWidget(widget);
    showHead();
}

void Card::showHead()
{
    const bool other = m_headLayout->count() > 3;
    m_head->setVisible(other || !m_title->text().isEmpty() || !m_right->text().isEmpty());
}

void Card::paintEvent(QPaintEvent*)
{
    const Colours& colours = coloursFor(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colours.border, 1));
    painter.setBrush(colours.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
}

}  // namespace omni
