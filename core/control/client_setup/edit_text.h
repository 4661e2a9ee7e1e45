#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace omni::client_setup {

// What the editors of all formats share. They take the text of a file as it is and give back the text it should have: what they do not
// have to change stays as it was byte for byte, a byte order mark and the kind of line ends included. Errors are of kind InvalidArgument
// and name the line.

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// 0, or 3 behind a byte order mark.
std::size_t bodyStart(std::string_view text);
/// What the file ends its lines with: "\r\n" when its first line does, else "\n".
std::string_view newlineOf(std::string_view text);
/// Counted from 1.
std::size_t lineNumber(std::string_view text, std::size_t at);
/// Where the line of `at` begins, and where it ends before its line end.
std::size_t lineBegin(std::string_view text, std::size_t at);
std::size_t lineEnd(std::string_view text, std::size_t at);
/// Behind the line end.
std::size_t nextLine(std::string_view text, std::size_t at);
/// Spaces and tabs at the beginning of the line of `at`.
std::string_view indentAt(std::string_view text, std::size_t at);
/// "Line 12: " and what is wrong there.
Error brokenAt(std::string_view text, std::size_t at, std::string_view what);
/// InvalidArgument when the text is no UTF-8 or holds a zero byte: no text file of any of these clients.
Status checkText(std::string_view text);
/// `lines` with the file's own line ends; they are written with "\n".
std::string withNewlines(std::string_view lines, std::string_view newline);

}  // namespace omni::client_setup
