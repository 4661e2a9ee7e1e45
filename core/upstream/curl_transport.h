#pragma once

#include "base/scheduler.h"
#include "base/socket_poller.h"
#include "upstream/transport.h"

#include <memory>

namespace omni {

/// Upstream HTTP by libcurl's multi interface, driven by our poller and scheduler. One thread.
///
/// libcurl may send a request a second time by itself when a reused connection dies; a callback just before each send refuses the
/// second one, so a POST leaves this program once for each `start`. Names are resolved outside libcurl, whose resolver
/// thread would be joined, and so block the loop, when a call is cancelled.
class CurlTransport final : public Transport {
public:
    /// `curl_global_init` must have been called. Both outlive the transport.
    CurlTransport(SocketPoller& poller, Scheduler& scheduler);
    ~CurlTransport() override;

    std::unique_ptr<TransportCall> start(TransportRequest request, TransportHandler& handler) override;
    void dropIdleConnections() override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
