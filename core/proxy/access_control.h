#pragma once

#include "base/result.h"
#include "model/routing_config.h"
#include "model/settings.h"
#include "proxy/http_message.h"

#include <string>
#include <string_view>

namespace omni {

/// Which door a path is behind (spec 4-surfaces §9.3). By exact route or by a prefix that ends in "/".
enum class RouteClass { Public, ClientApi, Management };
RouteClass routeClassOf(std::string_view method, std::string_view path);

/// Host must be exactly one of our names (with or without our port), Origin absent, ours or allowed. Pure.
/// `localAddress` is the address the request came in on; beyond loopback it is accepted as a Host too.
struct AccessPolicy {
    int port = 0;
    bool exposed = false;
    std::vector<std::string> allowedOrigins;

    /// Forbidden, with a message that says which header and what is allowed.
    Status checkHostAndOrigin(const HttpRequest& request, std::string_view localAddress) const;
};

/// Bearer, x-api-key or x-goog-api-key; empty when there is none.
std::string_view presentedKey(const HttpRequest& request);

/// The management token of a data folder ("management.token", mode 0600), made on first use.
class ManagementToken {
public:
    static Result<ManagementToken> loadOrCreate(const std::string& dataDir);
    bool matches(std::string_view presented) const;
    const std::string& filePath() const { return m_path; }
    const std::string& value() const { return m_value; }

private:
    std::string m_value;
    std::string m_path;
};

}  // namespace omni
