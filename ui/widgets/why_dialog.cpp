#include "ui/widgets/why_dialog.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace omni {

WhyDialog::WhyDialog(const QString& heading, const QString& text, QWidget* parent) : QDialog(parent), m_action(new QPushButton(this))
{
    setObjectName(QStringLiteral("whyDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Why?"));
    auto* title = new QLabel(heading, this);
    title->setObjectName(QStringLiteral("whyHeading"));
    title->setTextFormat(Qt::PlainText);
    title->setWordWrap(true);
    QFont bold = title->font();
    bold.setWeight(QFont::DemiBold);
    title->setFont(bold);

    auto* reasons = new QPlainTextEdit(text, this);
    reasons->setObjectName(QStringLiteral("whyText"));
    reasons->setAccessibleName(tr("What is known"));
    reasons->setReadOnly(true);
    reasons->setTabChangesFocus(true);
    reasons->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);

    m_action->setObjectName(QStringLiteral("whyAction"));
    m_action->setAutoDefault(false);
    m_action->hide();
    auto* copy = new QPushButton(tr("Copy"), this);
    copy->setObjectName(QStringLiteral("whyCopy"));
    copy->setAutoDefault(false);
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("whyClose"));
    close->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_action);
    buttons->addStretch();
    buttons->addWidget(copy);
    buttons->addWidget(close);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addWidget(title);
    layout->addWidget(reasons, 1);
    layout->addLayout(buttons);
    resize(fontMetrics().averageCharWidth() * 84, fontMetrics().height() * 18);

    connect(copy, &QPushButton::clicked, this,
        [heading, text] { QGuiApplication::clipboard()->setText(heading + QLatin1Char('\n') + text); });
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_action, &QPushButton::clicked, this, [this] {
        Q_EMIT actionTriggered();
        accept();
    });
    close->setFocus();
}

void WhyDialog::setAction(const QString& label)
{
    m_action->setText(label);
    m_action->setVisible(!label.isEmpty());
}

}  // namespace omni
