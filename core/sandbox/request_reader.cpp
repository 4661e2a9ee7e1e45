#include "sandbox/request_reader.h"

#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace omni::sandbox {

std::string_view Request::header(std::string_view name) const
{
    for (const auto& [key, value] : headers)
        if (equalsIgnoreCase(key, name))
            return value;
    return {};
}

std::string_view Request::path() const
{
    return std::string_view(target).substr(0, target.find('?'));
}

RequestReader::State RequestReader::step()
{
    State state = State::Incomplete;
    if (m_stage == Stage::Head) {
        state = readHead();
        if (state != State::Complete)
            return state;
    }
    state = m_chunked ? readChunks() : readBody();
    compact();
    return state;
}

RequestReader::State RequestReader::readHead()
{
    std::string_view data = pending();
    // Empty lines before a request are skipped, as RFC 9112 §2.2 asks.
    while (data.substr(0, 2) == "\r\n") {
        consume(2);
        data = pending();
    }
    const std::size_t end = data.find("\r\n\r\n");
    if (end == std::string_view::npos)
        return data.size() > kHeadLimit ? State::TooLarge : State::Incomplete;

    std::string_view lines = data.substr(0, end + 2);
    const std::string_view first = lines.substr(0, lines.find("\r\n"));
    const std::size_t space = first.find(' ');
    const std::size_t last = first.rfind(' ');
    if (space == std::string_view::npos || last == space || first.substr(last + 1, 7) != "HTTP/1.")
        return State::Bad;
    m_request.method = first.substr(0, space);
    m_request.target = first.substr(space + 1, last - space - 1);
    m_request.http10 = first.substr(last + 1) == "HTTP/1.0";
    m_request.keepAlive = !m_request.http10;
    lines.remove_prefix(first.size() + 2);
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find("\r\n"));
        lines.remove_prefix(line.size() + 2);
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || !applyHeader(line.substr(0, colon), trimmed(line.substr(colon + 1))))
            return State::Bad;
    }
    consume(end + 4);
    m_stage = m_chunked ? Stage::ChunkSize : Stage::Body;
    if (m_left > kBodyLimit)
        return State::TooLarge;
    return State::Complete;
}

bool RequestReader::applyHeader(std::string_view name, std::string_view value)
{
    if (equalsIgnoreCase(name, "content-length")) {
        const auto length = parseUnsigned(value);
        if (!length)
            return false;
        m_left = static_cast<std::size_t>(*length);
    } else if (equalsIgnoreCase(name, "transfer-encoding")) {
        if (!equalsIgnoreCase(value, "chunked"))
            return false;
        m_chunked = true;
    } else if (equalsIgnoreCase(name, "connection")) {
        if (equalsIgnoreCase(value, "close"))
            m_request.keepAlive = false;
        else if (equalsIgnoreCase(value, "keep-alive"))
            m_request.keepAlive = true;
    } else if (equalsIgnoreCase(name, "expect")) {
        m_continue = equalsIgnoreCase(value, "100-continue");
    }
    m_request.headers.emplace_back(name, value);
    return true;
}

RequestReader::State RequestReader::readBody()
{
    if (m_request.body.capacity() < m_left && m_request.body.empty())
        m_request.body.reserve(m_left);
    const std::string_view piece = pending().substr(0, m_left);
    m_request.body.append(piece);
    m_left -= piece.size();
    consume(piece.size());
    return m_left == 0 ? State::Complete : State::Incomplete;
}

bool RequestReader::takeLine(std::string_view& line)
{
    const std::string_view data = pending();
    const std::size_t end = data.find("\r\n");
    if (end == std::string_view::npos)
        return false;
    line = data.substr(0, end);
    consume(end + 2);
    return true;
}

RequestReader::State RequestReader::readChunks()
{
    while (true) {
        std::string_view line;
        if (m_stage == Stage::ChunkData) {
            const std::string_view piece = pending().substr(0, m_left);
            m_request.body.append(piece);
            m_left -= piece.size();
            consume(piece.size());
            if (m_left > 0 || pending().size() < 2)
                return State::Incomplete;
            if (pending().substr(0, 2) != "\r\n")
                return State::Bad;
            consume(2);
            m_stage = Stage::ChunkSize;
        }
        if (!takeLine(line))
            return pending().size() > kHeadLimit ? State::TooLarge : State::Incomplete;
        if (m_stage == Stage::Trailer) {
            if (line.empty())
                return State::Complete;
            continue;
        }
        const std::string_view digits = line.substr(0, line.find(';'));
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), m_left, 16);
        if (error != std::errc() || end == digits.data())
            return State::Bad;
        if (m_left > kBodyLimit - std::min(m_request.body.size(), kBodyLimit))
            return State::TooLarge;
        m_stage = m_left == 0 ? Stage::Trailer : Stage::ChunkData;
    }
}

void RequestReader::compact()
{
    m_in.erase(0, m_at);
    m_at = 0;
}

Request RequestReader::take()
{
    compact();
    m_stage = Stage::Head;
    m_left = 0;
    m_chunked = false;
    m_continue = false;
    return std::exchange(m_request, Request());
}

bool RequestReader::takeContinue()
{
    return m_stage != Stage::Head && std::exchange(m_continue, false);
}

void RequestReader::trim()
{
    constexpr std::size_t kKeep = 16 * 1024;
    if (m_in.empty() && m_in.capacity() > kKeep)
        m_in.shrink_to_fit();
}

}  // namespace omni::sandbox
