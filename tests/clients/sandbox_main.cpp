// sandbox-server: the sandbox alone, without the proxy before it, so that client tests and benches can be tried against it directly.
// Prints one JSON line when it serves; ends on SIGTERM.
#include "base/scheduler.h"
#include "base/text.h"
#include "sandbox/sandbox.h"

#include <QCommandLineParser>
#include <QCoreApplication>

#include <cstdio>

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("A scripted LLM upstream on loopback."));
    parser.addHelpOption();
    const QCommandLineOption portOption(QStringLiteral("port"), QStringLiteral("Port to listen on; 0 takes any free one."),
                                        QStringLiteral("port"), QStringLiteral("0"));
    const QCommandLineOption keyOption(QStringLiteral("key"), QStringLiteral("Key that requests must bring."), QStringLiteral("key"));
    parser.addOptions({portOption, keyOption});
    parser.process(app);

    bool valid = false;
    const auto port = parser.value(portOption).toUShort(&valid);
    if (!valid) {
        std::fprintf(stderr, "sandbox-server: --port wants a number from 0 to 65535\n");
        return 2;
    }
    omni::SystemClock clock;
    omni::QtScheduler scheduler(clock);
    omni::Sandbox::Options options;
    options.port = port;
    options.requiredKey = parser.value(keyOption).toStdString();
    const auto sandbox = omni::Sandbox::start(scheduler, options);
    if (!sandbox) {
        std::fprintf(stderr, "sandbox-server: %s\n", sandbox.error().message.c_str());
        return 1;
    }
    std::printf("{\"event\":\"ready\",\"url\":\"http://127.0.0.1:%d\"}\n", (*sandbox)->port());
    std::fflush(stdout);
    return QCoreApplication::exec();
}
