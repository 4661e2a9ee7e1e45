#include "upstream/curl_easy_pool.h"

#include "upstream/curl_call.h"

#include <utility>

namespace omni {

namespace {

constexpr std::size_t kMaxIdleHandles = 256;
/// libcurl's own limits are switched off by a very long one: ours follow the clock that counts sleep.
constexpr long kPracticallyNever = 24L * 3600 * 1000;
/// A socket idle for longer is likely closed by the other side; using it would only earn a reset.
constexpr long kMaxIdleSeconds = 45;
/// Names are resolved by us and handed over for good; this only concerns "localhost" and literals.
constexpr long kDnsCacheSeconds = 60;

}  // namespace

CurlEasy::CurlEasy() : handle(curl_easy_init())
{
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, errorText.data());
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_NOPROXY, "");
    curl_easy_setopt(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, kPracticallyNever);
    curl_easy_setopt(handle, CURLOPT_MAXAGE_CONN, kMaxIdleSeconds);
    curl_easy_setopt(handle, CURLOPT_DNS_CACHE_TIMEOUT, kDnsCacheSeconds);
    curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(handle, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 1L);
    // We ask for identity by a header; should an upstream compress all the same, errors and frames must still be readable.
    curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &CurlCall::writeCallback);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, &CurlCall::headerCallback);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, &CurlCall::readCallback);
    curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, &CurlCall::prereqCallback);
    curl_easy_setopt(handle, CURLOPT_PRIVATE, this);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, this);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, this);
    curl_easy_setopt(handle, CURLOPT_READDATA, this);
    curl_easy_setopt(handle, CURLOPT_PREREQDATA, this);
}

CurlEasy::~CurlEasy()
{
    curl_easy_cleanup(handle);
    curl_slist_free_all(m_headerList);
    curl_slist_free_all(m_addressList);
}

void CurlEasy::setHeaders(const HeaderList& headers)
{
    if (m_headersSet && m_headers == headers)
        return;
    curl_slist* list = nullptr;
    bool accept = false;
    bool userAgent = false;
    for (const auto& [name, value] : headers) {
        // "Name;" is libcurl's way to send a header without a value.
        list = curl_slist_append(list, (value.empty() ? name + ";" : name + ": " + value).c_str());
        accept = accept || name == "accept";
        userAgent = userAgent || name == "user-agent";
    }
    if (!accept)
        list = curl_slist_append(list, "Accept:");
    if (!userAgent)
        list = curl_slist_append(list, "User-Agent:");
    list = curl_slist_append(list, "Expect:");  // never wait for "100 Continue"
    list = curl_slist_append(list, "Accept-Encoding: identity");
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, list);
    curl_slist_free_all(std::exchange(m_headerList, list));
    m_headers = headers;
    m_headersSet = true;
}

void CurlEasy::setAddresses(const std::string& entry)
{
    if (m_addresses == entry)
        return;
    m_addresses = entry;
    curl_slist* list = entry.empty() ? nullptr : curl_slist_append(nullptr, entry.c_str());
    curl_easy_setopt(handle, CURLOPT_RESOLVE, list);
    curl_slist_free_all(std::exchange(m_addressList, list));
}

std::string CurlEasyPool::routeOf(const TransportRequest& request)
{
    std::string route = request.url;
    route.append(1, '\n').append(request.proxyUrl).append(1, '\n').append(request.proxyUserPassword);
    route.append(1, '\n').append(request.caBundle).append(1, request.http2 ? '2' : '1');
    return route;
}

std::unique_ptr<CurlEasy> CurlEasyPool::take(const TransportRequest& request)
{
    std::string route = routeOf(request);
    const auto found = m_idle.find(route);
    if (found != m_idle.end() && !found->second.empty()) {
        auto easy = std::move(found->second.back());
        found->second.pop_back();
        --m_idleCount;
        return easy;
    }
    auto easy = std::make_unique<CurlEasy>();
    easy->route = std::move(route);
    CURL* handle = easy->handle;
    curl_easy_setopt(handle, CURLOPT_URL, request.url.c_str());
    // "" means none: without it the environment's http_proxy would be taken.
    curl_easy_setopt(handle, CURLOPT_PROXY, request.proxyUrl.c_str());
    if (!request.proxyUserPassword.empty())
        curl_easy_setopt(handle, CURLOPT_PROXYUSERPWD, request.proxyUserPassword.c_str());
    if (!request.caBundle.empty()) {
        // The directory of the system's authorities stays in force beside it.
        curl_easy_setopt(handle, CURLOPT_CAINFO, request.caBundle.c_str());
        curl_easy_setopt(handle, CURLOPT_CAPATH, "/etc/ssl/certs");
    }
    curl_easy_setopt(handle, CURLOPT_HTTP_VERSION,
                     static_cast<long>(request.http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    return easy;
}

void CurlEasyPool::give(std::unique_ptr<CurlEasy> easy)
{
    easy->call = nullptr;
    if (m_idleCount >= kMaxIdleHandles) {
        // Routes of keys long gone go first; a busy route refills at once.
        for (auto it = m_idle.begin(); it != m_idle.end() && m_idleCount >= kMaxIdleHandles;) {
            if (it->first != easy->route) {
                m_idleCount -= it->second.size();
                it = m_idle.erase(it);
            } else {
                ++it;
            }
        }
        if (m_idleCount >= kMaxIdleHandles)
            return;
    }
    ++m_idleCount;
    auto& idle = m_idle[easy->route];
    idle.push_back(std::move(easy));
}

}  // namespace omni
