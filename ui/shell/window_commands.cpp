#include "ui/shell/window_commands.h"

#include "ui/widgets/card.h"

#include <QAbstractScrollArea>
#include <QAction>
#include <QCoreApplication>
#include <QKeySequence>
#include <QMenu>
#include <QPointer>
#include <QPushButton>

#include <iterator>
#include <utility>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::WindowCommands)
};

/// Without the marks of its mnemonic.
QString plain(QString text)
{
    text.replace(QLatin1String("&&"), QLatin1String("\x01"));
    text.remove(QLatin1Char('&'));
    return text.replace(QLatin1Char('\x01'), QLatin1Char('&'));
}

QString keysOf(const QAction& action)
{
    return action.shortcut().toString(QKeySequence::NativeText);
}

/// Trigger and check before: what was offered a moment ago may have gone since.
std::function<void()> trigger(QAction* action)
{
    return [action = QPointer<QAction>(action)] {
        if (action && action->isEnabled())
            action->trigger();
    };
}

void addMenu(const QMenu& menu, const QString& under, std::vector<Command>& commands)
{
    for (QAction* action : menu.actions()) {
        // The palette does not offer itself.
        if (action->isSeparator() || !action->isVisible() || !action->isEnabled() || action->objectName() == QLatin1String("commands"))
            continue;
        const QString text = plain(action->text());
        if (const QMenu* inner = action->menu()) {
            addMenu(*inner, text, commands);
            continue;
        }
        commands.push_back({QStringLiteral("action/") + action->objectName(),
                            under.isEmpty() ? text : Words::tr("%1: %2", "Theme: dark").arg(under, text), {}, keysOf(*action),
                            action->objectName(), trigger(action)});
    }
}

/// The buttons of a page's head and toolbar; those within its cards and lists belong to one thing there, and their names say little alone.
bool offersForThePage(const QPushButton& button, const QWidget& page)
{
    if (!button.isVisible() || !button.isEnabled() || button.isCheckable() || button.text().isEmpty() || button.objectName().isEmpty())
        return false;
    for (const QWidget* at = button.parentWidget(); at && at != &page; at = at->parentWidget()) {
        if (qobject_cast<const Card*>(at) || qobject_cast<const QAbstractScrollArea*>(at) || at->isWindow())
            return false;
    }
    return true;
}

void addButtons(const CommandPage& page, std::vector<Command>& commands)
{
    for (QPushButton* button : page.shown->findChildren<QPushButton*>()) {
        if (!offersForThePage(*button, *page.shown))
            continue;
        commands.push_back({QStringLiteral("button/") + button->objectName(), plain(button->text()),
                            Words::tr("%1, this page", "page").arg(page.entry->title()), {},
                            button->accessibleName() + QLatin1Char(' ') + button->objectName(),
                            [button = QPointer<QPushButton>(button)] {
                                if (button && button->isEnabled())
                                    button->click();
                            }});
    }
}

}  // namespace

std::vector<Command> windowCommands(const CoreLink& link, const std::vector<CommandPage>& pages, const QMenu& menu,
                                    const QList<QAction*>& others, const std::function<void(const QString& page, const QString& object)>& open)
{
    std::vector<Command> commands;
    for (const CommandPage& page : pages) {
        commands.push_back({QStringLiteral("page/") + page.entry->id, page.entry->title(), Words::tr("Page"), keysOf(*page.action),
                            page.entry->id, trigger(page.action)});
    }
    for (const CommandPage& page : pages) {
        if (page.shown)
            addButtons(page, commands);
    }
    addMenu(menu, {}, commands);
    for (QAction* action : others) {
        if (!action->text().isEmpty() && action->isEnabled()) {
            commands.push_back({QStringLiteral("action/") + action->objectName(), plain(action->text()), {}, keysOf(*action),
                                action->objectName(), trigger(action)});
        }
    }
    std::vector<Command> things;
    for (const CommandPage& page : pages) {
        if (!page.entry->doors)
            continue;
        const QString id = page.entry->id;
        for (const PageDoor& door : page.entry->doors(link)) {
            const bool makes = page.shown && door.objectId == QLatin1String("new");
            Command command{id + QLatin1Char('/') + door.objectId, door.title, door.makes ? page.entry->title() : door.detail,
                            makes ? QKeySequence(QKeySequence::New).toString(QKeySequence::NativeText) : QString(), id,
                            [open, id, object = door.objectId] { open(id, object); }};
            (door.makes ? commands : things).push_back(std::move(command));
        }
    }
    commands.insert(commands.end(), std::make_move_iterator(things.begin()), std::make_move_iterator(things.end()));
    return commands;
}

}  // namespace omni
