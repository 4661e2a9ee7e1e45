#include "headless/command_line.h"

#include <QCommandLineParser>

namespace omni {

namespace {

constexpr char kDescription[] =
    "OmniRoute without a window: a local proxy that keeps LLM requests answered while keys run out, providers fail and streams break.\n\n"
    "When it serves, it prints one line of JSON on standard output:\n"
    "  {\"event\":\"ready\",\"url\":\"http://127.0.0.1:PORT\",\"managementTokenFile\":\"…\"}\n"
    "SIGTERM or SIGINT ends it: running streams get up to 10 seconds; a second signal ends it at once.\n\n"
    "Environment:\n"
    "  DATA_DIR                     the data folder, when --data-dir is not given\n"
    "  OMNIROUTE_PASSPHRASE         keeps the stored keys under this passphrase\n"
    "  OMNIROUTE_EXPORT_PASSPHRASE  takes keys into an export, and out of one, under this passphrase\n\n"
    "Exit codes: 0 fine, 1 failed, 2 usage, 3 the data folder is in use, 4 the port is taken, 5 storage.";

PrintAndExit usageError(const QString& message) { return {message.toStdString() + "\nSee omniroute-headless --help.\n", true, ExitUsage}; }

}  // namespace

std::variant<CommandLine, PrintAndExit> parseCommandLine(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QString::fromUtf8(kDescription));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Tells this and ends."));
    const QCommandLineOption version({QStringLiteral("v"), QStringLiteral("version")}, QStringLiteral("Tells the version and ends."));
    const QCommandLineOption dataDir(QStringLiteral("data-dir"), QStringLiteral("Keeps everything in this folder."), QStringLiteral("DIR"));
    const QCommandLineOption port(QStringLiteral("port"),
                                  QStringLiteral("Listens on this port in place of the one in the settings; 0 takes any free one."),
                                  QStringLiteral("N"));
    const QCommandLineOption sandbox(QStringLiteral("sandbox"),
                                     QStringLiteral("Adds a connection to the built-in sandbox, which needs no key."));
    const QCommandLineOption exportTo(QStringLiteral("export"),
                                      QStringLiteral("Writes the configuration to a file (- for standard output) and ends."),
                                      QStringLiteral("FILE"));
    const QCommandLineOption importFrom(QStringLiteral("import"),
                                        QStringLiteral("Merges an exported configuration from a file (- for standard input) and ends."),
                                        QStringLiteral("FILE"));
    parser.addOptions({help, version, dataDir, port, sandbox, exportTo, importFrom});

    if (!parser.parse(arguments))
        return usageError(parser.errorText());
    if (parser.isSet(help))
        return PrintAndExit{parser.helpText().toStdString(), false, ExitOk};
    if (parser.isSet(version))
        return PrintAndExit{"omniroute-headless " OMNIROUTE_VERSION "\n", false, ExitOk};
    if (!parser.positionalArguments().isEmpty())
        return usageError(QStringLiteral("Unexpected argument \"%1\".").arg(parser.positionalArguments().constFirst()));

    CommandLine line;
    for (const auto& [option, target] :
         {std::pair{&dataDir, &line.dataDir}, std::pair{&exportTo, &line.exportTo}, std::pair{&importFrom, &line.importFrom}}) {
        if (!parser.isSet(*option))
            continue;
        *target = parser.value(*option).toStdString();
        if (target->empty())
            return usageError(QStringLiteral("--%1 needs a value.").arg(option->names().constFirst()));
    }
    if (!line.exportTo.empty() && !line.importFrom.empty())
        return usageError(QStringLiteral("--export and --import exclude each other."));
    if (parser.isSet(port)) {
        bool number = false;
        const int value = parser.value(port).toInt(&number);
        if (!number || value < 0 || value > 65'535)
            return usageError(QStringLiteral("--port must be a number from 0 to 65535."));
        line.port = value;
    }
    line.sandbox = parser.isSet(sandbox);
    return line;
}

}  // namespace omni
