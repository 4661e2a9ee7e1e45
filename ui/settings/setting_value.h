#pragma once

#include "model/settings.h"

#include <nlohmann/json_fwd.hpp>

#include <QString>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace omni {

/// What one field of the settings document holds; monostate for null.
using SettingValue = std::variant<std::monostate, bool, std::int64_t, QString, QStringList, std::vector<std::int64_t>>;

/// The settings as named fields ("proxy.port"), so that a page can be a table of them.
class SettingsDocument {
public:
    explicit SettingsDocument(const Settings& settings);
    ~SettingsDocument();
    SettingsDocument(SettingsDocument&&) noexcept;
    SettingsDocument& operator=(SettingsDocument&&) noexcept;

    /// monostate for an unknown field.
    SettingValue value(std::string_view field) const;

private:
    std::unique_ptr<nlohmann::json> m_document;
};

/// JSON text that sets this one field, for Control::patchSettings.
std::string settingPatch(std::string_view field, const SettingValue& value);

/// JSON text that sets every field of one section of the document.
std::string sectionPatch(std::string_view section, const Settings& settings);

/// nullptr for a field without a range.
const SettingRange* settingRange(std::string_view field);

}  // namespace omni
