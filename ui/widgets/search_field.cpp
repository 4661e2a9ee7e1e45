#include "ui/widgets/search_field.h"

#include "ui/theme/theme.h"

#include <QAction>
#include <QKeyEvent>

namespace omni {

SearchField::SearchField(QWidget* parent) : QLineEdit(parent)
{
    setClearButtonEnabled(true);
    m_icon = addAction(QIcon(), QLineEdit::LeadingPosition);
    refreshIcon();
}

void SearchField::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        clear();
        event->accept();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void SearchField::changeEvent(QEvent* event)
{
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refreshIcon();
}

void SearchField::refreshIcon()
{
    m_icon->setIcon(themedIcon(QStringLiteral("search"), palette()));
}

}  // namespace omni
