#pragma once

#include "composition/runtime.h"
#include "headless/command_line.h"

#include <QObject>

#include <memory>

namespace omni {

/// The program without a window: serves until it is told to end, or moves a configuration and ends.
class HeadlessProgram final : public QObject {
    Q_OBJECT

public:
    explicit HeadlessProgram(CommandLine line);
    ~HeadlessProgram() override;

    /// Runs to the end within the application's event loop; the value is the exit code.
    int run();

private:
    int start();
    /// What was found when the database was opened, and what became of a backup that was to be restored.
    void tellOpening() const;
    void listenerChanged(const ListenerState& state);
    void end(int code);
    void drain();
    void signalled(int number);
    void writeExport(const Result<std::string>& document);
    void readImport();
    void imported(const Result<ImportReport>& report);

    CommandLine m_line;
    std::unique_ptr<Runtime> m_runtime;
    bool m_ready = false;
    bool m_draining = false;
};

}  // namespace omni
