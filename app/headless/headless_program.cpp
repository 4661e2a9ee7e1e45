#include "headless/headless_program.h"

#include "base/private_file.h"
#include "base/thread_call.h"
#include "headless/signal_watcher.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <csignal>
#include <cstdio>
#include <utility>

namespace omni {

namespace {

constexpr Millis kDrainTime{10'000};
constexpr std::size_t kLargestImport = 64 * 1024 * 1024;

int exitCodeOf(const Error& error)
{
    switch (error.kind) {
    case ErrorKind::Conflict: return ExitFolderInUse;
    case ErrorKind::Storage: return ExitStorage;
    default: return ExitFailed;
    }
}

void say(const std::string& line) { std::fprintf(stderr, "omniroute-headless: %s\n", line.c_str()); }

std::string exportPassphrase() { return qEnvironmentVariable("OMNIROUTE_EXPORT_PASSPHRASE").toStdString(); }

Result<std::string> readAll(const std::string& path)
{
    if (path != "-")
        return readFile(path, kLargestImport);
    std::string text;
    char piece[65'536];
    for (std::size_t got = 0; (got = std::fread(piece, 1, sizeof piece, stdin)) > 0;) {
        text.append(piece, got);
        if (text.size() > kLargestImport)
            return Error{ErrorKind::LimitExceeded, "The document is larger than 64 MiB.", {}};
    }
    return text;
}

}  // namespace

HeadlessProgram::HeadlessProgram(CommandLine line) : m_line(std::move(line)) {}
HeadlessProgram::~HeadlessProgram() = default;

int HeadlessProgram::run()
{
    // Before anything else, so that no signal falls between; until the loop runs it waits in the pipe.
    SignalWatcher signalWatcher;
    connect(&signalWatcher, &SignalWatcher::received, this, &HeadlessProgram::signalled);
    if (const int failed = start(); failed != ExitOk)
        return failed;
    const int code = QCoreApplication::exec();
    m_runtime.reset();
    return code;
}

int HeadlessProgram::start()
{
    const bool serving = m_line.exportTo.empty() && m_line.importFrom.empty();
    RuntimeOptions options;
    options.dataDir = resolvedDataDir(m_line.dataDir);
    if (!m_line.exportTo.empty() && !QFileInfo::exists(QString::fromStdString(options.dataDir + "/storage.sqlite"))) {
        say("There is nothing to export: " + options.dataDir + " is no data folder.");
        return ExitFailed;
    }
    options.port = m_line.port;
    options.sandboxConnection = m_line.sandbox && serving;
    options.offerSandbox = serving;
    options.startListener = serving;
    Result<std::unique_ptr<Runtime>> runtime = Runtime::start(options);
    if (!runtime) {
        say(describe(runtime.error()));
        return exitCodeOf(runtime.error());
    }
    m_runtime = *std::move(runtime);
    tellOpening();

    Control& control = m_runtime->control();
    if (!m_line.exportTo.empty()) {
        m_runtime->ask([this](Control& core) {
            core.exportConfiguration(exportPassphrase(), [this](Result<std::string> document) {
                callIn(this, [this, document = std::move(document)] { writeExport(document); });
            });
        });
    } else if (!m_line.importFrom.empty()) {
        QMetaObject::invokeMethod(this, &HeadlessProgram::readImport, Qt::QueuedConnection);
    } else {
        connect(m_runtime.get(), &Runtime::drained, this, [this] { end(ExitOk); });
        connect(m_runtime.get(), &Runtime::shutdownRequested, this, &HeadlessProgram::drain);
        connect(&control, &Control::listenerChanged, this, &HeadlessProgram::listenerChanged);
        connect(&control, &Control::noticeRaised, this, [](const QString& text) { say(text.toStdString()); });
        // It may have served before anybody listened.
        m_runtime->ask([this](Control& core) {
            callIn(this, [this, state = core.listenerState()] { listenerChanged(state); });
        });
    }
    return ExitOk;
}

void HeadlessProgram::tellOpening() const
{
    const StoreOpening& opening = m_runtime->opening();
    if (!opening.rescueCopy.empty())
        say("The database was damaged. It was kept as " + opening.rescueCopy + "; " + opening.rescueReport);
    if (!opening.restoreProblem.empty())
        say("The backup was not restored. " + opening.restoreProblem);
    if (opening.restored)
        say(opening.replacedCopy.empty() ? std::string("The backup was restored.")
                                         : "The backup was restored. What was there before is kept as " + opening.replacedCopy + ".");
}

void HeadlessProgram::listenerChanged(const ListenerState& state)
{
    if (state.phase == ListenerPhase::Failed && !m_ready) {
        say(state.error);
        if (state.suggestedPort > 0)
            say("Start it with --port " + std::to_string(state.suggestedPort) + " to use that one.");
        end(ExitPortTaken);
        return;
    }
    if (state.phase != ListenerPhase::Serving || m_ready)
        return;
    m_ready = true;
    nlohmann::ordered_json line;
    line["event"] = "ready";
    line["url"] = "http://" + state.address + ":" + std::to_string(state.port);
    line["managementTokenFile"] = m_runtime->managementTokenFile();
    std::printf("%s\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    std::fflush(stdout);
}

void HeadlessProgram::end(int code) { QCoreApplication::exit(code); }

void HeadlessProgram::drain()
{
    if (m_draining)
        return;
    m_draining = true;
    m_runtime->drain(kDrainTime);
}

void HeadlessProgram::signalled(int number)
{
    const bool serving = m_line.exportTo.empty() && m_line.importFrom.empty();
    if (!serving || m_draining)
        end(128 + number);
    else
        drain();
}

void HeadlessProgram::writeExport(const Result<std::string>& document)
{
    if (!document) {
        say(describe(document.error()));
        end(ExitFailed);
        return;
    }
    if (m_line.exportTo == "-") {
        const bool whole = std::fwrite(document->data(), 1, document->size(), stdout) == document->size() && std::fflush(stdout) == 0;
        if (!whole)
            say("Standard output could not take the document.");
        end(whole ? ExitOk : ExitFailed);
        return;
    }
    const Status written = replaceFile(QDir::current().absoluteFilePath(QString::fromStdString(m_line.exportTo)).toStdString(), *document);
    if (!written)
        say(describe(written.error()));
    end(written ? ExitOk : ExitFailed);
}

void HeadlessProgram::readImport()
{
    Result<std::string> document = readAll(m_line.importFrom);
    if (!document) {
        say(describe(document.error()));
        end(ExitFailed);
        return;
    }
    m_runtime->ask([this, document = *std::move(document)](Control& core) {
        core.importConfiguration(document, exportPassphrase(), [this](Result<ImportReport> report) {
            callIn(this, [this, report = std::move(report)] { imported(report); });
        });
    });
}

void HeadlessProgram::imported(const Result<ImportReport>& report)
{
    if (!report) {
        say(describe(report.error()));
        end(ExitFailed);
        return;
    }
    say("Imported " + std::to_string(report->connections) + " connections, " + std::to_string(report->secrets) + " keys, " +
        std::to_string(report->combos) + " combos, " + std::to_string(report->aliases) + " aliases, " + std::to_string(report->nodes) +
        " endpoints, " + std::to_string(report->apiKeys) + " client keys" + (report->settings ? ", the settings." : "."));
    for (const std::string& line : report->skipped)
        say("Left out: " + line);
    end(ExitOk);
}

}  // namespace omni
