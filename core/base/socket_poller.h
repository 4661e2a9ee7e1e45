#pragma once

#include <QObject>
#include <QtGlobal>

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

class QSocketNotifier;

namespace omni {

/// Told when a socket can be read or written, or has failed.
class SocketHandler {
public:
    virtual ~SocketHandler() = default;
    /// `events` is a mask of SocketPoller::Readable and Writable; an error or hang-up sets both that were asked for.
    virtual void socketReady(unsigned events) = 0;
};

/// Watches many sockets for one thread at a cost that does not grow with those that are silent.
///
/// On Linux one epoll set sits behind a single QSocketNotifier, so the Qt loop sees one descriptor whatever the number of
/// connections; elsewhere each socket has its own notifiers. A Qt notifier per socket was measured at a third of the whole
/// cost of a proxied request.
class SocketPoller {
public:
    static constexpr unsigned Readable = 1;
    static constexpr unsigned Writable = 2;

    SocketPoller();
    ~SocketPoller();
    SocketPoller(const SocketPoller&) = delete;
    SocketPoller& operator=(const SocketPoller&) = delete;

    /// Begins or changes the watch on `socket`; 0 events keeps it registered but silent. `handler` must outlive the watch.
    void watch(qintptr socket, unsigned events, SocketHandler& handler);
    /// Ends the watch. Call before the socket is closed. Events already collected for it are dropped.
    void unwatch(qintptr socket);

    /// Runs once when the event being handled has been, or in the next turn of the loop when called outside one. For writes that one
    /// event gathers and that leave together; costs no trip through the event loop.
    void afterEvent(std::function<void()> callback);

private:
    struct Watch;
    void ready();
    void drainAfterEvent();

    std::unordered_map<qintptr, std::unique_ptr<Watch>> m_watches;
    std::vector<std::unique_ptr<Watch>> m_retired;
    std::vector<std::function<void()>> m_afterEvent;
    std::unique_ptr<QSocketNotifier> m_notifier;
    std::unique_ptr<QObject> m_context;
    int m_epoll = -1;
    bool m_inRound = false;
    bool m_drainPosted = false;
};

}  // namespace omni
