#include "model/settings_fields.h"
#include "model/settings_values.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace omni {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxListLength = 100;

template <typename... Handler>
struct Overloaded : Handler... {
    using Handler::operator()...;
};
template <typename... Handler>
Overloaded(Handler...) -> Overloaded<Handler...>;

class FieldSetter {
public:
    FieldSetter(const SettingField& field, const Json& value, bool strict, std::vector<FieldError>& errors)
        : m_field(field), m_value(value), m_strict(strict), m_errors(errors)
    {
    }

    void set(std::int64_t& target)
    {
        const std::optional<std::int64_t> number =
            m_strict ? wholeNumber(m_value) : lenientNumber(m_value, m_field.minimum, m_field.maximum);
        if (!number || *number < m_field.minimum || *number > m_field.maximum)
            return wrong(rangeText(m_field.minimum, m_field.maximum));
        target = *number;
    }

    void set(int& target)
    {
        std::int64_t number = target;
        set(number);
        target = static_cast<int>(number);
    }

    void set(Millis& target)
    {
        std::int64_t number = target.count();
        set(number);
        target = Millis(number);
    }

    void set(bool& target)
    {
        if (m_value.is_boolean()) {
            target = m_value.get<bool>();
        } else if (!m_strict && m_field.looseFlag && m_value.is_number()) {
            target = m_value.get<double>() != 0;
        } else if (!m_strict && m_field.looseFlag && (m_value == "true" || m_value == "1")) {
            target = true;
        } else if (!m_strict && m_field.looseFlag && (m_value == "false" || m_value == "0")) {
            target = false;
        } else {
            wrong("must be true or false");
        }
    }

    void set(std::optional<bool>& target)
    {
        if (m_value.is_null())
            target.reset();
        else if (m_value.is_boolean())
            target = m_value.get<bool>();
        else
            wrong("must be true, false or null for the provider's default");
    }

    void set(std::string& target)
    {
        if (!m_value.is_string())
            return wrong("must be a text");
        std::string text = m_value.get<std::string>();
        if (std::string problem = m_field.checkText ? m_field.checkText(text) : std::string(); !problem.empty())
            return wrong(std::move(problem));
        target = std::move(text);
    }

    void set(std::vector<std::string>& target)
    {
        if (!m_value.is_array())
            return wrong("must be a list of texts");
        std::vector<std::string> list;
        for (const Json& item : m_value) {
            if (!item.is_string()) {
                if (m_strict)
                    return wrong("must be a list of texts");
                continue;
            }
            std::string text = item.get<std::string>();
            if (std::string problem = m_field.checkText ? m_field.checkText(text) : std::string(); !problem.empty()) {
                if (m_strict)
                    return wrong("\"" + text + "\": " + problem);
                continue;
            }
            if (std::find(list.begin(), list.end(), text) == list.end())
                list.push_back(std::move(text));
        }
        if (list.size() > kMaxListLength) {
            if (m_strict)
                return wrong("may hold at most " + std::to_string(kMaxListLength) + " entries");
            list.resize(kMaxListLength);
        }
        target = std::move(list);
    }

    /// Numbers in ascending order, each once. None at all is no choice a list of this kind offers (spec 1-core §3.3).
    void set(std::vector<int>& target)
    {
        if (!m_value.is_array())
            return wrong("must be a list of whole numbers");
        std::vector<int> list;
        const std::size_t problems = m_errors.size();
        for (std::size_t i = 0; i < m_value.size(); ++i) {
            // One beyond the range is left out when loading, not moved to its bound: it would become another status.
            const std::optional<std::int64_t> number =
                m_strict ? wholeNumber(m_value[i]) : lenientNumber(m_value[i], m_field.minimum - 1, m_field.maximum + 1);
            if (number && *number >= m_field.minimum && *number <= m_field.maximum)
                list.push_back(static_cast<int>(*number));
            else if (m_strict)
                m_errors.push_back({std::string(m_field.name) + "[" + std::to_string(i) + "]",
                                    rangeText(m_field.minimum, m_field.maximum)});
        }
        if (m_errors.size() > problems)
            return;
        if (list.empty())
            return wrong("must name at least one number");
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        target = std::move(list);
    }

    void set(Theme& target)
    {
        if (const std::optional<Theme> theme = themeFromString(word()))
            target = *theme;
        else
            wrong("must be \"system\", \"light\" or \"dark\"");
    }

    void set(AutoDisableScope& target)
    {
        if (const std::optional<AutoDisableScope> scope = autoDisableScopeFromString(word()))
            target = *scope;
        else
            wrong("must be \"all\" or \"subscription\"");
    }

    void set(std::vector<ProviderErrorRule>& target)
    {
        if (!m_strict) {
            target = errorRulesFromStored(m_value);
            return;
        }
        const std::size_t problems = m_errors.size();
        std::vector<ProviderErrorRule> rules = patchedErrorRules(target, m_value, std::string(m_field.name), m_errors);
        if (m_errors.size() == problems)
            target = std::move(rules);
    }

private:
    void wrong(std::string message) { m_errors.push_back({std::string(m_field.name), std::move(message)}); }
    std::string_view word() const
    {
        return m_value.is_string() ? std::string_view(m_value.get_ref<const std::string&>()) : std::string_view();
    }

    const SettingField& m_field;
    const Json& m_value;
    bool m_strict;
    std::vector<FieldError>& m_errors;
};

}  // namespace

nlohmann::json settingValue(const SettingField& field, Settings& settings)
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
                          [&](std::vector<int>& (*of)(Settings&)) { return Json(of(settings)); },
                          [&](AutoDisableScope& (*of)(Settings&)) { return Json(toString(of(settings))); },
                          [&](std::vector<ProviderErrorRule>& (*of)(Settings&)) { return errorRulesToJson(of(settings)); },
                      },
                      field.access);
}

void setSetting(const SettingField& field, const nlohmann::json& value, Settings& settings, SettingMode mode,
                std::vector<FieldError>& errors)
{
    FieldSetter setter(field, value, mode == SettingMode::Strict, errors);
    std::visit([&](auto of) { setter.set(of(settings)); }, field.access);
}

}  // namespace omni
