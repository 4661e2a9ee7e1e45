#include "resilience/reset_clock.h"

#include <QByteArray>
#include <QDateTime>
#include <QTimeZone>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace omni {

namespace {

using namespace std::chrono_literals;

constexpr Millis kDay = 24h;
constexpr Millis kLongestDay = 25h;

/// What the zone's clocks show beyond UTC at a moment.
Millis offsetAt(const QTimeZone& zone, Millis utc)
{
    return std::chrono::seconds(zone.offsetFromUtc(QDateTime::fromMSecsSinceEpoch(utc.count(), Qt::UTC)));
}

/// The first moment at which the zone's clocks show `local` (counted like UTC), or have leapt over it.
Millis firstMoment(const QTimeZone& zone, Millis local)
{
    // Clocks are set once within two days at most, so what they show before and after is all that can be.
    Millis before = local - kDay;
    Millis after = local + kDay;
    const Millis early = offsetAt(zone, before);
    const Millis late = offsetAt(zone, after);
    // Set back, they show it twice: the larger offset is the earlier moment.
    for (const Millis offset : {std::max(early, late), std::min(early, late)}) {
        if (offsetAt(zone, local - offset) == offset)
            return local - offset;
    }
    while (after - before > 1ms) {
        const Millis middle = before + (after - before) / 2;
        (offsetAt(zone, middle) == early ? before : after) = middle;
    }
    return after;
}

}  // namespace

Millis untilDailyReset(const DailyResetSettings& settings, WallTime now)
{
    const QTimeZone zone =
        settings.timeZone.empty() ? QTimeZone::systemTimeZone() : QTimeZone(QByteArray::fromStdString(settings.timeZone));
    if (!zone.isValid())
        return kDay;
    const Millis utc = now.time_since_epoch();
    const Millis today = std::chrono::floor<std::chrono::days>(utc + offsetAt(zone, utc));
    const Millis hour = std::chrono::hours(std::clamp(settings.hour, 0, 23));
    // From yesterday on: where clocks leap over midnight, a day's moment may belong to the next day by the clock.
    for (int day = -1; day <= 2; ++day) {
        const Millis wait = firstMoment(zone, today + day * kDay + hour) - utc;
        if (wait > 0ms)
            return wait <= kLongestDay ? wait : kDay;
    }
    return kDay;
}

}  // namespace omni
