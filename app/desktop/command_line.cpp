#include "desktop/command_line.h"

#include <QCommandLineParser>

namespace omni {

namespace {

constexpr int kUsage = 2;

DesktopPrint usageError(const QString& message)
{
    return {message + QStringLiteral("\nSee omniroute-desktop --help.\n"), kUsage};
}

}  // namespace

std::variant<DesktopCommandLine, DesktopPrint> parseDesktopCommandLine(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "OmniRoute Desktop: a local proxy that keeps LLM requests answered while keys run out, providers fail and streams break.\n"
        "A second start shows the window of the first.\n\n"
        "Environment: DATA_DIR (the data folder, when --data-dir is not given), OMNIROUTE_PASSPHRASE (keeps the stored keys under it)."));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Tells this and ends."));
    const QCommandLineOption version({QStringLiteral("v"), QStringLiteral("version")}, QStringLiteral("Tells the version and ends."));
    const QCommandLineOption dataDir(QStringLiteral("data-dir"), QStringLiteral("Keeps everything in this folder."), QStringLiteral("DIR"));
    const QCommandLineOption port(QStringLiteral("port"),
                                  QStringLiteral("Listens on this port in place of the one in the settings; 0 takes any free one."),
                                  QStringLiteral("N"));
    const QCommandLineOption hidden(QStringLiteral("hidden"), QStringLiteral("Starts in the tray, without the window."));
    const QCommandLineOption quit(QStringLiteral("quit"), QStringLiteral("Ends the one that runs with this data folder."));
    parser.addOptions({help, version, dataDir, port, hidden, quit});

    if (!parser.parse(arguments))
        return usageError(parser.errorText());
    if (parser.isSet(help))
        return DesktopPrint{parser.helpText(), 0};
    if (parser.isSet(version))
        return DesktopPrint{QStringLiteral("omniroute-desktop " OMNIROUTE_VERSION "\n"), 0};
    if (!parser.positionalArguments().isEmpty())
        return usageError(QStringLiteral("Unexpected argument \"%1\".").arg(parser.positionalArguments().constFirst()));

    DesktopCommandLine line;
    line.dataDir = parser.value(dataDir).toStdString();
    if (parser.isSet(dataDir) && line.dataDir.empty())
        return usageError(QStringLiteral("--data-dir needs a value."));
    if (parser.isSet(port)) {
        bool number = false;
        const int value = parser.value(port).toInt(&number);
        if (!number || value < 0 || value > 65'535)
            return usageError(QStringLiteral("--port must be a number from 0 to 65535."));
        line.port = value;
    }
    line.hidden = parser.isSet(hidden);
    line.quit = parser.isSet(quit);
    return line;
}

}  // namespace omni
