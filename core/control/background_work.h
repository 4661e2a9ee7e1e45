#pragma once

#include <functional>
#include <list>
#include <thread>

class QObject;

namespace omni {

/// Runs work that would hold up the core for tens of milliseconds (the derivation of a key from a passphrase) on a thread of its own.
class BackgroundWork {
public:
    /// `context` must outlive this; results are delivered in its thread.
    explicit BackgroundWork(QObject& context) : m_context(context) {}
    /// Waits for what still runs; its results are dropped.
    ~BackgroundWork();
    BackgroundWork(const BackgroundWork&) = delete;
    BackgroundWork& operator=(const BackgroundWork&) = delete;

    /// `work` may touch nothing but what it owns. Call in `context`'s thread.
    void run(std::function<void()> work, std::function<void()> done);

private:
    QObject& m_context;
    std::list<std::thread> m_threads;
};

}  // namespace omni
