#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <variant>

namespace omni {

struct DesktopCommandLine {
    std::string dataDir;      ///< empty = the usual one
    std::optional<int> port;  ///< for this run, in place of the setting; 0 = any free one
    bool hidden = false;      ///< start in the tray
    bool quit = false;        ///< end the one that runs
};

/// Text to print in place of a start.
struct DesktopPrint {
    QString text;
    int code = 0;
};

/// `arguments` as argv, the program's name first. Needs a QCoreApplication only when --help is among them.
std::variant<DesktopCommandLine, DesktopPrint> parseDesktopCommandLine(const QStringList& arguments);

}  // namespace omni
