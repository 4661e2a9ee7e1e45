#include "support/sandboxed_proxy.h"

#include <nlohmann/json.hpp>

namespace omni::test {

std::string SandboxedProxy::startAll()
{
    m_scheduler = std::make_unique<QtScheduler>(m_clock);
    auto upstream = Sandbox::start(*m_scheduler, {});
    if (!upstream)
        return describe(upstream.error());
    m_upstream = std::move(*upstream);
    m_fixture = std::make_unique<RuntimeFixture>();
    return m_fixture->start() ? std::string() : m_fixture->error();
}

void SandboxedProxy::stopAll()
{
    m_fixture.reset();
    m_upstream.reset();
    m_scheduler.reset();
}

HttpReply SandboxedProxy::chat(const std::string& model)
{
    HttpClient client(m_fixture->port());
    return client.postJson("/v1/chat/completions", chatBody(model));
}

std::string SandboxedProxy::chatBody(const std::string& model)
{
    return nlohmann::json{{"model", model}, {"messages", {{{"role", "user"}, {"content", "Say something."}}}}}.dump();
}

}  // namespace omni::test
