#include "composition/process.h"

#include "base/clock.h"
#include "base/text.h"

#include <QCoreApplication>
#include <QString>

#include <curl/curl.h>

#include <csignal>
#include <cstdio>

namespace omni {

namespace {

const char* nameOf(QtMsgType type)
{
    switch (type) {
    case QtDebugMsg: return "debug";
    case QtInfoMsg: return "info";
    case QtWarningMsg: return "warning";
    case QtCriticalMsg: return "critical";
    case QtFatalMsg: return "fatal";
    }
    return "info";
}

/// One write for each line, so that lines of different threads do not mix.
void writeLine(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    const char* category = context.category ? context.category : "default";
    const std::string line =
        toIso8601(SystemClock().wall()) + " " + nameOf(type) + " " + category + ": " + redactSecrets(message.toStdString()) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

void prepareProcess()
{
    QCoreApplication::setOrganizationName(QStringLiteral("OmniRoute"));
    QCoreApplication::setApplicationName(QStringLiteral("OmniRoute Desktop"));
    QCoreApplication::setApplicationVersion(QStringLiteral(OMNIROUTE_VERSION));
#ifdef Q_OS_UNIX
    std::signal(SIGPIPE, SIG_IGN);
    // Read by Qt for every thread but the main one, whose loop the desktop's own integration may need.
    qputenv("QT_NO_THREADED_GLIB", "1");
#endif
    curl_global_init(CURL_GLOBAL_DEFAULT);
}

void installLogOutput() { qInstallMessageHandler(writeLine); }

}  // namespace omni
