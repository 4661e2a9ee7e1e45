#pragma once

#include "control/control.h"
#include "control/upstream_answer.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace omni {

/// Reads model lists of connections, at most four at a time, and hands over what it found in batches, so that a thousand connections do
/// not make a thousand changes of configuration. Failures of the background are silent: requests will tell.
class ModelRefresher {
public:
    struct Found {
        ConnectionId id;
        std::vector<std::string> models;
        Connection asked;  ///< as it was when asked; what has changed since makes the list worthless
    };
    struct Hooks {
        /// NotFound for a connection that is gone, or whose provider has no list; Secret when its key cannot be read.
        std::function<Result<UpstreamSubject>(const ConnectionId&)> subject;
        std::function<void(std::vector<Found>, std::function<void(Status)>)> keep;
    };
    ModelRefresher(Transport& transport, Scheduler& scheduler, Hooks hooks);
    ~ModelRefresher();

    /// In the background, soon.
    void enqueue(const ConnectionId& id);
    /// Ahead of the background; `reply` runs once the list is kept.
    void fetch(const ConnectionId& id, Reply<std::vector<std::string>> reply);

private:
    struct Job;
    void next();
    void begin(std::unique_ptr<Job> job);
    void answered(Job* job, BufferedCall::Answer answer);
    void flush();

    Transport& m_transport;
    Scheduler& m_scheduler;
    Hooks m_hooks;
    std::deque<std::unique_ptr<Job>> m_waiting;
    std::vector<std::unique_ptr<Job>> m_running;
    std::vector<std::unique_ptr<Job>> m_found;
    Timer m_next, m_flush;
};

}  // namespace omni
