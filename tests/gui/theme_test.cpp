#include "ui/shell/app_icon.h"
#include "ui/theme/colours.h"
#include "ui/theme/theme.h"

#include "program/test_program.h"

#include <QApplication>
#include <QDateTime>
#include <QLocale>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace omni;

namespace {

/// WCAG 2.1, relative luminance.
double luminance(const QColor& colour)
{
    const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double light = std::max(luminance(a), luminance(b));
    const double dark = std::min(luminance(a), luminance(b));
    return (light + 0.05) / (dark + 0.05);
}

}  // namespace

class ThemeTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale::c()); }

    void textCanBeRead_data();
    void textCanBeRead();
    void darkAndLightAreToldApartByThePalette();
    void statesDifferInShapeAndWord();
    void aChangeTakesEffectAtOnce();
    void countdowns_data();
    void countdowns();
    void durations_data();
    void durations();
    void compactNumbers_data();
    void compactNumbers();
    void timesOfTodayHaveNoDate();
    void digitsFollowTheLocale();
    void figuresStandUnderEachOther();
    void iconsAreThere();
};

void ThemeTest::textCanBeRead_data()
{
    QTest::addColumn<QColor>("ink");
    QTest::addColumn<QColor>("ground");
    for (const Colours* c : {&lightColours(), &darkColours()}) {
        const std::string theme = c->dark ? "dark " : "light ";
        const std::vector<std::pair<const char*, QColor>> inks{{"text", c->text},       {"muted", c->mutedText}, {"good", c->good},
                                                               {"warn", c->warn},       {"bad", c->bad},         {"probing", c->probing},
                                                               {"resting", c->resting}, {"accent", c->accent}};
        const std::vector<std::pair<const char*, QColor>> grounds{{"window", c->window}, {"surface", c->surface}, {"raised", c->raised}};
        for (const auto& [inkName, ink] : inks) {
            for (const auto& [groundName, ground] : grounds)
                QTest::newRow((theme + inkName + " on " + groundName).c_str()) << ink << ground;
        }
        // A selected row keeps the colours of its states.
        for (const auto& [inkName, ink] : inks) {
            if (ink != c->accent)
                QTest::newRow((theme + inkName + " on accentSoft").c_str()) << ink << c->accentSoft;
        }
        QTest::newRow((theme + "accentText on accent").c_str()) << c->accentText << c->accent;
        QTest::newRow((theme + "accentText on bad").c_str()) << c->accentText << c->bad;
        QTest::newRow((theme + "good on goodSoft").c_str()) << c->good << c->goodSoft;
        QTest::newRow((theme + "warn on warnSoft").c_str()) << c->warn << c->warnSoft;
        QTest::newRow((theme + "bad on badSoft").c_str()) << c->bad << c->badSoft;
    }
}

void ThemeTest::textCanBeRead()
{
    QFETCH(QColor, ink);
    QFETCH(QColor, ground);
    const double ratio = contrast(ink, ground);
    QVERIFY2(ratio >= 4.5, qPrintable(QStringLiteral("%1 on %2: %3").arg(ink.name(), ground.name()).arg(ratio)));
}

void ThemeTest::darkAndLightAreToldApartByThePalette()
{
    QVERIFY(coloursFor(paletteFrom(darkColours())).dark);
    QVERIFY(!coloursFor(paletteFrom(lightColours())).dark);
}

void ThemeTest::statesDifferInShapeAndWord()
{
    const Colours& c = lightColours();
    QStringList seen;
    for (const BreakerState state : {BreakerState::Closed, BreakerState::Degraded, BreakerState::Open, BreakerState::HalfOpen}) {
        const StateLook look = lookOf(state, c);
        QVERIFY(!look.shape.isEmpty());
        QVERIFY2(!seen.contains(look.shape) && !seen.contains(look.word), qPrintable(look.word));
        seen << look.shape << look.word;
    }
    // Degraded serves: it is amber, never red (spec 0-decisions, "DEGRADED").
    QCOMPARE(lookOf(BreakerState::Degraded, c).colour, c.warn);
    for (int i = 0; i <= static_cast<int>(Exclusion::ContextWindow); ++i) {
        const StateLook look = lookOf(static_cast<Exclusion>(i), c);
        QVERIFY2(!look.word.isEmpty() && !look.shape.isEmpty() && look.colour.isValid(), qPrintable(QString::number(i)));
    }
    for (int i = 0; i <= static_cast<int>(Outcome::Refused); ++i)
        QVERIFY(!lookOf(static_cast<Outcome>(i), c).word.isEmpty());
}

void ThemeTest::aChangeTakesEffectAtOnce()
{
    ThemeManager manager(*qApp);
    manager.apply(Theme::Light);
    QSignalSpy changed(&manager, &ThemeManager::changed);
    manager.apply(Theme::Dark);
    QCOMPARE(changed.count(), 1);
    QVERIFY(manager.colours().dark);
    QCOMPARE(QApplication::palette().color(QPalette::Window), darkColours().window);
    QVERIFY(qApp->styleSheet().contains(darkColours().accent.name()));
    QVERIFY2(!qApp->styleSheet().contains(QLatin1Char('@')), "a colour of the style sheet has no value");
    manager.apply(Theme::Dark);
    QCOMPARE(changed.count(), 1);
    manager.apply(Theme::Light);
    QCOMPARE(QApplication::palette().color(QPalette::Window), lightColours().window);
}

