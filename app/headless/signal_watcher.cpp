#include "headless/signal_watcher.h"

#include <QSocketNotifier>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace omni {

namespace {

/// A signal handler gets no context: the pipe it writes to can only be reached from here.
std::array<int, 2> signalPipe{-1, -1};

extern "C" void handleSignal(int number)
{
    const int saved = errno;
    const char byte = static_cast<char>(number);
    [[maybe_unused]] const ssize_t written = write(signalPipe[1], &byte, 1);
    errno = saved;
}

void setHandler(void (*handler)(int))
{
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (const int number : {SIGTERM, SIGINT})
        sigaction(number, &action, nullptr);
}

}  // namespace

SignalWatcher::SignalWatcher()
{
    if (pipe2(signalPipe.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        qFatal("pipe2 failed: %s", std::strerror(errno));
    m_notifier = std::make_unique<QSocketNotifier>(signalPipe[0], QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &SignalWatcher::readPipe);
    setHandler(handleSignal);
}

SignalWatcher::~SignalWatcher()
{
    setHandler(SIG_DFL);
    m_notifier.reset();
    for (int& end : signalPipe) {
        close(end);
        end = -1;
    }
}

void SignalWatcher::readPipe()
{
    char byte = 0;
    while (read(signalPipe[0], &byte, 1) == 1)
        Q_EMIT received(byte);
}

}  // namespace omni
