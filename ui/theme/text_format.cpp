#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>

namespace omni {

namespace {

QString unit(const char* text)
{
    return QCoreApplication::translate("Units", text);
}

bool digitsAlign(const QFont& font)
{
    const QFontMetrics metrics(font);
    const int width = metrics.horizontalAdvance(QLatin1Char('0'));
    for (char digit = '1'; digit <= '9'; ++digit) {
        if (metrics.horizontalAdvance(QLatin1Char(digit)) != width)
            return false;
    }
    return true;
}

/// Two digits, with the locale's own zero in front.
QString padded(std::int64_t value)
{
    return QStringLiteral("%L1").arg(static_cast<qlonglong>(value), 2, 10, QLatin1Char('0'));
}

/// Without a thousands separator and without trailing zeros.
QString figure(double value, int decimals)
{
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    return locale.toString(value, 'f', decimals);
}

}  // namespace

QFont tabularFont(const QFont& base)
{
    QFont font = base;
    if (digitsAlign(font))
        return font;
    // Qt 6.4 cannot ask a font for its tabular figures; take a family whose figures are tabular by design.
    const QStringList installed = QFontDatabase::families();
    for (const auto& family : {QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans"), QStringLiteral("Segoe UI"),
                               QStringLiteral("Helvetica Neue"), QStringLiteral("Arial")}) {
        if (!installed.contains(family))
            continue;
        font.setFamilies({family});
        if (digitsAlign(font))
            return font;
    }
    return base;
}

QFont monospaceFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleHint(QFont::Monospace);
    return font;
}

QString countdownText(Millis remaining)
{
    const std::int64_t seconds = std::max<std::int64_t>(0, (remaining.count() + 999) / 1000);
    const std::int64_t hours = seconds / 3600;
    if (hours >= 24) {
        return unit(QT_TRANSLATE_NOOP("Units", "%1 d %2 h"))
            .arg(figure(static_cast<double>(hours / 24), 0), figure(static_cast<double>(hours % 24), 0));
    }
    if (hours > 0)
        return unit(QT_TRANSLATE_NOOP("Units", "%1 h %2 min")).arg(figure(static_cast<double>(hours), 0), padded(seconds / 60 % 60));
    return figure(static_cast<double>(seconds / 60), 0) + QLatin1Char(':') + padded(seconds % 60);
}

QString durationText(std::int64_t micros)
{
    if (micros < 0)
        return QStringLiteral("–");
    const double ms = static_cast<double>(micros) / 1000.0;
    if (ms < 999.5) {
        const int decimals = ms < 0.995 ? 2 : ms < 9.95 ? 1 : 0;
        return unit(QT_TRANSLATE_NOOP("Units", "%1 ms")).arg(figure(ms, decimals));
    }
    const double seconds = ms / 1000.0;
    if (seconds < 59.95)
        return unit(QT_TRANSLATE_NOOP("Units", "%1 s")).arg(figure(seconds, seconds < 9.995 ? 2 : 1));
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    if (whole < 3600)
        return unit(QT_TRANSLATE_NOOP("Units", "%1 min %2 s")).arg(figure(static_cast<double>(whole / 60), 0), padded(whole % 60));
    return unit(QT_TRANSLATE_NOOP("Units", "%1 h %2 min")).arg(figure(static_cast<double>(whole / 3600), 0), padded(whole / 60 % 60));
}

QString lengthText(Millis length)
{
    struct Part {
        std::int64_t millis;
        const char* pattern;
    };
    static constexpr std::array<Part, 5> parts{{
        {86'400'000, QT_TRANSLATE_NOOP("Units", "%1 d")},
        {3'600'000, QT_TRANSLATE_NOOP("Units", "%1 h")},
        {60'000, QT_TRANSLATE_NOOP("Units", "%1 min")},
        {1'000, QT_TRANSLATE_NOOP("Units", "%1 s")},
        {1, QT_TRANSLATE_NOOP("Units", "%1 ms")},
    }};
    std::int64_t left = std::max<std::int64_t>(0, length.count());
    QStringList texts;
    for (const Part& part : parts) {
        if (const std::int64_t count = left / part.millis; count > 0)
            texts << unit(part.pattern).arg(figure(static_cast<double>(count), 0));
        left %= part.millis;
    }
    return texts.isEmpty() ? unit("%1 s").arg(figure(0, 0)) : texts.join(QLatin1Char(' '));
}

QString timeText(WallTime time)
{
    if (epochMillis(time) <= 0)
        return QStringLiteral("–");
    const QLocale locale;
    const QDateTime moment = QDateTime::fromMSecsSinceEpoch(epochMillis(time));
    QString format = locale.timeFormat(QLocale::ShortFormat);
    if (!format.contains(QLatin1Char('s')))
        format.replace(QLatin1String("mm"), QLatin1String("mm:ss"));
    const QString clock = locale.toString(moment.time(), format);
    if (moment.date() == QDate::currentDate())
        return clock;
    return locale.toString(moment.date(), QLocale::ShortFormat) + QLatin1Char(' ') + clock;
}

QString compactNumber(double value)
{
    struct Step {
        double size;
        const char* pattern;
    };
    static constexpr std::array<Step, 3> steps{{
        {1e9, QT_TRANSLATE_NOOP("Units", "%1 G")},
        {1e6, QT_TRANSLATE_NOOP("Units", "%1 M")},
        {1e3, QT_TRANSLATE_NOOP("Units", "%1 k")},
    }};
    for (const auto& step : steps) {
        if (std::abs(value) < step.size * 0.99995)
            continue;
        const double scaled = value / step.size;
        return unit(step.pattern).arg(figure(scaled, std::abs(scaled) < 99.95 ? 1 : 0));
    }
    const bool whole = std::abs(value - std::round(value)) < 0.05;
    return figure(value, whole ? 0 : 1);
}

}  // namespace omni