void ThemeTest::countdowns_data()
{
    QTest::addColumn<qint64>("ms");
    QTest::addColumn<QString>("text");
    QTest::newRow("nothing left") << qint64{0} << "0:00";
    QTest::newRow("over") << qint64{-5'000} << "0:00";
    QTest::newRow("part of a second counts") << qint64{1} << "0:01";
    QTest::newRow("seconds") << qint64{21'000} << "0:21";
    QTest::newRow("minutes") << qint64{107'000} << "1:47";
    QTest::newRow("many minutes") << qint64{1'752'000} << "29:12";
    QTest::newRow("almost an hour") << qint64{3'599'001} << "1 h 00 min";
    QTest::newRow("hours") << qint64{5 * 3'600'000 + 3 * 60'000} << "5 h 03 min";
    QTest::newRow("days") << qint64{50 * 3'600'000} << "2 d 2 h";
}

void ThemeTest::countdowns()
{
    QFETCH(qint64, ms);
    QFETCH(QString, text);
    QCOMPARE(countdownText(Millis(ms)), text);
}

void ThemeTest::durations_data()
{
    QTest::addColumn<qint64>("us");
    QTest::addColumn<QString>("text");
    QTest::newRow("did not come to it") << qint64{-1} << "–";
    QTest::newRow("none") << qint64{0} << "0.00 ms";
    QTest::newRow("microseconds") << qint64{90} << "0.09 ms";
    QTest::newRow("below ten") << qint64{1'240} << "1.2 ms";
    QTest::newRow("milliseconds") << qint64{612'000} << "612 ms";
    QTest::newRow("just a second") << qint64{999'600} << "1.00 s";
    QTest::newRow("seconds") << qint64{1'432'000} << "1.43 s";
    QTest::newRow("many seconds") << qint64{41'234'000} << "41.2 s";
    QTest::newRow("minutes") << qint64{125'000'000} << "2 min 05 s";
    QTest::newRow("hours") << qint64{7'500'000'000} << "2 h 05 min";
}

void ThemeTest::durations()
{
    QFETCH(qint64, us);
    QFETCH(QString, text);
    QCOMPARE(durationText(us), text);
}

void ThemeTest::compactNumbers_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0.0 << "0";
    QTest::newRow("fraction") << 14.24 << "14.2";
    QTest::newRow("whole") << 14.0 << "14";
    QTest::newRow("hundreds") << 999.0 << "999";
    QTest::newRow("thousands") << 48'140.0 << "48.1 k";
    QTest::newRow("many thousands") << 481'400.0 << "481 k";
    QTest::newRow("rounds up to the next") << 999'960.0 << "1.0 M";
    QTest::newRow("millions") << 2'500'000.0 << "2.5 M";
    QTest::newRow("milliards") << 7.2e9 << "7.2 G";
}

void ThemeTest::compactNumbers()
{
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(compactNumber(value), text);
}

void ThemeTest::timesOfTodayHaveNoDate()
{
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedKingdom));
    const QDateTime noon(QDate::currentDate(), QTime(12, 34, 56));
    QCOMPARE(timeText(fromEpochMillis(noon.toMSecsSinceEpoch())), QStringLiteral("12:34:56"));
    const QString yesterday = timeText(fromEpochMillis(noon.addDays(-1).toMSecsSinceEpoch()));
    QVERIFY2(yesterday.endsWith(QLatin1String("12:34:56")) && yesterday.size() > 10, qPrintable(yesterday));
    QCOMPARE(timeText(WallTime{}), QStringLiteral("–"));
}

void ThemeTest::digitsFollowTheLocale()
{
    QLocale::setDefault(QLocale(QLocale::Bengali));
    QCOMPARE(countdownText(Millis(107'000)), QStringLiteral("১:৪৭"));
    QCOMPARE(countdownText(Millis(5'000)), QStringLiteral("০:০৫"));
    QVERIFY(durationText(612'000).startsWith(QStringLiteral("৬১২")));
    QVERIFY(compactNumber(48'140).startsWith(QStringLiteral("৪৮.১")));
}

void ThemeTest::figuresStandUnderEachOther()
{
    const QFontMetrics metrics(tabularFont(QApplication::font()));
    for (char digit = '1'; digit <= '9'; ++digit)
        QCOMPARE(metrics.horizontalAdvance(QLatin1Char(digit)), metrics.horizontalAdvance(QLatin1Char('0')));
}

void ThemeTest::iconsAreThere()
{
    const ThemeManager manager(*qApp);
    QVERIFY(!themedIcon(QStringLiteral("search"), QApplication::palette()).isNull());
    QVERIFY(themedIcon(QStringLiteral("no such icon"), QApplication::palette()).isNull());
    QCOMPARE(appIcon().availableSizes().size(), 7);
    // Each state is another picture in each size a tray may ask for (field fault N10).
    for (const int size : {16, 22, 24, 32, 48, 64}) {
        std::vector<QImage> seen;
        for (const ShellState state : {ShellState::Serving, ShellState::Degraded, ShellState::Stopped, ShellState::Failed}) {
            const QImage image = trayIcon(state).pixmap(size).toImage();
            QCOMPARE(image.width(), size);
            for (const QImage& other : seen)
                QVERIFY(image != other);
            seen.push_back(image);
        }
    }
}

OMNI_TEST(ThemeTest)
#include "theme_test.moc"
