#include "model/settings.h"

#include "model/enum_text.h"
#include "model/settings_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace omni {

namespace {

using Json = nlohmann::json;

constexpr EnumNames<Theme, Theme::Dark> kThemes("system", "light", "dark");
constexpr std::size_t kMaxListLength = 100;

template <typename... Handler>
struct Overloaded : Handler... {
    using Handler::operator()...;
};
template <typename... Handler>
Overloaded(Handler...) -> Overloaded<Handler...>;

Json valueOf(const SettingField& field, Settings& settings)
{
    return std::visit(Overloaded{
                          [&](int& (*of)(Settings&)) { return Json(of(settings)); },
                          [&](std::int64_t& (*of)(Settings&)) { return Json(of(settings)); },
                          [&](Millis& (*of)(Settings&)) { return Json(of(settings).count()); },
                          [&](bool& (*of)(Settings&)) { return Json(of(settings)); },
                          [&](std::optional<bool>& (*of)(Settings&)) { return of(settings) ? Json(*of(settings)) : Json(nullptr); },
                          [&](std::string& (*of)(Settings&)) { return Json(of(settings)); },
                          [&](std::vector<std::string>& (*of)(Settings&)) { return Json(of(settings)); },
                          [&](Theme& (*of)(Settings&)) { return Json(toString(of(settings))); },
                      },
                      field.access);
}

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

std::string rangeText(const SettingField& field)
{
    return "must be a whole number from " + std::to_string(field.minimum) + " to " + std::to_string(field.maximum);
}

/// A whole number within 64 bits; 30000.0 counts as one, since JSON knows one kind of number only.
std::optional<std::int64_t> wholeNumber(const Json& value)
{
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(INT64_MAX))
            return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (value.is_number_float()) {
        const double number = value.get<double>();
        if (std::isfinite(number) && std::trunc(number) == number && std::abs(number) < 9e15)
            return static_cast<std::int64_t>(number);
    }
    return std::nullopt;
}

/// As loading reads one (spec 1-core §3.1): also from text, fractions cut, then clamped.
std::optional<std::int64_t> lenientNumber(const Json& value, const SettingField& field)
{
    double number = 0;
    if (value.is_number()) {
        number = value.get<double>();
    } else if (value.is_string()) {
        const std::string& text = value.get_ref<const std::string&>();
        const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
        const std::size_t end = text.find_last_not_of(" \t") + 1;
        const char* first = text.data() + begin;
        const char* last = text.data() + std::max(begin, end);
        const auto [stop, error] = std::from_chars(first, last, number);
        if (error != std::errc() || stop != last)
            return std::nullopt;
    } else {
        return std::nullopt;
    }
    if (!std::isfinite(number))
        return std::nullopt;
    // Within the range a double holds every whole number exactly, and outside it only the side counts.
    if (number <= static_cast<double>(field.minimum))
        return field.minimum;
    if (number >= static_cast<double>(field.maximum))
        return field.maximum;
    return static_cast<std::int64_t>(std::trunc(number));
}

/// Sets one field from JSON. Strict returns what is wrong and sets nothing; lenient repairs what it can.
class FieldSetter {
public:
    FieldSetter(const SettingField& field, const Json& value, Settings& settings, bool strict)
        : m_field(field), m_value(value), m_settings(settings), m_strict(strict)
    {
    }

    std::string run()
    {
        return std::visit([this](auto of) { return set(of(m_settings)); }, m_field.access);
    }

private:
    std::string setNumber(std::int64_t& target) const
    {
        const std::optional<std::int64_t> number = m_strict ? wholeNumber(m_value) : lenientNumber(m_value, m_field);
        if (!number || *number < m_field.minimum || *number > m_field.maximum)
            return rangeText(m_field);
        target = *number;
        return {};
    }

    std::string set(std::int64_t& target) const { return setNumber(target); }

    std::string set(int& target) const
    {
        std::int64_t number = target;
        std::string problem = setNumber(number);
        target = static_cast<int>(number);
        return problem;
    }

