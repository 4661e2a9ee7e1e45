#include "ui/cooldowns/code_label.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace omni {

namespace {

constexpr int kLongestRun = 16;

/// Text without blanks would make the panel as wide as itself: places to break at are put in.
QString breakable(const QString& code)
{
    QString text;
    text.reserve(code.size() + code.size() / 8);
    int run = 0;
    for (qsizetype i = 0; i < code.size(); ++i) {
        const QChar c = code.at(i);
        text += c;
        run = c.isSpace() ? 0 : run + 1;
        const bool between = !c.isHighSurrogate() && i + 1 < code.size() && !code.at(i + 1).isMark();
        if (between && (run >= kLongestRun || QStringLiteral(",:;{}[]/").contains(c))) {
            text += QChar(0x200B);
            run = 0;
        }
    }
    return text;
}

}  // namespace

CodeLabel::CodeLabel(const QString& code, QWidget* parent) : QLabel(breakable(code), parent)
{
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setFont(monospaceFont());
    setContentsMargins(6, 3, 6, 3);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    // What the provider wrote reads from left to right in every language of ours.
    setLayoutDirection(Qt::LeftToRight);
    setAccessibleName(code);
}

void CodeLabel::paintEvent(QPaintEvent* event)
{
    const Colours& colours = coloursFor(palette());
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(colours.border, 1));
        painter.setBrush(colours.window);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
    QLabel::paintEvent(event);
}

}  // namespace omni
