#include "composition/process.h"
#include "desktop/desktop_program.h"

#include <QApplication>

#include <cstdio>
#include <cstring>
#include <utility>

namespace {

/// Asked for by a script as well as at a terminal: these need no display.
bool onlyPrints(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        for (const char* option : {"--help", "-h", "--version", "-v"}) {
            if (std::strcmp(argv[i], option) == 0)
                return true;
        }
    }
    return false;
}

bool hasDisplay()
{
#if defined(Q_OS_LINUX)
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM"}) {
        if (!qEnvironmentVariableIsEmpty(name))
            return true;
    }
    return false;
#else
    return true;
#endif
}

int print(const omni::DesktopPrint& what)
{
    std::fputs(what.text.toUtf8().constData(), what.code == 0 ? stdout : stderr);
    return what.code;
}

}  // namespace

int main(int argc, char** argv)
{
    omni::prepareProcess();
    omni::installLogOutput();
    if (onlyPrints(argc, argv)) {
        const QCoreApplication console(argc, argv);
        const auto parsed = omni::parseDesktopCommandLine(QCoreApplication::arguments());
        if (const auto* what = std::get_if<omni::DesktopPrint>(&parsed))
            return print(*what);
    }
    if (!hasDisplay()) {
        std::fputs("omniroute-desktop: There is no display here. omniroute-headless is the same program without a window.\n", stderr);
        return 1;
    }
    QApplication::setDesktopFileName(QStringLiteral("omniroute-desktop"));
    QApplication application(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    auto parsed = omni::parseDesktopCommandLine(QApplication::arguments());
    if (const auto* what = std::get_if<omni::DesktopPrint>(&parsed))
        return print(*what);
    omni::DesktopProgram program(application, std::get<omni::DesktopCommandLine>(std::move(parsed)));
    return program.run();
}
