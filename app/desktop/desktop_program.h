#pragma once

#include "composition/runtime.h"
#include "desktop/command_line.h"
#include "headless/signal_watcher.h"
#include "ui/shell/single_instance.h"

#include <QApplication>
#include <QObject>

#include <memory>

namespace omni {

class Autostart;
class CoreLink;
class HoldNotifier;
class Languages;
class MainWindow;
class SystemTray;
class ThemeManager;
class Tray;

/// Builds the desktop program's parts and hands them to each other: core, link, theme, language, window, tray.
class DesktopProgram final : public QObject {
    Q_OBJECT

public:
    DesktopProgram(QApplication& application, DesktopCommandLine line);
    ~DesktopProgram() override;

    /// Until the program ends; returns its exit code: 0 fine, 1 failed, 3 the data folder is in use.
    int run();

private:
    bool startCore();
    void makeWindow();
    void makeTray();
    void tellOpening();
    void applyAppearance();
    void onReady();
    void onCommand(const QString& command);
    void quit();
    void restart();
    /// Of what `startCore`, `makeWindow` and `makeTray` made.
    void takeDown();
    QStringList autostartArguments() const;
    void complain(const QString& title, const QString& text) const;

    QApplication& m_application;
    DesktopCommandLine m_line;
    std::string m_dataDir;
    int m_exitCode = 0;
    bool m_quitting = false;
    bool m_restarting = false;
    SignalWatcher m_signals;
    SingleInstance m_instance;
    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<Languages> m_languages;
    std::unique_ptr<Runtime> m_runtime;
    std::unique_ptr<CoreLink> m_link;
    std::unique_ptr<Autostart> m_autostart;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<SystemTray> m_trayPlace;
    std::unique_ptr<Tray> m_tray;
    std::unique_ptr<HoldNotifier> m_notifier;
};

}  // namespace omni
