#include "ui/widgets/empty_state.h"

#include "ui/theme/theme.h"
#include "ui/widgets/quiet_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace omni {

namespace {

constexpr int kTextWidth = 400;

}  // namespace

EmptyState::EmptyState(const QString& icon, QWidget* parent)
    : QWidget(parent), m_iconName(icon), m_icon(new QLabel(this)), m_sentence(new QuietLabel(this)), m_action(new QPushButton(this))
{
    m_sentence->setObjectName(QStringLiteral("emptySentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setFixedWidth(kTextWidth);
    m_icon->setAlignment(Qt::AlignCenter);
    m_action->setObjectName(QStringLiteral("emptyAction"));
    m_action->setProperty("primary", true);
    m_action->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addStretch();
    layout->addWidget(m_icon);
    // Not by an alignment of its own: a label that wraps gets its height only from a row it fills.
    auto* row = new QHBoxLayout;
    row->addStretch();
    row->addWidget(m_sentence);
    row->addStretch();
    layout->addLayout(row);
    layout->addWidget(m_action, 0, Qt::AlignHCenter);
    layout->addStretch();
    connect(m_action, &QPushButton::clicked, this, &EmptyState::actionTriggered);
    refreshIcon();
}

void EmptyState::setTexts(const QString& sentence, const QString& actionText)
{
    m_sentence->setText(sentence);
    m_action->setText(actionText);
    m_action->setVisible(!actionText.isEmpty());
}

void EmptyState::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refreshIcon();
}

void EmptyState::refreshIcon()
{
    m_icon->setPixmap(themedIcon(m_iconName, palette()).pixmap(QSize(40, 40), devicePixelRatioF()));
}

}  // namespace omni
