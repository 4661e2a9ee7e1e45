#include "ui/settings/setting_value.h"

#include "ui/models/display_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace omni {

namespace {

using Json = nlohmann::json;

/// "proxy.port" as the JSON pointer "/proxy/port".
Json::json_pointer pointerTo(std::string_view field)
{
    std::string path = "/" + std::string(field);
    std::replace(path.begin(), path.end(), '.', '/');
    return Json::json_pointer(path);
}

Json toJsonValue(const SettingValue& value)
{
    struct Visitor {
        Json operator()(std::monostate) const { return nullptr; }
        Json operator()(bool on) const { return on; }
        Json operator()(std::int64_t number) const { return number; }
        Json operator()(const QString& text) const { return text.toStdString(); }
        Json operator()(const QStringList& list) const
        {
            Json array = Json::array();
            for (const QString& item : list)
                array.push_back(item.toStdString());
            return array;
        }
        Json operator()(const std::vector<std::int64_t>& list) const { return list; }
    };
    return std::visit(Visitor{}, value);
}

}  // namespace

SettingsDocument::SettingsDocument(const Settings& settings) : m_document(std::make_unique<Json>(toJson(settings))) {}

SettingsDocument::~SettingsDocument() = default;
SettingsDocument::SettingsDocument(SettingsDocument&&) noexcept = default;
SettingsDocument& SettingsDocument::operator=(SettingsDocument&&) noexcept = default;

SettingValue SettingsDocument::value(std::string_view field) const
{
    const Json::json_pointer pointer = pointerTo(field);
    if (!m_document->contains(pointer))
        return {};
    const Json& found = (*m_document)[pointer];
    if (found.is_boolean())
        return found.get<bool>();
    if (found.is_number_integer())
        return found.get<std::int64_t>();
    if (found.is_string())
        return toQString(found.get_ref<const std::string&>());
    if (!found.is_array())
        return {};
    if (!found.empty() && std::all_of(found.begin(), found.end(), [](const Json& item) { return item.is_number_integer(); }))
        return found.get<std::vector<std::int64_t>>();
    QStringList list;
    for (const Json& item : found) {
        if (item.is_string())
            list << toQString(item.get_ref<const std::string&>());
    }
    return list;
}

std::string settingPatch(std::string_view field, const SettingValue& value)
{
    Json patch = Json::object();
    patch[pointerTo(field)] = toJsonValue(value);
    return patch.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string sectionPatch(std::string_view section, const Settings& settings)
{
    const std::string name(section);
    return Json{{name, toJson(settings)[name]}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const SettingRange* settingRange(std::string_view field)
{
    const auto& ranges = settingRanges();
    const auto found = std::find_if(ranges.begin(), ranges.end(), [field](const SettingRange& range) { return range.field == field; });
    return found == ranges.end() ? nullptr : &*found;
}

}  // namespace omni
