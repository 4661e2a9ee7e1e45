#pragma once

#include <QObject>

#include <memory>

class QSocketNotifier;

namespace omni {

/// SIGTERM and SIGINT as Qt signals, in the thread that makes it. One for each process; the handlers of before come back with its end.
class SignalWatcher final : public QObject {
    Q_OBJECT

public:
    SignalWatcher();
    ~SignalWatcher() override;

Q_SIGNALS:
    void received(int signal);

private:
    void readPipe();

    std::unique_ptr<QSocketNotifier> m_notifier;
};

}  // namespace omni
