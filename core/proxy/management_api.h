#pragma once

#include "control/control.h"
#include "proxy/http_message.h"

#include <functional>
#include <memory>

namespace omni {

/// Answers everything under /api (but /api/v1) and /metrics, in the shapes of spec 4-surfaces §3. Access has been checked by the caller;
/// `authenticated` is false only for public routes, which then answer in one word.
class ManagementApi {
public:
    struct Parts {
        const Clock& clock;
        Control& control;
        Engine& engine;
        std::string databasePath;
        std::function<void()> requestShutdown;  ///< POST /api/shutdown
    };
    explicit ManagementApi(const Parts& parts);
    ~ManagementApi();

    /// May answer later (configuration becomes durable first); cancelled by the handler's destruction.
    std::unique_ptr<RequestHandler> handle(HttpRequest request, ResponseWriter& writer, bool authenticated);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace omni
