#include "upstream/curl_multi.h"

#include "base/logging.h"

#include <algorithm>
#include <utility>

namespace omni {

namespace {

/// Idle sockets kept open for reuse, over all upstreams.
constexpr long kMaxPooledConnections = 1024;

}  // namespace

struct CurlMulti::Socket final : SocketHandler {
    Socket(CurlMulti& multi, curl_socket_t descriptor) : owner(multi), fd(descriptor) {}

    void socketReady(unsigned events) override
    {
        owner.act(fd, ((events & SocketPoller::Readable) ? CURL_CSELECT_IN : 0) | ((events & SocketPoller::Writable) ? CURL_CSELECT_OUT : 0));
    }

    CurlMulti& owner;
    curl_socket_t fd;
};

CurlMulti::CurlMulti(SocketPoller& poller, Scheduler& scheduler, std::function<void(CURL*, CURLcode)> finished)
    : m_poller(poller), m_finished(std::move(finished)), m_multi(curl_multi_init()),
      m_timer(scheduler, [this] { act(CURL_SOCKET_TIMEOUT, 0); })
{
    curl_multi_setopt(m_multi, CURLMOPT_SOCKETFUNCTION, &CurlMulti::socketCallback);
    curl_multi_setopt(m_multi, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(m_multi, CURLMOPT_TIMERFUNCTION, &CurlMulti::timerCallback);
    curl_multi_setopt(m_multi, CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(m_multi, CURLMOPT_MAXCONNECTS, kMaxPooledConnections);
    curl_multi_setopt(m_multi, CURLMOPT_MAX_HOST_CONNECTIONS, 0L);
}

CurlMulti::~CurlMulti()
{
    curl_multi_cleanup(m_multi);
    for (const auto& [fd, socket] : m_sockets)
        m_poller.unwatch(static_cast<qintptr>(fd));
}

int CurlMulti::socketCallback(CURL*, curl_socket_t fd, int what, void* self, void*)
{
    auto& multi = *static_cast<CurlMulti*>(self);
    if (what == CURL_POLL_REMOVE) {
        multi.m_poller.unwatch(static_cast<qintptr>(fd));
        const auto found = multi.m_sockets.find(fd);
        if (found != multi.m_sockets.end()) {
            // We may be inside its own socketReady.
            multi.m_retired.push_back(std::move(found->second));
            multi.m_sockets.erase(found);
        }
        return 0;
    }
    auto& socket = multi.m_sockets[fd];
    if (!socket)
        socket = std::make_unique<Socket>(multi, fd);
    const unsigned events = ((what & CURL_POLL_IN) ? SocketPoller::Readable : 0U) | ((what & CURL_POLL_OUT) ? SocketPoller::Writable : 0U);
    multi.m_poller.watch(static_cast<qintptr>(fd), events, *socket);
    return 0;
}

int CurlMulti::timerCallback(CURLM*, long timeoutMs, void* self)
{
    auto& multi = *static_cast<CurlMulti*>(self);
    if (timeoutMs < 0)
        multi.m_timer.stop();
    else if (timeoutMs == 0)
        multi.m_kick = true;  // done when libcurl has returned: no trip through the loop, and never from inside this callback
    else
        multi.m_timer.start(Millis(timeoutMs));
    return 0;
}

void CurlMulti::act(curl_socket_t socket, int mask)
{
    ++m_depth;
    const CURLMcode code = curl_multi_socket_action(m_multi, socket, mask, &m_running);
    --m_depth;
    if (code != CURLM_OK)
        qCWarning(lcUpstream, "libcurl could not act on a socket: %s", curl_multi_strerror(code));
    settle();
}

void CurlMulti::add(CURL* easy)
{
    m_toAdd.push_back(easy);
    settle();
}

void CurlMulti::remove(CURL* easy, std::function<void(CURL*)> release)
{
    m_toUnpause.erase(std::remove(m_toUnpause.begin(), m_toUnpause.end(), easy), m_toUnpause.end());
    const auto waiting = std::find(m_toAdd.begin(), m_toAdd.end(), easy);
    if (waiting != m_toAdd.end()) {
        m_toAdd.erase(waiting);
        release(easy);
        return;
    }
    m_toRemove.emplace_back(easy, std::move(release));
    settle();
}

void CurlMulti::unpause(CURL* easy)
{
    m_toUnpause.push_back(easy);
    settle();
}

void CurlMulti::settle()
{
    if (m_depth > 0 || m_settling)
        return;
    m_settling = true;
    while (true) {
        ++m_depth;
        for (auto removals = std::exchange(m_toRemove, {}); auto& [easy, release] : removals) {
            curl_multi_remove_handle(m_multi, easy);
            release(easy);
        }
        for (CURL* easy : std::exchange(m_toAdd, {})) {
            const CURLMcode code = curl_multi_add_handle(m_multi, easy);
            if (code != CURLM_OK)
                qCWarning(lcUpstream, "libcurl refused a transfer: %s", curl_multi_strerror(code));
            m_kick = true;
        }
        // Unpausing may call a write callback, which may pause again or ask for a removal.
        for (CURL* easy : std::exchange(m_toUnpause, {}))
            curl_easy_pause(easy, CURLPAUSE_CONT);
        if (std::exchange(m_kick, false))
            curl_multi_socket_action(m_multi, CURL_SOCKET_TIMEOUT, 0, &m_running);
        --m_depth;

        int left = 0;
        while (CURLMsg* message = curl_multi_info_read(m_multi, &left)) {
            if (message->msg != CURLMSG_DONE)
                continue;
            CURL* easy = message->easy_handle;
            const CURLcode code = message->data.result;
            const auto doomed = std::find_if(m_toRemove.begin(), m_toRemove.end(), [easy](const auto& entry) { return entry.first == easy; });
            if (doomed != m_toRemove.end())
                continue;
            curl_multi_remove_handle(m_multi, easy);
            m_finished(easy, code);
        }
        if (m_toAdd.empty() && m_toRemove.empty() && m_toUnpause.empty() && !m_kick)
            break;
    }
    m_settling = false;
    m_retired.clear();
}

}  // namespace omni
