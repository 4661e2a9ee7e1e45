#include "ui/clients/snippet_box.h"

#include "ui/theme/theme.h"
#include "ui/widgets/quiet_label.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace omni {

SnippetBox::SnippetBox(const QString& name, QWidget* parent)
    : QWidget(parent), m_title(new QuietLabel(this)), m_text(new QPlainTextEdit(this)), m_copy(new QPushButton(tr("Copy"), this))
{
    m_title->setTextFormat(Qt::PlainText);
    m_text->setObjectName(name);
    m_text->setReadOnly(true);
    m_text->setTabChangesFocus(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(monospaceFont());
    m_text->setLayoutDirection(Qt::LeftToRight);
    m_copy->setObjectName(name + QStringLiteral("Copy"));
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(m_copy);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(m_text);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_text->toPlainText() + QLatin1Char('\n'));
        Q_EMIT copied(m_title->text());
    });
}

void SnippetBox::setSnippet(const QString& title, const QString& text)
{
    m_title->setText(title);
    m_text->setAccessibleName(title);
    m_copy->setAccessibleName(tr("Copy: %1").arg(title));
    QString lines = text;
    while (lines.endsWith(QLatin1Char('\n')))
        lines.chop(1);
    if (lines != m_text->toPlainText())
        m_text->setPlainText(lines);
    fit();
}

QString SnippetBox::text() const
{
    return m_text->toPlainText();
}

void SnippetBox::fit()
{
    const int lines = std::max(1, m_text->blockCount());
    m_text->setFixedHeight(lines * m_text->fontMetrics().lineSpacing() + static_cast<int>(2 * m_text->document()->documentMargin()) +
                           2 * m_text->frameWidth() + m_text->horizontalScrollBar()->sizeHint().height());
}

void SnippetBox::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

}  // namespace omni
