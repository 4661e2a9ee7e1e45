#pragma once

#include <string>
#include <string_view>

namespace omni::sandbox {

/// Walks the members of one JSON object, or the elements of one array, without building anything, so that a prompt of many megabytes
/// costs a millisecond. Checks strings and nesting only; keys and values come as they are written, escapes included.
class JsonScan {
public:
    explicit JsonScan(std::string_view text);

    bool isObject() const { return m_open == '{'; }
    bool isArray() const { return m_open == '['; }
    /// The next member of the object; false at its end or at a fault.
    bool nextMember(std::string_view& key, std::string_view& value);
    /// The next element of the array; false at its end or at a fault.
    bool nextElement(std::string_view& value);
    /// The whole text was one well-nested object or array. Only meaningful after the last member.
    bool complete() const { return m_complete; }

private:
    void skipSpace();
    bool skipString();
    bool skipValue(std::string_view& value);
    /// Steps over the comma before a member; false when there is none to come.
    bool advance();

    std::string_view m_text;
    std::size_t m_at = 0;
    char m_open = 0;
    bool m_first = true;
    bool m_complete = false;
};

/// The string written as a JSON value, quotes included. Invalid UTF-8 becomes U+FFFD.
std::string jsonString(std::string_view text);
/// The same without the quotes, to be put together in pieces.
std::string jsonEscaped(std::string_view text);
/// The text of a JSON string value as it stands in a document; empty when it is no string.
std::string jsonUnquoted(std::string_view value);

}  // namespace omni::sandbox
