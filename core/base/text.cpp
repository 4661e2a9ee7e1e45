#include "base/text.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace omni {

namespace {

constexpr std::string_view kRedacted = "[redacted]";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool isTokenChar(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.'
           || c == '+' || c == '/' || c == '=' || c == '~';
}

bool isWordChar(char c) { return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || c == '_'; }

/// Length of the credential-like run that starts at `at`.
std::size_t tokenLength(std::string_view text, std::size_t at)
{
    std::size_t end = at;
    while (end < text.size() && isTokenChar(text[end]))
        ++end;
    return end - at;
}

/// Names whose value, after ":" or "=", is taken out whatever it looks like.
constexpr std::array<std::string_view, 13> kSecretNames = {
    "authorization", "x-api-key", "x-goog-api-key", "api_key", "apikey", "api-key", "access_token",
    "refresh_token", "id_token",  "client_secret",  "secret",  "password", "cookie"};
/// Beginnings that mark a value as a credential by itself.
constexpr std::array<std::string_view, 9> kSecretPrefixes = {"sk-", "sk_", "gsk_", "xai-", "AIza", "ghp_", "gho_", "hf_", "eyJ"};

}  // namespace

std::string toLower(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}

bool equalsIgnoreCase(std::string_view a, std::string_view b)
{
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

bool startsWithIgnoreCase(std::string_view text, std::string_view prefix)
{
    return text.size() >= prefix.size() && equalsIgnoreCase(text.substr(0, prefix.size()), prefix);
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

std::optional<std::uint64_t> parseUnsigned(std::string_view text)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

std::string toHex(std::string_view bytes)
{
    static constexpr char digits[] = "0123456789abcdef";
    std::string out;
    out.reserve(bytes.size() * 2);
    for (char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    return out;
}

std::optional<std::string> fromHex(std::string_view hex)
{
    if (hex.size() % 2 != 0)
        return std::nullopt;
    std::string out;
    out.reserve(hex.size() / 2);
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        unsigned value = 0;
        const auto [end, error] = std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16);
        if (error != std::errc() || end != hex.data() + i + 2)
            return std::nullopt;
        out += static_cast<char>(value);
    }
    return out;
}

std::string sha256Hex(std::string_view data)
{
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(reinterpret_cast<const unsigned char*>(data.data()), data.size(), digest.data());
    return toHex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

bool equalsConstantTime(std::string_view a, std::string_view b)
{
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string redactSecrets(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    std::size_t at = 0;
    while (at < text.size()) {
        const bool wordStart = at == 0 || !isWordChar(text[at - 1]);
        const std::string_view rest = text.substr(at);
        if (wordStart && startsWithIgnoreCase(rest, "bearer ")) {
            const std::size_t length = tokenLength(text, at + 7);
            if (length > 0) {
                out.append(rest.substr(0, 7)).append(kRedacted);
                at += 7 + length;
                continue;
            }
        }
        if (wordStart) {
            bool done = false;
            for (std::string_view name : kSecretNames) {
                if (!startsWithIgnoreCase(rest, name))
                    continue;
                std::size_t value = at + name.size();
                while (value < text.size() && (text[value] == '"' || text[value] == '\'' || text[value] == ' ' || text[value] == '\\'))
                    ++value;
                if (value >= text.size() || (text[value] != ':' && text[value] != '='))
                    continue;
                ++value;
                while (value < text.size() && (text[value] == '"' || text[value] == '\'' || text[value] == ' ' || text[value] == '\\'))
                    ++value;
                if (startsWithIgnoreCase(text.substr(value), "bearer "))
                    value += 7;
                else if (startsWithIgnoreCase(text.substr(value), "basic "))
                    value += 6;
                const std::size_t length = tokenLength(text, value);
                if (length == 0)
                    continue;
                out.append(text.substr(at, value - at)).append(kRedacted);
                at = value + length;
                done = true;
                break;
            }
            if (!done) {
                for (std::string_view prefix : kSecretPrefixes) {
                    // Shorter runs are words such as "sk-1"; a credential has at least 16 characters.
                    if (rest.substr(0, prefix.size()) != prefix || tokenLength(text, at) < 16)
                        continue;
                    out.append(kRedacted);
                    at += tokenLength(text, at);
                    done = true;
                    break;
                }
            }
            if (done)
                continue;
        }
        out += text[at++];
    }
    return out;
}

std::string_view clippedUtf8(std::string_view text, std::size_t limit)
{
    if (text.size() <= limit)
        return text;
    while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80)
        --limit;
    return text.substr(0, limit);
}

std::string inQuotes(std::string_view name)
{
    constexpr std::size_t shown = 100;  // bytes
    return "\"" + std::string(clippedUtf8(name, shown)) + (name.size() > shown ? "…\"" : "\"");
}

std::string maskedSecret(std::string_view secret)
{
    if (secret.size() < 12)
        return secret.empty() ? std::string() : "…";
    const std::size_t dash = secret.substr(0, 8).rfind('-');
    const std::size_t head = dash == std::string_view::npos ? 2 : dash + 1;
    return std::string(secret.substr(0, head)) + "…" + std::string(secret.substr(secret.size() - 4));
}

}  // namespace omni
