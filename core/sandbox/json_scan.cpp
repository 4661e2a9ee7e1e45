#include "sandbox/json_scan.h"

#include <nlohmann/json.hpp>

#include <cstring>

namespace omni::sandbox {

JsonScan::JsonScan(std::string_view text) : m_text(text)
{
    skipSpace();
    if (m_at < m_text.size() && (m_text[m_at] == '{' || m_text[m_at] == '['))
        m_open = m_text[m_at++];
}

void JsonScan::skipSpace()
{
    while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\n' || m_text[m_at] == '\r' || m_text[m_at] == '\t'))
        ++m_at;
}

bool JsonScan::skipString()
{
    if (m_at >= m_text.size() || m_text[m_at] != '"')
        return false;
    const std::size_t begin = m_at + 1;
    std::size_t from = begin;
    while (const void* found = std::memchr(m_text.data() + from, '"', m_text.size() - from)) {
        const auto quote = static_cast<std::size_t>(static_cast<const char*>(found) - m_text.data());
        std::size_t escapes = 0;
        while (quote - escapes > begin && m_text[quote - escapes - 1] == '\\')
            ++escapes;
        if (escapes % 2 == 0) {
            m_at = quote + 1;
            return true;
        }
        from = quote + 1;
    }
    return false;
}

bool JsonScan::skipValue(std::string_view& value)
{
    skipSpace();
    const std::size_t begin = m_at;
    std::string nesting;
    while (m_at < m_text.size()) {
        const char c = m_text[m_at];
        if (c == '"') {
            if (!skipString())
                return false;
            continue;
        }
        if (c == '{' || c == '[') {
            nesting.push_back(c == '{' ? '}' : ']');
        } else if (c == '}' || c == ']') {
            if (nesting.empty())
                break;
            if (nesting.back() != c)
                return false;
            nesting.pop_back();
        } else if (c == ',' && nesting.empty()) {
            break;
        }
        ++m_at;
    }
    value = m_text.substr(begin, m_at - begin);
    while (!value.empty() && (value.back() == ' ' || value.back() == '\n' || value.back() == '\r' || value.back() == '\t'))
        value.remove_suffix(1);
    return nesting.empty() && !value.empty();
}

bool JsonScan::advance()
{
    skipSpace();
    if (m_at >= m_text.size() || m_open == 0)
        return false;
    if (m_text[m_at] == (m_open == '{' ? '}' : ']')) {
        ++m_at;
        skipSpace();
        m_complete = m_at == m_text.size();
        m_open = 0;
        return false;
    }
    if (!m_first) {
        if (m_text[m_at] != ',')
            return false;
        ++m_at;
        skipSpace();
    }
    m_first = false;
    return true;
}

bool JsonScan::nextMember(std::string_view& key, std::string_view& value)
{
    if (!isObject() || !advance())
        return false;
    const std::size_t begin = m_at;
    if (!skipString())
        return false;
    key = m_text.substr(begin + 1, m_at - begin - 2);
    skipSpace();
    if (m_at >= m_text.size() || m_text[m_at] != ':')
        return false;
    ++m_at;
    return skipValue(value);
}

bool JsonScan::nextElement(std::string_view& value)
{
    return isArray() && advance() && skipValue(value);
}

std::string jsonString(std::string_view text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string jsonEscaped(std::string_view text)
{
    const std::string quoted = jsonString(text);
    return quoted.substr(1, quoted.size() - 2);
}

std::string jsonUnquoted(std::string_view value)
{
    const auto parsed = nlohmann::json::parse(value, nullptr, false);
    return parsed.is_string() ? parsed.get<std::string>() : std::string();
}

}  // namespace omni::sandbox
