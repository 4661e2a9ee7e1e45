#include "ui/clients/diff_view.h"

#include "base/text.h"
#include "control/client_setup/text_diff.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>

namespace omni {

using client_setup::DiffLine;

namespace {

constexpr int kFewestLines = 4;
constexpr int kMostLines = 16;

}  // namespace

DiffView::DiffView(QWidget* parent) : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setTabChangesFocus(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFont(monospaceFont());
    // Code is read from left to right in every language.
    setLayoutDirection(Qt::LeftToRight);
}

void DiffView::setFiles(const std::vector<client_setup::PlannedFile>& files, const std::string& secret)
{
    m_files = files;
    m_secret = secret;
    fill();
}

void DiffView::fill()
{
    m_filling = true;
    clear();
    const Colours& colours = coloursFor(palette());
    QTextCursor cursor(document());
    int lines = 0;
    const auto add = [&](const QString& text, const QColor& ground, const QColor& ink) {
        QTextBlockFormat block;
        if (ground.isValid())
            block.setBackground(ground);
        QTextCharFormat letters;
        letters.setForeground(ink);
        if (lines++ > 0)
            cursor.insertBlock();
        cursor.setBlockFormat(block);
        cursor.insertText(text, letters);
    };
    for (const client_setup::PlannedFile& file : m_files) {
        if (!file.changes())
            continue;
        add(file.existed ? toQString(file.path) : tr("%1 (new)").arg(toQString(file.path)), {}, colours.mutedText);
        for (const DiffLine& line : client_setup::textDiff(file.before, file.after)) {
            QString text = toQString(line.text);
            if (!m_secret.empty())
                text.replace(toQString(m_secret), toQString(maskedSecret(m_secret)));
            switch (line.kind) {
            case DiffLine::Kind::Same: add(QStringLiteral("  ") + text, {}, colours.text); break;
            case DiffLine::Kind::Added: add(QStringLiteral("+ ") + text, colours.goodSoft, colours.text); break;
            case DiffLine::Kind::Removed: add(QStringLiteral("- ") + text, colours.badSoft, colours.text); break;
            case DiffLine::Kind::Gap: add(QStringLiteral("  …"), {}, colours.mutedText); break;
            }
        }
    }
    moveCursor(QTextCursor::Start);
    const int shown = std::clamp(lines, kFewestLines, kMostLines);
    setFixedHeight(shown * fontMetrics().lineSpacing() + static_cast<int>(2 * document()->documentMargin()) + 2 * frameWidth() +
                   horizontalScrollBar()->sizeHint().height());
    m_filling = false;
}

void DiffView::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (!m_filling && (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange))
        fill();
}

}  // namespace omni
