#include "ui/shell/command_palette.h"

#include "ui/shell/command_delegate.h"
#include "ui/shell/command_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/quiet_label.h"
#include "ui/widgets/search_field.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QListView>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace omni {

namespace {

constexpr int kWidth = 660;
constexpr int kHeight = 460;
constexpr int kMargin = 40;
constexpr int kGap = 8;
constexpr int kNothing = 60;  ///< room to say that nothing fits

}  // namespace

CommandPalette::CommandPalette(QWidget* window)
    : QWidget(window), m_model(new CommandModel(this)), m_panel(nullptr), m_line(nullptr), m_list(nullptr), m_nothing(nullptr)
{
    setObjectName(QStringLiteral("commandPalette"));
    auto* card = new Card(this);
    m_panel = card;
    m_line = new SearchField(card);
    m_line->setObjectName(QStringLiteral("commandLine"));
    m_list = new QListView(card);
    m_list->setObjectName(QStringLiteral("commandList"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new CommandDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    // The line keeps the keyboard: what is typed there and the list belong together.
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setStyleSheet(QStringLiteral("QListView { border: none; padding: 0; }"));
    m_nothing = new QuietLabel(card);
    m_nothing->setObjectName(QStringLiteral("commandNothing"));
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    card->body()->setSpacing(kGap);
    card->body()->addWidget(m_line);
    card->body()->addWidget(m_list, 1);
    card->body()->addWidget(m_nothing, 1);

    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::showFitting);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) { run(index.row()); });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &CommandPalette::tellCurrent);
    m_line->installEventFilter(this);
    window->installEventFilter(this);
    retranslate();
    hide();
}

void CommandPalette::open(std::vector<Command> commands, QStringList recent)
{
    if (!isHidden()) {
        close(true);
        return;
    }
    m_before = window()->focusWidget();
    m_line->clear();
    m_model->setCommands(std::move(commands), std::move(recent));
    place();
    show();
    raise();
    m_line->setFocus(Qt::PopupFocusReason);
    showFitting({});
}

void CommandPalette::retranslate()
{
    setAccessibleName(tr("Command palette"));
    m_line->setPlaceholderText(tr("A page, an action, a connection, a model, …"));
    m_line->setAccessibleName(tr("What to do"));
    m_list->setAccessibleName(tr("Commands"));
}

void CommandPalette::place()
{
    const QRect room = parentWidget()->rect();
    setGeometry(room);
    const int width = std::min(kWidth, room.width() - 2 * kMargin);
    const int most = std::min(kHeight, room.height() - 2 * kMargin);
    // No longer than its list, but always in the same place.
    const int rows = m_model->rowCount() * std::max(0, m_list->sizeHintForRow(0)) + 2 * m_list->frameWidth();
    const QMargins around = m_panel->layout()->contentsMargins();
    const int height = around.top() + around.bottom() + m_line->sizeHint().height() + kGap + std::max(rows, kNothing);
    m_panel->setGeometry((room.width() - width) / 2, std::max(kMargin, (room.height() - most) / 4), width, std::min(height, most));
}

void CommandPalette::showFitting(const QString& typed)
{
    m_model->setTyped(typed);
    const bool any = m_model->rowCount() > 0;
    m_list->setVisible(any);
    m_nothing->setVisible(!any);
    m_nothing->setText(tr("Nothing is called “%1”.").arg(typed.trimmed()));
    if (any) {
        m_list->setCurrentIndex(m_model->index(0));
        m_list->scrollToTop();
    }
    place();
    tellCurrent();
}

void CommandPalette::tellCurrent()
{
    const QModelIndex current = m_list->currentIndex();
    // The focus stays in the line, so what is chosen in the list is told as its description.
    m_line->setAccessibleDescription(m_model->rowCount() == 0 ? m_nothing->text() : current.data(Qt::AccessibleTextRole).toString());
    if (!QAccessible::isActive())
        return;
    QAccessibleEvent described(m_line, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&described);
    if (current.isValid()) {
        QAccessibleEvent focused(m_list, QAccessible::Focus);
        focused.setChild(current.row());
        QAccessible::updateAccessibility(&focused);
    }
}

void CommandPalette::step(int rows)
{
    const int count = m_model->rowCount();
    if (count == 0)
        return;
    const int now = m_list->currentIndex().row();
    // A single step goes round, a page stops at the end.
    const int next = std::abs(rows) == 1 ? (now + rows + count) % count : std::clamp(now + rows, 0, count - 1);
    m_list->setCurrentIndex(m_model->index(next));
}

bool CommandPalette::keyPressed(int key)
{
    const int page = std::max(1, m_list->viewport()->height() / std::max(1, m_list->sizeHintForRow(0)) - 1);
    switch (key) {
    case Qt::Key_Up:
    case Qt::Key_Backtab: step(-1); return true;
    case Qt::Key_Down:
    case Qt::Key_Tab: step(1); return true;
    case Qt::Key_PageUp: step(-std::max(page, 2)); return true;
    case Qt::Key_PageDown: step(std::max(page, 2)); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: run(m_list->currentIndex().row()); return true;
    case Qt::Key_Escape: close(true); return true;
    default: return false;
    }
}

void CommandPalette::run(int row)
{
    const Command* command = m_model->commandAt(row);
    if (!command)
        return;
    const Command chosenOne = *command;
    close(true);
    Q_EMIT chosen(chosenOne.id);
    chosenOne.run();
}

void CommandPalette::close(bool restoreFocus)
{
    if (isHidden())
        return;
    const QPointer<QWidget> before = std::exchange(m_before, nullptr);
    hide();
    if (restoreFocus && before && before->isVisible())
        before->setFocus(Qt::PopupFocusReason);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
        place();
    if (watched == m_line && event->type() == QEvent::KeyPress && keyPressed(static_cast<QKeyEvent*>(event)->key()))
        return true;
    if (watched == m_line && event->type() == QEvent::FocusOut) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        // Another window, or the line's own menu, comes and goes; a widget of this one that takes the keyboard ends it.
        if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason)
            close(false);
    }
    return QWidget::eventFilter(watched, event);
}

void CommandPalette::mousePressEvent(QMouseEvent* event)
{
    if (!m_panel->geometry().contains(event->position().toPoint()))
        close(true);
}

void CommandPalette::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), QColor(0, 0, 0, coloursFor(palette()).dark ? 120 : 60));
}

void CommandPalette::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        // Its commands speak the language before.
        close(true);
        retranslate();
    }
}

}  // namespace omni
