#pragma once

#include "base/result.h"
#include "model/configuration.h"
#include "model/wire.h"
#include "upstream/transport.h"

#include <string>

namespace omni {

/// Everything that leads to one connection for one operation: address, credentials, way there. Changes as one value.
struct Endpoint {
    std::string url;
    HeaderList headers;  ///< authentication and the provider's fixed ones
    std::string proxyUrl;
    std::string proxyUserPassword;
    bool http2 = false;
};

/// Base URL of a connection: its own, else its provider's; without trailing slash.
std::string baseUrlOf(const Provider& provider, const Connection& connection);

/// `secret` is the key in clear, empty for none (then no authentication is sent). InvalidArgument when the URL, the proxy or the key cannot
/// be used, or the operation is not offered. A base URL that repeats the operation's path, or its beginning, is not made longer by it:
/// "https://host/v1/chat/completions", as people paste it, leads there. A query in the base URL stays behind the path.
/// A bare host at the provider's own origin, or of a local provider, gets the provider's path ("/v1").
Result<Endpoint> makeEndpoint(const Provider& provider, const Connection& connection, Operation operation, std::string_view secret,
                              std::string_view proxySecret = {});
/// Where the model list is read (GET); NotFound when the provider has none.
Result<Endpoint> makeModelsEndpoint(const Provider& provider, const Connection& connection, std::string_view secret,
                                    std::string_view proxySecret = {});

/// Checks for the editor and the management API; the message says what is wrong. Link-local and metadata addresses, which answer with
/// the machine's own credentials in a cloud, are for local providers only.
Status validateBaseUrl(std::string_view url, ProviderCategory category = ProviderCategory::Compatible);
/// Empty is fine: no proxy.
Status validateProxyUrl(std::string_view url);

}  // namespace omni