    std::string set(Millis& target) const
    {
        std::int64_t number = target.count();
        std::string problem = setNumber(number);
        target = Millis(number);
        return problem;
    }

    std::string set(bool& target) const
    {
        if (!m_value.is_boolean())
            return "must be true or false";
        target = m_value.get<bool>();
        return {};
    }

    std::string set(std::optional<bool>& target) const
    {
        if (m_value.is_null())
            target.reset();
        else if (m_value.is_boolean())
            target = m_value.get<bool>();
        else
            return "must be true, false or null for the provider's default";
        return {};
    }

    std::string set(std::string& target) const
    {
        if (!m_value.is_string())
            return "must be a text";
        std::string text = m_value.get<std::string>();
        std::string problem = m_field.checkText ? m_field.checkText(text) : std::string();
        if (problem.empty())
            target = std::move(text);
        return problem;
    }

    std::string set(std::vector<std::string>& target) const
    {
        if (!m_value.is_array())
            return "must be a list of texts";
        std::vector<std::string> list;
        for (const Json& item : m_value) {
            if (!item.is_string()) {
                if (m_strict)
                    return "must be a list of texts";
                continue;
            }
            std::string text = item.get<std::string>();
            if (std::string problem = m_field.checkText ? m_field.checkText(text) : std::string(); !problem.empty()) {
                if (m_strict)
                    return "\"" + text + "\": " + problem;
                continue;
            }
            if (std::find(list.begin(), list.end(), text) == list.end())
                list.push_back(std::move(text));
        }
        if (list.size() > kMaxListLength) {
            if (m_strict)
                return "may hold at most " + std::to_string(kMaxListLength) + " entries";
            list.resize(kMaxListLength);
        }
        target = std::move(list);
        return {};
    }

    std::string set(Theme& target) const
    {
        const std::optional<Theme> theme = m_value.is_string() ? themeFromString(m_value.get_ref<const std::string&>()) : std::nullopt;
        if (!theme)
            return "must be \"system\", \"light\" or \"dark\"";
        target = *theme;
        return {};
    }

    const SettingField& m_field;
    const Json& m_value;
    Settings& m_settings;
    bool m_strict;
};

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
                if (std::string problem = FieldSetter(*field->second, value, m_settings, true).run(); !problem.empty())
                    m_errors.push_back({name, std::move(problem)});
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

}  // namespace

std::string_view toString(Theme theme)
{
    return kThemes.nameOf(theme);
}

std::optional<Theme> themeFromString(std::string_view text)
{
    return kThemes.valueOf(text);
}

nlohmann::json toJson(const Settings& settings)
{
    Settings readable = settings;
    Json document = Json::object();
    for (const SettingField& field : settingFields())
        put(document, field.name, valueOf(field, readable));
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
    if (errors.empty()) {
        checkBreaker(patcher, "oauth", changed.resilience.oauthBreaker, errors);
        checkBreaker(patcher, "apikey", changed.resilience.apiKeyBreaker, errors);
        if (changed.proxy.exposeToNetwork && !changed.proxy.requireApiKey) {
            const bool exposing = patcher.names("proxy.exposeToNetwork");
            errors.push_back({exposing ? "proxy.exposeToNetwork" : "proxy.requireApiKey",
                              "the network may reach the proxy only while client keys are required"});
        }
    }
    if (!errors.empty())
        return Error{ErrorKind::InvalidArgument, "The settings cannot be used", std::move(errors)};
    return changed;
}

Settings settingsFromStored(const nlohmann::json& stored)
{
    Settings settings = defaultSettings();
    for (const SettingField& field : settingFields()) {
        // What cannot be read is refused by the setter, which then leaves the default as it is.
        if (const Json* value = find(stored, field.name))
            FieldSetter(field, *value, settings, false).run();
    }
    for (BreakerProfile* breaker : {&settings.resilience.oauthBreaker, &settings.resilience.apiKeyBreaker})
        breaker->degradationThreshold = clampedDegradation(breaker->degradationThreshold, breaker->failureThreshold);
    if (!settings.proxy.requireApiKey)
        settings.proxy.exposeToNetwork = false;
    return settings;
}

}  // namespace omni
