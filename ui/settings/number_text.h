#pragma once

#include <QString>

#include <cstdint>
#include <optional>

namespace omni {

/// In what a number is shown and typed; the setting itself is milliseconds or bytes or a plain count.
enum class Unit : std::uint8_t { None, Port, Milliseconds, Seconds, Minutes, Kibibytes, Mebibytes, Megabytes, Days };

/// "s", "MiB", translated; empty for None.
QString unitText(Unit unit);
/// In the locale's digits, without the unit. A port is a name rather than a quantity: plain digits, no groups.
QString shownNumber(std::int64_t value, Unit unit);
/// What was typed, in the digits of any script, with or without groups, with the locale's decimal point or ".". nullopt for anything
/// that is not a number or not a whole one in the setting's own unit.
std::optional<std::int64_t> typedNumber(const QString& text, Unit unit);
/// A number with or without a fraction, otherwise as above.
std::optional<double> typedDecimal(const QString& text);
/// "1 to 65535", "0.1 s to 600 s".
QString rangeText(std::int64_t minimum, std::int64_t maximum, Unit unit);

}  // namespace omni
