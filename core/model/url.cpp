#include "model/url.h"

#include "base/text.h"

#include <algorithm>

namespace omni {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isAlpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

Error invalid(std::string message)
{
    return Error{ErrorKind::InvalidArgument, std::move(message)};
}

std::optional<std::uint8_t> parseOctet(std::string_view text)
{
    if (text.empty() || text.size() > 3 || (text.size() > 1 && text.front() == '0'))
        return std::nullopt;
    const std::optional<std::uint64_t> number = parseUnsigned(text);
    if (!number || *number > 255)
        return std::nullopt;
    return static_cast<std::uint8_t>(*number);
}

bool parseIpv4Into(std::string_view text, std::uint8_t* bytes)
{
    for (int i = 0; i < 4; ++i) {
        const std::size_t dot = text.find('.');
        if ((dot == std::string_view::npos) != (i == 3))
            return false;
        const std::optional<std::uint8_t> octet = parseOctet(text.substr(0, dot));
        if (!octet)
            return false;
        bytes[i] = *octet;
        if (i < 3)
            text.remove_prefix(dot + 1);
    }
    return true;
}

std::optional<unsigned> parseGroup(std::string_view text)
{
    if (text.empty() || text.size() > 4)
        return std::nullopt;
    unsigned value = 0;
    for (char c : text) {
        unsigned digit = 0;
        if (isDigit(c))
            digit = static_cast<unsigned>(c - '0');
        else if (c >= 'a' && c <= 'f')
            digit = static_cast<unsigned>(c - 'a') + 10;
        else if (c >= 'A' && c <= 'F')
            digit = static_cast<unsigned>(c - 'A') + 10;
        else
            return std::nullopt;
        value = value * 16 + digit;
    }
    return value;
}

/// Groups between colons, without "::", into `bytes`; an IPv4 tail counts as two. Returns how many bytes, -1 for a fault.
int parseGroups(std::string_view text, bool mayEndInIpv4, std::uint8_t* bytes)
{
    if (text.empty())
        return 0;
    int length = 0;
    for (;;) {
        const std::size_t colon = text.find(':');
        const std::string_view part = text.substr(0, colon);
        if (colon == std::string_view::npos && mayEndInIpv4 && part.find('.') != std::string_view::npos) {
            if (length > 12 || !parseIpv4Into(part, bytes + length))
                return -1;
            return length + 4;
        }
        const std::optional<unsigned> group = parseGroup(part);
        if (!group || length > 14)
            return -1;
        bytes[length++] = static_cast<std::uint8_t>(*group >> 8);
        bytes[length++] = static_cast<std::uint8_t>(*group & 255);
        if (colon == std::string_view::npos)
            return length;
        text.remove_prefix(colon + 1);
    }
}

std::optional<IpAddress> parseIpv6(std::string_view text)
{
    IpAddress address;
    address.v4 = false;
    const std::size_t gap = text.find("::");
    if (gap == std::string_view::npos) {
        if (parseGroups(text, true, address.bytes.data()) != 16)
            return std::nullopt;
    } else {
        if (text.find("::", gap + 1) != std::string_view::npos)
            return std::nullopt;
        std::array<std::uint8_t, 16> tail{};
        const int headLength = parseGroups(text.substr(0, gap), false, address.bytes.data());
        const int tailLength = parseGroups(text.substr(gap + 2), true, tail.data());
        if (headLength < 0 || tailLength < 0 || headLength + tailLength > 14)
            return std::nullopt;
        std::copy_n(tail.begin(), tailLength, address.bytes.end() - tailLength);
    }
    static constexpr std::array<std::uint8_t, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    if (std::equal(kMapped.begin(), kMapped.end(), address.bytes.begin())) {
        IpAddress mapped;
        std::copy_n(address.bytes.begin() + 12, 4, mapped.bytes.begin());
        return mapped;
    }
    return address;
}

Status checkHostName(std::string_view host)
{
    if (host.empty())
        return invalid("The address names no host.");
    if (host.size() > 253)
        return invalid("The host name is longer than 253 characters.");
    std::string_view rest = host;
    for (;;) {
        const std::size_t dot = rest.find('.');
        const std::string_view label = rest.substr(0, dot);
        if (label.empty() || label.size() > 63)
            return invalid("The host name has an empty or overlong part.");
        for (char c : label) {
            if (!isAlpha(c) && !isDigit(c) && c != '-' && c != '_')
                return invalid(std::string("The host name holds \"") + c + "\", which no host name can.");
        }
        if (dot == std::string_view::npos)
            break;
        rest.remove_prefix(dot + 1);
    }
    return {};
}

/// Resolvers read "127.1", "0x7f000001" or "2130706433" as IPv4 addresses; only the plain form is taken, so that no check is passed by
/// spelling an address in another way.
bool looksLikeNumber(std::string_view host)
{
    const std::size_t dot = host.rfind('.');
    const std::string_view last = dot == std::string_view::npos ? host : host.substr(dot + 1);
    if (last.empty())
        return false;
    if (std::all_of(last.begin(), last.end(), isDigit))
        return true;
    return last.size() >= 2 && last[0] == '0' && (last[1] == 'x' || last[1] == 'X');
}

Status parseHost(std::string_view text, Url& url)
{
    if (!text.empty() && text.front() == '[') {
        std::string_view inner = text.substr(1, text.size() - 2);
        const std::size_t percent = inner.find('%');
        if (percent != std::string_view::npos) {
            std::string_view zone = inner.substr(percent + 1);
            if (zone.substr(0, 2) == "25")
                zone.remove_prefix(2);
            const bool plain = !zone.empty() && std::all_of(zone.begin(), zone.end(), [](char c) {
                return isAlpha(c) || isDigit(c) || c == '-' || c == '_' || c == '.';
            });
            if (!plain)
                return invalid("The zone of the IPv6 address is not readable; write it like [fe80::1%25eth0].");
            url.zone = std::string(zone);
            inner = inner.substr(0, percent);
        }
        url.address = inner.find(':') == std::string_view::npos ? std::nullopt : parseIpv6(inner);
        if (!url.address)
            return invalid("What stands in brackets is not an IPv6 address.");
        url.host = toLower(inner);
        return {};
    }
    if (text.find(':') != std::string_view::npos)
        return invalid("An IPv6 address must stand in brackets, like http://[::1]:8080.");
    if (text.size() > 1 && text.back() == '.')
        text.remove_suffix(1);
    if (Status status = checkHostName(text); !status)
        return status;
    if (looksLikeNumber(text)) {
        IpAddress address;
        if (!parseIpv4Into(text, address.bytes.data()))
            return invalid("The host looks like an IP address and is none; write it as four numbers, like 192.168.1.20.");
        url.address = address;
    }
    url.host = toLower(text);
    return {};
}

Status parseAuthority(std::string_view authority, Url& url)
{
    if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
        url.userInfo = std::string(authority.substr(0, at));
        if (url.userInfo.empty())
            return invalid("There is an \"@\" before the host.");
        authority.remove_prefix(at + 1);
    }
    std::size_t hostEnd = 0;
    if (!authority.empty() && authority.front() == '[') {
        const std::size_t close = authority.find(']');
        if (close == std::string_view::npos)
            return invalid("The bracket around the IPv6 address is not closed.");
        hostEnd = close + 1;
    } else {
        // With more than one colon it is an IPv6 address without brackets, which parseHost refuses by name.
        const std::size_t colon = authority.find(':');
        const bool single = colon != std::string_view::npos && authority.find(':', colon + 1) == std::string_view::npos;
        hostEnd = single ? colon : authority.size();
    }
    if (Status status = parseHost(authority.substr(0, hostEnd), url); !status)
        return status;
    const std::string_view rest = authority.substr(hostEnd);
    if (rest.empty())
        return {};
    const std::optional<std::uint64_t> port = rest.front() == ':' && rest.size() <= 6 ? parseUnsigned(rest.substr(1)) : std::nullopt;
    if (!port || *port == 0 || *port > 65'535)
        return invalid("The port after the host must be a number from 1 to 65535.");
    url.port = static_cast<std::uint16_t>(*port);
    return {};
}

}  // namespace

