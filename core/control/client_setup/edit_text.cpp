#include "control/client_setup/edit_text.h"

#include <QString>
#include <QStringDecoder>

#include <algorithm>

namespace omni::client_setup {

std::size_t bodyStart(std::string_view text)
{
    return text.substr(0, kByteOrderMark.size()) == kByteOrderMark ? kByteOrderMark.size() : 0;
}

std::string_view newlineOf(std::string_view text)
{
    const std::size_t at = text.find('\n');
    return at != std::string_view::npos && at > 0 && text[at - 1] == '\r' ? "\r\n" : "\n";
}

std::size_t lineNumber(std::string_view text, std::size_t at)
{
    const std::string_view before = text.substr(0, at);
    return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

std::size_t lineBegin(std::string_view text, std::size_t at)
{
    if (at == 0)
        return bodyStart(text);
    const std::size_t found = text.rfind('\n', at - 1);
    return found == std::string_view::npos ? bodyStart(text) : found + 1;
}

std::size_t lineEnd(std::string_view text, std::size_t at)
{
    const std::size_t found = std::min(text.find('\n', at), text.size());
    return found > at && found < text.size() && text[found - 1] == '\r' ? found - 1 : found;
}

std::size_t nextLine(std::string_view text, std::size_t at)
{
    const std::size_t found = text.find('\n', at);
    return found == std::string_view::npos ? text.size() : found + 1;
}

std::string_view indentAt(std::string_view text, std::size_t at)
{
    const std::size_t begin = lineBegin(text, at);
    const std::size_t end = std::min(text.find_first_not_of(" \t", begin), text.size());
    return text.substr(begin, end - begin);
}

Error brokenAt(std::string_view text, std::size_t at, std::string_view what)
{
    return {ErrorKind::InvalidArgument, "Line " + std::to_string(lineNumber(text, std::min(at, text.size()))) + ": " + std::string(what)};
}

Status checkText(std::string_view text)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded = decoder.decode(QByteArrayView(text.data(), static_cast<qsizetype>(text.size())));
    Q_UNUSED(decoded)
    if (decoder.hasError() || text.find('\0') != std::string_view::npos)
        return Error{ErrorKind::InvalidArgument, "It is no text in UTF-8"};
    return {};
}

std::string withNewlines(std::string_view lines, std::string_view newline)
{
    std::string out;
    for (const char c : lines) {
        if (c == '\n')
            out += newline;
        else
            out += c;
    }
    return out;
}

}  // namespace omni::client_setup
