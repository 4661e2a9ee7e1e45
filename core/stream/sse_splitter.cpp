#include "stream/sse_splitter.h"

namespace omni {

std::size_t SseSplitter::findFrameEnd(std::string_view piece)
{
    std::size_t at = 0;
    // The LF of a CRLF whose CR ended the frame before: it belongs to no frame of its own.
    if (m_blankCr) {
        m_blankCr = false;
        if (piece.front() == '\n' && m_partial.empty()) {
            // Kept with what follows; a stray line end between frames is harmless to every reader.
            at = 1;
        }
    }
    while (at < piece.size()) {
        if (m_afterCr) {
            m_afterCr = false;
            if (piece[at] == '\n') {
                ++at;
                continue;
            }
        }
        const char c = piece[at];
        if (c == '\n' || c == '\r') {
            const bool blank = m_atLineStart;
            m_atLineStart = true;
            ++at;
            if (blank && m_lineSeen) {
                if (c == '\r') {
                    if (at < piece.size() && piece[at] == '\n')
                        ++at;
                    else if (at == piece.size())
                        m_blankCr = true;
                }
                m_lineSeen = false;
                return at;
            }
            m_afterCr = c == '\r';
            continue;
        }
        m_atLineStart = false;
        m_lineSeen = true;
        // The next line end; CR only matters before it, and most streams have none.
        std::size_t lf = piece.find('\n', at);
        const std::size_t limit = lf == npos ? piece.size() : lf;
        const std::size_t cr = piece.substr(at, limit - at).find('\r');
        at = cr == npos ? limit : at + cr;
    }
    return npos;
}

SseEvent parseSseFrame(std::string_view frame, std::string& scratch)
{
    SseEvent event;
    scratch.clear();
    int dataLines = 0;
    while (!frame.empty()) {
        const std::size_t end = frame.find_first_of("\r\n");
        std::string_view line = frame.substr(0, end);
        frame.remove_prefix(end == std::string_view::npos ? frame.size() : end + 1);
        if (line.empty() || line.front() == ':')
            continue;
        const std::size_t colon = line.find(':');
        const std::string_view field = line.substr(0, colon);
        std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
        if (value.starts_with(' '))
            value.remove_prefix(1);
        if (field == "data") {
            event.hasData = true;
            if (dataLines == 0) {
                event.data = value;
            } else {
                if (dataLines == 1)
                    scratch.assign(event.data);
                scratch.append(1, '\n').append(value);
                event.data = scratch;
            }
            ++dataLines;
        } else if (field == "event") {
            event.name = value;
        }
    }
    return event;
}

}  // namespace omni
