#include "proxy/head_scanner.h"

#include <cstring>

namespace omni {

namespace {

bool isTokenChar(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
           || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

}  // namespace

std::size_t HeadScanner::scan(std::string_view piece)
{
    std::size_t at = 0;
    while (at < piece.size()) {
        if (m_lineLength == 0 && !checkLineStart(piece[at]))
            return 0;
        const void* found = std::memchr(piece.data() + at, '\n', piece.size() - at);
        if (!found) {
            m_lineLength += piece.size() - at;
            m_lastByte = piece.back();
            break;
        }
        const std::size_t newline = static_cast<std::size_t>(static_cast<const char*>(found) - piece.data());
        const std::size_t length = m_lineLength + (newline - at);
        if (length == 0 || (newline > at ? piece[newline - 1] : m_lastByte) != '\r') {
            m_error = "Lines must end in CRLF, not in a bare LF.";
            return 0;
        }
        at = newline + 1;
        m_lineLength = 0;
        if (length == 1 && m_firstLine) {
            m_error = "The request begins with a blank line.";
            return 0;
        }
        if (length == 1) {
            m_size += at;
            return at;
        }
        m_firstLine = false;
    }
    m_size += piece.size();
    return 0;
}

bool HeadScanner::checkLineStart(char c)
{
    if (m_firstLine && c == '\x16')
        m_error = "This port speaks plain HTTP: use http://, not https://.";
    else if (m_firstLine && c != '\r' && c != '\n' && !isTokenChar(c))
        m_error = "The request does not begin with a method.";
    else if (!m_firstLine && (c == ' ' || c == '\t'))
        m_error = "Folded header lines are not allowed: one header is one line.";
    return m_error == nullptr;
}

}  // namespace omni
