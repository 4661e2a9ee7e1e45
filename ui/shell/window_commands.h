#pragma once

#include "ui/shell/command.h"
#include "ui/shell/main_window.h"

#include <functional>
#include <vector>

class QAction;
class QMenu;

namespace omni {

/// A page as the palette sees it.
struct CommandPage {
    const PageEntry* entry = nullptr;
    QAction* action = nullptr;  ///< opens it, with its keys
    QWidget* shown = nullptr;   ///< the page itself while it is the one on show
};

/// Everything the window can do now: its pages, what each of them can be opened at, the buttons of the page on show, the entries of the
/// window's menu and its other keys. Made anew each time, from the very actions, buttons and lists the window shows.
std::vector<Command> windowCommands(const CoreLink& link, const std::vector<CommandPage>& pages, const QMenu& menu,
                                    const QList<QAction*>& others, const std::function<void(const QString& page, const QString& object)>& open);

}  // namespace omni
