#pragma once

#include "base/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace omni {

/// An IPv4 or IPv6 address; one of IPv4 written as IPv6 ("::ffff:127.0.0.1") is held as IPv4.
struct IpAddress {
    bool v4 = true;
    std::array<std::uint8_t, 16> bytes{};  ///< network order; the first four for IPv4

    bool isLoopback() const;   ///< 127.0.0.0/8, ::1
    bool isPrivate() const;    ///< RFC 1918
    bool isLinkLocal() const;  ///< 169.254.0.0/16, fe80::/10
    bool operator==(const IpAddress&) const = default;
};

/// Strict: four decimal numbers without leading zeros, or RFC 4291 text without brackets and zone.
std::optional<IpAddress> parseIpAddress(std::string_view text);

/// An absolute URL in its parts, read as strictly as needed to be sure where it leads: nothing is guessed or repaired.
struct Url {
    std::string scheme;    ///< lower case
    std::string userInfo;  ///< as written, empty when there is none
    std::string host;      ///< lower case, without brackets, zone and final dot
    std::string zone;      ///< of an IPv6 address, "eth0"
    std::optional<IpAddress> address;  ///< when the host is one
    std::optional<std::uint16_t> port;
    std::string path;   ///< "" or "/…"
    std::optional<std::string> query;
    std::optional<std::string> fragment;

    /// "https://host:8443", with brackets where they belong; without user info.
    std::string origin() const;
};

/// InvalidArgument with what is wrong, in words for the one who typed it; never repeats user info.
Result<Url> parseUrl(std::string_view text);

}  // namespace omni
