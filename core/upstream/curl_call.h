#pragma once

#include "base/scheduler.h"
#include "upstream/curl_easy_pool.h"
#include "upstream/transport.h"

#include <curl/curl.h>

#include <memory>
#include <string>
#include <string_view>

namespace omni {

/// What a call needs of the transport it belongs to.
class CurlCallHost {
public:
    virtual ~CurlCallHost() = default;
    virtual const Clock& clock() const = 0;
    /// True while libcurl has been entered from `Transport::start`: the handler may not be called yet.
    virtual bool starting() const = 0;
    virtual void resumeTransfer(CurlCall& call) = 0;
    /// Ends the transfer; afterwards the call's easy handle is back in the pool, or gone.
    virtual void abandon(CurlCall& call) = 0;
    /// A limit passed: end the transfer and report it.
    virtual void expire(CurlCall& call, TransportFailure failure, std::string message) = 0;
    /// Runs `deliverDeferred` once the current turn allows.
    virtual void deferDelivery(CurlCall& call) = 0;
};

/// One transfer: libcurl's callbacks in, the handler's calls out.
class CurlCall final : public TransportCall, public std::enable_shared_from_this<CurlCall> {
public:
    enum class Phase : std::uint8_t { Resolving, Connecting, Waiting, Receiving, Done };

    CurlCall(CurlCallHost& host, Scheduler& scheduler, TransportRequest request, TransportHandler& handler);

    void pause() override { m_pauseWanted = true; }
    void resume() override;

    /// The owner lets go: no handler call from now on.
    void detach() { m_handler = nullptr; }
    bool detached() const { return m_handler == nullptr; }

    /// Puts this request's body and headers on the handle.
    void prepare(std::unique_ptr<CurlEasy> easy);
    /// Starts the limits; called with the transfer.
    void startLimits();
    /// From libcurl, by the transport.
    void transferFinished(CURLcode code);
    void fail(TransportFailure failure, std::string message);
    void deliverDeferred();

    CurlEasy* easy() const { return m_easy.get(); }
    std::unique_ptr<CurlEasy> releaseEasy() { return std::move(m_easy); }
    const TransportRequest& request() const { return m_request; }
    Phase phase() const { return m_phase; }

    static std::size_t writeCallback(char* data, std::size_t size, std::size_t count, void* self);
    static std::size_t headerCallback(char* data, std::size_t size, std::size_t count, void* self);
    static std::size_t readCallback(char* data, std::size_t size, std::size_t count, void* self);
    static int prereqCallback(void* self, char* remote, char* local, int remotePort, int localPort);

private:
    std::size_t takeData(std::string_view piece);
    std::size_t takeHeaderLine(std::string_view line);
    std::size_t fillBody(char* to, std::size_t room);
    bool mayDeliver() const;
    void deliverHead();
    void checkLimit();
    void finish();

    CurlCallHost& m_host;
    TransportRequest m_request;
    TransportHandler* m_handler;
    std::unique_ptr<CurlEasy> m_easy;
    Timer m_limit;
    Phase m_phase = Phase::Resolving;
    MonoTime m_startedAt{};
    MonoTime m_phaseSince{};
    std::string m_contiguousBody;
    std::size_t m_bodySent = 0;
    int m_sends = 0;

    int m_status = 0;
    HeaderList m_headers;
    bool m_headDelivered = false;
    bool m_pauseWanted = false;
    bool m_paused = false;

    bool m_deferred = false;
    bool m_headReady = false;
    std::string m_deferredData;
    bool m_resultReady = false;
    TransportResult m_result;
};

}  // namespace omni
