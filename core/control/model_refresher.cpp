#include "control/model_refresher.h"

#include "base/logging.h"

#include <algorithm>
#include <utility>

namespace omni {

namespace {

constexpr std::size_t kParallel = 4;
constexpr Millis kLimit{20'000};
constexpr Millis kGather{500};
constexpr std::size_t kListBytes = 8 * 1024 * 1024;

}  // namespace

struct ModelRefresher::Job {
    ConnectionId id;
    std::vector<Reply<std::vector<std::string>>> replies;
    UpstreamSubject subject;
    std::vector<std::string> models;
    std::unique_ptr<BufferedCall> call;

    void reply(const Result<std::vector<std::string>>& result)
    {
        for (const auto& one : replies)
            one(result);
    }
};

ModelRefresher::ModelRefresher(Transport& transport, Scheduler& scheduler, Hooks hooks)
    : m_transport(transport), m_scheduler(scheduler), m_hooks(std::move(hooks)), m_next(scheduler, [this] { next(); }),
      m_flush(scheduler, [this] { flush(); })
{
}

ModelRefresher::~ModelRefresher() = default;

void ModelRefresher::enqueue(const ConnectionId& id)
{
    const bool waits = std::any_of(m_waiting.begin(), m_waiting.end(), [&](const auto& job) { return job->id == id; });
    if (waits)
        return;
    m_waiting.push_back(std::make_unique<Job>());
    m_waiting.back()->id = id;
    m_next.start(Micros(0));
}

void ModelRefresher::fetch(const ConnectionId& id, Reply<std::vector<std::string>> reply)
{
    auto found = std::find_if(m_waiting.begin(), m_waiting.end(), [&](const auto& job) { return job->id == id; });
    auto job = found == m_waiting.end() ? std::make_unique<Job>() : std::move(*found);
    if (found != m_waiting.end())
        m_waiting.erase(found);
    job->id = id;
    job->replies.push_back(std::move(reply));
    m_waiting.push_front(std::move(job));
    m_next.start(Micros(0));
}

void ModelRefresher::next()
{
    while (m_running.size() < kParallel && !m_waiting.empty()) {
        auto job = std::move(m_waiting.front());
        m_waiting.pop_front();
        begin(std::move(job));
    }
}

void ModelRefresher::begin(std::unique_ptr<Job> job)
{
    Result<UpstreamSubject> subject = m_hooks.subject(job->id);
    if (!subject) {
        job->reply(subject.error());
        return;
    }
    job->subject = *std::move(subject);
    const Result<Endpoint> endpoint =
        makeModelsEndpoint(job->subject.provider, job->subject.connection, job->subject.secret, job->subject.proxySecret);
    if (!endpoint) {
        job->reply(endpoint.error());
        return;
    }
    Job* running = job.get();
    m_running.push_back(std::move(job));
    running->call =
        std::make_unique<BufferedCall>(m_transport, m_scheduler, makeOwnRequest(*endpoint, running->subject.settings, "GET"), kLimit,
                                       kListBytes, [this, running](BufferedCall::Answer answer) { answered(running, std::move(answer)); });
}

void ModelRefresher::answered(Job* running, BufferedCall::Answer answer)
{
    const auto place = std::find_if(m_running.begin(), m_running.end(), [&](const auto& one) { return one.get() == running; });
    auto job = std::move(*place);
    m_running.erase(place);
    const auto call = std::move(job->call);  // it is what calls us
    m_next.start(Micros(0));

    if (answer.status < 200 || answer.status > 299) {
        qCDebug(lcControl, "model list of connection %s: %s", job->id.str().c_str(), failureText(answer, job->subject.secret).c_str());
        job->reply(failureError(answer, job->subject.secret));
        return;
    }
    Result<std::vector<std::string>> models = readModelList(answer.body);
    if (models && answer.truncated)
        models = Error{ErrorKind::LimitExceeded, "The model list is longer than 8 MiB."};
    if (!models) {
        job->reply(models.error());
        return;
    }
    job->models = *std::move(models);
    const bool awaited = !job->replies.empty();
    m_found.push_back(std::move(job));
    if (awaited)
        m_flush.start(Micros(0));
    else if (!m_flush.active())
        m_flush.start(kGather);
}

void ModelRefresher::flush()
{
    auto jobs = std::make_shared<std::vector<std::unique_ptr<Job>>>(std::move(m_found));
    m_found.clear();
    std::vector<Found> found;
    found.reserve(jobs->size());
    for (const auto& job : *jobs)
        found.push_back({job->id, job->models, job->subject.connection});
    m_hooks.keep(std::move(found), [jobs](const Status& status) {
        for (const auto& job : *jobs) {
            if (status)
                job->reply(job->models);
            else
                job->reply(status.error());
        }
    });
}

}  // namespace omni
