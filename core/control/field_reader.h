#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace omni {

/// Reads the fields of one object and notes what does not fit, with its path.
class FieldReader {
public:
    static constexpr std::size_t kMostErrors = 50;
    static constexpr std::size_t kLongestText = 8'192;

    FieldReader(const nlohmann::json& object, std::string path, std::vector<FieldError>& errors)
        : m_object(object), m_path(std::move(path)), m_errors(errors)
    {
        if (!m_object.is_object())
            note("", "Must be an object.");
    }

    const nlohmann::json* find(const char* name) const
    {
        if (!m_object.is_object())
            return nullptr;
        const auto found = m_object.find(name);
        return found == m_object.end() || found->is_null() ? nullptr : &*found;
    }
    std::string text(const char* name, bool required = false)
    {
        const nlohmann::json* value = find(name);
        if (!value) {
            if (required && m_object.is_object())
                note(name, "Is missing.");
            return {};
        }
        const std::string* held = value->get_ptr<const std::string*>();
        if (!held || held->size() > kLongestText || (required && held->empty())) {
            note(name, required ? "Must be a text that is not empty." : "Must be a text.");
            return {};
        }
        return *held;
    }
    bool flag(const char* name, bool fallback)
    {
        const nlohmann::json* value = find(name);
        if (!value)
            return fallback;
        if (!value->is_boolean())
            note(name, "Must be true or false.");
        return value->is_boolean() ? value->get<bool>() : fallback;
    }
    std::int64_t number(const char* name, std::int64_t fallback)
    {
        const nlohmann::json* value = find(name);
        if (!value)
            return fallback;
        if (!value->is_number_integer() || (value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX)) {
            note(name, "Must be a whole number.");
            return fallback;
        }
        return value->get<std::int64_t>();
    }
    int smallNumber(const char* name, int fallback)
    {
        const std::int64_t value = number(name, fallback);
        if (value < INT32_MIN || value > INT32_MAX)
            note(name, "Is out of range.");
        return static_cast<int>(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX));
    }
    double real(const char* name, double fallback)
    {
        const nlohmann::json* value = find(name);
        if (value && !value->is_number())
            note(name, "Must be a number.");
        return value && value->is_number() ? value->get<double>() : fallback;
    }
    WallTime time(const char* name) { return fromEpochMillis(number(name, 0)); }
    std::optional<WallTime> optionalTime(const char* name) { return find(name) ? std::optional(time(name)) : std::nullopt; }
    std::vector<std::string> texts(const char* name)
    {
        std::vector<std::string> out;
        const nlohmann::json* value = find(name);
        if (!value)
            return out;
        const bool fits =
            value->is_array() && std::all_of(value->begin(), value->end(), [](const nlohmann::json& one) { return one.is_string(); });
        if (!fits)
            note(name, "Must be a list of texts.");
        else
            out = value->get<std::vector<std::string>>();
        return out;
    }
    /// Calls `read` for each element with a reader of its own.
    template <typename Read>
    void each(const char* name, Read read)
    {
        const nlohmann::json* value = find(name);
        if (!value)
            return;
        if (!value->is_array()) {
            note(name, "Must be a list.");
            return;
        }
        for (std::size_t i = 0; i < value->size() && m_errors.size() < kMostErrors; ++i) {
            FieldReader reader((*value)[i], pathOf(name) + "[" + std::to_string(i) + "]", m_errors);
            read(reader);
        }
    }

private:
    std::string pathOf(const std::string& name) const { return m_path.empty() || name.empty() ? m_path + name : m_path + "." + name; }
    void note(const std::string& name, std::string message) { m_errors.push_back({pathOf(name), std::move(message)}); }

    const nlohmann::json& m_object;
    std::string m_path;
    std::vector<FieldError>& m_errors;
};

}  // namespace omni
