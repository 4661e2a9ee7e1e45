#include "proxy/client_error.h"

#include "base/text.h"

#include <algorithm>
#include <array>

namespace omni {

namespace {

constexpr std::size_t kMaxMessage = 4096;  // spec 4-surfaces §4.6

bool startsPath(std::string_view text)
{
    constexpr std::array<std::string_view, 12> roots = {"/home/", "/root/", "/usr/", "/var/", "/tmp/", "/opt/",
                                                        "/etc/",  "/srv/",  "/mnt/", "/run/", "/private/", "/Users/"};
    const bool drive = text.size() > 3 && ((text[0] >= 'A' && text[0] <= 'Z') || (text[0] >= 'a' && text[0] <= 'z')) && text[1] == ':'
                       && (text[2] == '\\' || (text[2] == '/' && text[3] != '/'));
    return drive || std::any_of(roots.begin(), roots.end(), [text](std::string_view root) { return text.substr(0, root.size()) == root; });
}

bool isNameChar(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.' || c == '/';
}

bool endsToken(char c)
{
    return c == ' ' || c == '\t' || c == '"' || c == '\'' || c == ',' || c == ';' || c == ')' || c == '>' || c == '&';
}

/// What redactSecrets leaves: paths, data URLs, and key=… or token=… as in a query.
std::string withoutPathsAndQueryKeys(std::string_view text)
{
    constexpr std::array<std::string_view, 2> parameters = {"key=", "token="};
    std::string out;
    out.reserve(text.size());
    const auto tokenEnd = [text](std::size_t at) {
        while (at < text.size() && !endsToken(text[at]))
            ++at;
        return at;
    };
    std::size_t at = 0;
    while (at < text.size()) {
        const std::string_view rest = text.substr(at);
        if (at == 0 || !isNameChar(text[at - 1])) {
            if (startsPath(rest)) {
                out += "<path>";
                at = tokenEnd(at);
                continue;
            }
            if (startsWithIgnoreCase(rest, "data:") && rest.substr(0, 200).find(";base64,") != std::string_view::npos) {
                out += "<data>";
                at = std::max(tokenEnd(at + rest.find(";base64,") + 8), at + 1);
                continue;
            }
            const auto parameter = std::find_if(parameters.begin(), parameters.end(),
                                                [rest](std::string_view name) { return startsWithIgnoreCase(rest, name); });
            if (parameter != parameters.end() && rest.size() > parameter->size() && !endsToken(rest[parameter->size()])
                && rest[parameter->size()] != '[') {
                out.append(rest.substr(0, parameter->size())).append("[redacted]");
                at = tokenEnd(at + parameter->size());
                continue;
            }
        }
        out += text[at++];
    }
    return out;
}

}  // namespace

std::string sanitisedMessage(std::string_view text)
{
    while (!text.empty() && (text.front() == '\n' || text.front() == '\r' || text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    // Redacted before it is clipped, so that no secret is cut into something that does not look like one any more.
    text = clippedUtf8(text.substr(0, text.find_first_of("\r\n")), 4 * kMaxMessage);
    const std::string redacted = withoutPathsAndQueryKeys(redactSecrets(text));
    std::string message(clippedUtf8(redacted, kMaxMessage));
    std::replace_if(message.begin(), message.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
    return message;
}

}  // namespace omni
