#pragma once

#include "ui/core_link.h"

#include <QKeySequence>
#include <QList>
#include <QObject>

#include <functional>

class QAction;
class QActionGroup;
class QMenu;
class QWidget;

namespace omni {

/// What the window offers on every page, each once: the menu shows it, the command palette finds it, and its keys work wherever the focus
/// is in the window.
class WindowActions final : public QObject {
    Q_OBJECT

public:
    /// Fills `menu`. `link`, `window` and `menu` must outlive it.
    WindowActions(CoreLink& link, QWidget& window, QMenu& menu);

    QMenu& menu() const { return m_menu; }
    /// Keys without a place in the menu. The palette offers those that are given a text.
    QAction* addKeys(const QKeySequence& keys, const char* name, std::function<void()> run);
    /// All that were added so.
    const QList<QAction*>& others() const { return m_others; }
    void retranslate();

Q_SIGNALS:
    void paletteRequested();
    void dataFolderRequested();
    void aboutRequested();
    void quitRequested();
    /// What came of it, for the message bar.
    void told(const QString& text);

private:
    QAction* add(QMenu& menu, const char* name, std::function<void()> run, const QKeySequence& keys = {});
    void addTheme();
    void addLanguages();
    void refresh();
    void clearAll();
    void patch(const char* field, const QString& value);

    CoreLink& m_link;
    QWidget& m_window;
    QMenu& m_menu;
    QList<QAction*> m_others;
    QAction* m_palette = nullptr;
    QAction* m_toggle = nullptr;
    QAction* m_copy = nullptr;
    QAction* m_clear = nullptr;
    QMenu* m_themeMenu = nullptr;
    QMenu* m_languageMenu = nullptr;
    QActionGroup* m_themes = nullptr;
    QActionGroup* m_languages = nullptr;
    QAction* m_folder = nullptr;
    QAction* m_about = nullptr;
    QAction* m_quit = nullptr;
};

}  // namespace omni
