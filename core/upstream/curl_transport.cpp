#include "upstream/curl_transport.h"

#include "base/logging.h"
#include "upstream/curl_call.h"
#include "upstream/curl_easy_pool.h"
#include "upstream/curl_multi.h"
#include "upstream/host_resolver.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace omni {

namespace {

struct HostPort {
    std::string host;
    std::string port;
};

/// Of the URL that libcurl will connect to itself.
HostPort hostAndPort(const std::string& url)
{
    HostPort result;
    CURLU* parser = curl_url();
    if (curl_url_set(parser, CURLUPART_URL, url.c_str(), CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK) {
        char* part = nullptr;
        if (curl_url_get(parser, CURLUPART_HOST, &part, 0) == CURLUE_OK) {
            result.host = part;
            curl_free(part);
        }
        if (curl_url_get(parser, CURLUPART_PORT, &part, CURLU_DEFAULT_PORT) == CURLUE_OK) {
            result.port = part;
            curl_free(part);
        }
    }
    curl_url_cleanup(parser);
    return result;
}

}  // namespace

struct CurlTransport::Private final : CurlCallHost {
    /// What the caller holds: letting go of it ends the call.
    struct Handle final : TransportCall {
        explicit Handle(std::shared_ptr<CurlCall> target, Private& transport) : call(std::move(target)), owner(transport) {}
        ~Handle() override
        {
            if (!call->detached()) {
                call->detach();
                owner.abandon(*call);
            }
        }
        void pause() override { call->pause(); }
        void resume() override { call->resume(); }

        std::shared_ptr<CurlCall> call;
        Private& owner;
    };

    Private(SocketPoller& socketPoller, Scheduler& timers) : poller(socketPoller), scheduler(timers), resolver(timers.clock())
    {
        newMulti();
    }

    ~Private() override
    {
        alive.reset();
        for (const auto& [easy, call] : active)
            call->detach();
        // libcurl wants its transfers out of a multi handle before that goes.
        while (!active.empty())
            end(*active.begin()->second);
    }

    void newMulti()
    {
        multis.push_back(std::make_unique<CurlMulti>(poller, scheduler, [this](CURL* easy, CURLcode code) { finished(easy, code); }));
    }

    CurlMulti& multiOf(CURL* easy) { return *owners.at(easy); }

    const Clock& clock() const override { return scheduler.clock(); }
    bool starting() const override { return startDepth > 0; }

    void begin(const std::shared_ptr<CurlCall>& call, const std::string& addresses)
    {
        auto easy = pool.take(call->request());
        easy->setAddresses(addresses);
        CURL* handle = easy->handle;
        call->prepare(std::move(easy));
        call->startLimits();
        active.emplace(handle, call);
        owners[handle] = multis.back().get();
        ++startDepth;
        multis.back()->add(handle);
        --startDepth;
    }

    /// Takes the call's transfer out of libcurl, if it has one.
    void end(CurlCall& call)
    {
        CurlEasy* easy = call.easy();
        if (!easy)
            return;
        easy->call = nullptr;
        CURL* handle = easy->handle;
        const auto found = active.find(handle);
        if (found == active.end())
            return;
        const auto keep = found->second;
        active.erase(found);
        CurlMulti& multi = multiOf(handle);
        owners.erase(handle);
        // The call itself must outlive the transfer: libcurl may still read its body.
        multi.remove(handle, [this, keep](CURL*) {
            if (auto released = keep->releaseEasy())
                pool.give(std::move(released));
        });
        reap();
    }

    void finished(CURL* handle, CURLcode code)
    {
        const auto found = active.find(handle);
        if (found == active.end())
            return;
        const auto call = found->second;
        active.erase(found);
        owners.erase(handle);
        call->transferFinished(code);
        if (auto easy = call->releaseEasy())
            pool.give(std::move(easy));
        reapLater();
    }

    /// Retired multi handles go when their last transfer has ended, and never from inside one of their own calls.
    void reap()
    {
        if (multis.size() > 1)
            reapLater();
    }

