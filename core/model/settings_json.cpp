#include "model/settings.h"

#include "model/enum_text.h"
#include "model/settings_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace omni {

namespace {

using Json = nlohmann::json;

constexpr EnumNames<Theme, Theme::Dark> kThemes("system", "light", "dark");
constexpr EnumNames<AutoDisableScope, AutoDisableScope::Subscription> kAutoDisableScopes("all", "subscription");

/// The member of `document` at "a.b.c"; nullptr when a step is missing.
const Json* find(const Json& document, std::string_view path)
{
    const Json* at = &document;
    while (!path.empty()) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        if (!at->is_object())
            return nullptr;
        const auto found = at->find(std::string(path.substr(0, dot)));
        if (found == at->end())
            return nullptr;
        at = &*found;
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    return at;
}

void put(Json& document, std::string_view path, Json value)
{
    Json* at = &document;
    while (!path.empty()) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        at = &(*at)[std::string(path.substr(0, dot))];
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    *at = std::move(value);
}

/// Every name that is a field, and every one that holds fields ("proxy", "resilience.providerBreaker").
struct FieldNames {
    std::map<std::string_view, const SettingField*> fields;
    std::set<std::string_view> groups;
};

const FieldNames& fieldNames()
{
    static const FieldNames names = [] {
        FieldNames made;
        for (const SettingField& field : settingFields()) {
            made.fields.emplace(field.name, &field);
            for (std::size_t dot = field.name.find('.'); dot != std::string_view::npos; dot = field.name.find('.', dot + 1))
                made.groups.insert(field.name.substr(0, dot));
        }
        return made;
    }();
    return names;
}

/// Walks a patch, setting what it names.
class Patcher {
public:
    Patcher(Settings& settings, std::vector<FieldError>& errors) : m_settings(settings), m_errors(errors) {}

    void walk(const Json& object, const std::string& at)
    {
        for (const auto& [key, value] : object.items()) {
            const std::string name = at.empty() ? key : at + "." + key;
            // A path in one key ("proxy.port") is no place of the document, though the look-ups would find it.
            const bool isStep = key.find('.') == std::string::npos;
            const auto field = isStep ? fieldNames().fields.find(name) : fieldNames().fields.end();
            if (field != fieldNames().fields.end()) {
                m_named.insert(name);
                setSetting(*field->second, value, m_settings, SettingMode::Strict, m_errors);
            } else if (!isStep || !fieldNames().groups.contains(name)) {
                m_errors.push_back({name, "is not a setting"});
            } else if (!value.is_object()) {
                m_errors.push_back({name, "must be an object"});
            } else {
                walk(value, name);
            }
        }
    }

    bool names(const std::string& field) const { return m_named.contains(field); }
    bool empty() const { return m_named.empty(); }

private:
    Settings& m_settings;
    std::vector<FieldError>& m_errors;
    std::set<std::string> m_named;
};

void checkBreaker(const Patcher& patcher, const std::string& profile, BreakerProfile& breaker, std::vector<FieldError>& errors)
{
    const std::string prefix = "resilience.providerBreaker." + profile + ".";
    const bool namesDegradation = patcher.names(prefix + "degradationThreshold");
    if (!namesDegradation && !patcher.names(prefix + "failureThreshold"))
        return;
    if (namesDegradation && breaker.failureThreshold > 1 && breaker.degradationThreshold >= breaker.failureThreshold) {
        errors.push_back({prefix + "degradationThreshold",
                          "must be lower than the failure threshold of " + std::to_string(breaker.failureThreshold)});
        return;
    }
    // A failure threshold lowered alone takes the other one down with it.
    breaker.degradationThreshold = clampedDegradation(breaker.degradationThreshold, breaker.failureThreshold);
}

/// The longest of a pair of lengths must not be shorter than its shortest.
void checkLongest(const Patcher& patcher, const std::string& shortestField, Millis shortest, const std::string& longestField,
                  Millis& longest, std::vector<FieldError>& errors)
{
    if (longest >= shortest)
        return;
    if (patcher.names(longestField))
        errors.push_back({longestField, "must be at least the " + std::to_string(shortest.count()) + " of " + shortestField});
    else if (patcher.names(shortestField))
        longest = shortest;
}

void checkAcross(const Patcher& patcher, Settings& changed, std::vector<FieldError>& errors)
{
    ResilienceSettings& resilience = changed.resilience;
    checkBreaker(patcher, "oauth", resilience.oauthBreaker, errors);
    checkBreaker(patcher, "apikey", resilience.apiKeyBreaker, errors);
    checkLongest(patcher, "modelLockout.baseCooldownMs", resilience.modelLockout.baseCooldown, "modelLockout.maxCooldownMs",
                 resilience.modelLockout.maxCooldown, errors);
    checkLongest(patcher, "resilience.providerCooldown.minRetryCooldownMs", resilience.providerCooldown.minRetryCooldown,
                 "resilience.providerCooldown.maxRetryCooldownMs", resilience.providerCooldown.maxRetryCooldown, errors);
    if (changed.proxy.exposeToNetwork && !changed.proxy.requireApiKey) {
        const bool exposing = patcher.names("proxy.exposeToNetwork");
        errors.push_back({exposing ? "proxy.exposeToNetwork" : "proxy.requireApiKey",
                          "the network may reach the proxy only while client keys are required"});
    }
}

}  // namespace

