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

/// `secret` is the key in clear, empty for none. InvalidArgument when the URL or the proxy cannot be used, or the operation is not offered.
Result<Endpoint> makeEndpoint(const Provider& provider, const Connection& connection, Operation operation, std::string_view secret,
                              std::string_view proxySecret = {});
/// Where the model list is read (GET); NotFound when the provider has none.
Result<Endpoint> makeModelsEndpoint(const Provider& provider, const Connection& connection, std::string_view secret,
                                    std::string_view proxySecret = {});

/// Checks for the editor and the management API; the message says what is wrong.
Status validateBaseUrl(std::string_view url);
Status validateProxyUrl(std::string_view url);

}  // namespace omni
