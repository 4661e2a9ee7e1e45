#pragma once

#include "control/control.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace omni {

class CoreLink;
class QuietLabel;
class StateLabel;

/// The button that tests a connection as it stands in the editor, and what came of it. Pressed again while it runs, it gives up waiting.
class TestBox final : public QWidget {
    Q_OBJECT

public:
    TestBox(CoreLink& link, QWidget* parent = nullptr);

    void setReady(bool ready);
    /// Answers `wanted`. The result is shown here.
    void run(const ConnectionDraft& draft);
    /// Before `run` can be called: the endpoint is being saved.
    void showWaiting();
    void showFailure(const QString& message);
    /// The draft has changed: what was found no longer speaks of it.
    void reset();
    bool running() const { return m_running; }

Q_SIGNALS:
    /// The user wants a test now.
    void wanted();
    void finished(bool ok);

private:
    void stop();
    void showResult(const Result<TestReport>& result);
    void tick();

    CoreLink& m_link;
    QPushButton* m_button;
    StateLabel* m_state;
    QLabel* m_text;
    QuietLabel* m_models;
    QTimer m_timer;
    WallTime m_startedAt{};
    /// Answers to a test that was given up find this one gone.
    QObject* m_waiting = nullptr;
    bool m_running = false;
};

}  // namespace omni
