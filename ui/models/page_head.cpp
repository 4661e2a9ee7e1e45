#include "ui/models/page_head.h"

#include "ui/widgets/elided_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace omni {

PageHead::PageHead(QWidget* parent)
    : QWidget(parent), m_title(new QLabel(this)), m_subtitle(new ElidedLabel(this)), m_tools(new QHBoxLayout)
{
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(m_title);
    words->addWidget(m_subtitle);
    m_tools->setSpacing(8);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(16);
    layout->addLayout(words, 1);
    layout->addLayout(m_tools);
    m_subtitle->setForegroundRole(QPalette::PlaceholderText);  // the theme's muted text
    applyFonts();
}

void PageHead::setTitle(const QString& title)
{
    m_title->setText(title);
}

void PageHead::setSubtitle(const QString& text)
{
    if (m_subtitle->text() != text)
        m_subtitle->setText(text);
}

void PageHead::applyFonts()
{
    QFont large = font();
    large.setPointSizeF(font().pointSizeF() * 1.3);
    large.setWeight(QFont::Bold);
    m_title->setFont(large);
}

void PageHead::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        applyFonts();
}

}  // namespace omni
