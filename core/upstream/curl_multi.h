#pragma once

#include "base/scheduler.h"
#include "base/socket_poller.h"

#include <curl/curl.h>

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace omni {

/// One libcurl multi handle in our event loop: its sockets in the poller, its time-outs in the scheduler. Calls into libcurl never nest:
/// what is asked for from inside one of its callbacks happens when the outermost call has returned.
class CurlMulti {
public:
    /// `finished` is told of each completed transfer, outside libcurl; the handle has been removed by then.
    CurlMulti(SocketPoller& poller, Scheduler& scheduler, std::function<void(CURL*, CURLcode)> finished);
    ~CurlMulti();
    CurlMulti(const CurlMulti&) = delete;
    CurlMulti& operator=(const CurlMulti&) = delete;

    void add(CURL* easy);
    /// Ends a transfer without a word to `finished`. `release` gets the handle back as soon as libcurl has let it go.
    void remove(CURL* easy, std::function<void(CURL*)> release);
    void unpause(CURL* easy);
    int running() const { return m_running; }
    /// Whether we are inside one of libcurl's calls, where handles may not be touched.
    bool busy() const { return m_depth > 0; }

private:
    struct Socket;
    static int socketCallback(CURL* easy, curl_socket_t socket, int what, void* self, void* socketData);
    static int timerCallback(CURLM* multi, long timeoutMs, void* self);
    void act(curl_socket_t socket, int mask);
    void settle();

    SocketPoller& m_poller;
    std::function<void(CURL*, CURLcode)> m_finished;
    CURLM* m_multi;
    Timer m_timer;
    std::unordered_map<curl_socket_t, std::unique_ptr<Socket>> m_sockets;
    std::vector<std::unique_ptr<Socket>> m_retired;
    std::vector<CURL*> m_toAdd;
    std::vector<CURL*> m_toUnpause;
    std::vector<std::pair<CURL*, std::function<void(CURL*)>>> m_toRemove;
    int m_depth = 0;
    int m_running = 0;
    bool m_kick = false;
    bool m_settling = false;
};

}  // namespace omni
