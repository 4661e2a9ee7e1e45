#pragma once

#include "base/scheduler.h"
#include "sandbox/sandbox.h"
#include "support/http_client.h"
#include "support/runtime_fixture.h"

#include <memory>
#include <string>

namespace omni::test {

/// Base of tests that meet the whole proxy as a client does: real listener, real transport, the scripted upstream in the test's own thread.
class SandboxedProxy : public QObject {
protected:
    /// Anew for each test. What failed, in words; empty = nothing.
    std::string startAll();
    void stopAll();

    /// One message of a user, in OpenAI's chat form, on a connection of its own.
    HttpReply chat(const std::string& model);
    static std::string chatBody(const std::string& model);

    SystemClock m_clock;
    std::unique_ptr<QtScheduler> m_scheduler;
    std::unique_ptr<Sandbox> m_upstream;
    std::unique_ptr<RuntimeFixture> m_fixture;
};

}  // namespace omni::test
