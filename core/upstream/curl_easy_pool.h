#pragma once

#include "upstream/transport.h"

#include <curl/curl.h>

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace omni {

class CurlCall;

/// A libcurl handle set up for one route (URL, proxy, authorities). What stays the same from one request to the next is not set again.
struct CurlEasy {
    CurlEasy();
    ~CurlEasy();
    CurlEasy(const CurlEasy&) = delete;
    CurlEasy& operator=(const CurlEasy&) = delete;

    void setHeaders(const HeaderList& headers);
    /// "host:port:address,…" for a name that we resolved ourselves; empty = libcurl has nothing to resolve.
    void setAddresses(const std::string& entry);

    CURL* handle;
    CurlCall* call = nullptr;  ///< the call it works for now
    std::string route;
    std::array<char, CURL_ERROR_SIZE> errorText{};

private:
    HeaderList m_headers;
    curl_slist* m_headerList = nullptr;
    bool m_headersSet = false;
    std::string m_addresses;
    curl_slist* m_addressList = nullptr;
};

/// Idle handles by route.
class CurlEasyPool {
public:
    /// Everything in a request that the handle itself remembers.
    static std::string routeOf(const TransportRequest& request);
    std::unique_ptr<CurlEasy> take(const TransportRequest& request);
    void give(std::unique_ptr<CurlEasy> easy);

private:
    std::unordered_map<std::string, std::vector<std::unique_ptr<CurlEasy>>> m_idle;
    std::size_t m_idleCount = 0;
};

}  // namespace omni
