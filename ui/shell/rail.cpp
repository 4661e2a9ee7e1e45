#include "ui/shell/rail.h"

#include "ui/theme/theme.h"

#include <QFocusEvent>
#include <QFontMetrics>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>
#include <QVBoxLayout>

namespace omni {

namespace {

constexpr int kWidth = 188;
constexpr int kEntryHeight = 36;
constexpr int kTextLeft = 12;

QFont weighted(const QFont& base, bool bold)
{
    QFont font = base;
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

}  // namespace

RailButton::RailButton(const QString& id, QWidget* parent) : QAbstractButton(parent)
{
    setObjectName(QStringLiteral("rail.") + id);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RailButton::setTitle(const QString& title)
{
    setText(title);
    describe();
    update();
}

void RailButton::setBadge(int count)
{
    if (count == m_badge)
        return;
    m_badge = count;
    describe();
    update();
}

void RailButton::describe()
{
    setAccessibleName(m_badge > 0 ? tr("%1, %Ln out of service", nullptr, m_badge).arg(text()) : text());
}

QSize RailButton::sizeHint() const
{
    return QSize(kTextLeft * 2 + QFontMetrics(weighted(font(), true)).horizontalAdvance(text()) + 32, kEntryHeight);
}

void RailButton::paintEvent(QPaintEvent*)
{
    const Colours& c = coloursFor(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0, 1, 0, -1);
    if (isChecked()) {
        QPainterPath shape;
        shape.addRoundedRect(box, 6, 6);
        painter.fillPath(shape, c.accentSoft);
        // The bar where reading begins follows the round corners.
        painter.setClipPath(shape);
        painter.fillRect(QRectF(isRightToLeft() ? box.right() - 3 : box.left(), box.top(), 3, box.height()), c.accent);
        painter.setClipping(false);
    } else if (underMouse()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(c.dark ? c.raised : c.border);
        painter.setOpacity(0.6);
        painter.drawRoundedRect(box, 6, 6);
        painter.setOpacity(1);
    }
    if (hasFocus() && m_ring) {
        painter.setPen(QPen(c.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    }
    QRect room = rect().adjusted(kTextLeft, 0, -8, 0);
    if (m_badge > 0) {
        QFont small = tabularFont(font());
        small.setPointSizeF(font().pointSizeF() * 0.88);
        small.setWeight(QFont::Bold);
        const QFontMetrics metrics(small);
        const QString count = QLocale().toString(m_badge);
        const int height = metrics.height();
        const int width = std::max(height, metrics.horizontalAdvance(count) + 12);
        const QRect badge(room.right() - width + 1, (this->height() - height) / 2, width, height);
        const QRectF pill(QStyle::visualRect(layoutDirection(), rect(), badge));
        painter.setPen(Qt::NoPen);
        painter.setBrush(c.bad);
        painter.drawRoundedRect(pill, height / 2.0, height / 2.0);
        painter.setPen(c.accentText);
        painter.setFont(small);
        painter.drawText(pill, Qt::AlignCenter, count);
        room.setRight(badge.left() - 6);
    }
    painter.setFont(weighted(font(), isChecked()));
    painter.setPen(isChecked() ? c.text : c.mutedText);
    room = QStyle::visualRect(layoutDirection(), rect(), room);
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, painter.fontMetrics().elidedText(text(), Qt::ElideRight, room.width()));
}

void RailButton::focusInEvent(QFocusEvent* event)
{
    const Qt::FocusReason reason = event->reason();
    m_ring = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
    QAbstractButton::focusInEvent(event);
}

Rail::Rail(QWidget* parent) : QWidget(parent), m_top(new QVBoxLayout), m_bottom(new QVBoxLayout)
{
    setObjectName(QStringLiteral("rail"));
    setAccessibleName(tr("Pages"));
    setFixedWidth(kWidth);
    m_group.setExclusive(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 10, 9, 10);
    layout->setSpacing(0);
    layout->addLayout(m_top);
    layout->addStretch();
    layout->addLayout(m_bottom);
    m_top->setSpacing(0);
    m_bottom->setSpacing(0);
    connect(&m_group, &QButtonGroup::buttonToggled, this, [this](QAbstractButton* button, bool on) {
        if (on)
            Q_EMIT chosen(button->objectName().mid(5));
    });
}

RailButton* Rail::addEntry(const QString& id, Place place)
{
    auto* button = new RailButton(id, this);
    m_group.addButton(button);
    if (place == Place::First)
        m_top->insertWidget(0, button);
    else
        (place == Place::Bottom ? m_bottom : m_top)->addWidget(button);
    return button;
}

void Rail::choose(RailButton* button)
{
    button->setChecked(true);
}

void Rail::paintEvent(QPaintEvent*)
{
    const Colours& c = coloursFor(palette());
    QPainter painter(this);
    painter.fillRect(rect(), c.dark ? QColor((c.window.red() + c.surface.red()) / 2, (c.window.green() + c.surface.green()) / 2,
                                             (c.window.blue() + c.surface.blue()) / 2)
                                    : c.raised);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), c.border);
}

}  // namespace omni
