#include "desktop/desktop_program.h"

#include "ui/core_link.h"
#include "ui/models/display_text.h"
#include "ui/shell/app_icon.h"
#include "ui/shell/autostart.h"
#include "ui/shell/hold_notifier.h"
#include "ui/shell/languages.h"
#include "ui/shell/page_list.h"
#include "ui/shell/shell_status.h"
#include "ui/shell/system_tray.h"
#include "ui/shell/tray.h"
#include "ui/theme/theme.h"
#include "ui/welcome/welcome.h"
#include "ui/widgets/message_bar.h"

#include <QDesktopServices>
#include <QMessageBox>
#include <QTimer>
#include <QUrl>

#include <cstdio>
#include <utility>

namespace omni {

namespace {

constexpr Millis kDrainTime{5'000};  // spec 4-surfaces §7: finish streams for at most 5 s
constexpr int kFailed = 1;
constexpr int kFolderInUse = 3;

void say(const QString& text)
{
    std::fprintf(stderr, "omniroute-desktop: %s\n", text.toUtf8().constData());
}

}  // namespace

DesktopProgram::DesktopProgram(QApplication& application, DesktopCommandLine line)
    : m_application(application), m_line(std::move(line)), m_dataDir(resolvedDataDir(m_line.dataDir)), m_instance(toQString(m_dataDir))
{
    connect(&m_signals, &SignalWatcher::received, this, &DesktopProgram::quit);
    connect(&m_instance, &SingleInstance::commandReceived, this, &DesktopProgram::onCommand);
}

DesktopProgram::~DesktopProgram() { takeDown(); }

void DesktopProgram::takeDown()
{
    // The window and the tray look at the link, the link at the core: taken down in that order.
    m_notifier.reset();
    m_tray.reset();
    m_trayPlace.reset();
    m_window.reset();
    m_autostart.reset();
    m_link.reset();
    m_runtime.reset();
}

int DesktopProgram::run()
{
    m_theme = std::make_unique<ThemeManager>(m_application);
    m_languages = std::make_unique<Languages>(m_application);
    m_languages->apply({});
    m_application.setWindowIcon(appIcon());

    if (!m_instance.acquire()) {
        const bool taken = m_instance.send(m_line.quit ? QStringLiteral("quit") : QStringLiteral("show"));
        if (!taken)
            say(tr("OmniRoute runs already with this data folder, but it does not answer: %1").arg(toQString(m_dataDir)));
        return taken ? 0 : kFailed;
    }
    if (m_line.quit) {
        say(tr("OmniRoute does not run with this data folder: %1").arg(toQString(m_dataDir)));
        return kFailed;
    }
    do {
        if (std::exchange(m_restarting, false))
            takeDown();
        m_quitting = false;
        if (!startCore())
            return m_exitCode;
        makeWindow();
        makeTray();
        QApplication::exec();
    } while (m_restarting);
    return m_exitCode;
}

bool DesktopProgram::startCore()
{
    RuntimeOptions options;
    options.dataDir = m_dataDir;
    options.holderName = "omniroute-desktop";
    options.port = m_line.port;
    options.useSystemKeyStore = true;
    // Whether to serve at once is a setting, known when the core has started.
    options.startListener = false;
    Result<std::unique_ptr<Runtime>> runtime = Runtime::start(options);
    if (!runtime) {
        m_exitCode = runtime.error().kind == ErrorKind::Conflict ? kFolderInUse : kFailed;
        complain(tr("OmniRoute cannot start"), errorText(runtime.error()));
        return false;
    }
    m_runtime = *std::move(runtime);
    connect(m_runtime.get(), &Runtime::shutdownRequested, this, &DesktopProgram::quit);
    connect(m_runtime.get(), &Runtime::drained, &m_application, &QApplication::quit);
    m_link = std::make_unique<CoreLink>(m_runtime->control());
    connect(m_link.get(), &CoreLink::becameReady, this, &DesktopProgram::onReady);
    connect(m_link.get(), &CoreLink::configurationChanged, this, &DesktopProgram::applyAppearance);
    return true;
}

void DesktopProgram::onReady()
{
    // Shown only now, so that it appears in the theme and language the user has chosen.
    applyAppearance();
    if (!m_line.hidden)
        m_window->bringUp();
    if (m_line.port || m_link->configuration()->settings.proxy.startWithProgram)
        startProxy(*m_link);
    tellOpening();
}

void DesktopProgram::tellOpening()
{
    const StoreOpening& opening = m_runtime->opening();
    // The database that a failed restore left in place may itself have been found damaged: both are told.
    QStringList told;
    if (!opening.rescueCopy.empty())
        told << tr("The database was damaged. It was kept as %1; %2").arg(toQString(opening.rescueCopy), coreText(opening.rescueReport));
    if (!opening.restoreProblem.empty())
        told << tr("The backup was not restored. %1").arg(coreText(opening.restoreProblem));
    if (opening.restored)
        told << (opening.replacedCopy.empty() ? tr("The backup was restored.")
                                              : tr("The backup was restored. What was there before is among the backups."));
    if (!told.isEmpty())
        m_window->messages().showMessage(told.join(QLatin1Char('\n')));
}

void DesktopProgram::applyAppearance()
{
    const AppearanceSettings& appearance = m_link->configuration()->settings.appearance;
    m_theme->apply(appearance.theme);
    m_languages->apply(toQString(appearance.language));
}

QStringList DesktopProgram::autostartArguments() const
{
    QStringList arguments{QStringLiteral("--hidden")};
    if (!m_line.dataDir.empty())
        arguments << QStringLiteral("--data-dir") << toQString(m_dataDir);
    return arguments;
}

void DesktopProgram::makeWindow()
{
    m_autostart = makeAutostart(autostartArguments());
    const QString memory = toQString(m_dataDir + "/window.ini");
    std::vector<PageEntry> pages = desktopPages(*m_link, m_autostart.get(), m_runtime->databasePath());
    pages.push_back(welcomePage(*m_link, m_dataDir + "/clients.json", memory));
    m_window = std::make_unique<MainWindow>(*m_link, std::move(pages), memory);
    connect(m_window.get(), &MainWindow::quitRequested, this, &DesktopProgram::quit);
    connect(m_window.get(), &MainWindow::restartRequested, this, &DesktopProgram::restart);
    connect(m_window.get(), &MainWindow::dataFolderRequested, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(toQString(m_dataDir))); });
}

