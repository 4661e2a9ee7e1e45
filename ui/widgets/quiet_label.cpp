#include "ui/widgets/quiet_label.h"

#include "ui/theme/theme.h"

#include <QEvent>

namespace omni {

QuietLabel::QuietLabel(QWidget* parent) : QLabel(parent)
{
    applyColour();
}

QuietLabel::QuietLabel(const QString& text, QWidget* parent) : QLabel(text, parent)
{
    applyColour();
}

void QuietLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_applying)
        applyColour();
}

void QuietLabel::applyColour()
{
    // Setting a palette sends PaletteChange again.
    m_applying = true;
    QPalette own = palette();
    own.setColor(QPalette::WindowText, coloursFor(own).mutedText);
    setPalette(own);
    m_applying = false;
}

}  // namespace omni
