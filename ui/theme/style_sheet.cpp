#include "ui/theme/colours.h"

#include <QStringList>

#include <array>
#include <utility>

namespace omni {

namespace {

constexpr const char* kSheet = R"(
QPushButton { background: @surface; color: @text; border: 1px solid @border; border-radius: 6px; padding: 5px 12px; min-height: 18px; }
QPushButton:hover { background: @raised; }
QPushButton:pressed { background: @border; }
QPushButton:focus { border-color: @accent; }
QPushButton:disabled { color: @faint; }
QPushButton:checked { background: @accentSoft; border-color: @accent; }
QPushButton[primary="true"] { background: @accent; color: @accentText; border-color: @accent; }
QPushButton[primary="true"]:hover { background: @accentHover; border-color: @accentHover; }
QPushButton[primary="true"]:focus { border-color: @text; }
QPushButton[primary="true"]:disabled { background: @raised; color: @faint; border-color: @border; }
QPushButton[quiet="true"] { background: transparent; border-color: transparent; color: @accent; padding: 5px 8px; }
QPushButton[quiet="true"]:hover { background: @raised; }
QPushButton[quiet="true"]:focus { border-color: @accent; }
QPushButton[quiet="true"]:disabled { color: @faint; }
QPushButton[link="true"] { background: transparent; border-color: transparent; border-radius: 3px; color: @accent; padding: 0 3px;
  min-height: 0; }
QPushButton[link="true"]:hover { background: @raised; }
QPushButton[link="true"]:focus { border-color: @accent; }
QPushButton[danger="true"] { color: @bad; }
QPushButton[danger="true"]:disabled { color: @faint; }
QToolButton { background: transparent; color: @text; border: 1px solid transparent; border-radius: 6px; padding: 4px; }
QToolButton:hover { background: @raised; }
QToolButton:focus { border-color: @accent; }
QToolButton:checked { background: @accentSoft; }
QToolButton:disabled { color: @faint; }
QLineEdit, QPlainTextEdit, QTextEdit, QComboBox, QSpinBox {
  background: @field; color: @text; border: 1px solid @border; border-radius: 6px;
  selection-background-color: @accent; selection-color: @accentText; }
QLineEdit, QComboBox { padding: 4px 8px; min-height: 20px; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QComboBox:focus, QSpinBox:focus { border-color: @accent; }
QLineEdit:disabled, QComboBox:disabled { color: @faint; }
*[invalid="true"], *[invalid="true"]:focus { border-color: @bad; }
QCheckBox, QRadioButton { spacing: 8px; }
QCheckBox:disabled, QRadioButton:disabled { color: @faint; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid @control; border-radius: 4px; background: @field; }
QCheckBox::indicator:hover, QCheckBox::indicator:focus { border-color: @accent; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: url(:/icons/tick-@kind.svg); }
QCheckBox::indicator:disabled { border-color: @border; background: @surface; }
QCheckBox::indicator:checked:disabled { background: @handle; border-color: @handle; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url(:/icons/chevron-down-@kind.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @surface; color: @text; border: 1px solid @border; border-radius: 0; outline: 0;
  selection-background-color: @accentSoft; selection-color: @text; }
QAbstractItemView { outline: 0; }
QTableView, QTreeView, QListView { background: @surface; color: @text; border: none;
  selection-background-color: @accentSoft; selection-color: @text; }
QListView, QTreeView { border: 1px solid @border; border-radius: 6px; padding: 2px; }
QListView::item, QTreeView::item { padding: 4px 6px; }
QListView::item:selected, QTreeView::item:selected { background: @accentSoft; color: @text; }
QTableView::item { border-bottom: 1px solid @border; padding: 0 5px; }
QTableView::item:selected { background: @accentSoft; color: @text; }
QHeaderView { background: @surface; border: none; }
QHeaderView::section { background: @surface; color: @muted; border: none; border-bottom: 1px solid @border; padding: 6px 8px;
  font-weight: 600; }
QHeaderView::section:hover { color: @text; }
QHeaderView::down-arrow { image: url(:/icons/chevron-down-@kind.svg); width: 10px; height: 10px;
  subcontrol-position: center right; right: 4px; }
QHeaderView::up-arrow { image: url(:/icons/chevron-up-@kind.svg); width: 10px; height: 10px;
  subcontrol-position: center right; right: 4px; }
QTableCornerButton::section { background: @surface; border: none; }
QScrollArea, QScrollArea > QWidget > QWidget[pageBody="true"] { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: @handle; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: transparent; }
QMenu { background: @surface; color: @text; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 6px 24px 6px 12px; border-radius: 4px; }
QMenu::item:selected { background: @accentSoft; }
QMenu::item:disabled { color: @muted; }
QMenu::separator { height: 1px; background: @border; margin: 4px 8px; }
QToolTip { background: @raised; color: @text; border: 1px solid @border; padding: 4px 6px; }
)";

}  // namespace

QString styleSheetFrom(const Colours& c)
{
    const QColor faint((c.mutedText.red() + c.surface.red()) / 2, (c.mutedText.green() + c.surface.green()) / 2,
                       (c.mutedText.blue() + c.surface.blue()) / 2);
    // Longer names first: "@accentSoft" must not be taken for "@accent" followed by "Soft".
    const std::array<std::pair<const char*, QString>, 16> names{{
        {"@accentHover", (c.dark ? c.accent.lighter(110) : c.accent.darker(112)).name()},
        {"@accentSoft", c.accentSoft.name()},
        {"@accentText", c.accentText.name()},
        {"@accent", c.accent.name()},
        {"@surface", c.surface.name()},
        {"@border", c.border.name()},
        {"@raised", c.raised.name()},
        // What only its border shows must stand out from its ground: contrast 3 (WCAG 1.4.11).
        {"@control", c.mutedText.name()},
        {"@handle", (c.dark ? c.border.lighter(125) : c.border.darker(115)).name()},
        {"@field", (c.dark ? c.window : c.window.lighter(101)).name()},
        {"@faint", faint.name()},
        {"@muted", c.mutedText.name()},
        {"@text", c.text.name()},
        {"@bad", c.bad.name()},
        {"@kind", c.dark ? QStringLiteral("dark") : QStringLiteral("light")},
        {"@window", c.window.name()},
    }};
    QString sheet = QString::fromLatin1(kSheet);
    for (const auto& [name, value] : names)
        sheet.replace(QLatin1String(name), value);
    return sheet;
}

}  // namespace omni
