#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace omni {

/// Cuts a server-sent event stream into whole frames: everything up to and with the blank line that ends an event. Lines may end in LF,
/// CRLF or CR, mixed as the upstream likes. Works on bytes, so a character split between two pieces is never seen.
///
/// A frame that lies wholly inside a piece is handed on without a copy.
class SseSplitter {
public:
    /// Calls `frame(std::string_view bytes)` for each frame completed by `piece`. Stops early, keeping the rest, when it returns false.
    template <typename OnFrame>
    void feed(std::string_view piece, OnFrame&& frame)
    {
        while (!piece.empty()) {
            const std::size_t end = findFrameEnd(piece);
            if (end == npos) {
                m_partial.append(piece);
                return;
            }
            bool go = true;
            if (m_partial.empty()) {
                go = frame(piece.substr(0, end));
            } else {
                m_partial.append(piece.substr(0, end));
                go = frame(std::string_view(m_partial));
                m_partial.clear();
            }
            piece.remove_prefix(end);
            if (!go) {
                m_partial.append(piece);
                return;
            }
        }
    }

    /// What has come of a frame that is not complete yet.
    std::string_view partial() const { return m_partial; }
    /// Hands out what has come of a frame that has grown too long to wait for; the frame goes on with the next piece.
    std::string releasePartial() { return std::exchange(m_partial, {}); }

private:
    static constexpr std::size_t npos = std::string_view::npos;

    /// Index just after the blank line, counting what earlier pieces ended with; npos when there is none yet.
    std::size_t findFrameEnd(std::string_view piece);

    std::string m_partial;
    bool m_atLineStart = true;  ///< the byte before the next one ended a line (or a frame)
    bool m_afterCr = false;     ///< the byte before was CR, so an LF now belongs to it
    bool m_blankCr = false;     ///< a blank line ended in CR: an LF next is part of it
    bool m_lineSeen = false;    ///< the frame has at least one line
};

/// The two fields of a frame that matter. Data lines are joined by LF, as the standard says.
struct SseEvent {
    std::string_view name;
    std::string_view data;
    bool hasData = false;
};

/// Reads a whole frame. `scratch` backs `data` when an event has several data lines; both views end with the next call or the frame.
SseEvent parseSseFrame(std::string_view frame, std::string& scratch);

}  // namespace omni
