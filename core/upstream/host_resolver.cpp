#include "upstream/host_resolver.h"

#include "base/text.h"

#include <QHostAddress>
#include <QHostInfo>

#include <utility>

namespace omni {

namespace {

constexpr Millis kRememberedFor{60'000};

}  // namespace

HostResolver::HostResolver(const Clock& clock) : m_clock(clock) {}

bool HostResolver::isLiteral(std::string_view host)
{
    if (host.starts_with('[') || equalsIgnoreCase(host, "localhost"))
        return true;
    return !QHostAddress(QString::fromUtf8(host.data(), static_cast<qsizetype>(host.size()))).isNull();
}

const HostResolver::Addresses* HostResolver::cached(const std::string& host) const
{
    const auto found = m_cache.find(host);
    return found != m_cache.end() && found->second.expires > m_clock.mono() ? &found->second.addresses : nullptr;
}

void HostResolver::resolve(const std::string& host, std::weak_ptr<void> owner, Callback callback)
{
    auto& waiters = m_waiting[host];
    waiters.push_back({std::move(owner), std::move(callback)});
    if (waiters.size() > 1)
        return;
    QHostInfo::lookupHost(QString::fromStdString(host), &m_context, [this, host](const QHostInfo& info) {
        Result<Addresses> result = Error{ErrorKind::Network, "The name " + host + " could not be resolved: " + info.errorString().toStdString()};
        if (info.error() == QHostInfo::NoError && !info.addresses().isEmpty()) {
            Addresses addresses;
            for (const QHostAddress& address : info.addresses()) {
                const std::string text = address.toString().toStdString();
                addresses.push_back(address.protocol() == QAbstractSocket::IPv6Protocol ? "[" + text + "]" : text);
            }
            m_cache[host] = {addresses, m_clock.mono() + kRememberedFor};
            result = std::move(addresses);
        }
        const auto node = m_waiting.extract(host);
        for (const Waiter& waiter : node.mapped())
            if (!waiter.owner.expired())
                waiter.callback(result);
    });
}

}  // namespace omni
