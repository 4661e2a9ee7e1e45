#pragma once

#include "control/control.h"
#include "proxy/http_message.h"
#include "proxy/management_json.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace omni {

class RequestLogReader;

/// One request to the management API, from its parsing to its one answer. Shared with the replies of Control that it waits for: an answer
/// that comes after the client has gone goes nowhere.
class ManagementCall {
public:
    ManagementCall(HttpRequest request, ResponseWriter& writer, bool authenticated, std::string requestId);

    const HttpRequest& request() const { return m_request; }
    bool authenticated() const { return m_authenticated; }
    /// What stands for "{…}" in the route, decoded.
    const std::string& parameter() const { return m_parameter; }
    void setParameter(std::string value) { m_parameter = std::move(value); }
    /// The client has gone.
    void detach() { m_writer = nullptr; }
    bool answered() const { return m_writer == nullptr; }

    /// The body as a JSON object, an empty one for an empty body; nullopt when it is none, which has been answered then (400, 413, 415).
    std::optional<Json> object();

    void answer(int status, const Json& body, HeaderList extra = {});
    void answerText(int status, std::string_view type, std::string_view body);
    void fail(int status, std::string_view message, std::string_view code, HeaderList extra = {});
    /// 400 with the fields and what is wrong with each (spec 4-surfaces §3.1).
    void invalid(const std::vector<FieldError>& details);
    /// The status that the kind stands for.
    void fail(const Error& error);

private:
    HttpRequest m_request;
    ResponseWriter* m_writer;
    std::string m_requestId;
    std::string m_parameter;
    bool m_authenticated;
};

using CallPtr = std::shared_ptr<ManagementCall>;

/// What the resources are made of. References outlive every call.
struct ManagementContext {
    const Clock& clock;
    Control& control;
    Engine& engine;
    RequestLogReader& log;
    std::function<void()> shutdown;  ///< after the present event
    QObject* owner;                  ///< of callbacks of the store: they end with it
    MonoTime startedAt;

    const Configuration& configuration() const { return *control.configuration(); }
};

/// A reply for Control that answers errors by itself and hands values on. Once the client has gone nothing is called: the API itself may be
/// gone by then too.
template <typename T, typename Then>
Reply<T> replyTo(const CallPtr& call, Then then)
{
    return [call, then](Result<T> result) {
        if (call->answered())
            return;
        if (!result)
            call->fail(result.error());
        else
            then(*call, *std::move(result));
    };
}

/// A patch of the settings that was refused: 400 for one that names nothing, too.
void failSettings(ManagementCall& call, const Error& error);

using ManagementAction = void (*)(const ManagementContext&, const CallPtr&);

struct ManagementRoute {
    std::string_view method;
    /// "/api/combos/{}": "{}" stands for one segment, which may hold an encoded "/".
    std::string_view pattern;
    ManagementAction action;
    /// Answers without credentials too.
    bool open = false;
};

// One for each group of resources.
std::vector<ManagementRoute> connectionRoutes();
std::vector<ManagementRoute> nodeRoutes();
std::vector<ManagementRoute> routingRoutes();
std::vector<ManagementRoute> keyRoutes();
std::vector<ManagementRoute> settingsRoutes();
std::vector<ManagementRoute> resilienceSettingsRoutes();
std::vector<ManagementRoute> resilienceRoutes();
std::vector<ManagementRoute> cooldownRoutes();
std::vector<ManagementRoute> modelCooldownRoutes();
std::vector<ManagementRoute> monitoringRoutes();
std::vector<ManagementRoute> requestLogRoutes();

}  // namespace omni
