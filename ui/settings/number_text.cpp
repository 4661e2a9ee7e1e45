#include "ui/settings/number_text.h"

#include "ui/models/display_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::NumberText)
};

double factorOf(Unit unit)
{
    switch (unit) {
    case Unit::Seconds: return 1'000;
    case Unit::Minutes: return 60'000;
    case Unit::Kibibytes: return 1'024;
    case Unit::Mebibytes: return 1'048'576;
    case Unit::None:
    case Unit::Port:
    case Unit::Milliseconds:
    case Unit::Megabytes:
    case Unit::Days: return 1;
    }
    return 1;
}

/// Any script's digits as ASCII, the decimal point as ".", groups and blanks away.
QString normalised(const QString& text)
{
    const QLocale locale;
    const QString point = locale.decimalPoint();
    const QString group = locale.groupSeparator();
    QString plain;
    for (const QChar c : text) {
        const int digit = c.digitValue();
        if (digit >= 0)
            plain += QChar(u'0' + digit);
        else if (QString(c) == point)
            plain += QLatin1Char('.');
        else if (!c.isSpace() && QString(c) != group)
            plain += c;
    }
    return plain;
}

}  // namespace

QString unitText(Unit unit)
{
    switch (unit) {
    case Unit::None:
    case Unit::Port: return {};
    case Unit::Milliseconds: return Words::tr("ms");
    case Unit::Seconds: return Words::tr("s");
    case Unit::Minutes: return Words::tr("min");
    case Unit::Kibibytes: return Words::tr("KiB");
    case Unit::Mebibytes: return Words::tr("MiB");
    case Unit::Megabytes: return Words::tr("MB");
    case Unit::Days: return Words::tr("days");
    }
    return {};
}

QString shownNumber(std::int64_t value, Unit unit)
{
    return unit == Unit::Port ? QString::number(value) : decimalText(static_cast<double>(value) / factorOf(unit), 3);
}

std::optional<std::int64_t> typedNumber(const QString& text, Unit unit)
{
    bool ok = false;
    const double number = normalised(text).toDouble(&ok) * factorOf(unit);
    if (!ok || !std::isfinite(number) || std::abs(number) > 9e15)
        return std::nullopt;
    const double whole = std::round(number);
    if (std::abs(number - whole) > 1e-6)
        return std::nullopt;
    return static_cast<std::int64_t>(whole);
}

std::optional<double> typedDecimal(const QString& text)
{
    bool ok = false;
    const double number = normalised(text).toDouble(&ok);
    return ok && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

QString rangeText(std::int64_t minimum, std::int64_t maximum, Unit unit)
{
    const QString name = unitText(unit);
    const QString suffix = name.isEmpty() ? QString() : QLatin1Char(' ') + name;
    return Words::tr("%1 to %2", "a range").arg(shownNumber(minimum, unit) + suffix, shownNumber(maximum, unit) + suffix);
}

}  // namespace omni
