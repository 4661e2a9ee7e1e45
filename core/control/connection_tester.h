#pragma once

#include "control/control.h"
#include "control/upstream_answer.h"

#include <functional>
#include <memory>
#include <optional>

namespace omni {

/// One test of one connection: the model list, or, where there is none, one completion of one token. At most 10 s in all.
class ConnectionTester {
public:
    struct Outcome {
        TestReport report;
        std::string model;  ///< asked for in the completion, empty when the list sufficed
        /// What came back when it failed; unset when it did not come to a request.
        std::optional<BufferedCall::Answer> failure;
        bool asked = false;  ///< a request was made
    };
    /// `done` runs once, possibly from inside `start`; the tester may be destroyed in it.
    ConnectionTester(Transport& transport, Scheduler& scheduler, UpstreamSubject subject, std::function<void(Outcome)> done);
    void start();

private:
    void askForModels(const Endpoint& endpoint);
    void askForCompletion();
    void send(TransportRequest request, std::size_t byteLimit, std::function<void(BufferedCall::Answer)> answered);
    void fail(const BufferedCall::Answer& answer);
    void finish(Outcome outcome);
    Millis elapsed() const;

    Transport& m_transport;
    Scheduler& m_scheduler;
    UpstreamSubject m_subject;
    std::function<void(Outcome)> m_done;
    MonoTime m_startedAt{};
    std::string m_model;
    bool m_asked = false;
    std::unique_ptr<BufferedCall> m_call;
};

}  // namespace omni
