#pragma once

#include <string>
#include <string_view>

namespace omni {

/// Lines of comma-separated values (RFC 4180): fields with commas, quotes or line breaks are quoted, lines end in CRLF.
class CsvLine {
public:
    /// A text from anywhere. One that a spreadsheet would run as a formula (it begins with = + - @, a tab or a line break) gets an
    /// apostrophe in front, which spreadsheets take as "this is text".
    CsvLine& text(std::string_view value);
    /// A number of ours, as it is: digits, sign and point.
    CsvLine& number(std::string_view digits);
    CsvLine& empty();

    /// The line with its end; the next one may begin.
    std::string take();

private:
    void separate();

    std::string m_line;
    bool m_begun = false;
};

}  // namespace omni
