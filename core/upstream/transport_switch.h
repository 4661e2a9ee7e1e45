#pragma once

#include "upstream/curl_transport.h"
#include "upstream/plain_transport.h"

namespace omni {

/// The program's transport: plain HTTP goes its short way, everything else over libcurl.
class TransportSwitch final : public Transport {
public:
    TransportSwitch(SocketPoller& poller, Scheduler& scheduler) : m_plain(poller, scheduler), m_curl(poller, scheduler) {}

    std::unique_ptr<TransportCall> start(TransportRequest request, TransportHandler& handler) override
    {
        Transport& transport = PlainTransport::takes(request) ? static_cast<Transport&>(m_plain) : m_curl;
        return transport.start(std::move(request), handler);
    }

    void dropIdleConnections() override
    {
        m_plain.dropIdleConnections();
        m_curl.dropIdleConnections();
    }

private:
    PlainTransport m_plain;
    CurlTransport m_curl;
};

}  // namespace omni