bool IpAddress::isLoopback() const
{
    if (v4)
        return bytes[0] == 127;
    return bytes[15] == 1 && std::all_of(bytes.begin(), bytes.end() - 1, [](std::uint8_t byte) { return byte == 0; });
}

bool IpAddress::isPrivate() const
{
    return v4 && (bytes[0] == 10 || (bytes[0] == 172 && (bytes[1] & 0xF0) == 16) || (bytes[0] == 192 && bytes[1] == 168));
}

bool IpAddress::isLinkLocal() const
{
    return v4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && (bytes[1] & 0xC0) == 0x80;
}

std::optional<IpAddress> parseIpAddress(std::string_view text)
{
    if (text.find(':') != std::string_view::npos)
        return parseIpv6(text);
    IpAddress address;
    if (!parseIpv4Into(text, address.bytes.data()))
        return std::nullopt;
    return address;
}

std::string Url::origin() const
{
    std::string text = scheme + "://";
    if (host.find(':') != std::string::npos)
        text += "[" + host + (zone.empty() ? "" : "%25" + zone) + "]";
    else
        text += host;
    if (port)
        text += ":" + std::to_string(*port);
    return text;
}

Result<Url> parseUrl(std::string_view text)
{
    if (text.empty())
        return invalid("The address is empty.");
    if (text.size() > 2048)
        return invalid("The address is longer than 2048 characters.");
    for (char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte <= 0x20 || byte == 0x7F)
            return invalid("The address holds a blank or a control character.");
        if (byte >= 0x80)
            return invalid("The address holds letters beyond ASCII; write the host as xn--… and encode the path with %.");
        if (std::string_view("\\<>\"{}|^`").find(c) != std::string_view::npos)
            return invalid(std::string("The address holds \"") + c + "\", which must be encoded with %.");
    }
    const std::size_t colon = text.find("://");
    if (colon == std::string_view::npos || colon == 0)
        return invalid("The address has no scheme; begin it with https:// or http://.");
    Url url;
    url.scheme = toLower(text.substr(0, colon));
    const auto schemeChar = [](char c) { return isAlpha(c) || isDigit(c) || c == '+' || c == '-' || c == '.'; };
    if (!isAlpha(url.scheme.front()) || !std::all_of(url.scheme.begin(), url.scheme.end(), schemeChar))
        return invalid("The address has no readable scheme; begin it with https:// or http://.");
    text.remove_prefix(colon + 3);

    const std::size_t authorityEnd = std::min(text.find_first_of("/?#"), text.size());
    if (Status status = parseAuthority(text.substr(0, authorityEnd), url); !status)
        return status.error();
    text.remove_prefix(authorityEnd);
    if (const std::size_t hash = text.find('#'); hash != std::string_view::npos) {
        url.fragment = std::string(text.substr(hash + 1));
        text = text.substr(0, hash);
    }
    if (const std::size_t mark = text.find('?'); mark != std::string_view::npos) {
        url.query = std::string(text.substr(mark + 1));
        text = text.substr(0, mark);
    }
    url.path = std::string(text);
    return url;
}

}  // namespace omni