std::string_view toString(Theme theme)
{
    return kThemes.nameOf(theme);
}

std::optional<Theme> themeFromString(std::string_view text)
{
    return kThemes.valueOf(text);
}

std::string_view toString(AutoDisableScope scope)
{
    return kAutoDisableScopes.nameOf(scope);
}

std::optional<AutoDisableScope> autoDisableScopeFromString(std::string_view text)
{
    return kAutoDisableScopes.valueOf(text);
}

nlohmann::json toJson(const Settings& settings)
{
    Settings readable = settings;
    Json document = Json::object();
    for (const SettingField& field : settingFields())
        put(document, field.name, settingValue(field, readable));
    return document;
}

Result<Settings> patched(const Settings& current, const nlohmann::json& patch)
{
    if (!patch.is_object())
        return Error{ErrorKind::InvalidArgument, "The settings must be a JSON object"};
    Settings changed = current;
    std::vector<FieldError> errors;
    Patcher patcher(changed, errors);
    patcher.walk(patch, {});
    if (errors.empty() && patcher.empty())
        return Error{ErrorKind::InvalidArgument, "The settings name nothing to change"};
    if (errors.empty())
        checkAcross(patcher, changed, errors);
    if (!errors.empty())
        return Error{ErrorKind::InvalidArgument, "The settings cannot be used", std::move(errors)};
    return changed;
}

nlohmann::json inPresentTerms(nlohmann::json document)
{
    const auto appearance = document.is_object() ? document.find("appearance") : document.end();
    if (appearance == document.end() || !appearance->is_object())
        return document;
    // One switch stood for all notifications once: who had it off gets none of the kinds that came later.
    if (appearance->value("notifyHolds", Json(true)) == false) {
        for (const char* later : {"notifyBreakers", "notifyRecovery"})
            appearance->emplace(later, false);
    }
    return document;
}

Settings settingsFromStored(const nlohmann::json& document)
{
    const Json stored = inPresentTerms(document);
    Settings settings = defaultSettings();
    std::vector<FieldError> unreadable;
    for (const SettingField& field : settingFields()) {
        if (const Json* value = find(stored, field.name))
            setSetting(field, *value, settings, SettingMode::Lenient, unreadable);
    }
    ResilienceSettings& resilience = settings.resilience;
    for (BreakerProfile* breaker : {&resilience.oauthBreaker, &resilience.apiKeyBreaker})
        breaker->degradationThreshold = clampedDegradation(breaker->degradationThreshold, breaker->failureThreshold);
    resilience.modelLockout.maxCooldown = std::max(resilience.modelLockout.maxCooldown, resilience.modelLockout.baseCooldown);
    resilience.providerCooldown.maxRetryCooldown =
        std::max(resilience.providerCooldown.maxRetryCooldown, resilience.providerCooldown.minRetryCooldown);
    resilience.probeCanDisable = probeFlagFromEnvironment().value_or(resilience.probeCanDisable);
    if (!settings.proxy.requireApiKey)
        settings.proxy.exposeToNetwork = false;
    return settings;
}

}  // namespace omni
