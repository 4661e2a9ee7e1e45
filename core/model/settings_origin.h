#pragma once

#include "model/settings.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string_view>

namespace omni {

/// Where the value of a setting comes from. Later ones win, but for `environmentWins`.
enum class SettingOrigin : std::uint8_t {
    Default,      ///< the program's own
    Environment,  ///< a variable of the environment stands for the default (spec 1-core §1.1)
    Stored        ///< set by someone, and kept
};

/// Only what differs from the defaults is stored, so a stored value is one that differs: the environment goes on having a say in
/// everything else (spec 1-core §1.1: it supplies defaults only). Default for an unknown field.
SettingOrigin settingOrigin(std::string_view field, const Settings& now);

/// The variable that can stand for the field's default, such as "PROVIDER_COOLDOWN_ENABLED"; empty = none.
std::string_view environmentVariable(std::string_view field);

/// The variable is set and beats what is stored (spec 1-core §1.12: PROBE_CAN_DISABLE); a change would last until the next start only.
bool environmentWins(std::string_view field);

/// The document of `toJson` with only the fields that differ from `defaultSettings()`: what is stored. A section without any is null.
/// With notifyHolds the other kinds of notification are stored too, since alone it once stood for all.
nlohmann::json toStoredJson(const Settings& settings);

}  // namespace omni
