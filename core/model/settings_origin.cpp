#include "model/settings_origin.h"

#include "model/settings_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace omni {

namespace {

using Json = nlohmann::json;

struct Variable {
    std::string_view field;
    const char* name;
};

/// What `defaultSettings` reads, for the fields that have a name (spec 1-core §1.1, §1.12, §3.2).
constexpr std::array<Variable, 10> kVariables = {{
    {"resilience.providerBreaker.oauth.failureThreshold", "OMNIROUTE_CIRCUIT_BREAKER_OAUTH_THRESHOLD"},
    {"resilience.providerBreaker.oauth.degradationThreshold", "OMNIROUTE_PROVIDER_BREAKER_OAUTH_DEGRADATION_THRESHOLD"},
    {"resilience.providerBreaker.oauth.resetTimeoutMs", "OMNIROUTE_CIRCUIT_BREAKER_OAUTH_RESET_MS"},
    {"resilience.providerBreaker.apikey.failureThreshold", "OMNIROUTE_CIRCUIT_BREAKER_API_KEY_THRESHOLD"},
    {"resilience.providerBreaker.apikey.degradationThreshold", "OMNIROUTE_PROVIDER_BREAKER_API_KEY_DEGRADATION_THRESHOLD"},
    {"resilience.providerBreaker.apikey.resetTimeoutMs", "OMNIROUTE_CIRCUIT_BREAKER_API_KEY_RESET_MS"},
    {"resilience.providerCooldown.enabled", "PROVIDER_COOLDOWN_ENABLED"},
    {"resilience.providerCooldown.minRetryCooldownMs", "PROVIDER_COOLDOWN_MIN_MS"},
    {"resilience.providerCooldown.maxRetryCooldownMs", "PROVIDER_COOLDOWN_MAX_MS"},
    {"resilience.probeCanDisable", "PROBE_CAN_DISABLE"},
}};

const Variable* variableOf(std::string_view field)
{
    const auto found = std::find_if(kVariables.begin(), kVariables.end(), [field](const Variable& one) { return one.field == field; });
    return found == kVariables.end() ? nullptr : &*found;
}

const SettingField* fieldNamed(std::string_view name)
{
    const auto& fields = settingFields();
    const auto found = std::find_if(fields.begin(), fields.end(), [name](const SettingField& field) { return field.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

Json::json_pointer pointerTo(std::string_view field)
{
    std::string path = "/" + std::string(field);
    std::replace(path.begin(), path.end(), '.', '/');
    return Json::json_pointer(path);
}

}  // namespace

SettingOrigin settingOrigin(std::string_view name, const Settings& now)
{
    const SettingField* field = fieldNamed(name);
    if (!field)
        return SettingOrigin::Default;
    if (environmentWins(name))
        return SettingOrigin::Environment;
    Settings current = now;
    Settings byDefault = defaultSettings();
    Settings builtIn;
    const Json standard = settingValue(*field, byDefault);
    if (settingValue(*field, current) != standard)
        return SettingOrigin::Stored;
    return standard == settingValue(*field, builtIn) ? SettingOrigin::Default : SettingOrigin::Environment;
}

std::string_view environmentVariable(std::string_view field)
{
    const Variable* variable = variableOf(field);
    return variable ? std::string_view(variable->name) : std::string_view();
}

bool environmentWins(std::string_view field)
{
    return field == "resilience.probeCanDisable" && probeFlagFromEnvironment().has_value();
}

nlohmann::json toStoredJson(const Settings& settings)
{
    Settings current = settings;
    Settings byDefault = defaultSettings();
    Json document = Json::object();
    for (const SettingField& field : settingFields()) {
        document[std::string(field.name.substr(0, field.name.find('.')))];
        Json value = settingValue(field, current);
        if (value != settingValue(field, byDefault))
            document[pointerTo(field.name)] = std::move(value);
    }
    // Alone it would be read as all kinds of notification (`inPresentTerms`).
    if (Json& appearance = document["appearance"]; appearance.is_object() && appearance.contains("notifyHolds")) {
        appearance["notifyBreakers"] = settings.appearance.notifyBreakers;
        appearance["notifyRecovery"] = settings.appearance.notifyRecovery;
    }
    return document;
}

}  // namespace omni
