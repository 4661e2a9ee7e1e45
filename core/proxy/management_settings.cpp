#include "proxy/management_call.h"
#include "proxy/management_views.h"
#include "store/store.h"

#include <string>

namespace omni {

namespace {

constexpr std::string_view kSection = "resilience";

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
    context.control.patchSettings(dumpJson(*body), replyTo<Settings>(call, [](ManagementCall& answered, const Settings& settings) {
        answered.answer(200, toJson(settings));
    }));
}

Json sectionsOf(const Settings& settings)
{
    const Json whole = toJson(settings);
    const auto section = whole.find(kSection);
    return section != whole.end() && section->is_object() ? *section : Json::object();
}

/// "include=breakers" and "include=cooldowns", or both with a comma.
void include(const ManagementContext& context, std::string_view list, Json& into, std::vector<FieldError>& errors)
{
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        const std::string_view name = list.substr(0, end);
        list.remove_prefix(std::min(end + 1, list.size()));
        Json rows = Json::array();
        if (name == "breakers") {
            for (const BreakerStatus& breaker : context.engine.breakers())
                rows.push_back(breakerJson(breaker));
        } else if (name == "cooldowns") {
            const WallTime now = context.clock.wall();
            for (const ConnectionHealth& health : context.engine.healths()) {
                if (cooldownRemaining(health, now) > 0)
                    rows.push_back({{"connectionId", health.id.str()}, {"remainingMs", cooldownRemaining(health, now)}});
            }
        } else {
            errors.push_back({"include", "Must be \"breakers\" or \"cooldowns\"."});
            return;
        }
        into[std::string(name)] = std::move(rows);
    }
}

void readResilience(const ManagementContext& context, const CallPtr& call)
{
    std::vector<FieldError> errors;
    QueryReader query(call->request().query(), errors);
    Json sections = sectionsOf(context.configuration().settings);
    include(context, query.text("include"), sections, errors);
    query.finish();
    if (!errors.empty())
        return call->invalid(errors);
    call->answer(200, sections);
}

/// The fields of the section stand at the top here, so errors must not name the section either.
Error withoutSection(Error error)
{
    const std::string prefix = std::string(kSection) + ".";
    for (FieldError& detail : error.details) {
        if (detail.field.starts_with(prefix))
            detail.field.erase(0, prefix.size());
    }
    return error;
}

void changeResilience(const ManagementContext& context, const CallPtr& call)
{
    const std::optional<Json> body = call->object();
    if (!body)
        return;
    if (body->empty())
        return call->invalid({{"body", "Must provide something to change."}});
    const Json patch = {{kSection, *body}};
    context.control.patchSettings(dumpJson(patch), [call](const Result<Settings>& result) {
        if (!result)
            return call->fail(withoutSection(result.error()));
        Json sections = sectionsOf(*result);
        sections["ok"] = true;
        call->answer(200, sections);
    });
}

void purge(const ManagementContext& context, const CallPtr& call)
{
    context.control.store().clearRequests(context.owner, [call](const Status& status) {
        if (!status)
            return call->fail(status.error());
        call->answer(200, {{"success", true}, {"message", "The request history is empty now."}});
    });
}

}  // namespace

std::vector<ManagementRoute> settingsRoutes()
{
    return {{"GET", "/api/settings", &readSettings},
            {"PATCH", "/api/settings", &changeSettings},
            {"PUT", "/api/settings", &changeSettings},
            {"POST", "/api/settings/purge-request-history", &purge},
            {"GET", "/api/resilience", &readResilience},
            {"PATCH", "/api/resilience", &changeResilience}};
}

}  // namespace omni
