#pragma once

#include "model/hold.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni {

// JSON documents inside columns. Reading takes what it can and never fails: a field that is missing or of another type is
// as good as absent.

/// One line; bytes that are not UTF-8 become U+FFFD.
std::string toText(const nlohmann::json& json);
/// An object, empty when `text` is not one.
nlohmann::json objectFrom(std::string_view text);

std::string stringAt(const nlohmann::json& object, const char* key);
std::int64_t numberAt(const nlohmann::json& object, const char* key, std::int64_t fallback = 0);
bool flagAt(const nlohmann::json& object, const char* key);

std::string listToText(const std::vector<std::string>& list);
std::vector<std::string> listFrom(std::string_view text);

/// Pairs in their order, as [["name","value"],…].
std::string pairsToText(const std::vector<std::pair<std::string, std::string>>& pairs);
std::vector<std::pair<std::string, std::string>> pairsFrom(const nlohmann::json& array);
std::vector<std::pair<std::string, std::string>> pairsFromText(std::string_view text);

nlohmann::json evidenceToJson(const Evidence& evidence);
std::optional<Evidence> evidenceFrom(const nlohmann::json& object);

/// The value of a dense enum whose `toString` is `text`; `fallback` when there is none.
template <typename Enum>
Enum enumFrom(std::string_view text, Enum last, Enum fallback)
{
    for (int at = 0; at <= static_cast<int>(last); ++at) {
        if (toString(static_cast<Enum>(at)) == text)
            return static_cast<Enum>(at);
    }
    return fallback;
}

}  // namespace omni
