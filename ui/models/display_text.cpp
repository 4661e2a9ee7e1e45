#include "ui/models/display_text.h"

#include "ui/models/core_patterns.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

namespace omni {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(omni::Words)
};

}  // namespace

QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

std::string toUtf8(const QString& text)
{
    return text.toStdString();
}

WallTime wallNow()
{
    return SystemClock().wall();
}

QString numberText(std::int64_t value)
{
    return QLocale().toString(static_cast<qlonglong>(value));
}

QString decimalText(double value, int decimals)
{
    const QLocale locale;
    QString text = locale.toString(value, 'f', decimals);
    if (decimals > 0) {
        while (text.endsWith(locale.zeroDigit()))
            text.chop(locale.zeroDigit().size());
        if (text.endsWith(locale.decimalPoint()))
            text.chop(locale.decimalPoint().size());
    }
    return text;
}

QString exactTimeText(WallTime time)
{
    const QLocale locale;
    const QDateTime local = QDateTime::fromMSecsSinceEpoch(epochMillis(time));
    return locale.toString(local.date(), QLocale::ShortFormat) + QLatin1Char(' ')
        + locale.toString(local.time(), QStringLiteral("HH:mm:ss.zzz"));
}

QString agoText(WallTime time, WallTime now)
{
    const std::int64_t minutes = (epochMillis(now) - epochMillis(time)) / 60'000;
    if (minutes < 1)
        return Words::tr("just now");
    if (minutes == 1)
        return Words::tr("a minute ago");
    if (minutes < 60)
        return Words::tr("%1 minutes ago").arg(numberText(minutes));
    const std::int64_t hours = minutes / 60;
    if (hours == 1)
        return Words::tr("an hour ago");
    if (hours < 24)
        return Words::tr("%1 hours ago").arg(numberText(hours));
    if (hours < 48)
        return Words::tr("a day ago");
    return Words::tr("%1 days ago").arg(numberText(hours / 24));
}

QString providerText(const Configuration* configuration, const ProviderId& id)
{
    if (configuration) {
        const Provider* provider = configuration->provider(id);
        if (provider && !provider->name.empty())
            return toQString(provider->name);
    }
    return toQString(id.str());
}

QString targetText(const Configuration* configuration, const ProviderId& provider, const std::string& connectionName)
{
    const QString name = providerText(configuration, provider);
    if (connectionName.empty())
        return name;
    if (name.isEmpty())
        return toQString(connectionName);
    return name + QStringLiteral(" · ") + toQString(connectionName);
}

QString reasonText(FailureReason reason)
{
    switch (reason) {
    case FailureReason::Unknown: return Words::tr("unknown failure");
    case FailureReason::QuotaExhausted: return Words::tr("quota used up");
    case FailureReason::RateLimitExceeded: return Words::tr("rate limit");
    case FailureReason::ModelCapacity: return Words::tr("model at capacity");
    case FailureReason::ServerError: return Words::tr("server error");
    case FailureReason::AuthError: return Words::tr("key refused");
    case FailureReason::NotFound: return Words::tr("not found");
    case FailureReason::ServiceNotRunning: return Words::tr("service not running");
    case FailureReason::ConcurrencyLimited: return Words::tr("too many at once");
    case FailureReason::Overloaded: return Words::tr("overloaded");
    case FailureReason::BadRequest: return Words::tr("request refused");
    case FailureReason::Transport: return Words::tr("connection failed");
    case FailureReason::RequestRejected: return Words::tr("turned away by the provider");
    case FailureReason::Forbidden: return Words::tr("forbidden for this key");
    case FailureReason::Credits: return Words::tr("out of credit");
    }
    return {};
}

QString hintSourceText(HintSource source)
{
    switch (source) {
    case HintSource::None: return {};
    case HintSource::Header: return Words::tr("asked for in a header");
    case HintSource::GoogleRpcRetryInfo:
    case HintSource::Body: return Words::tr("asked for in the answer");
    case HintSource::Ladder: return Words::tr("from our own ladder");
    case HintSource::Rule: return Words::tr("set by a rule");
    case HintSource::Operator: return Words::tr("set by hand");
    }
    return {};
}

QString statusText(int status)
{
    return status > 0 ? QStringLiteral("HTTP %1").arg(status) : Words::tr("no answer");
}

QString coreText(const std::string& english)
{
    if (english.empty())
        return {};
    const QString plain = toQString(english);
    const QString text = QCoreApplication::translate("omni::core", english.c_str());
    if (text != plain)
        return text;
    const QString byPattern = translatedByPattern(plain);
    return byPattern.isEmpty() ? plain : byPattern;
}

QString errorText(const Error& error)
{
    QString text = coreText(error.message);
    for (const FieldError& detail : error.details) {
        const QString line = coreText(detail.message);
        if (!line.isEmpty() && !text.contains(line))
            text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + line;
    }
    return text;
}

}  // namespace omni
