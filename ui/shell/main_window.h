#pragma once

#include "ui/core_link.h"
#include "ui/page.h"

#include <QSettings>
#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QAction;
class QMessageBox;
class QStackedWidget;

namespace omni {

class CommandPalette;
class MessageBar;
class Rail;
class RailButton;
class StatusStrip;
class WindowActions;

/// One thing on a page that can be gone to without looking for it there.
struct PageDoor {
    QString objectId;      ///< for the page's `showObject`
    QString title;
    QString detail = {};   ///< quiet words beside it: what kind of thing it is
    bool makes = false;    ///< an action of the page's, not a thing on it
};

/// One page as the window is told of it. `title` is asked again when the language changes.
struct PageEntry {
    QString id;
    std::function<QString()> title;
    std::function<Page*(QWidget* parent)> make;
    bool atBottom = false;
    std::function<int(const CoreLink&)> badge = {};
    /// The entry is there only while this holds, and then before all others: a window that starts opens it. Unset = always there.
    std::function<bool(const CoreLink&)> needed = {};
    /// What the page can be opened at, for the command palette; asked each time that opens, when the link is ready.
    std::function<std::vector<PageDoor>(const CoreLink&)> doors = {};
};

/// The window: status strip, rail, pages made when first opened, message bar. It only composes: what it shows comes over the link, what
/// pages there are comes from outside.
class MainWindow final : public QWidget {
    Q_OBJECT

public:
    /// `stateFile` keeps size, place and the last page. `link` must outlive the window.
    MainWindow(CoreLink& link, std::vector<PageEntry> pages, const QString& stateFile, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// The page, made if need be; nullptr for an unknown id.
    Page* openPage(const QString& id, const QString& objectId = {});
    QString currentPage() const;
    MessageBar& messages() const { return *m_messages; }

    /// Asked at each close: while there is a tray, closing the window hides it. Without a check there is none.
    void setTrayCheck(std::function<bool()> present);
    /// Told once in the life of an installation: this desktop has no tray.
    void tellNoTray();
    /// From now on closing closes: the program is going down.
    void letGo();

public Q_SLOTS:
    /// Shows the window in front of others, from hidden or minimised.
    void bringUp();

Q_SIGNALS:
    void quitRequested();
    /// To end and start anew at once.
    void restartRequested();
    /// Closed into the tray for the first time ever: the user must be told where it went.
    void firstHidden();
    void dataFolderRequested();

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Slot {
        PageEntry entry;
        RailButton* button = nullptr;
        Page* page = nullptr;
        QAction* action = nullptr;  ///< opens it
    };

    Slot* find(const QString& id);
    Page* makePage(Slot& slot);
    void addActions();
    void openPalette();
    void retranslate();
    void rebuildPages();
    void refreshBadges();
    /// The page to begin with, once it is known what there is.
    void openFirst();
    void turnTo(Slot& slot);
    void askBeforeQuit();
    void showAbout();
    void remember();
    void restoreState();

    CoreLink& m_link;
    std::vector<Slot> m_pages;
    QSettings m_memory;
    StatusStrip* m_strip;
    Rail* m_rail;
    QStackedWidget* m_stack;
    MessageBar* m_messages;
    WindowActions* m_actions;
    CommandPalette* m_palette;
    QAction* m_find = nullptr;
    QAction* m_refresh = nullptr;
    QString m_current;
    std::function<bool()> m_trayPresent;
    bool m_goingDown = false;
    bool m_rebuilding = false;
};

}  // namespace omni
