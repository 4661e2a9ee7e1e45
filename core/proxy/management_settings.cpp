#include "proxy/management_call.h"

namespace omni {

void failSettings(ManagementCall& call, const Error& error)
{
    if (error.kind == ErrorKind::InvalidArgument && error.details.empty())
        return call.invalid({{"body", error.message + "."}});
    call.fail(error);
}

namespace {

void readSettings(const ManagementContext& context, const CallPtr& call)
{
    call->answer(200, toJson(context.configuration().settings));
}

void changeSettings(const ManagementContext& context, const CallPtr& call)
{
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    if (body->empty())
        return call->invalid({{"body", "Name at least one setting to change."}});
    context.control.patchSettings(dumpJson(*body), [call](const Result<Settings>& result) {
        if (result)
            call->answer(200, toJson(*result));
        else
            failSettings(*call, result.error());
    });
}

void purge(const ManagementContext& context, const CallPtr& call)
{
    context.control.clearRequestLog([call](const Result<bool>& cleared) {
        if (!cleared)
            return call->fail(cleared.error());
        call->answer(200, {{"success", true}, {"message", "The request history is empty now."}});
    });
}

}  // namespace

std::vector<ManagementRoute> settingsRoutes()
{
    return {{"GET", "/api/settings", &readSettings},
            {"PATCH", "/api/settings", &changeSettings},
            {"PUT", "/api/settings", &changeSettings},
            {"POST", "/api/settings/purge-request-history", &purge}};
}

}  // namespace omni
