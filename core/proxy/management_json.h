#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omni {

using Json = nlohmann::json;

/// Reads one JSON object strictly: every field has a type, and one that nobody asked for is an error. Nothing throws; what is wrong is
/// collected in `errors`, each with the whole name of its field ("models[1].model").
class ObjectReader {
public:
    /// `object` must outlive the reader. Anything but an object is an error of the field `path` ("body" when empty).
    ObjectReader(const Json& object, std::vector<FieldError>& errors, std::string path = {});

    /// The field is there, null included.
    bool has(std::string_view name) const;
    /// Each takes a field that is there and leaves `into` alone otherwise; true when it was taken. null counts as absent, but for the two
    /// kinds that can be cleared by it.
    bool text(std::string_view name, std::string& into);
    bool flag(std::string_view name, bool& into);
    bool number(std::string_view name, int& into);
    bool texts(std::string_view name, std::vector<std::string>& into);
    bool clearable(std::string_view name, std::optional<int>& into);
    bool clearable(std::string_view name, std::optional<bool>& into);
    /// ISO 8601 with a zone, or milliseconds since 1970; null clears.
    bool clearable(std::string_view name, std::optional<WallTime>& into);
    /// The value whatever it is; nullptr when absent.
    const Json* value(std::string_view name);
    /// Known, but not to be written: an error when present.
    void readOnly(std::initializer_list<std::string_view> names);
    void fail(std::string_view name, std::string message);
    std::string pathOf(std::string_view name) const;
    /// Names what nobody asked for.
    void finish();

private:
    const Json* find(std::string_view name);

    const Json& m_object;
    std::vector<FieldError>& m_errors;
    std::string m_path;
    std::set<std::string, std::less<>> m_known;
};

/// "a=1&b=%20" decoded; the last of several counts.
class QueryReader {
public:
    QueryReader(std::string_view query, std::vector<FieldError>& errors);

    std::string text(std::string_view name);
    bool has(std::string_view name) const;
    /// Decimal within the range, else an error; `fallback` when absent.
    std::int64_t number(std::string_view name, std::int64_t minimum, std::int64_t maximum, std::int64_t fallback);
    bool flag(std::string_view name);
    std::optional<WallTime> time(std::string_view name);
    void fail(std::string_view name, std::string message);
    void finish();

private:
    std::vector<std::pair<std::string, std::string>> m_values;
    std::vector<FieldError>& m_errors;
    std::set<std::string, std::less<>> m_known;
};

/// "%2F" and, in queries, "+".
std::string percentDecoded(std::string_view text, bool plusIsBlank = false);
/// ISO 8601 with "Z" or an offset, or milliseconds since 1970.
std::optional<WallTime> parseTime(std::string_view text);

/// ISO text, or null.
Json timeJson(const std::optional<WallTime>& time);
/// As above, null for a time that was never set.
Json timeJson(WallTime time);
/// null for an empty text.
Json textOrNull(std::string_view text);
/// An address without "user:password@".
std::string withoutUserInfo(std::string_view url);
/// Compact; bytes that are no UTF-8 become U+FFFD.
std::string dumpJson(const Json& json);

}  // namespace omni
