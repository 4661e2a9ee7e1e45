#include "ui/shell/window_actions.h"

#include "ui/models/display_text.h"
#include "ui/models/hold_actions.h"
#include "ui/shell/languages.h"
#include "ui/shell/shell_status.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QWidget>

#include <nlohmann/json.hpp>

#include <utility>

namespace omni {

WindowActions::WindowActions(CoreLink& link, QWidget& window, QMenu& menu)
    : QObject(&window), m_link(link), m_window(window), m_menu(menu)
{
    m_palette = add(menu, "commands", [this] { Q_EMIT paletteRequested(); }, QKeySequence(Qt::CTRL | Qt::Key_K));
    menu.addSeparator();
    m_toggle = add(menu, "startOrStop", [this] { toggleProxy(m_link); });
    m_copy = add(menu, "copyAddress", [this] { Q_EMIT told(tr("Copied: %1").arg(copyBaseUrl(m_link))); });
    m_clear = add(menu, "clearAllHolds", [this] { clearAll(); });
    menu.addSeparator();
    addTheme();
    addLanguages();
    menu.addSeparator();
    m_folder = add(menu, "openDataFolder", [this] { Q_EMIT dataFolderRequested(); });
    m_about = add(menu, "about", [this] { Q_EMIT aboutRequested(); });
    menu.addSeparator();
    m_quit = add(menu, "quit", [this] { Q_EMIT quitRequested(); }, QKeySequence(Qt::CTRL | Qt::Key_Q));
    connect(&link, &CoreLink::listenerChanged, this, &WindowActions::refresh);
    connect(&link, &CoreLink::configurationChanged, this, &WindowActions::refresh);
    retranslate();
}

QAction* WindowActions::add(QMenu& menu, const char* name, std::function<void()> run, const QKeySequence& keys)
{
    auto* action = new QAction(this);
    action->setObjectName(QLatin1String(name));
    connect(action, &QAction::triggered, this, std::move(run));
    if (!keys.isEmpty()) {
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WindowShortcut);
        m_window.addAction(action);
    }
    menu.addAction(action);
    return action;
}

QAction* WindowActions::addKeys(const QKeySequence& keys, const char* name, std::function<void()> run)
{
    auto* action = new QAction(this);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WindowShortcut);
    connect(action, &QAction::triggered, this, std::move(run));
    m_window.addAction(action);
    m_others << action;
    return action;
}

void WindowActions::addTheme()
{
    m_themeMenu = m_menu.addMenu(QString());
    m_themeMenu->setObjectName(QStringLiteral("themeMenu"));
    m_themes = new QActionGroup(this);
    for (const Theme theme : {Theme::System, Theme::Light, Theme::Dark}) {
        const QString value = toQString(toString(theme));
        QAction* action = add(*m_themeMenu, "", [this, value] { patch("theme", value); });
        action->setObjectName(QStringLiteral("theme.") + value);
        action->setData(value);
        action->setCheckable(true);
        m_themes->addAction(action);
    }
}

void WindowActions::addLanguages()
{
    m_languageMenu = m_menu.addMenu(QString());
    m_languageMenu->setObjectName(QStringLiteral("languageMenu"));
    m_languages = new QActionGroup(this);
    std::vector<Languages::Language> choices = Languages::available();
    choices.insert(choices.begin(), Languages::Language{});
    for (const Languages::Language& language : choices) {
        QAction* action = add(*m_languageMenu, "", [this, code = language.code] { patch("language", code); });
        action->setObjectName(QStringLiteral("language.") + (language.code.isEmpty() ? QStringLiteral("system") : language.code));
        action->setText(language.name);
        action->setData(language.code);
        action->setCheckable(true);
        m_languages->addAction(action);
    }
}

void WindowActions::retranslate()
{
    m_menu.setAccessibleName(tr("Menu"));
    m_palette->setText(tr("Find a command…"));
    m_copy->setText(tr("Copy base URL"));
    m_clear->setText(tr("Clear all cooldowns now"));
    m_themeMenu->setTitle(tr("Theme"));
    const QStringList themes{tr("As the system"), tr("Light"), tr("Dark")};
    for (qsizetype i = 0; i < themes.size(); ++i)
        m_themes->actions().at(i)->setText(themes.at(i));
    m_languageMenu->setTitle(tr("Language"));
    m_languages->actions().constFirst()->setText(tr("As the system"));
    m_folder->setText(tr("Open the data folder"));
    m_about->setText(tr("About OmniRoute Desktop"));
    m_quit->setText(tr("Quit"));
    refresh();
}

void WindowActions::refresh()
{
    const ListenerState& listener = m_link.listener();
    const bool running = listener.phase == ListenerPhase::Serving || listener.phase == ListenerPhase::Starting;
    m_toggle->setText(running ? tr("Stop the proxy") : tr("Start the proxy"));
    m_copy->setEnabled(listener.port > 0);
    if (!m_link.ready())
        return;
    const AppearanceSettings& appearance = m_link.configuration()->settings.appearance;
    const auto check = [](const QActionGroup& group, const QString& value) {
        for (QAction* action : group.actions())
            action->setChecked(action->data().toString() == value);
    };
    check(*m_themes, toQString(toString(appearance.theme)));
    check(*m_languages, toQString(appearance.language));
}

void WindowActions::clearAll()
{
    m_link.ask<int>(
        this, [](Control& control, const Reply<int>& reply) { reply(endAllHolds(control)); },
        [this](const Result<int>& cleared) {
            if (!cleared)
                return;
            Q_EMIT told(*cleared == 0   ? tr("Nothing had to be cleared.")
                        : *cleared == 1 ? tr("One hold was cleared.")
                                        : tr("%1 holds were cleared.").arg(numberText(*cleared)));
        });
}

void WindowActions::patch(const char* field, const QString& value)
{
    const nlohmann::json document{{"appearance", {{field, toUtf8(value)}}}};
    m_link.ask<Settings>(
        this, [text = document.dump()](Control& control, Reply<Settings> reply) { control.patchSettings(text, std::move(reply)); },
        [this](const Result<Settings>& result) {
            if (!result)
                Q_EMIT told(errorText(result.error()));
            // A choice that was refused must not stay ticked.
            refresh();
        });
}

}  // namespace omni
