#include "ui/widgets/message_bar.h"

#include "ui/theme/theme.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace omni {

namespace {

constexpr int kShownMs = 8'000;
constexpr int kShownWithButtonMs = 15'000;
constexpr int kMargin = 16;
constexpr int kMaxWidth = 720;

}  // namespace

MessageBar::MessageBar(QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_button(new QPushButton(this)), m_close(new QToolButton(this))
{
    setObjectName(QStringLiteral("messageBar"));
    m_text->setObjectName(QStringLiteral("messageText"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_button->setObjectName(QStringLiteral("messageButton"));
    m_button->setProperty("quiet", true);
    m_close->setObjectName(QStringLiteral("messageClose"));
    m_close->setIconSize(QSize(14, 14));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 8, 8, 8);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_button);
    layout->addWidget(m_close);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &MessageBar::expire);
    connect(m_close, &QToolButton::clicked, this, &MessageBar::dismiss);
    connect(m_button, &QPushButton::clicked, this, [this] {
        const auto action = std::exchange(m_action, {});
        dismiss();
        if (action)
            action();
    });
    parent->installEventFilter(this);
    retranslate();
    hide();
}

void MessageBar::showMessage(const QString& text, std::function<void()> undo)
{
    const bool undoable = static_cast<bool>(undo);
    showMessage(text, undoable ? tr("Undo") : QString(), std::move(undo));
    m_undo = undoable;
}

void MessageBar::showMessage(const QString& text, const QString& buttonText, std::function<void()> action)
{
    m_undo = false;
    m_action = std::move(action);
    m_text->setText(text);
    setAccessibleName(text);
    m_button->setText(buttonText);
    m_button->setVisible(static_cast<bool>(m_action));
    show();
    raise();
    place();
    // The time to take something back runs whether the window is seen or not.
    if (m_action || (isVisible() && !window()->isMinimized()))
        m_timer.start(m_action ? kShownWithButtonMs : kShownMs);
    else
        m_timer.stop();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

QString MessageBar::text() const
{
    return isHidden() ? QString() : m_text->text();
}

void MessageBar::dismiss()
{
    m_timer.stop();
    m_action = {};
    hide();
}

void MessageBar::expire()
{
    if (underMouse() || m_button->hasFocus() || m_close->hasFocus())
        m_timer.start(kShownMs);
    else
        dismiss();
}

void MessageBar::place()
{
    const QRect room = parentWidget()->rect().adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const int wanted = sizeHint().width() + m_text->fontMetrics().horizontalAdvance(m_text->text()) / 4;
    const int textWidth = m_text->fontMetrics().horizontalAdvance(m_text->text()) + 24;
    const int others = 60 + (m_button->isHidden() ? 0 : m_button->sizeHint().width() + 8);
    const int width = std::min({std::max(wanted, textWidth + others), kMaxWidth, room.width()});
    const int height = std::max(layout()->hasHeightForWidth() ? layout()->heightForWidth(width) : 0, sizeHint().height());
    setGeometry(room.left() + (room.width() - width) / 2, room.bottom() - height + 1, width, height);
}

void MessageBar::retranslate()
{
    m_close->setIcon(themedIcon(QStringLiteral("close"), palette()));
    m_close->setAccessibleName(tr("Close the message"));
    m_close->setToolTip(tr("Close the message"));
    if (m_undo)
        m_button->setText(tr("Undo"));
}

void MessageBar::paintEvent(QPaintEvent*)
{
    const Colours& colours = coloursFor(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colours.accent, 1));
    painter.setBrush(colours.raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

void MessageBar::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    place();  // a window that was never shown had no size yet
    if (!m_timer.isActive())
        m_timer.start(kShownMs);
}

void MessageBar::enterEvent(QEnterEvent* event)
{
    m_timer.stop();
    QWidget::enterEvent(event);
}

void MessageBar::leaveEvent(QEvent* event)
{
    if (isVisible())
        m_timer.start(kShownMs);
    QWidget::leaveEvent(event);
}

void MessageBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
        place();
    return QWidget::eventFilter(watched, event);
}

}  // namespace omni
