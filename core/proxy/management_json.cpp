#include "proxy/management_json.h"

#include "base/text.h"

#include <QDateTime>
#include <QTimeZone>

#include <limits>

namespace omni {

ObjectReader::ObjectReader(const Json& object, std::vector<FieldError>& errors, std::string path)
    : m_object(object), m_errors(errors), m_path(std::move(path))
{
    if (!object.is_object())
        m_errors.push_back({m_path.empty() ? "body" : m_path, "Must be a JSON object."});
}

const Json* ObjectReader::find(std::string_view name)
{
    m_known.emplace(name);
    if (!m_object.is_object())
        return nullptr;
    const auto found = m_object.find(name);
    return found == m_object.end() ? nullptr : &*found;
}

bool ObjectReader::has(std::string_view name) const
{
    return m_object.is_object() && m_object.contains(name);
}

const Json* ObjectReader::value(std::string_view name)
{
    return find(name);
}

bool ObjectReader::text(std::string_view name, std::string& into)
{
    const Json* found = find(name);
    if (!found || found->is_null())
        return false;
    if (!found->is_string()) {
        fail(name, "Must be a text.");
        return false;
    }
    into = found->get_ref<const std::string&>();
    return true;
}

bool ObjectReader::flag(std::string_view name, bool& into)
{
    const Json* found = find(name);
    if (!found || found->is_null())
        return false;
    if (!found->is_boolean()) {
        fail(name, "Must be true or false.");
        return false;
    }
    into = found->get<bool>();
    return true;
}

bool ObjectReader::number(std::string_view name, int& into)
{
    const Json* found = find(name);
    if (!found || found->is_null())
        return false;
    const bool fits = found->is_number_unsigned()
                          ? found->get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<int>::max())
                          : found->is_number_integer() && found->get<std::int64_t>() >= std::numeric_limits<int>::min();
    if (!fits) {
        fail(name, "Must be a whole number.");
        return false;
    }
    into = found->get<int>();
    return true;
}

bool ObjectReader::texts(std::string_view name, std::vector<std::string>& into)
{
    const Json* found = find(name);
    if (!found || found->is_null())
        return false;
    std::vector<std::string> list;
    bool fine = found->is_array();
    for (std::size_t i = 0; fine && i < found->size(); ++i) {
        fine = (*found)[i].is_string();
        if (fine)
            list.push_back((*found)[i].get<std::string>());
    }
    if (!fine) {
        fail(name, "Must be a list of texts.");
        return false;
    }
    into = std::move(list);
    return true;
}

bool ObjectReader::clearable(std::string_view name, std::optional<int>& into)
{
    if (const Json* found = find(name); found && found->is_null()) {
        into.reset();
        return true;
    }
    int value = 0;
    if (!number(name, value))
        return false;
    into = value;
    return true;
}

bool ObjectReader::clearable(std::string_view name, std::optional<bool>& into)
{
    if (const Json* found = find(name); found && found->is_null()) {
        into.reset();
        return true;
    }
    bool value = false;
    if (!flag(name, value))
        return false;
    into = value;
    return true;
}

bool ObjectReader::clearable(std::string_view name, std::optional<WallTime>& into)
{
    const Json* found = find(name);
    if (!found)
        return false;
    if (found->is_null()) {
        into.reset();
        return true;
    }
    std::optional<WallTime> time;
    if (found->is_string())
        time = parseTime(found->get_ref<const std::string&>());
    else if (found->is_number_unsigned())
        time = parseTime(found->dump());
    if (!time) {
        fail(name, "Must be a time such as \"2026-12-31T23:59:59Z\", milliseconds since 1970, or null.");
        return false;
    }
    into = time;
    return true;
}

void ObjectReader::readOnly(std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names) {
        if (find(name))
            fail(name, "Is read only; leave it out.");
    }
}

void ObjectReader::fail(std::string_view name, std::string message)
{
    m_errors.push_back({pathOf(name), std::move(message)});
}

std::string ObjectReader::pathOf(std::string_view name) const
{
    return m_path.empty() ? std::string(name) : m_path + "." + std::string(name);
}

void ObjectReader::finish()
{
    if (!m_object.is_object())
        return;
    for (const auto& [name, value] : m_object.items()) {
        if (!m_known.contains(name))
            fail(std::string(clippedUtf8(name, 100)), "Unknown field.");
    }
}

