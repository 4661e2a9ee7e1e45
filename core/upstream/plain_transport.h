#pragma once

#include "base/scheduler.h"
#include "base/socket_poller.h"
#include "upstream/transport.h"

#include <memory>

namespace omni {

/// Upstream HTTP/1.1 without TLS and without a proxy: servers on this machine or network. Sockets straight on the poller, Boost.Beast's
/// parser, bodies sent from where they lie. libcurl, which carries everything else, spends some 85,000 instructions on a request
/// over a kept connection (measured), most of them formatting and re-parsing what does not change; here it is a tenth of that.
/// Nothing is ever sent twice, and one thread owns it all.
class PlainTransport final : public Transport {
public:
    /// Both outlive the transport.
    PlainTransport(SocketPoller& poller, Scheduler& scheduler);
    ~PlainTransport() override;

    /// "http://" without a proxy and without HTTP/2.
    static bool takes(const TransportRequest& request);

    std::unique_ptr<TransportCall> start(TransportRequest request, TransportHandler& handler) override;
    void dropIdleConnections() override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
