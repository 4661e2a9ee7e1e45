#include "control/connection_tester.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace omni {

namespace {

constexpr Millis kLimit{10'000};
constexpr std::size_t kModelListBytes = 8 * 1024 * 1024;
constexpr std::size_t kCompletionBytes = 64 * 1024;

/// What the provider is mainly for comes first.
std::optional<Operation> smallestOperation(const Provider& provider)
{
    for (const Operation operation :
         {Operation::ChatCompletions, Operation::Messages, Operation::Responses, Operation::Completions, Operation::Embeddings})
        if (provider.offers(operation))
            return operation;
    return std::nullopt;
}

std::string smallestBody(Operation operation, const std::string& model)
{
    nlohmann::json body{{"model", model}};
    switch (operation) {
    case Operation::ChatCompletions:
    case Operation::Messages:
    case Operation::CountTokens:
        body["messages"] = nlohmann::json::array({{{"role", "user"}, {"content", "ping"}}});
        body["max_tokens"] = 1;
        break;
    case Operation::Responses:
        body["input"] = "ping";
        body["max_output_tokens"] = 16;  // the least that the API accepts
        break;
    case Operation::Completions:
        body["prompt"] = "ping";
        body["max_tokens"] = 1;
        break;
    case Operation::Embeddings: body["input"] = "ping"; break;
    }
    return body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string knownModel(const UpstreamSubject& subject)
{
    if (!subject.connection.defaultModel.empty())
        return subject.connection.defaultModel;
    if (!subject.connection.models.empty())
        return subject.connection.models.front();
    return subject.provider.models.empty() ? std::string() : subject.provider.models.front().id;
}

bool isAnswer(const BufferedCall::Answer& answer) { return answer.status >= 200 && answer.status < 300; }

}  // namespace

ConnectionTester::ConnectionTester(Transport& transport, Scheduler& scheduler, UpstreamSubject subject, std::function<void(Outcome)> done)
    : m_transport(transport), m_scheduler(scheduler), m_subject(std::move(subject)), m_done(std::move(done))
{
}

void ConnectionTester::start()
{
    m_startedAt = m_scheduler.clock().mono();
    const Result<Endpoint> models = makeModelsEndpoint(m_subject.provider, m_subject.connection, m_subject.secret, m_subject.proxySecret);
    if (models) {
        askForModels(*models);
    } else if (models.error().kind == ErrorKind::NotFound) {
        askForCompletion();
    } else {
        Outcome outcome;
        outcome.report.message = describe(models.error());
        finish(std::move(outcome));
    }
}

void ConnectionTester::askForModels(const Endpoint& endpoint)
{
    send(makeOwnRequest(endpoint, m_subject.settings, "GET"), kModelListBytes, [this](const BufferedCall::Answer& answer) {
        if (answer.status == 404 || answer.status == 405) {
            askForCompletion();
            return;
        }
        if (!isAnswer(answer)) {
            fail(answer);
            return;
        }
        Outcome outcome;
        outcome.report.status = answer.status;
        const Result<std::vector<std::string>> models = readModelList(answer.body);
        if (!models || answer.truncated) {
            // A 200 that is no list says nothing about the key; the smallest real request does.
            askForCompletion();
            return;
        }
        outcome.report.ok = true;
        outcome.report.models = *models;
        outcome.report.message = models->size() == 1 ? "1 model" : std::to_string(models->size()) + " models";
        finish(std::move(outcome));
    });
}

void ConnectionTester::askForCompletion()
{
    Outcome outcome;
    const std::optional<Operation> operation = smallestOperation(m_subject.provider);
    m_model = knownModel(m_subject);
    if (!operation || m_model.empty()) {
        outcome.report.message = operation ? "This upstream has no model list. Name a default model to test it with."
                                           : "This provider offers nothing that can be tested.";
        finish(std::move(outcome));
        return;
    }
    const Result<Endpoint> endpoint =
        makeEndpoint(m_subject.provider, m_subject.connection, *operation, m_subject.secret, m_subject.proxySecret);
    if (!endpoint) {
        outcome.report.message = describe(endpoint.error());
        finish(std::move(outcome));
        return;
    }
    send(makeOwnRequest(*endpoint, m_subject.settings, "POST", smallestBody(*operation, m_model)), kCompletionBytes,
         [this](const BufferedCall::Answer& answer) {
             if (!isAnswer(answer)) {
                 fail(answer);
                 return;
             }
             Outcome answered;
             answered.report.ok = true;
             answered.report.status = answer.status;
             answered.report.message = "Answered by " + m_model;
             finish(std::move(answered));
         });
}

void ConnectionTester::send(TransportRequest request, std::size_t byteLimit, std::function<void(BufferedCall::Answer)> answered)
{
    m_asked = true;
    const Millis left = std::max(kLimit - elapsed(), Millis(1));
    // Kept aside while the earlier call, from whose callback we may come, is replaced.
    const auto earlier = std::move(m_call);
    m_call = std::make_unique<BufferedCall>(m_transport, m_scheduler, std::move(request), left, byteLimit, std::move(answered));
}

void ConnectionTester::fail(const BufferedCall::Answer& answer)
{
    Outcome outcome;
    outcome.report.status = answer.status;
    outcome.report.message = answer.failure == TransportFailure::DeadlineExceeded ? "No complete answer within 10 seconds."
                                                                                  : failureText(answer, m_subject.secret);
    outcome.failure = answer;
    finish(std::move(outcome));
}

void ConnectionTester::finish(Outcome outcome)
{
    outcome.report.latency = elapsed();
    outcome.model = m_model;
    outcome.asked = m_asked;
    const auto done = std::move(m_done);
    done(std::move(outcome));
}

Millis ConnectionTester::elapsed() const { return std::chrono::duration_cast<Millis>(m_scheduler.clock().mono() - m_startedAt); }

}  // namespace omni
