#pragma once

#include "model/settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace omni {

/// How a setting is reached. One signature for reading and writing; readers work on a copy or hand in what they may change.
using SettingAccess = std::variant<int& (*)(Settings&), std::int64_t& (*)(Settings&), Millis& (*)(Settings&), bool& (*)(Settings&),
                                   std::optional<bool>& (*)(Settings&), std::string& (*)(Settings&),
                                   std::vector<std::string>& (*)(Settings&), Theme& (*)(Settings&), std::vector<int>& (*)(Settings&),
                                   AutoDisableScope& (*)(Settings&), std::vector<ProviderErrorRule>& (*)(Settings&)>;

/// One setting: what the writer, the strict parser, the lenient loader and the windows' ranges are all driven by.
struct SettingField {
    std::string_view name;  ///< "proxy.port": the path in the JSON
    SettingAccess access;
    std::int64_t minimum = 0;  ///< of numbers, and of each number of a list
    std::int64_t maximum = 0;
    /// For texts and each text of a list: brings it into its stored spelling, or says what is wrong ("" = fine).
    std::string (*checkText)(std::string& text) = nullptr;
    bool looseFlag = false;  ///< loading also takes 1, "1" and "true" for true (spec 1-core §3.1)
};

const std::vector<SettingField>& settingFields();

/// The setting's place in the document.
nlohmann::json settingValue(const SettingField& field, Settings& settings);

/// Sets one field from JSON. Strict tells `errors` what is wrong and sets nothing then; lenient repairs what it can, and otherwise leaves
/// the field as it is.
enum class SettingMode : std::uint8_t { Strict, Lenient };
void setSetting(const SettingField& field, const nlohmann::json& value, Settings& settings, SettingMode mode,
                std::vector<FieldError>& errors);

/// spec 1-core §3.2: below the failure threshold, or 1 when that is 1.
int clampedDegradation(int degradation, int failureThreshold);

/// PROBE_CAN_DISABLE; unset unless it says yes or no (spec 1-core §1.12, §3.2).
std::optional<bool> probeFlagFromEnvironment();

}  // namespace omni
