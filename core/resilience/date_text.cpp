#include "resilience/date_text.h"

#include "base/text.h"

#include <array>
#include <chrono>

namespace omni {

namespace {

using namespace std::chrono;

constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};

/// Reads a text from the left; after the first miss everything else misses too.
class Reader {
public:
    explicit Reader(std::string_view text) : m_rest(text) {}

    bool ok() const { return m_ok; }
    std::string_view rest() const { return m_rest; }

    /// Between `least` and `most` digits.
    int number(std::size_t least, std::size_t most)
    {
        std::size_t length = 0;
        int value = 0;
        while (length < most && length < m_rest.size() && isDigit(m_rest[length]))
            value = value * 10 + (m_rest[length++] - '0');
        m_ok = m_ok && length >= least;
        m_rest.remove_prefix(length);
        return value;
    }

    bool take(char c)
    {
        if (!m_ok || m_rest.empty() || m_rest.front() != c)
            return false;
        m_rest.remove_prefix(1);
        return true;
    }

    void expect(char c) { m_ok = take(c) && m_ok; }
    void spaces()
    {
        while (take(' ')) {
        }
    }

    /// 1…12 by its English name.
    unsigned month()
    {
        for (std::size_t i = 0; m_ok && i < kMonths.size(); ++i) {
            if (startsWithIgnoreCase(m_rest, kMonths[i])) {
                m_rest.remove_prefix(3);
                return static_cast<unsigned>(i + 1);
            }
        }
        m_ok = false;
        return 1;
    }

    /// Fraction digits as milliseconds, cut.
    Millis fraction()
    {
        int value = 0;
        int places = 0;
        while (!m_rest.empty() && isDigit(m_rest.front())) {
            if (places < 3) {
                value = value * 10 + (m_rest.front() - '0');
                ++places;
            }
            m_rest.remove_prefix(1);
        }
        for (; places < 3; ++places)
            value *= 10;
        return Millis(value);
    }

private:
    static bool isDigit(char c) { return c >= '0' && c <= '9'; }

    std::string_view m_rest;
    bool m_ok = true;
};

struct TimeOfDay {
    int hour = 0, minute = 0, second = 0;

    bool valid() const { return hour < 24 && minute < 60 && second < 61; }
    seconds sinceMidnight() const { return hours(hour) + minutes(minute) + seconds(second); }
};

TimeOfDay readTime(Reader& reader, bool secondsNeeded)
{
    TimeOfDay time;
    time.hour = reader.number(1, 2);
    reader.expect(':');
    time.minute = reader.number(2, 2);
    if (secondsNeeded) {
        reader.expect(':');
        time.second = reader.number(2, 2);
    } else if (reader.take(':')) {
        time.second = reader.number(2, 2);
    }
    return time;
}

std::optional<WallTime> assemble(int yearNumber, unsigned monthNumber, int dayNumber, const TimeOfDay& time)
{
    const year_month_day date{year(yearNumber), month(monthNumber), day(static_cast<unsigned>(dayNumber))};
    if (!date.ok() || !time.valid())
        return std::nullopt;
    return WallTime(sys_days(date)) + time.sinceMidnight();
}

int yearOf(WallTime time)
{
    return static_cast<int>(year_month_day(floor<days>(time)).year());
}

}  // namespace

std::optional<WallTime> parseHttpDate(std::string_view text, WallTime now)
{
    text = trimmed(text);
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) {
        // asctime: the name of a day, then the month.
        if (text.size() < 4 || text[3] != ' ')
            return std::nullopt;
        Reader reader(text.substr(4));
        const unsigned monthNumber = reader.month();
        reader.spaces();
        const int dayNumber = reader.number(1, 2);
        reader.expect(' ');
        const TimeOfDay time = readTime(reader, true);
        reader.expect(' ');
        const int yearNumber = reader.number(4, 4);
        return reader.ok() ? assemble(yearNumber, monthNumber, dayNumber, time) : std::nullopt;
    }
    Reader reader(text.substr(comma + 1));
    reader.spaces();
    const int dayNumber = reader.number(1, 2);
    const bool dashes = reader.take('-');
    if (!dashes)
        reader.expect(' ');
    const unsigned monthNumber = reader.month();
    reader.expect(dashes ? '-' : ' ');
    const std::size_t before = reader.rest().size();
    int yearNumber = reader.number(2, 4);
    if (before - reader.rest().size() == 2) {
        // Two digits more than 50 years ahead mean the century before.
        const int present = yearOf(now);
        yearNumber += present - present % 100;
        if (yearNumber > present + 50)
            yearNumber -= 100;
    }
    reader.expect(' ');
    const TimeOfDay time = readTime(reader, true);
    reader.spaces();
    if (!reader.ok() || (!startsWithIgnoreCase(reader.rest(), "GMT") && !startsWithIgnoreCase(reader.rest(), "UTC")))
        return std::nullopt;
    return assemble(yearNumber, monthNumber, dayNumber, time);
}

std::optional<WallTime> parseIsoDate(std::string_view text)
{
    Reader reader(text);
    const int yearNumber = reader.number(4, 4);
    reader.expect('-');
    const int monthNumber = reader.number(2, 2);
    reader.expect('-');
    const int dayNumber = reader.number(2, 2);
    if (!reader.take('T') && !reader.take('t'))
        reader.expect(' ');
    const TimeOfDay time = readTime(reader, false);
    const Millis fraction = reader.take('.') ? reader.fraction() : Millis(0);
    if (!reader.ok())
        return std::nullopt;
    std::optional<WallTime> result = assemble(yearNumber, static_cast<unsigned>(monthNumber), dayNumber, time);
    if (!result)
        return std::nullopt;
    *result += fraction;
    const bool east = reader.take('+');
    if (east || reader.take('-')) {
        const int offsetHours = reader.number(2, 2);
        reader.take(':');
        const int offsetMinutes = reader.number(2, 2);
        if (!reader.ok() || offsetHours > 14 || offsetMinutes > 59)
            return std::nullopt;
        const minutes offset = hours(offsetHours) + minutes(offsetMinutes);
        *result += east ? -offset : offset;
    }
    return result;
}

std::optional<WallTime> parseMonthDay(std::string_view text, WallTime now)
{
    Reader reader(text);
    const int monthNumber = reader.number(2, 2);
    reader.expect('-');
    const int dayNumber = reader.number(2, 2);
    reader.expect(' ');
    const TimeOfDay time = readTime(reader, false);
    if (!reader.ok())
        return std::nullopt;
    // Up to eight years on, for a 29 February.
    for (int yearNumber = yearOf(now); yearNumber <= yearOf(now) + 8; ++yearNumber) {
        const std::optional<WallTime> candidate = assemble(yearNumber, static_cast<unsigned>(monthNumber), dayNumber, time);
        if (candidate && *candidate > now)
            return candidate;
    }
    return std::nullopt;
}

}  // namespace omni
