#pragma once

#include <QStringList>

#include <optional>
#include <string>
#include <variant>

namespace omni {

/// How the program ends; told by --help.
enum ExitCode { ExitOk = 0, ExitFailed = 1, ExitUsage = 2, ExitFolderInUse = 3, ExitPortTaken = 4, ExitStorage = 5 };

struct CommandLine {
    std::string dataDir;
    std::optional<int> port;
    bool sandbox = false;
    std::string exportTo;    ///< a file, or "-"
    std::string importFrom;  ///< a file, or "-"
};

/// What is left to do without starting anything: print and end.
struct PrintAndExit {
    std::string text;
    bool toStderr = false;
    int code = ExitOk;
};

/// `arguments` begin with the program's own name.
std::variant<CommandLine, PrintAndExit> parseCommandLine(const QStringList& arguments);

}  // namespace omni
