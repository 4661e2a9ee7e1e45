#pragma once

#include "upstream/transport.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace omni::test {

/// Keeps what was asked and answers when the test says so.
class FakeTransport final : public Transport {
public:
    struct Sent {
        TransportRequest request;
        TransportHandler* handler = nullptr;
        bool over = false;  ///< answered or cancelled
        bool cancelled = false;

        std::string body() const { return request.body.original ? *request.body.original : std::string(); }
        std::string header(const std::string& name) const
        {
            for (const auto& [key, value] : request.headers)
                if (key == name)
                    return value;
            return {};
        }
    };

    std::unique_ptr<TransportCall> start(TransportRequest request, TransportHandler& handler) override
    {
        auto sent = std::make_shared<Sent>();
        sent->request = std::move(request);
        sent->handler = &handler;
        m_sent.push_back(sent);
        return std::make_unique<Call>(sent);
    }
    void dropIdleConnections() override { ++drops; }

    std::size_t count() const { return m_sent.size(); }
    const Sent& at(std::size_t index) const { return *m_sent.at(index); }
    const Sent& last() const { return *m_sent.back(); }
    std::size_t open() const
    {
        std::size_t number = 0;
        for (const auto& sent : m_sent)
            number += sent->over ? 0 : 1;
        return number;
    }

    void answer(std::size_t index, int status, const std::string& body, HeaderList headers = {})
    {
        const auto sent = m_sent.at(index);
        sent->handler->transportHead(status, std::move(headers));
        if (!sent->over && !body.empty())
            sent->handler->transportData(body);
        if (!sent->over)
            end(sent, {});
    }
    void answer(int status, const std::string& body) { answer(m_sent.size() - 1, status, body); }
    void fail(std::size_t index, TransportFailure failure, std::string message = {})
    {
        TransportResult result;
        result.failure = failure;
        result.message = std::move(message);
        end(m_sent.at(index), result);
    }

    int drops = 0;

private:
    class Call final : public TransportCall {
    public:
        explicit Call(std::shared_ptr<Sent> sent) : m_sent(std::move(sent)) {}
        ~Call() override
        {
            m_sent->cancelled = !m_sent->over;
            m_sent->over = true;
        }
        void pause() override {}
        void resume() override {}

    private:
        std::shared_ptr<Sent> m_sent;
    };

    static void end(const std::shared_ptr<Sent>& sent, const TransportResult& result)
    {
        sent->over = true;
        sent->handler->transportDone(result);
    }

    std::vector<std::shared_ptr<Sent>> m_sent;
};

}  // namespace omni::test