QueryReader::QueryReader(std::string_view query, std::vector<FieldError>& errors) : m_errors(errors)
{
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view pair = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        if (pair.empty())
            continue;
        const std::size_t equals = std::min(pair.find('='), pair.size());
        m_values.emplace_back(percentDecoded(pair.substr(0, equals), true),
                              percentDecoded(pair.substr(std::min(equals + 1, pair.size())), true));
    }
}

bool QueryReader::has(std::string_view name) const
{
    for (const auto& [key, value] : m_values) {
        if (key == name)
            return true;
    }
    return false;
}

std::string QueryReader::text(std::string_view name)
{
    m_known.emplace(name);
    std::string found;
    for (const auto& [key, value] : m_values) {
        if (key == name)
            found = value;
    }
    return found;
}

std::int64_t QueryReader::number(std::string_view name, std::int64_t minimum, std::int64_t maximum, std::int64_t fallback)
{
    const std::string value = text(name);
    if (!has(name))
        return fallback;
    const std::optional<std::uint64_t> parsed = parseUnsigned(value);
    if (!parsed || *parsed > static_cast<std::uint64_t>(maximum) || static_cast<std::int64_t>(*parsed) < minimum) {
        fail(name, "Must be a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum) + ".");
        return fallback;
    }
    return static_cast<std::int64_t>(*parsed);
}

bool QueryReader::flag(std::string_view name)
{
    const std::string value = text(name);
    if (!has(name) || value == "false" || value == "0")
        return false;
    if (value != "true" && value != "1" && !value.empty())
        fail(name, "Must be true or false.");
    return true;
}

std::optional<WallTime> QueryReader::time(std::string_view name)
{
    const std::string value = text(name);
    if (!has(name))
        return std::nullopt;
    const std::optional<WallTime> parsed = parseTime(value);
    if (!parsed)
        fail(name, "Must be a time such as 2026-12-31T23:59:59Z, or milliseconds since 1970.");
    return parsed;
}

void QueryReader::fail(std::string_view name, std::string message)
{
    m_errors.push_back({std::string(name), std::move(message)});
}

void QueryReader::finish()
{
    for (const auto& [name, value] : m_values) {
        if (!m_known.contains(name))
            fail(clippedUtf8(name, 100), "Unknown parameter.");
    }
}

std::string percentDecoded(std::string_view text, bool plusIsBlank)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size()) {
            if (const std::optional<std::string> byte = fromHex(text.substr(i + 1, 2))) {
                out += *byte;
                i += 2;
                continue;
            }
        }
        out += plusIsBlank && text[i] == '+' ? ' ' : text[i];
    }
    return out;
}

std::optional<WallTime> parseTime(std::string_view text)
{
    // Up to the year 9999.
    constexpr std::uint64_t latest = 253'402'300'799'999;
    if (const std::optional<std::uint64_t> millis = parseUnsigned(text))
        return *millis <= latest ? std::optional(fromEpochMillis(static_cast<std::int64_t>(*millis))) : std::nullopt;
    QDateTime time = QDateTime::fromString(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())), Qt::ISODateWithMs);
    if (!time.isValid())
        return std::nullopt;
    if (time.timeSpec() == Qt::LocalTime)
        time.setTimeSpec(Qt::UTC);  // without a zone: UTC (spec 0-decisions)
    return fromEpochMillis(time.toMSecsSinceEpoch());
}

Json timeJson(const std::optional<WallTime>& time)
{
    return time ? Json(toIso8601(*time)) : Json();
}

Json timeJson(WallTime time)
{
    return time == WallTime{} ? Json() : Json(toIso8601(time));
}

Json textOrNull(std::string_view text)
{
    return text.empty() ? Json() : Json(std::string(text));
}

std::string withoutUserInfo(std::string_view url)
{
    const std::size_t scheme = url.find("://");
    if (scheme == std::string_view::npos)
        return std::string(url);
    const std::size_t start = scheme + 3;
    const std::string_view authority = url.substr(start, url.find_first_of("/?#", start) - start);
    const std::size_t at = authority.rfind('@');
    if (at == std::string_view::npos)
        return std::string(url);
    return std::string(url.substr(0, start)) + std::string(url.substr(start + at + 1));
}

std::string dumpJson(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace omni
