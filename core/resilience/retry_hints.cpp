#include "resilience/retry_hints.h"

#include "base/text.h"
#include "resilience/date_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <initializer_list>

namespace omni {

namespace {

constexpr Millis kDay(86'400'000);
constexpr Millis kLongest = kDay * 30;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Takes "12" or "12.5" off the front. No sign, no exponent, no names of numbers.
std::optional<double> takeDecimal(std::string_view& text)
{
    std::size_t length = 0;
    while (length < text.size() && isDigit(text[length]))
        ++length;
    if (length == 0)
        return std::nullopt;
    if (length + 1 < text.size() && text[length] == '.' && isDigit(text[length + 1])) {
        ++length;
        while (length < text.size() && isDigit(text[length]))
            ++length;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + length, value, std::chars_format::fixed);
    if (error != std::errc())
        return std::nullopt;
    text.remove_prefix(length);
    return value;
}

/// Rounded up to a millisecond; what no hold could last is cut, so that nothing overflows.
std::optional<Millis> millisOf(double value, double unit)
{
    const double millis = value * unit;
    if (!std::isfinite(millis) || millis < 0)
        return std::nullopt;
    // The allowance is for binary fractions: 0.1 s is 100 ms, not 101.
    return Millis(static_cast<std::int64_t>(std::ceil(std::min(millis, 1e15) - 1e-6)));
}

/// Takes a unit off the front: milliseconds of one, or 0 when there is none.
double takeUnit(std::string_view& text)
{
    struct Unit {
        std::string_view name;
        double millis;
    };
    static constexpr std::array<Unit, 5> units = {{{"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
    for (const Unit& unit : units) {
        if (startsWithIgnoreCase(text, unit.name)) {
            text.remove_prefix(unit.name.size());
            return unit.millis;
        }
    }
    return 0;
}

/// "2h30m14s" at the front of `text`: numbers with their units, as many as there are. Absent without any.
std::optional<Millis> takeDuration(std::string_view text)
{
    std::optional<double> total;
    while (true) {
        std::string_view rest = text;
        const std::optional<double> number = takeDecimal(rest);
        if (!number)
            break;
        const double unit = takeUnit(rest);
        if (unit == 0)
            break;
        // "5 minutes" and "5 mb" are no durations of this form.
        if (!rest.empty() && !isDigit(rest.front()) && std::isalpha(static_cast<unsigned char>(rest.front())))
            break;
        total = total.value_or(0) + *number * unit;
        text = rest;
    }
    return total ? millisOf(*total, 1) : std::nullopt;
}

std::optional<Millis> sane(std::optional<Millis> wait)
{
    return wait && *wait >= Millis(0) && *wait <= kLongest ? wait : std::nullopt;
}

/// By its magnitude a number is a moment, in milliseconds or in seconds since 1970, or seconds from now (field-faults F07).
std::optional<Millis> untilMagnitude(double amount, WallTime now)
{
    if (amount >= 1e9)
        return amount > 1e13 ? std::nullopt : sane(fromEpochMillis(static_cast<std::int64_t>(amount > 1e10 ? amount : amount * 1'000)) - now);
    return millisOf(amount, 1'000);
}

std::optional<Millis> untilDate(std::optional<WallTime> date, WallTime now)
{
    if (!date)
        return std::nullopt;
    return std::max(Millis(0), *date - now);
}

bool startsAny(std::string_view text, std::initializer_list<std::string_view> beginnings, std::string_view& rest)
{
    for (const std::string_view beginning : beginnings) {
        if (startsWithIgnoreCase(text, beginning)) {
            rest = text.substr(beginning.size());
            return true;
        }
    }
    return false;
}

/// What stands after "reset " or "resets ".
std::optional<ProseHint> afterReset(std::string_view text, WallTime now)
{
    std::string_view rest;
    if (startsAny(text, {"after ", "in "}, rest)) {
        if (const std::optional<Millis> wait = takeDuration(rest))
            return ProseHint{std::min(*wait, kLongest), false};
        std::string_view days = rest;
        const std::optional<double> count = takeDecimal(days);
        if (count && *count >= 1 && *count == std::floor(*count) && startsAny(days, {" day"}, rest))
            return ProseHint{std::min(millisOf(*count, 86'400'000.0).value_or(kLongest), kLongest), false};
        return std::nullopt;
    }
    if (startsAny(text, {"at "}, rest)) {
        std::optional<WallTime> when = parseIsoDate(rest);
        if (!when)
            when = parseMonthDay(rest, now);
        if (const std::optional<Millis> wait = untilDate(when, now))
            return ProseHint{std::min(*wait, kLongest), false};
    }
    return std::nullopt;
}

/// The wording at the front of `text`, if it is one.
std::optional<ProseHint> hintAt(std::string_view text, WallTime now)
{
    std::string_view rest;
    if (startsAny(text, {"retry in ", "try again in "}, rest)) {
        if (const std::optional<Millis> wait = takeDuration(rest))
            return ProseHint{std::min(*wait, kDay), true};
    } else if (startsAny(text, {"try again at ", "wait until ", "available at ", "retry after "}, rest)) {
        if (const std::optional<Millis> wait = untilDate(parseIsoDate(rest), now))
            return ProseHint{std::min(*wait, kLongest), false};
        if (const std::optional<Millis> wait = startsWithIgnoreCase(text, "retry after ") ? takeDuration(rest) : std::nullopt)
            return ProseHint{std::min(*wait, kDay), true};
    } else if (startsAny(text, {"resets ", "reset "}, rest)) {
        return afterReset(rest, now);
    }
    return std::nullopt;
}

/// Anthropic's windows ("5h", "7d"): the reset of the one that refused, never of its neighbour (field-faults F22).
std::optional<RetryHint> rejectedWindow(const HeaderFields& headers, WallTime now)
{
    static constexpr std::string_view prefix = "anthropic-ratelimit-unified";
    static constexpr std::string_view status = "status";
    std::optional<RetryHint> latest;
    for (const auto& [name, value] : headers) {
        if (!equalsIgnoreCase(trimmed(value), "rejected") || name.rfind(prefix, 0) != 0 || name.size() < prefix.size() + status.size() ||
            name.compare(name.size() - status.size(), status.size(), status) != 0)
            continue;
        const std::string resetName = name.substr(0, name.size() - status.size()) + "reset";
        const std::string* reset = findHeader(&headers, resetName);
        const std::optional<Millis> wait = reset ? parseResetHeader(*reset, now) : std::nullopt;
        if (wait && (!latest || *wait > latest->wait))
            latest = RetryHint{*wait, HintSource::Header, resetName + ": " + *reset, true};
    }
    return latest;
}

/// The limits that OpenAI and Anthropic tell of one by one: the end of those of which nothing is left, never of a neighbour's
/// (field-faults F22).
std::optional<RetryHint> spentLimit(const HeaderFields& headers, WallTime now)
{
    struct Limit {
        std::string_view remaining;
        std::string_view reset;
    };
    static constexpr std::array<Limit, 6> limits = {{
        {"x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"},
        {"x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"},
        {"anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"},
        {"anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"},
        {"anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset"},
        {"anthropic-ratelimit-output-tokens-remaining", "anthropic-ratelimit-output-tokens-reset"},
    }};
    std::optional<RetryHint> latest;
    for (const Limit& limit : limits) {
        const std::string* left = findHeader(&headers, limit.remaining);
        const std::string* reset = left && trimmed(*left) == "0" ? findHeader(&headers, limit.reset) : nullptr;
        if (!reset)
            continue;
        std::optional<Millis> wait = parseDuration(*reset);
        if (!wait)
            wait = untilDate(parseIsoDate(*reset), now);
        if (wait && *wait > Millis(0) && *wait <= kLongest && (!latest || *wait > latest->wait))
            latest = RetryHint{*wait, HintSource::Header, std::string(limit.reset) + ": " + reset->substr(0, 100), true};
    }
    return latest;
}

std::optional<RetryHint> hintFromHeaders(const HeaderFields& headers, WallTime now)
{
    std::optional<RetryHint> atOnce;
    const auto offer = [&atOnce](std::optional<Millis> wait, std::string_view shown, const std::string& value, bool window) {
        RetryHint hint{wait.value_or(Millis(0)), HintSource::Header, std::string(shown) + ": " + value.substr(0, 100), window};
        if (wait && *wait > Millis(0))
            return std::optional<RetryHint>(std::move(hint));
        if (wait && !atOnce)
            atOnce = std::move(hint);
        return std::optional<RetryHint>();
    };
    if (const std::string* value = findHeader(&headers, "retry-after-ms")) {
        std::string_view text = trimmed(*value);
        const std::optional<double> number = takeDecimal(text);
        if (auto hint = offer(number && text.empty() ? sane(millisOf(*number, 1)) : std::nullopt, "Retry-After-Ms", *value, false))
            return hint;
    }
    if (const std::string* value = findHeader(&headers, "retry-after")) {
        if (auto hint = offer(parseRetryAfter(*value, now), "Retry-After", *value, false))
            return hint;
    }
    if (auto hint = rejectedWindow(headers, now))
        return hint;
    if (auto hint = spentLimit(headers, now))
        return hint;
    if (const std::string* value = findHeader(&headers, "x-ratelimit-reset")) {
        if (auto hint = offer(parseResetHeader(*value, now), "X-RateLimit-Reset", *value, true))
            return hint;
    }
    return atOnce;
}

std::optional<RetryHint> hintFromBody(const ErrorBody& body, WallTime now)
{
    const auto positive = [](std::optional<Millis> wait, Millis cap, HintSource source) -> std::optional<RetryHint> {
        if (!wait || *wait <= Millis(0))
            return std::nullopt;
        return RetryHint{std::min(*wait, cap), source, {}, false};
    };
    if (auto hint = positive(parseDuration(body.retryDelay), kDay, HintSource::GoogleRpcRetryInfo))
        return hint;
    if (!body.retryAt.empty()) {
        std::optional<Millis> wait = untilDate(parseIsoDate(body.retryAt), now);
        if (!wait)
            wait = parseRetryAfter(body.retryAt, now);
        std::string_view rest = trimmed(body.retryAt);
        if (const std::optional<double> number = wait ? std::nullopt : takeDecimal(rest); number && rest.empty())
            wait = sane(untilMagnitude(*number, now));
        if (auto hint = positive(wait, kLongest, HintSource::Body))
            return hint;
    }
    if (body.retryAfterMs) {
        if (auto hint = positive(millisOf(*body.retryAfterMs, 1), kLongest, HintSource::Body))
            return hint;
    }
    if (body.retryAfterSec)
        return positive(untilMagnitude(*body.retryAfterSec, now), kLongest, HintSource::Body);
    return std::nullopt;
}

}  // namespace

const std::string* findHeader(const HeaderFields* headers, std::string_view name)
{
    if (!headers)
        return nullptr;
    const auto found = std::find_if(headers->begin(), headers->end(), [name](const auto& field) { return field.first == name; });
    return found == headers->end() ? nullptr : &found->second;
}

std::optional<Millis> parseRetryAfter(std::string_view value, WallTime now)
{
    value = trimmed(value);
    std::string_view rest = value;
    if (const std::optional<double> number = takeDecimal(rest)) {
        if (rest.empty())
            return sane(millisOf(*number, 1'000));
        if (rest.size() == 1 && (rest == "s" || rest == "m" || rest == "h"))
            return sane(millisOf(*number, takeUnit(rest)));
    }
    if (const std::optional<WallTime> date = parseHttpDate(value, now))
        return sane(untilDate(date, now));
    return sane(untilDate(parseIsoDate(value), now));
}

std::optional<Millis> parseResetHeader(std::string_view value, WallTime now)
{
    value = trimmed(value);
    std::size_t length = 0;
    while (length < value.size() && isDigit(value[length]))
        ++length;
    const std::optional<std::uint64_t> number = parseUnsigned(value.substr(0, length));
    const std::optional<Millis> wait = number ? sane(untilMagnitude(static_cast<double>(*number), now)) : std::nullopt;
    return wait && *wait > Millis(0) ? wait : std::nullopt;
}

std::optional<Millis> parseDuration(std::string_view text)
{
    text = trimmed(text);
    std::string_view rest = text;
    if (const std::optional<double> number = takeDecimal(rest); number && rest.empty())
        return millisOf(*number, 1'000);
    return takeDuration(text);
}

std::optional<ProseHint> parseProse(std::string_view text, WallTime now)
{
    // Every wording begins with one of these (Marker::HintStem).
    static constexpr std::array<std::string_view, 5> stems = {"retry ", "try again ", "wait until ", "available at ", "reset"};
    // By its first letter the second one that a stem has; most places are told by these two.
    static constexpr auto second = [] {
        std::array<char, 256> table{};
        for (const std::string_view stem : stems) {
            table[static_cast<unsigned char>(stem[0])] = stem[1];
            table[static_cast<unsigned char>(stem[0]) - 32U] = stem[1];
        }
        return table;
    }();
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
        const char wanted = second[static_cast<unsigned char>(text[at])];
        if (wanted == 0 || (text[at + 1] | 0x20) != wanted)
            continue;
        const std::string_view rest = text.substr(at);
        if (std::none_of(stems.begin(), stems.end(), [rest](std::string_view stem) { return startsWithIgnoreCase(rest, stem); }))
            continue;
        const std::optional<ProseHint> hint = hintAt(rest, now);
        if (hint && hint->wait > Millis(0))
            return hint;
    }
    return std::nullopt;
}

std::optional<RetryHint> retryHint(const HeaderFields* headers, const ErrorBody& body, const std::optional<ProseHint>& prose, WallTime now)
{
    std::optional<RetryHint> atOnce;
    if (headers) {
        std::optional<RetryHint> hint = hintFromHeaders(*headers, now);
        if (hint && hint->wait > Millis(0))
            return hint;
        atOnce = std::move(hint);
    }
    if (std::optional<RetryHint> hint = hintFromBody(body, now))
        return hint;
    if (prose)
        return RetryHint{prose->wait, HintSource::Body, {}, false};
    return atOnce;
}

std::optional<Millis> declaredWindow(const ErrorBody& body, const std::optional<ProseHint>& prose)
{
    if (const std::optional<Millis> wait = parseDuration(body.retryDelay); wait && *wait > Millis(0))
        return wait;
    return prose && prose->shortTerm ? std::optional<Millis>(prose->wait) : std::nullopt;
}

}  // namespace omni
