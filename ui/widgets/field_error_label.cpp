#include "ui/widgets/field_error_label.h"

#include "ui/theme/state_shape.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QStyle>

namespace omni {

FieldErrorLabel::FieldErrorLabel(QWidget* field, QWidget* parent) : QWidget(parent), m_field(field), m_text(new QLabel(this))
{
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(18, 0, 0, 0);
    layout->addWidget(m_text);
    setVisible(false);
    applyColour();
}

void FieldErrorLabel::setError(const QString& message)
{
    if (message == m_text->text())
        return;
    const bool wasFine = m_text->text().isEmpty();
    m_text->setText(message);
    setVisible(!message.isEmpty());
    if (!m_field)
        return;
    if (wasFine)
        m_description = m_field->accessibleDescription();
    m_field->setAccessibleDescription(message.isEmpty() ? m_description : message);
    if (wasFine != message.isEmpty()) {
        m_field->setProperty("invalid", !message.isEmpty());
        m_field->style()->unpolish(m_field);
        m_field->style()->polish(m_field);
    }
}

QString FieldErrorLabel::error() const
{
    return m_text->text();
}

void FieldErrorLabel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyColour();
}

void FieldErrorLabel::applyColour()
{
    QPalette own = m_text->palette();
    own.setColor(QPalette::WindowText, coloursFor(palette()).bad);
    m_text->setPalette(own);
}

void FieldErrorLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const int line = m_text->fontMetrics().height();
    paintStateShape(painter, QRectF(0, 0, 12, line), QStringLiteral("✕"), coloursFor(palette()).bad);
}

}  // namespace omni
