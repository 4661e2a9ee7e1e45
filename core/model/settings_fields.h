#pragma once

#include "model/settings.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace omni {

/// How a setting is reached. One signature for reading and writing; readers work on a copy or hand in what they may change.
using SettingAccess = std::variant<int& (*)(Settings&), std::int64_t& (*)(Settings&), Millis& (*)(Settings&), bool& (*)(Settings&),
                                   std::optional<bool>& (*)(Settings&), std::string& (*)(Settings&),
                                   std::vector<std::string>& (*)(Settings&), Theme& (*)(Settings&)>;

/// One setting: what the writer, the strict parser, the lenient loader and the windows' ranges are all driven by.
struct SettingField {
    std::string_view name;  ///< "proxy.port": the path in the JSON
    SettingAccess access;
    std::int64_t minimum = 0;  ///< of numbers
    std::int64_t maximum = 0;
    /// For texts and each text of a list: brings it into its stored spelling, or says what is wrong ("" = fine).
    std::string (*checkText)(std::string& text) = nullptr;
};

const std::vector<SettingField>& settingFields();

/// spec 1-core §3.2: below the failure threshold, or 1 when that is 1.
int clampedDegradation(int degradation, int failureThreshold);

}  // namespace omni
