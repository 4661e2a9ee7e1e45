#include "resilience/reset_clock.h"

#include "program/test_program.h"
#include "resilience/date_text.h"

#include <QTest>
#include <QTimeZone>

#include <chrono>

using namespace omni;
using namespace std::chrono_literals;

namespace {

WallTime at(const QByteArray& iso)
{
    const std::optional<WallTime> time = parseIsoDate(iso.toStdString());
    Q_ASSERT(time);
    return *time;
}

/// The machine's own zone, for as long as it lives.
class MachineZone {
public:
    explicit MachineZone(const QByteArray& zone) : m_before(qgetenv("TZ")), m_wasSet(qEnvironmentVariableIsSet("TZ"))
    {
        qputenv("TZ", zone);
    }
    MachineZone(const MachineZone&) = delete;
    MachineZone& operator=(const MachineZone&) = delete;
    ~MachineZone()
    {
        if (m_wasSet)
            qputenv("TZ", m_before);
        else
            qunsetenv("TZ");
    }

private:
    QByteArray m_before;
    bool m_wasSet;
};

}  // namespace

class ResetClockTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void waits_data()
    {
        QTest::addColumn<QByteArray>("zone");
        QTest::addColumn<int>("hour");
        QTest::addColumn<QByteArray>("now");
        QTest::addColumn<qint64>("seconds");
        const auto row = [](const char* tag, const char* zone, int hour, const char* now, std::chrono::seconds wait) {
            QTest::newRow(tag) << QByteArray(zone) << hour << QByteArray(now) << qint64(wait.count());
        };
        row("UTC midnight", "UTC", 0, "2026-03-10T22:30:00Z", 90min);
        row("UTC at an hour later today", "UTC", 5, "2026-03-10T03:00:00Z", 2h);
        row("UTC at an hour that is past", "UTC", 5, "2026-03-10T06:00:00Z", 23h);
        row("at the very moment it is the next one", "UTC", 5, "2026-03-10T05:00:00Z", 24h);
        row("a second before", "UTC", 5, "2026-03-10T04:59:59Z", 1s);
        row("east: already tomorrow there", "Asia/Dhaka", 0, "2026-03-10T18:00:00Z", 24h);
        row("east: half an hour to go", "Asia/Dhaka", 0, "2026-03-10T17:30:00Z", 30min);
        row("east, by the half hour", "Asia/Kolkata", 9, "2026-03-10T03:00:00Z", 30min);
        row("west: yesterday there", "America/Los_Angeles", 0, "2026-01-10T03:00:00Z", 5h);
        row("furthest east", "Pacific/Kiritimati", 0, "2026-03-10T09:00:00Z", 1h);
        row("furthest west", "Pacific/Niue", 0, "2026-03-10T10:00:00Z", 1h);
        row("hour 23", "UTC", 23, "2026-03-10T23:30:00Z", 23h + 30min);
        row("an hour there is none of is the last", "UTC", 99, "2026-03-10T22:30:00Z", 30min);
        row("an hour below is midnight", "UTC", -3, "2026-03-10T22:30:00Z", 90min);

        // Clocks forward at 02:00 on 2026-03-08, back at 02:00 on 2026-11-01.
        row("a day of 23 hours", "America/Los_Angeles", 0, "2026-03-08T08:00:00Z", 23h);
        row("a day of 25 hours", "America/Los_Angeles", 0, "2026-11-01T07:00:00Z", 25h);
        row("leapt over: the moment of the leap", "America/Los_Angeles", 2, "2026-03-08T09:59:00Z", 1min);
        row("leapt over: the next day's after it", "America/Los_Angeles", 2, "2026-03-08T10:00:00Z", 23h);
        row("shown twice: the first time", "America/Los_Angeles", 1, "2026-11-01T07:00:00Z", 1h);
        row("shown twice: not again the same day", "America/Los_Angeles", 1, "2026-11-01T08:00:00Z", 25h);
        row("shown twice: between both", "America/Los_Angeles", 1, "2026-11-01T08:30:00Z", 24h + 30min);
        // Clocks that leap over midnight itself: 2026-04-24 begins at 01:00 in Cairo.
        row("no midnight: the day begins late", "Africa/Cairo", 0, "2026-04-23T21:59:00Z", 1min);
        row("no midnight: the day after", "Africa/Cairo", 0, "2026-04-23T22:00:00Z", 23h);
        // Half an hour of summer time.
        row("half an hour", "Australia/Lord_Howe", 0, "2026-04-04T13:00:00Z", 24h + 30min);
        // A date that never was: 2011-12-30 in Apia.
        row("a date that never was", "Pacific/Apia", 0, "2011-12-30T09:00:00Z", 1h);

        row("24 h when the zone is unknown", "Mars/Olympus", 5, "2026-03-10T03:00:00Z", 24h);
        row("24 h when the zone is nonsense", "../etc/passwd", 5, "2026-03-10T03:00:00Z", 24h);
    }

    void waits()
    {
        QFETCH(QByteArray, zone);
        QFETCH(int, hour);
        QFETCH(QByteArray, now);
        QFETCH(qint64, seconds);
        if (!QTimeZone::isTimeZoneIdAvailable("Asia/Dhaka"))
            QSKIP("there is no database of time zones");
        const Millis wait = untilDailyReset({zone.toStdString(), hour}, at(now));
        QCOMPARE(wait.count(), seconds * 1'000);

        // As the machine's own zone it tells the same.
        if (QTimeZone(zone).isValid()) {
            const MachineZone machine(zone);
            QCOMPARE(untilDailyReset({{}, hour}, at(now)), wait);
        }
    }

    void everyMinuteOfTwoYears_data()
    {
        QTest::addColumn<QByteArray>("zone");
        QTest::addColumn<int>("hour");
        for (const char* zone : {"UTC", "Asia/Dhaka", "America/Los_Angeles", "Africa/Cairo", "Australia/Lord_Howe", "America/Santiago"}) {
            for (const int hour : {0, 2, 23})
                QTest::addRow("%s at %d", zone, hour) << QByteArray(zone) << hour;
        }
    }

    /// Whatever the day: more than nothing, at most 25 hours, and the same moment however long before it one asks.
    void everyMinuteOfTwoYears()
    {
        QFETCH(QByteArray, zone);
        QFETCH(int, hour);
        if (!QTimeZone(zone).isValid())
            QSKIP("there is no database of time zones");
        const DailyResetSettings settings{zone.toStdString(), hour};
        const WallTime end = at("2028-01-01T00:00:00Z");
        WallTime next{};
        int resets = 0;
        for (WallTime now = at("2026-01-01T00:00:00Z"); now < end; now += 17min) {
            const Millis wait = untilDailyReset(settings, now);
            QVERIFY(wait > 0ms && wait <= 25h);
            if (now < next) {
                QVERIFY2(now + wait == next, "the reset has moved");
                continue;
            }
            next = now + wait;
            ++resets;
        }
        QVERIFY(resets >= 729 && resets <= 731);
    }

    /// Sleep, and clocks that were set, change nothing but what is left: the moment depends on the wall clock alone.
    void clocks()
    {
        SimulatedClock clock(at("2026-03-10T03:00:00Z"));
        const DailyResetSettings settings{"UTC", 5};
        const WallTime reset = clock.wall() + untilDailyReset(settings, clock.wall());
        clock.advance(90min);
        QCOMPARE(clock.wall() + untilDailyReset(settings, clock.wall()), reset);
        clock.jumpWall(-1h);
        QCOMPARE(untilDailyReset(settings, clock.wall()), Millis(90min));
        clock.jumpWall(24h);
        QCOMPARE(clock.wall() + untilDailyReset(settings, clock.wall()), reset + 24h);
        clock.advance(8h);
        QCOMPARE(clock.wall() + untilDailyReset(settings, clock.wall()), reset + 48h);
    }
};

OMNI_TEST(ResetClockTest)
#include "reset_clock_test.moc"
