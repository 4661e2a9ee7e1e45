#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace omni {

/// ASCII only; bytes above 127 stay as they are.
std::string toLower(std::string_view text);
bool equalsIgnoreCase(std::string_view a, std::string_view b);
bool startsWithIgnoreCase(std::string_view text, std::string_view prefix);
/// Spaces and tabs off both ends, as in header values.
std::string_view trimmed(std::string_view text);

/// The whole text as a decimal number; nullopt for signs, blanks, overflow or anything else.
std::optional<std::uint64_t> parseUnsigned(std::string_view text);

std::string toHex(std::string_view bytes);
std::optional<std::string> fromHex(std::string_view hex);

/// SHA-256 as 64 hex digits.
std::string sha256Hex(std::string_view data);
/// Takes the same time wherever the two differ; only the lengths may be learned.
bool equalsConstantTime(std::string_view a, std::string_view b);

/// Replaces anything that looks like a credential (Bearer values, sk-… keys, key=…, "api_key":"…") by "[redacted]".
/// For everything that may reach a log, a trace, an export or an error.
std::string redactSecrets(std::string_view text);

/// First `limit` bytes, never cutting a UTF-8 character.
std::string_view clippedUtf8(std::string_view text, std::size_t limit);
/// A name of somebody's inside a sentence: in quotes, and cut (with "…") where it would drown the sentence.
std::string inQuotes(std::string_view name);

/// "sk-…9f2c": enough to recognise a key, useless to anyone else.
std::string maskedSecret(std::string_view secret);

}  // namespace omni
