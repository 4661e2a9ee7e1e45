#include "proxy/management_call.h"
#include "proxy/management_views.h"

#include <algorithm>
#include <array>
#include <string>

namespace omni {

namespace {

constexpr std::string_view kSection = "resilience";
constexpr std::string_view kPrefix = "resilience.";
/// Of the resilience engine too, but kept beside the section (spec 4-surfaces §2.3).
constexpr std::array<std::string_view, 4> kBeside = {"modelLockout", "providerErrorRules", "customBannedSignals",
                                                     "autoDisableBannedAccounts"};

Json sectionsOf(const Settings& settings)
{
    const Json whole = toJson(settings);
    const auto section = whole.find(kSection);
    return section != whole.end() && section->is_object() ? *section : Json::object();
}

Json breakerRows(const ManagementContext& context)
{
    Json rows = Json::array();
    for (const BreakerStatus& breaker : context.engine.breakers())
        rows.push_back(breakerJson(breaker));
    return rows;
}

Json cooldownRows(const ManagementContext& context)
{
    const Configuration& configuration = context.configuration();
    const WallTime now = context.clock.wall();
    Json rows = Json::array();
    for (const ConnectionHealth& health : context.engine.healths()) {
        const Connection* connection = configuration.connection(health.id);
        if (!connection || cooldownRemaining(health, now) == 0)
            continue;
        rows.push_back({{"connectionId", health.id.str()},
                        {"provider", connection->provider.str()},
                        {"name", connection->name},
                        {"remainingMs", cooldownRemaining(health, now)},
                        {"rateLimitedUntil", timeJson(health.coolingUntil)},
                        {"backoffLevel", health.backoffLevel}});
    }
    return rows;
}

/// "include=breakers" and "include=cooldowns", or both with a comma.
void include(const ManagementContext& context, std::string_view list, Json& into, std::vector<FieldError>& errors)
{
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        const std::string_view name = list.substr(0, end);
        list.remove_prefix(std::min(end + 1, list.size()));
        if (name == "breakers") {
            into["breakers"] = breakerRows(context);
        } else if (name == "cooldowns") {
            into["cooldowns"] = cooldownRows(context);
        } else {
            errors.push_back({"include", "Must be \"breakers\" or \"cooldowns\"."});
            return;
        }
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

void eraseAll(std::string& text, std::string_view part)
{
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
        text.erase(at, part.size());
}

/// The fields of the section stand at the top here, so errors must not name the section either.
Error withoutSection(Error error)
{
    for (FieldError& detail : error.details) {
        if (detail.field.starts_with(kPrefix))
            detail.field.erase(0, kPrefix.size());
        eraseAll(detail.message, kPrefix);
        if (std::find(kBeside.begin(), kBeside.end(), detail.field) != kBeside.end())
            detail.message = "is changed by PATCH /api/settings";
    }
    return error;
}

/// Any part of the sections; the answer is all of them as they are now (spec 4-surfaces §3.2).
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
            return failSettings(*call, withoutSection(result.error()));
        Json sections = sectionsOf(*result);
        sections["ok"] = true;
        call->answer(200, sections);
    });
}

}  // namespace

std::vector<ManagementRoute> resilienceSettingsRoutes()
{
    return {{"GET", "/api/resilience", &readResilience}, {"PATCH", "/api/resilience", &changeResilience}};
}

}  // namespace omni
