#pragma once

#include <cstddef>
#include <string_view>

namespace omni {

/// Finds the end of a request's head in bytes as they come, and refuses on the way what no grammar sees once the lines are apart: bare line
/// feeds, folded lines, a blank line in front, another protocol. Each byte is looked at once, however the head is cut.
class HeadScanner {
public:
    /// The offset behind the blank line, 0 when it is not in `piece` or when something is wrong.
    std::size_t scan(std::string_view piece);
    /// Bytes of the head so far.
    std::size_t size() const { return m_size; }
    /// What is wrong and what is allowed; nullptr while all is well.
    const char* error() const { return m_error; }

private:
    bool checkLineStart(char c);

    std::size_t m_size = 0;
    std::size_t m_lineLength = 0;  ///< of the line that has begun, in earlier pieces
    const char* m_error = nullptr;
    char m_lastByte = 0;
    bool m_firstLine = true;
};

}  // namespace omni
