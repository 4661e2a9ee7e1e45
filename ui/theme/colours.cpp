#include "ui/theme/colours.h"

namespace omni {

namespace {

/// Half-way between two colours, for what is disabled.
QColor mixed(const QColor& a, const QColor& b)
{
    return QColor((a.red() + b.red()) / 2, (a.green() + b.green()) / 2, (a.blue() + b.blue()) / 2);
}

Colours makeLight()
{
    Colours c;
    c.window = QColor(0xf5, 0xf6, 0xf9);
    c.surface = QColor(0xff, 0xff, 0xff);
    c.raised = QColor(0xf0, 0xf2, 0xf6);
    c.border = QColor(0xdd, 0xe1, 0xe8);
    c.text = QColor(0x1d, 0x21, 0x29);
    c.mutedText = QColor(0x5a, 0x63, 0x73);
    c.accent = QColor(0x25, 0x63, 0xeb);
    c.accentText = QColor(0xff, 0xff, 0xff);
    c.accentSoft = QColor(0xe2, 0xeb, 0xff);
    c.good = QColor(0x16, 0x7a, 0x3e);
    c.warn = QColor(0x8f, 0x5a, 0x0a);
    c.bad = QColor(0xc2, 0x2b, 0x2b);
    c.probing = QColor(0x1f, 0x66, 0xad);
    c.resting = QColor(0x8a, 0x5a, 0x00);
    c.goodSoft = QColor(0xe3, 0xf4, 0xe9);
    c.warnSoft = QColor(0xfb, 0xf0, 0xd9);
    c.badSoft = QColor(0xfd, 0xea, 0xea);
    c.dark = false;
    return c;
}

Colours makeDark()
{
    Colours c;
    c.window = QColor(0x1b, 0x1e, 0x24);
    c.surface = QColor(0x23, 0x27, 0x2f);
    c.raised = QColor(0x2b, 0x30, 0x3a);
    c.border = QColor(0x38, 0x3e, 0x49);
    c.text = QColor(0xe6, 0xe9, 0xef);
    c.mutedText = QColor(0xa3, 0xab, 0xb9);
    c.accent = QColor(0x6d, 0x9b, 0xff);
    c.accentText = QColor(0x10, 0x15, 0x1f);
    c.accentSoft = QColor(0x2a, 0x3a, 0x60);
    c.good = QColor(0x4e, 0xc0, 0x7e);
    c.warn = QColor(0xed, 0xc9, 0x4c);
    c.bad = QColor(0xff, 0x80, 0x80);
    c.probing = QColor(0x66, 0xb3, 0xf0);
    c.resting = QColor(0xed, 0xc9, 0x4c);
    c.goodSoft = QColor(0x20, 0x38, 0x2c);
    c.warnSoft = QColor(0x3d, 0x37, 0x22);
    c.badSoft = QColor(0x46, 0x29, 0x2c);
    c.dark = true;
    return c;
}

}  // namespace

const Colours& lightColours()
{
    static const Colours colours = makeLight();
    return colours;
}

const Colours& darkColours()
{
    static const Colours colours = makeDark();
    return colours;
}

const Colours& coloursFor(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < 128 ? darkColours() : lightColours();
}

QPalette paletteFrom(const Colours& c)
{
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, const QColor& colour) { palette.setColor(QPalette::All, role, colour); };
    set(QPalette::Window, c.window);
    set(QPalette::WindowText, c.text);
    set(QPalette::Base, c.surface);
    set(QPalette::AlternateBase, c.raised);
    set(QPalette::Text, c.text);
    set(QPalette::Button, c.surface);
    set(QPalette::ButtonText, c.text);
    set(QPalette::BrightText, c.bad);
    set(QPalette::PlaceholderText, c.mutedText);
    set(QPalette::ToolTipBase, c.raised);
    set(QPalette::ToolTipText, c.text);
    set(QPalette::Highlight, c.accent);
    set(QPalette::HighlightedText, c.accentText);
    set(QPalette::Link, c.accent);
    set(QPalette::LinkVisited, c.accent);
    set(QPalette::Light, c.dark ? c.raised : c.surface);
    set(QPalette::Midlight, c.raised);
    set(QPalette::Mid, c.border);
    set(QPalette::Dark, c.dark ? c.border : c.mutedText);
    set(QPalette::Shadow, c.dark ? c.window.darker(150) : c.mutedText);
    const QColor faint = mixed(c.mutedText, c.surface);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, faint);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, c.border);
    return palette;
}

}  // namespace omni
