#include "stream/large_request_scan.h"

#include "stream/request_scan_errors.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>

namespace omni {

namespace {

constexpr std::size_t kMaxDepth = 1024;  // as simdjson

bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

bool isScalar(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.' || c == 'E';
}

/// A JSON string literal, quotes included, unescaped; nothing when an escape is wrong.
std::optional<std::string> unquoted(std::string_view literal)
{
    const simdjson::padded_string padded(literal);
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document;
    std::string_view text;
    if (parser.iterate(padded).get(document) || document.get_string().get(text))
        return std::nullopt;
    return std::string(text);
}

}  // namespace

std::optional<Result<RequestScan>> LargeRequestScan::advance(std::size_t bytes)
{
    m_limit = std::min(m_body.size(), m_at + bytes);
    while (m_at < m_limit) {
        if (!step())
            return Result<RequestScan>(*m_error);
    }
    if (m_at < m_body.size())
        return std::nullopt;
    if (m_state != State::AfterEnd) {
        fail("it is cut off.");
        return Result<RequestScan>(*m_error);
    }
    return Result<RequestScan>(std::move(m_scan));
}

bool LargeRequestScan::step()
{
    if (m_state == State::KeyText || m_state == State::ValueText || m_state == State::NestedText) {
        if (!text())
            return true;  // goes on in the next slice
        switch (m_state) {
        case State::KeyText: return endKey();
        case State::ValueText: return endValue();
        default: m_state = State::Nested; return true;
        }
    }
    if (m_state == State::Nested) {
        nested();
        return !m_error;
    }
    const char c = m_body[m_at];
    if (m_state == State::Scalar) {
        if (isScalar(c)) {
            ++m_at;
            return true;
        }
        return endValue();
    }
    if (isSpace(c)) {
        ++m_at;
        return true;
    }
    switch (m_state) {
    case State::Start:
        if (c != '{')
            return fail("it begins with something else than {.");
        m_state = State::KeyOrEnd;
        break;
    case State::KeyOrEnd:
    case State::Key:
        if (c == '}' && m_state == State::KeyOrEnd) {
            m_state = State::AfterEnd;
            break;
        }
        if (c != '"')
            return fail("a member's name was expected.");
        m_state = State::KeyText;
        m_begin = m_at;
        break;
    case State::Colon:
        if (c != ':')
            return fail("a colon was expected after a member's name.");
        m_state = State::Value;
        break;
    case State::Value:
        m_begin = m_at;
        if (c == '"') {
            m_state = State::ValueText;
        } else if (c == '{' || c == '[') {
            m_open.assign(1, c == '{' ? '}' : ']');
            m_state = State::Nested;
        } else if (isScalar(c)) {
            m_state = State::Scalar;
        } else {
            return fail("a value was expected.");
        }
        break;
    case State::CommaOrEnd:
        if (c != ',' && c != '}')
            return fail("a comma or } was expected after a member.");
        m_state = c == ',' ? State::Key : State::AfterEnd;
        break;
    case State::AfterEnd: return fail("something follows the object.");
    default: break;
    }
    ++m_at;
    return true;
}

/// From inside a text to behind its closing quote; false when the slice ends before.
bool LargeRequestScan::text()
{
    while (m_at < m_limit) {
        const void* found = std::memchr(m_body.data() + m_at, '"', m_limit - m_at);
        if (!found) {
            m_at = m_limit;
            return false;
        }
        const auto quote = static_cast<std::size_t>(static_cast<const char*>(found) - m_body.data());
        std::size_t slashes = 0;
        while (quote - slashes - 1 > m_begin && m_body[quote - slashes - 1] == '\\')
            ++slashes;
        m_at = quote + 1;
        if (slashes % 2 == 0)
            return true;
    }
    return false;
}

/// Inside a nested value, outside its texts: to the next text, or to its end.
void LargeRequestScan::nested()
{
    for (; m_at < m_limit; ++m_at) {
        switch (const char c = m_body[m_at]) {
        case '"':
            m_begin = m_at++;
            m_state = State::NestedText;
            return;
        case '{':
        case '[':
            if (m_open.size() >= kMaxDepth) {
                fail("it is nested deeper than " + std::to_string(kMaxDepth) + " levels.");
                return;
            }
            m_open += c == '{' ? '}' : ']';
            break;
        case '}':
        case ']':
            if (m_open.back() != c) {
                fail("its brackets do not match.");
                return;
            }
            m_open.pop_back();
            if (m_open.empty()) {
                ++m_at;
                endValue();
                return;
            }
            break;
        default: break;
        }
    }
}

bool LargeRequestScan::endKey()
{
    const std::string_view key = since(m_begin);
    m_member = key == "\"model\"" ? Member::Model : key == "\"stream\"" ? Member::Stream : Member::Other;
    m_state = State::Colon;
    return true;
}

bool LargeRequestScan::endValue()
{
    const State was = m_state;
    m_state = State::CommaOrEnd;
    const std::string_view value = since(m_begin);
    if (was == State::Scalar && m_member == Member::Other && value != "true" && value != "false" && value != "null"
        && value.front() != '-' && (value.front() < '0' || value.front() > '9'))
        return fail("\"" + std::string(value.substr(0, 20)) + "\" is no value.");
    if (m_member == Member::Model) {
        if (m_scan.modelLength != 0)
            m_error = givenTwice("model");
        else if (was != State::ValueText)
            m_error = notAString("model");
        else if (std::optional<std::string> name = unquoted(value))
            m_scan.model = *std::move(name);
        else
            return fail("the model's name is not written as JSON.");
        m_scan.modelAt = m_begin;
        m_scan.modelLength = value.size();
    } else if (m_member == Member::Stream) {
        if (m_streamSeen)
            m_error = givenTwice("stream");
        else if (was != State::Scalar || (value != "true" && value != "false" && value != "null"))
            m_error = notABoolean("stream");
        m_streamSeen = true;
        m_scan.stream = value == "true";
    }
    return !m_error;
}

bool LargeRequestScan::fail(std::string why)
{
    m_error = notAnObject(why);
    return false;
}

}  // namespace omni
