#include "base/socket_poller.h"

#include "base/logging.h"

#include <QSocketNotifier>

#include <array>
#include <utility>

#ifdef Q_OS_LINUX
#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#endif

namespace omni {

struct SocketPoller::Watch {
    SocketHandler* handler = nullptr;
    unsigned events = 0;
    bool alive = true;
    std::unique_ptr<QSocketNotifier> read, write;  // where there is no epoll
};

#ifdef Q_OS_LINUX

namespace {

std::uint32_t toEpoll(unsigned events)
{
    return ((events & SocketPoller::Readable) ? EPOLLIN | EPOLLRDHUP : 0U) | ((events & SocketPoller::Writable) ? EPOLLOUT : 0U);
}

}  // namespace

SocketPoller::SocketPoller() : m_context(std::make_unique<QObject>()), m_epoll(epoll_create1(EPOLL_CLOEXEC))
{
    if (m_epoll < 0)
        qFatal("epoll_create1 failed: %s", std::strerror(errno));
    m_notifier = std::make_unique<QSocketNotifier>(m_epoll, QSocketNotifier::Read);
    QObject::connect(m_notifier.get(), &QSocketNotifier::activated, m_context.get(), [this] { ready(); });
}

SocketPoller::~SocketPoller()
{
    m_notifier.reset();
    close(m_epoll);
}

void SocketPoller::watch(qintptr socket, unsigned events, SocketHandler& handler)
{
    auto& slot = m_watches[socket];
    const bool added = !slot;
    if (added)
        slot = std::make_unique<Watch>();
    else if (slot->events == events && slot->handler == &handler)
        return;
    slot->handler = &handler;
    slot->events = events;
    epoll_event event{};
    event.events = toEpoll(events);
    event.data.ptr = slot.get();
    if (epoll_ctl(m_epoll, added ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, static_cast<int>(socket), &event) != 0)
        qCWarning(lcBase, "watching a socket failed: %s", std::strerror(errno));
}

void SocketPoller::unwatch(qintptr socket)
{
    const auto found = m_watches.find(socket);
    if (found == m_watches.end())
        return;
    epoll_ctl(m_epoll, EPOLL_CTL_DEL, static_cast<int>(socket), nullptr);
    found->second->alive = false;
    if (m_inRound)
        m_retired.push_back(std::move(found->second));
    m_watches.erase(found);
}

void SocketPoller::ready()
{
    // A few rounds in a row spare the trip through the Qt loop under load; the bound keeps timers and other threads' calls timely.
    constexpr int kRounds = 4;
    std::array<epoll_event, 256> events{};
    for (int round = 0; round < kRounds; ++round) {
        const int count = epoll_wait(m_epoll, events.data(), static_cast<int>(events.size()), 0);
        if (count <= 0)
            return;
        m_inRound = true;
        for (int i = 0; i < count; ++i) {
            auto* watch = static_cast<Watch*>(events[static_cast<std::size_t>(i)].data.ptr);
            const std::uint32_t got = events[static_cast<std::size_t>(i)].events;
            if (!watch->alive)
                continue;
            unsigned mask = 0;
            if (got & (EPOLLIN | EPOLLRDHUP))
                mask |= Readable;
            if (got & EPOLLOUT)
                mask |= Writable;
            if (got & (EPOLLERR | EPOLLHUP))
                mask |= watch->events == 0 ? unsigned{Readable} : watch->events;
            watch->handler->socketReady(mask);
            drainAfterEvent();
        }
        m_inRound = false;
        m_retired.clear();
    }
}

#else

SocketPoller::SocketPoller() : m_context(std::make_unique<QObject>()) {}
SocketPoller::~SocketPoller() = default;

void SocketPoller::watch(qintptr socket, unsigned events, SocketHandler& handler)
{
    auto& slot = m_watches[socket];
    if (!slot) {
        slot = std::make_unique<Watch>();
        Watch* watch = slot.get();
        const auto notify = [this, watch](unsigned mask) {
            m_inRound = true;
            if (watch->alive)
                watch->handler->socketReady(mask);
            m_inRound = false;
            drainAfterEvent();
            QMetaObject::invokeMethod(m_context.get(), [this] { m_retired.clear(); }, Qt::QueuedConnection);
        };
        slot->read = std::make_unique<QSocketNotifier>(socket, QSocketNotifier::Read);
        slot->write = std::make_unique<QSocketNotifier>(socket, QSocketNotifier::Write);
        QObject::connect(slot->read.get(), &QSocketNotifier::activated, m_context.get(), [notify] { notify(Readable); });
        QObject::connect(slot->write.get(), &QSocketNotifier::activated, m_context.get(), [notify] { notify(Writable); });
    }
    slot->handler = &handler;
    slot->events = events;
    slot->read->setEnabled(events & Readable);
    slot->write->setEnabled(events & Writable);
}

void SocketPoller::unwatch(qintptr socket)
{
    const auto found = m_watches.find(socket);
    if (found == m_watches.end())
        return;
    found->second->alive = false;
    found->second->read->setEnabled(false);
    found->second->write->setEnabled(false);
    m_retired.push_back(std::move(found->second));
    m_watches.erase(found);
}

#endif

void SocketPoller::afterEvent(std::function<void()> callback)
{
    m_afterEvent.push_back(std::move(callback));
    if (m_inRound || m_drainPosted)
        return;
    m_drainPosted = true;
    QMetaObject::invokeMethod(
        m_context.get(),
        [this] {
            m_drainPosted = false;
            drainAfterEvent();
        },
        Qt::QueuedConnection);
}

void SocketPoller::drainAfterEvent()
{
    // What is added meanwhile runs in the same drain, so that nothing waits for the next event.
    for (std::size_t i = 0; i < m_afterEvent.size(); ++i) {
        const auto callback = std::move(m_afterEvent[i]);
        callback();
    }
    m_afterEvent.clear();
}

}  // namespace omni