void DesktopProgram::makeTray()
{
    m_trayPlace = std::make_unique<SystemTray>();
    m_tray = std::make_unique<Tray>(*m_link, *m_trayPlace, m_autostart.get());
    m_notifier = std::make_unique<HoldNotifier>(*m_link);
    m_window->setTrayCheck([this] { return m_trayPlace && m_trayPlace->present(); });
    connect(m_notifier.get(), &HoldNotifier::newsRaised, m_trayPlace.get(), &TrayBackend::notify);
    connect(m_trayPlace.get(), &TrayBackend::activated, m_window.get(), &MainWindow::bringUp);
    connect(m_trayPlace.get(), &TrayBackend::notificationClicked, m_window.get(), &MainWindow::bringUp);
    connect(m_trayPlace.get(), &TrayBackend::missing, m_window.get(), [this] {
        // Started hidden, and there is no tray to be found in: the taskbar is the next best place.
        if (m_window->isHidden())
            m_window->showMinimized();
        m_window->tellNoTray();
    });
    connect(m_window.get(), &MainWindow::firstHidden, m_trayPlace.get(), [this] {
        m_trayPlace->notify(tr("OmniRoute goes on in the tray"), tr("It keeps serving. Its icon opens this window again, and ends it."));
    });
    TrayMenu& menu = m_tray->menu();
    connect(&menu, &TrayMenu::openRequested, m_window.get(), &MainWindow::bringUp);
    connect(&menu, &TrayMenu::openPageRequested, m_window.get(), [this](const QString& page, const QString& object) {
        m_window->bringUp();
        m_window->openPage(page, object);
    });
    connect(&menu, &TrayMenu::quitRequested, this, &DesktopProgram::quit);
    connect(&menu, &TrayMenu::failed, m_trayPlace.get(),
            [this](const QString& message) { m_trayPlace->notify(QStringLiteral("OmniRoute"), message); });
    m_tray->start();
}

void DesktopProgram::onCommand(const QString& command)
{
    if (command == QLatin1String("quit"))
        quit();
    else if (m_window)
        m_window->bringUp();
}

void DesktopProgram::quit()
{
    // Asked twice, the user does not want to wait. `exit`, not `quit`: that one does nothing while only a message box runs.
    if (std::exchange(m_quitting, true) || !m_runtime) {
        m_restarting = false;
        QApplication::exit(m_exitCode);
        return;
    }
    if (m_window) {
        m_window->letGo();
        m_window->close();
    }
    m_runtime->drain(kDrainTime);
}

void DesktopProgram::restart()
{
    m_restarting = true;
    // Whoever asked for it in the window is looking at it.
    m_line.hidden = false;
    quit();
}

void DesktopProgram::complain(const QString& title, const QString& text) const
{
    say(text);
    QMessageBox box(QMessageBox::Critical, title, title);
    box.setObjectName(QStringLiteral("startFailure"));
    box.setInformativeText(text);
    box.addButton(tr("Close"), QMessageBox::AcceptRole);
    box.exec();
}

}  // namespace omni