    void reapLater()
    {
        if (multis.size() < 2 || reapPosted)
            return;
        reapPosted = true;
        poller.afterEvent([this, guard = std::weak_ptr<int>(alive)] {
            if (guard.expired())
                return;
            reapPosted = false;
            for (auto it = multis.begin(); it != std::prev(multis.end());) {
                const bool used = std::any_of(owners.begin(), owners.end(), [&it](const auto& entry) { return entry.second == it->get(); });
                it = used || (*it)->busy() ? std::next(it) : multis.erase(it);
            }
        });
    }

    void resumeTransfer(CurlCall& call) override
    {
        if (CurlEasy* easy = call.easy(); easy && active.contains(easy->handle))
            multiOf(easy->handle).unpause(easy->handle);
    }

    void abandon(CurlCall& call) override { end(call); }

    void expire(CurlCall& call, TransportFailure failure, std::string message) override
    {
        const auto keep = call.shared_from_this();
        end(call);
        call.fail(failure, std::move(message));
    }

    void deferDelivery(CurlCall& call) override
    {
        poller.afterEvent([keep = call.shared_from_this()] { keep->deliverDeferred(); });
    }

    SocketPoller& poller;
    Scheduler& scheduler;
    HostResolver resolver;
    CurlEasyPool pool;
    std::vector<std::unique_ptr<CurlMulti>> multis;  ///< the last takes new transfers, the others run out
    std::unordered_map<CURL*, std::shared_ptr<CurlCall>> active;
    std::unordered_map<CURL*, CurlMulti*> owners;
    std::unordered_map<std::string, HostPort> hosts;  ///< by URL or proxy URL: parsed once
    std::shared_ptr<int> alive = std::make_shared<int>(0);
    int startDepth = 0;
    bool reapPosted = false;
};

CurlTransport::CurlTransport(SocketPoller& poller, Scheduler& scheduler) : d(std::make_unique<Private>(poller, scheduler)) {}

CurlTransport::~CurlTransport() = default;

std::unique_ptr<TransportCall> CurlTransport::start(TransportRequest request, TransportHandler& handler)
{
    constexpr std::size_t kMaxParsedUrls = 4096;
    auto call = std::make_shared<CurlCall>(*d, d->scheduler, std::move(request), handler);
    auto handle = std::make_unique<Private::Handle>(call, *d);
    const std::string& connectUrl = call->request().proxyUrl.empty() ? call->request().url : call->request().proxyUrl;
    auto found = d->hosts.find(connectUrl);
    if (found == d->hosts.end()) {
        if (d->hosts.size() >= kMaxParsedUrls)
            d->hosts.clear();
        found = d->hosts.emplace(connectUrl, hostAndPort(connectUrl)).first;
    }
    const HostPort& peer = found->second;
    if (peer.host.empty() || HostResolver::isLiteral(peer.host)) {
        d->begin(call, {});
        return handle;
    }
    const auto entryFor = [host = peer.host, port = peer.port](const HostResolver::Addresses& addresses) {
        std::string entry = host + ":" + port + ":";
        for (const std::string& address : addresses)
            entry.append(&address == &addresses.front() ? "" : ",").append(address);
        return entry;
    };
    if (const auto* addresses = d->resolver.cached(peer.host)) {
        d->begin(call, entryFor(*addresses));
        return handle;
    }
    d->resolver.resolve(peer.host, call, [d = d.get(), weak = std::weak_ptr<CurlCall>(call), entryFor](const Result<HostResolver::Addresses>& result) {
        const auto waiting = weak.lock();
        if (!waiting || waiting->detached() || waiting->phase() != CurlCall::Phase::Resolving)
            return;
        if (result)
            d->begin(waiting, entryFor(*result));
        else
            waiting->fail(TransportFailure::ResolveFailed, result.error().message);
    });
    return handle;
}

void CurlTransport::dropIdleConnections()
{
    d->resolver.forgetAll();
    d->newMulti();
    d->reapLater();
}

}  // namespace omni
