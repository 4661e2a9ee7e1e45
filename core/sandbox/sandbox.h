#pragma once

#include "base/result.h"
#include "base/scheduler.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace omni {

/// One thing the sandbox can do, chosen by model name.
struct SandboxModel {
    std::string id;                  ///< "ok", "rate-limited", "reset-mid-stream", …
    std::string description;         ///< one English sentence
    bool failsBeforeCommit = false;  ///< a proxy can move on to another target without the client noticing
};

/// A scripted upstream on a loopback port of its own, OpenAI chat, completions, embeddings and Responses, and Anthropic messages and
/// count_tokens, able to do everything an upstream does wrong. Serves the first start without a key, "show me" and every test.
///
/// Runs in the thread that makes it, on that thread's event loop. Parameters ride on the model name after "?":
/// "slow-first-token?ms=2500&chunks=8".
class Sandbox {
public:
    struct Options {
        std::uint16_t port = 0;  ///< 0 = any free one
        /// Requests with this key behave; others get 401. Empty = no key is asked for.
        std::string requiredKey;
    };
    struct Counters {
        std::uint64_t requests = 0;
        std::uint64_t streams = 0;
        std::uint64_t abortedByClient = 0;
        std::uint64_t connections = 0;
    };
    /// One request as it arrived, for tests that must prove what was, or was not, sent.
    struct Seen {
        std::string method, path, body;
        std::vector<std::pair<std::string, std::string>> headers;
    };

    static Result<std::unique_ptr<Sandbox>> start(Scheduler& scheduler, const Options& options);
    ~Sandbox();

    std::uint16_t port() const;
    std::string baseUrl() const;  ///< "http://127.0.0.1:PORT/v1"
    Counters counters() const;
    /// Keeps the last 10,000 when switched on; off by default.
    void recordRequests(bool on);
    const std::vector<Seen>& seen() const;

    static const std::vector<SandboxModel>& models();

private:
    struct Private;
    explicit Sandbox(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

}  // namespace omni
