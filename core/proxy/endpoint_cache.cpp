#include "proxy/endpoint_cache.h"

#include <algorithm>

namespace omni {

Result<const EndpointCache::Entry*> EndpointCache::find(const Provider& provider, const Connection& connection, Operation operation,
                                                        const ConfigurationPtr& configuration)
{
    if (m_configuration != configuration.get()) {
        m_entries.clear();
        m_keepAlive = configuration;
        m_configuration = configuration.get();
    }
    auto& slot = m_entries[&connection][static_cast<std::size_t>(operation)];
    if (slot)
        return &*slot;
    const Result<std::string> secret = m_control.secretOf(connection);
    if (!secret)
        return secret.error();
    const Result<std::string> proxySecret = m_control.proxySecretOf(connection);
    if (!proxySecret)
        return proxySecret.error();
    Result<Endpoint> endpoint = makeEndpoint(provider, connection, operation, *secret, *proxySecret);
    if (!endpoint)
        return endpoint.error();
    Entry entry;
    entry.endpoint = std::move(*endpoint);
    entry.headers = entry.endpoint.headers;
    entry.headers.emplace_back("content-type", "application/json");
    entry.headers.emplace_back("user-agent", "OmniRoute-Desktop/" OMNIROUTE_VERSION);
    entry.local = configuration->providerClass(connection) == ProviderClass::Local;
    slot = std::move(entry);
    return &*slot;
}

}  // namespace omni
