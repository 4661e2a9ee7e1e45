#include "store/key_value_table.h"

#include "model/settings_origin.h"
#include "store/json_text.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace omni {

namespace {

constexpr std::string_view kSettings = "settings";

}  // namespace

KeyValueTable::KeyValueTable(Database& database)
    : m_put(database, R"(
        INSERT INTO key_value (namespace, key, value) VALUES (?, ?, ?)
        ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value)"),
      m_get(database, "SELECT value FROM key_value WHERE namespace = ? AND key = ?"),
      m_all(database, "SELECT key, value FROM key_value WHERE namespace = ?")
{
}

Status KeyValueTable::put(std::string_view nameSpace, std::string_view key, std::string_view json)
{
    return m_put.bind(nameSpace).bind(key).bind(json).run();
}

Result<std::string> KeyValueTable::get(std::string_view nameSpace, std::string_view key)
{
    if (const Status ran = m_get.bind(nameSpace).bind(key).run(); !ran)
        return ran.error();
    std::string value = m_get.next() ? m_get.text(0) : std::string();
    if (const Status ended = m_get.end(); !ended)
        return ended.error();
    return value;
}

Status KeyValueTable::putSettings(const Settings& settings)
{
    // What stands at its default is left to the default, so that the environment keeps its say in it.
    const nlohmann::json document = toStoredJson(settings);
    for (const auto& [section, content] : document.items()) {
        if (Status stored = put(kSettings, section, toText(content)); !stored)
            return stored;
    }
    return {};
}

Result<Settings> KeyValueTable::settings()
{
    if (const Status ran = m_all.bind(kSettings).run(); !ran)
        return ran.error();
    nlohmann::json document = nlohmann::json::object();
    while (m_all.next()) {
        nlohmann::json content = nlohmann::json::parse(m_all.text(1), nullptr, false);
        if (content.is_object() || content.is_array())
            document[m_all.text(0)] = std::move(content);
    }
    if (const Status ended = m_all.end(); !ended)
        return ended.error();
    return document.empty() ? defaultSettings() : settingsFromStored(document);
}

}  // namespace omni
